package turns

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Window is what one request carries.
type Window struct {
	Items  []int32 // indexes into the items of the history, in the order in which they are sent
	Tokens model.Tokens
	// Err says why the request fails: the pinned items do not fit, the result
	// overflows, or a required kind is scarce. Nothing is sent then.
	Err error
	// Asked is what the request carries that writes a summary, sent before this one; nil:
	// none is written. It is in no count of requests.
	Asked *Window

	parts []int32 // what is sent where notes or summaries stand in place of items, see Rule; else nil
	sizes standIns
	// shares reports that Items are a part of an array that windows before it have, though not from
	// the start of theirs.
	shares bool
	bare   bool // History.bare of the window, where its items are not kept
}

// sequence returns all that is sent: items, and what stands in place of some.
func (w Window) sequence() []int32 {
	if w.parts != nil {
		return w.parts
	}
	return w.Items
}

// Cleared returns the items in whose place a note is sent, in the order in which they are sent,
// and how many summaries are sent.
func (w Window) Cleared() (items []int32, summaries int) {
	for _, part := range w.parts {
		switch {
		case isNote(part):
			items = append(items, ^part)
		case isSummary(part):
			summaries++
		}
	}
	return items, summaries
}

// Cut returns the items that are sent in a smaller size, in the order in which they are sent.
func (w Window) Cut() (items []int32) {
	for _, part := range w.parts {
		if part >= 0 && sizeOf(part) > 0 {
			items = appendItems(items, []int32{part})
		}
	}
	return items
}

// Options says how Windows works; the windows do not depend on it.
type Options struct {
	// Each, if not nil, is called for every window as it is chosen, possibly
	// from several goroutines at once.
	Each func(request int, w Window)
	// MaxItems bounds the numbers of items that all windows hold, 4 bytes each;
	// windows that only grow share theirs. 0: no bound.
	MaxItems int
	// Keeps, if not nil, says of which plans Run keeps the items of the windows.
	Keeps func(Plan) bool
}

// SizeError says that the windows of a history hold more than Options.MaxItems.
type SizeError struct{ Requests, MaxItems int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("the windows of %s requests take more than %d MB: try a smaller budget", plain.Thousands(e.Requests), e.MaxItems*4>>20)
}

// Windows chooses the window of every request under budget b. The error says what
// is wrong with the plan, or is ctx's, a *model.TableError or a *SizeError. The
// error of a request that fails is in its Window. The result does not depend on
// the number of processors.
//
// Stateless ranks the items that had come before each request, on all processors, or where
// the policy allows it the items of a shortlist that can be in the window. The other strategies
// go from request to request. All, Watermark and the strategies of a Rule take time and
// memory for what comes and goes only, Sliding the memory.
func Windows(ctx context.Context, s *History, p Plan, b model.Budget, o Options) ([]Window, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	windows := make([]Window, len(s.requests))
	var held atomic.Int64 // numbers of items
	chain := chain{windows: windows, known: make([]bool, len(windows))}
	done := func(t int, w Window, err error) error {
		switch {
		case err == nil:
		case fails(err):
			w = Window{Err: err}
		default:
			return err
		}
		if p.Strategy == Stateless || t == 0 || !w.shares && !begins(w.sequence(), windows[t-1].sequence()) {
			if n := held.Add(int64(len(w.Items) + len(w.parts))); o.MaxItems > 0 && n > int64(o.MaxItems) {
				return &SizeError{len(windows), o.MaxItems}
			}
		}
		windows[t] = w
		if p.Strategy == Stateless {
			held.Add(-int64(chain.add(t)))
		}
		if o.Each != nil {
			o.Each(t, w)
		}
		return ctx.Err()
	}
	if p.Strategy == Stateless {
		c, err := newChooser(s, p)
		if err != nil {
			return nil, err
		}
		if err := c.all(ctx, b, o, done); err != nil {
			return nil, err
		}
		return windows, nil
	}
	next, err := s.follow(ctx, p, b)
	if err != nil {
		return nil, err
	}
	var items wholes
	for t, r := range s.requests {
		w, err := next(r)
		if w.parts != nil {
			w.Items = items.next(w.parts)
		}
		if err := done(t, w, err); err != nil {
			return nil, err
		}
	}
	return windows, nil
}

// chain has windows that were chosen independently share their items where one begins with
// all of the one before.
type chain struct {
	mu      sync.Mutex
	windows []Window
	known   []bool  // by request: the window is there
	next    int     // the first request whose window was not compared with the one before
	last    []int32 // items of the last window that was compared and has no error
}

// add takes in the window of a request, and returns how many numbers of items are no
// longer held.
func (c *chain) add(t int) (shared int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.known[t] = true; c.next < len(c.known) && c.known[c.next]; c.next++ {
		w := &c.windows[c.next]
		if n := len(c.last); n > 0 && len(w.Items) >= n && slices.Equal(c.last, w.Items[:n]) {
			c.last = append(c.last, w.Items[n:]...)
			w.Items, shared = slices.Clip(c.last), shared+n
		} else if w.Err == nil {
			c.last = slices.Clip(w.Items)
		}
	}
	return shared
}

// follow returns a function that chooses one window after the other.
func (s *History) follow(ctx context.Context, p Plan, b model.Budget) (func(Request) (Window, error), error) {
	switch p.Strategy {
	case Watermark:
		c, err := newChooser(s, p)
		w := &watermark{chooser: c, plan: p, budget: b, kept: growing{history: s, sizes: standIns{own: s.Items().HasSizes()}}}
		return func(r Request) (Window, error) { return w.next(ctx, r) }, err
	case Sliding:
		w := &sliding{history: s, plan: p, budget: b, all: growing{history: s}}
		return w.next, nil
	case Clear, Drop:
		w := s.relief(p, b)
		return func(r Request) (Window, error) {
			next, _ := w.next(r)
			return next, nil
		}, nil
	case Summarise:
		w := &ruler{following: s.following(p, b), kept: growing{history: s, sizes: p.Rule.sizes()}}
		return w.next, nil
	}
	all := growing{history: s}
	return func(r Request) (Window, error) {
		all = all.at(r)
		return all.window(), nil
	}, nil
}

// growing is a window that keeps what it has. The windows of a run in which nothing
// leaves share one array, of which each has the first items.
type growing struct {
	history        *History
	sizes          standIns
	items          []int32      // or what stands in place of some
	standing       int          // how many of them do, or are cut
	tokens, pinned model.Tokens // of all items, and of the pinned ones
	seen           int          // items below this index are in or dropped
}

// of returns the same window with other items.
func (g growing) of(items []int32) growing {
	s := g.history
	g.items, g.standing, g.tokens, g.pinned = items, 0, s.size(items, g.sizes), s.pinned(items)
	for _, part := range items {
		if part < 0 || sizeOf(part) > 0 {
			g.standing++
		}
	}
	return g
}

// at returns what it is at the next request: without what was taken out since the last
// one, and with what came.
func (g growing) at(r Request) growing {
	s := g.history
	if s.taken[r.Before] > s.taken[g.seen] {
		there := make([]int32, 0, len(g.items)+r.Before-g.seen)
		for _, part := range g.items {
			if i, ok := itemOf(part); !ok || s.There(r, i) {
				there = append(there, part)
			}
		}
		g = g.of(there)
	}
	came := s.come(r, g.seen)
	if g.sizes.own {
		for k, item := range came {
			if size := s.Items().PinnedSize(int(item)); size > 0 && s.Items().Pinned(int(item)) {
				came[k] = inSize(item, size)
				g.standing++
			}
		}
	}
	g.items, g.seen = append(g.items, came...), r.Before
	g.tokens += s.tokens(came)
	g.pinned += s.pinned(came)
	return g
}

func (g growing) window() Window {
	w := Window{Items: slices.Clip(g.items), Tokens: g.tokens, sizes: g.sizes}
	if g.standing > 0 {
		w.Items, w.parts = nil, w.Items
	}
	return w
}

// begins reports whether a list has the array of another one and at least its length.
func begins(a, b []int32) bool {
	return len(b) > 0 && len(a) >= len(b) && &a[0] == &b[0]
}

// wholes finds the items among the parts of windows, and has windows that extend the one
// before share them.
type wholes struct{ parts, items []int32 }

func (w *wholes) next(parts []int32) []int32 {
	added := parts
	if begins(parts, w.parts) {
		added = parts[len(w.parts):]
	} else {
		w.items = make([]int32, 0, len(parts))
	}
	w.items = appendItems(w.items, added)
	w.parts = parts
	return slices.Clip(w.items)
}

// appendItems appends the items among the parts of a window.
func appendItems(items, parts []int32) []int32 {
	for _, part := range parts {
		if part >= 0 {
			item, _ := itemOf(part)
			items = append(items, int32(item))
		}
	}
	return items
}

// fails reports whether an error concerns a single request only.
func fails(err error) bool {
	pinned, _ := errors.AsType[*model.PinnedError](err)
	overflow, _ := errors.AsType[*model.OverflowError](err)
	scarce, _ := errors.AsType[*model.ScarcityError](err)
	return pinned != nil || overflow != nil || scarce != nil
}

// come returns, in input order, the items from index from on that are there at a request and
// can be in a window.
func (s *History) come(r Request, from int) []int32 {
	items := make([]int32, 0, r.Before-from)
	for i := from; i < r.Before; i++ {
		if s.There(r, i) && s.takesPart(i) {
			items = append(items, int32(i))
		}
	}
	return items
}

func (s *History) tokens(items []int32) (sum model.Tokens) { return s.size(items, standIns{}) }

// size returns the number of tokens of items, and of what stands in place of some.
func (s *History) size(parts []int32, of standIns) (sum model.Tokens) {
	for _, part := range parts {
		item, _ := itemOf(part)
		switch {
		case part >= 0:
			sum += s.Items().SizeTokens(item, sizeOf(part))
		case isNote(part) && of.own:
			sum += s.Items().SizeTokens(item, len(s.Items().Sizes(item)))
		case isNote(part):
			sum += of.note
		default:
			sum += of.summary
		}
	}
	return sum
}

// bare reports whether a window has items, and only pinned ones.
func (s *History) bare(w Window) bool {
	parts := w.sequence()
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(part int32) bool {
		item, _ := itemOf(part)
		return part < 0 || !s.Items().Pinned(item)
	})
}

// pinned returns the number of tokens of the pinned ones among the items.
func (s *History) pinned(items []int32) (sum model.Tokens) {
	for _, part := range items {
		if item, _ := itemOf(part); part >= 0 && s.Items().Pinned(item) {
			sum += s.Items().SizeTokens(item, sizeOf(part))
		}
	}
	return sum
}

// fits reports whether a window fits the target, and whether its items that are not
// pinned fit the room beside the pinned items.
func fits(b model.Budget, all, pinned model.Tokens) bool {
	return all <= b.TargetTokens() && all-pinned <= b.Effective(pinned).Target
}

// checkPinned returns the error of a request whose pinned items alone do not fit,
// or nil.
func checkPinned(b model.Budget, pinned model.Tokens, overflow model.OverflowStrategy) error {
	if err := b.CheckPinned(pinned); err != nil {
		return err
	}
	if pinned > b.TargetTokens() && overflow == model.Throw {
		return &model.OverflowError{Merged: pinned, Target: b.TargetTokens()}
	}
	return nil
}
