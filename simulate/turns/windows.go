package turns

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Window is what one request carries.
type Window struct {
	Items  []int32 // indexes into the items of the session, in the order in which they are sent
	Tokens model.Tokens
	// Err says why the request fails: the pinned items do not fit, the result
	// overflows, or a required kind is scarce. Nothing is sent then.
	Err error
}

// Options says how Windows works; the windows do not depend on it.
type Options struct {
	// First is the request to begin with if requests do not depend on each
	// other, so that the windows on a screen are there first.
	First int
	// Each, if not nil, is called for every window as it is chosen, possibly
	// from several goroutines at once.
	Each func(request int, w Window)
}

// Windows chooses the window of every request under budget b. The error is
// that of Plan.Validate, that of ctx, or a *model.TableError. The error of a
// request that fails is in its Window. The result does not depend on the
// number of processors.
//
// Stateless ranks the items that had come before each request, on all
// processors; the other strategies go from request to request.
func Windows(ctx context.Context, s *Session, p Plan, b model.Budget, o Options) ([]Window, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	windows := make([]Window, len(s.requests))
	done := func(t int, w Window, err error) error {
		switch {
		case err == nil:
		case fails(err):
			w = Window{Err: err}
		default:
			return err
		}
		windows[t] = w
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
		if err := c.all(ctx, b, o.First, done); err != nil {
			return nil, err
		}
		return windows, nil
	}
	next, err := s.follow(ctx, p, b)
	if err != nil {
		return nil, err
	}
	for t, r := range s.requests {
		w, err := next(r)
		if err := done(t, w, err); err != nil {
			return nil, err
		}
	}
	return windows, nil
}

// workers returns the number of requests to work on at a time.
func workers() int { return runtime.GOMAXPROCS(0) }

// follow returns a function that chooses one window after the other.
func (s *Session) follow(ctx context.Context, p Plan, b model.Budget) (func(Request) (Window, error), error) {
	switch p.Strategy {
	case Watermark:
		c, err := newChooser(s, p)
		w := &watermark{chooser: c, plan: p, budget: b}
		return func(r Request) (Window, error) { return w.next(ctx, r) }, err
	case Sliding:
		w := &sliding{session: s, plan: p, budget: b}
		return w.next, nil
	}
	return func(r Request) (Window, error) { return s.window(s.come(r, s.Gone(r), 0)), nil }, nil
}

// fails reports whether an error concerns a single request only.
func fails(err error) bool {
	pinned, _ := errors.AsType[*model.PinnedError](err)
	overflow, _ := errors.AsType[*model.OverflowError](err)
	scarce, _ := errors.AsType[*model.ScarcityError](err)
	return pinned != nil || overflow != nil || scarce != nil
}

// chooser runs the pipeline on the items that had come before a request.
type chooser struct {
	session *Session
	policy  model.Policy
	pipe    *pipeline.Pipeline // nil: decay requires another one for every request
}

func newChooser(s *Session, p Plan) (*chooser, error) {
	c := &chooser{session: s, policy: p.Policy.Clone()}
	var err error
	var none Request
	if !datedAt(c.policy.Clone().Scorers, none.At.Value) {
		c.pipe, err = c.pipeline(none)
	}
	return c, err
}

// all chooses the window of every request independently, on all processors, the
// request first before the others.
func (c *chooser) all(ctx context.Context, b model.Budget, first int, done func(t int, w Window, err error) error) error {
	whole := ctx
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers())
	requests := c.session.requests
	for k := range requests {
		if ctx.Err() != nil {
			break
		}
		t := (k + max(0, first)) % len(requests)
		group.Go(func() error {
			w, err := c.choose(ctx, requests[t], c.session.Gone(requests[t]), b)
			return done(t, w, err)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return whole.Err()
}

// pipeline returns the pipeline of the policy at the time of a request.
func (c *chooser) pipeline(r Request) (*pipeline.Pipeline, error) {
	if c.pipe != nil {
		return c.pipe, nil
	}
	return pipeline.New(PolicyAt(c.policy, r))
}

// choose runs the pipeline without the items for which out is true.
func (c *chooser) choose(ctx context.Context, r Request, out []bool, b model.Budget) (Window, error) {
	pipe, err := c.pipeline(r)
	if err != nil {
		return Window{}, err
	}
	ranking, err := pipe.Rank(ctx, c.session.Items().Part(r.Before, out))
	if err != nil {
		return Window{}, err
	}
	report, err := ranking.DryRunContext(ctx, b)
	if err != nil {
		return Window{}, err
	}
	return Window{Items: report.Included, Tokens: report.Kept}, nil
}

// come returns, in input order, the items from index from on that had come before
// a request and for which out is not true.
func (s *Session) come(r Request, out []bool, from int) []int32 {
	items := make([]int32, 0, r.Before-from)
	for i := from; i < r.Before; i++ {
		if !out[i] && s.takesPart(i) {
			items = append(items, int32(i))
		}
	}
	return items
}

// window returns a window of the items, with the sum of their tokens.
func (s *Session) window(items []int32) Window {
	return Window{Items: items, Tokens: s.tokens(items)}
}

func (s *Session) tokens(items []int32) (sum model.Tokens) {
	for _, i := range items {
		sum += s.Items().Tokens(int(i))
	}
	return sum
}

// pinned returns the number of tokens of the pinned ones among the items.
func (s *Session) pinned(items []int32) (sum model.Tokens) {
	for _, i := range items {
		if s.Items().Pinned(int(i)) {
			sum += s.Items().Tokens(int(i))
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
	if available := b.MaxTokens() - b.OutputReserve(); pinned > available {
		return &model.PinnedError{Pinned: pinned, Available: available}
	}
	if pinned > b.TargetTokens() && overflow == model.Throw {
		return &model.OverflowError{Merged: pinned, Target: b.TargetTokens()}
	}
	return nil
}

// watermark is a window that grows until it is full.
type watermark struct {
	*chooser
	plan   Plan
	budget model.Budget
	kept   []int32 // the last window
	seen   int     // items below this index were in the last window or are dropped
}

func (w *watermark) next(ctx context.Context, r Request) (Window, error) {
	s := w.session
	out := s.Gone(r)
	all := make([]int32, 0, len(w.kept)+r.Before-w.seen)
	for _, i := range w.kept {
		if !out[i] {
			all = append(all, i)
		}
	}
	all = append(all, s.come(r, out, w.seen)...)
	window := s.window(all)
	pinned := s.pinned(all)
	if err := checkPinned(w.budget, pinned, w.plan.Policy.Overflow); err != nil {
		return Window{}, err
	}
	if !fits(w.budget, window.Tokens, pinned) {
		for i := range out {
			out[i] = true
		}
		for _, i := range all {
			out[i] = false
		}
		target := pinned + w.plan.cutTo(w.budget.Effective(pinned).Target)
		b, err := model.NewBudget(model.BudgetFields{MaxTokens: target})
		if err != nil {
			return Window{}, err
		}
		if window, err = w.choose(ctx, r, out, b); err != nil {
			return Window{}, err
		}
	}
	w.kept, w.seen = window.Items, r.Before
	return window, nil
}

// sliding is a window of the newest items, in input order.
type sliding struct {
	session *Session
	plan    Plan
	budget  model.Budget
	dropped int // items below this index that are not pinned are out
}

func (w *sliding) next(r Request) (Window, error) {
	s := w.session
	all := s.come(r, s.Gone(r), 0)
	all = slices.DeleteFunc(all, func(i int32) bool { return int(i) < w.dropped && !s.Items().Pinned(int(i)) })
	pinned := s.pinned(all)
	if err := checkPinned(w.budget, pinned, model.Truncate); err != nil {
		return Window{}, err
	}
	window := s.window(all)
	if fits(w.budget, window.Tokens, pinned) {
		return window, nil
	}
	left := w.budget.Effective(pinned).Target
	if w.plan.Low > 0 {
		left = w.plan.cutTo(left)
	}
	from := r.Before // the oldest item that fits, and all after it
	for k := len(all) - 1; k >= 0; k-- {
		if i := int(all[k]); !s.Items().Pinned(i) {
			if left -= s.Items().Tokens(i); left < 0 {
				break
			}
			from = i
		}
	}
	if w.plan.Low > 0 {
		w.dropped = from
	}
	return s.window(slices.DeleteFunc(all, func(i int32) bool { return int(i) < from && !s.Items().Pinned(int(i)) })), nil
}
