package turns

import (
	"context"
	"math"
	"slices"

	"cupelscope/model"
)

// relief chooses windows by Clear or Drop, each derived from the one before. While items only
// come, the first item that is kept only moves on, so the rule looks at each item once:
//
//	call 1  result 1  text  call 2  result 2  call 3
//	|------- passed ------| kept
//
// What it would do to the items that it passed is due until the window is full. A rule without a
// memory (Once is not set) does at later requests what it did at this one, and more: the whole
// history and what can be freed only grow. Where a compaction takes items out, all is derived anew.
type relief struct {
	following
	drops   bool
	inPlace bool // the window before is no longer needed

	now     growing
	taken   int32        // how many items of the history were taken out before now was derived
	results []int32      // of tools, so far, kept or not
	newest  int          // results[newest:] reach KeepTokens, or are all
	newer   model.Tokens // of results[newest:]
	begins  []int32      // by message: its first item
	passed  int          // the rule looked at the items below this index
	acted   []bool       // by item: it is a note, or out
	due     []int32      // items to act on
	frees   model.Tokens // what that frees
	freed   model.Tokens // what was freed of the history
}

func (s *History) relief(p Plan, b model.Budget) *relief {
	return &relief{following: s.following(p, b), drops: p.Strategy == Drop, now: growing{history: s, sizes: p.Rule.sizes()}, acted: make([]bool, s.Items().Len())}
}

// next returns the window of a request, and how the window before it went on where that may
// differ.
func (w *relief) next(r Request) (Window, past) {
	before := w.now.items
	was := past{same: len(before)}
	w.come(r)
	if !begins(w.now.items, before) {
		was.same = 0
	}
	if len(before) > 0 && was.same == 0 {
		was.after = before
	}
	w.pass(r)
	history, frees := w.now.tokens, w.frees
	if !w.rule.Once {
		history, frees = history+w.freed, frees+w.freed
	}
	if w.fixed+history > w.full && frees >= max(1, w.rule.AtLeast) && len(w.due) > 0 {
		from := w.place(slices.Min(w.due))
		switch {
		case !w.inPlace:
			w.now.items = slices.Clone(w.now.items)
		case from < was.same:
			was = past{same: from, after: slices.Clone(before[from:])}
		}
		w.act(from)
	}
	return w.now.window(), was
}

// come takes in what came before a request.
func (w *relief) come(r Request) {
	s := w.history
	if s.taken[r.Before] > w.taken {
		w.anew(r)
		return
	}
	came := s.come(r, w.now.seen)
	for _, item := range came {
		// What was done to a call without its result is not what is done to both.
		if with, paired := s.Items().Partner(int(item)); w.drops && paired && with < w.passed && s.There(r, with) && (!w.rule.Once || !w.acted[with]) {
			w.anew(r)
			return
		}
	}
	w.add(r, came)
}

// anew derives all from what is there at a request.
func (w *relief) anew(r Request) {
	var there []int32
	for _, item := range w.history.come(r, 0) {
		switch {
		case !w.rule.Once || !w.acted[item]:
			there = append(there, item)
		case !w.drops:
			there = append(there, ^item)
		}
	}
	if !w.rule.Once {
		clear(w.acted)
	}
	w.now = growing{history: w.history, sizes: w.now.sizes}
	w.taken, w.results, w.newest, w.newer, w.begins = w.history.taken[r.Before], nil, 0, 0, nil
	w.passed, w.due, w.frees, w.freed = 0, nil, 0, 0
	w.add(r, there)
}

// add appends parts to the window, up to a request.
func (w *relief) add(r Request, parts []int32) {
	s := w.history
	for _, part := range parts {
		item, _ := itemOf(part)
		if s.isResult(item) {
			w.results, w.newer = append(w.results, int32(item)), w.newer+s.Items().Tokens(item)
		}
		if n := len(w.now.items); n == 0 || !s.sameMessage(w.now.items[n-1], part) {
			w.begins = append(w.begins, int32(item))
		}
		if part < 0 {
			w.now.standing++
		}
		w.now.items = append(w.now.items, part)
	}
	w.now.tokens += s.size(parts, w.now.sizes)
	w.now.seen = r.Before
}

// kept returns the first item that is kept.
func (w *relief) kept() int {
	tokens := func(k int) model.Tokens { return w.history.Items().Tokens(int(w.results[k])) }
	for w.newest < len(w.results) && w.newer-tokens(w.newest) >= w.rule.KeepTokens {
		w.newer -= tokens(w.newest)
		w.newest++
	}
	item := func(list []int32, k int) int {
		switch {
		case k < 0:
			return 0
		case k == len(list):
			return math.MaxInt
		}
		return int(list[k])
	}
	if !w.drops {
		return item(w.results, min(w.newest, len(w.results)-w.rule.Keep))
	}
	first := item(w.begins, len(w.begins)-w.rule.Keep)
	if w.rule.KeepTokens > 0 {
		first = min(first, item(w.results, w.newest))
	}
	return first
}

// pass looks at the items before the first that is kept.
func (w *relief) pass(r Request) {
	first := min(w.kept(), r.Before)
	for i := w.passed; i < first; i++ {
		if !w.there(r, i) || !w.replaces(i) {
			continue
		}
		with, paired := w.history.Items().Partner(i)
		switch {
		case !w.drops || !paired || !w.there(r, with):
			w.owe(i)
		case with < i && w.replaces(with):
			w.owe(with)
			w.owe(i)
		}
	}
	w.passed = max(w.passed, first)
}

// owe makes an item due.
func (w *relief) owe(i int) {
	w.due = append(w.due, int32(i))
	w.frees += w.history.Items().Tokens(i)
	if !w.drops {
		w.frees -= w.rule.Note
	}
}

// there reports whether the window has an item, whole.
func (w *relief) there(r Request, i int) bool {
	return w.history.There(r, i) && w.history.takesPart(i) && !w.acted[i]
}

// replaces reports whether the rule acts on an item that it does not keep.
func (w *relief) replaces(i int) bool {
	s := w.history
	if w.drops {
		return !w.spared[i] && (s.isResult(i) || s.isCall(i))
	}
	return !w.spared[i] && s.isResult(i) && s.Items().Tokens(i) > w.rule.Note
}

// place returns where an item is in the window.
func (w *relief) place(item int32) int {
	at, _ := slices.BinarySearchFunc(w.now.items, int(item), func(part int32, item int) int {
		is, _ := itemOf(part)
		return is - item
	})
	return at
}

// act does what is due, from a place in the window on.
func (w *relief) act(from int) {
	for _, item := range w.due {
		w.acted[item] = true
		if !w.drops {
			w.now.items[w.place(item)] = ^item
			w.now.standing++
		}
	}
	if w.drops {
		w.now.items = append(w.now.items[:from], slices.DeleteFunc(w.now.items[from:], func(part int32) bool { return w.acted[part] })...)
	}
	w.now.tokens -= w.frees
	w.freed, w.frees, w.due = w.freed+w.frees, 0, w.due[:0]
}

// follow returns the windows of the plan without what they carry, and their changes, as Windows
// and Compare do, but keeps one window at a time.
func (w *relief) follow(ctx context.Context, each func(int, Window)) ([]Window, []Change, error) {
	requests, c := w.history.requests, w.history.comparison()
	windows, changes := make([]Window, len(requests)), make([]Change, len(requests))
	w.inPlace, c.sent.copies = true, true
	for t, r := range requests {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		window, was := w.next(r)
		changes[t] = c.next(window, was)
		windows[t] = Window{Tokens: window.Tokens, bare: w.history.bare(window)}
		if each != nil {
			each(t, windows[t])
		}
	}
	return windows, changes, nil
}
