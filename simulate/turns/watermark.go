package turns

import (
	"context"
	"slices"

	"cupelscope/model"
)

// watermark is a window that grows until it is full.
type watermark struct {
	*chooser
	plan   Plan
	budget model.Budget
	kept   growing
}

func (w *watermark) next(ctx context.Context, r Request) (Window, error) {
	now := w.kept.at(r)
	if err := checkPinned(w.budget, now.pinned, w.plan.Policy.Overflow); err != nil {
		return Window{}, err
	}
	window := now.window()
	if !fits(w.budget, now.tokens, now.pinned) {
		target := now.pinned + w.plan.cutTo(w.budget.Effective(now.pinned).Target)
		b, err := model.NewBudget(model.BudgetFields{MaxTokens: target})
		if err != nil {
			return Window{}, err
		}
		if window, err = w.choose(ctx, r, appendItems(nil, now.items), b); err != nil {
			return Window{}, err
		}
		now = now.of(slices.Clip(window.sequence()))
	}
	w.kept = now
	return window, nil
}

// sliding is a window of the newest items, in input order.
type sliding struct {
	history *History
	plan    Plan
	budget  model.Budget
	dropped int     // items below this index that are not pinned are out
	fixed   []int32 // the pinned items below index seen
	seen    int
	all     growing // what is there; windows share its items
}

func (w *sliding) next(r Request) (Window, error) {
	s := w.history
	for ; w.seen < r.Before; w.seen++ {
		if s.Items().Pinned(w.seen) && s.takesPart(w.seen) {
			w.fixed = append(w.fixed, int32(w.seen))
		}
	}
	var pinned model.Tokens
	for _, i := range w.fixed {
		if s.There(r, int(i)) {
			pinned += s.Items().Tokens(int(i))
		}
	}
	if err := checkPinned(w.budget, pinned, model.Truncate); err != nil {
		return Window{}, err
	}
	room := w.budget.Effective(pinned).Target
	most := min(room, w.budget.TargetTokens()-pinned)
	from := w.newest(r, most)
	if from > w.dropped { // not all that is left fits
		switch {
		case w.plan.Low > 0:
			from = w.newest(r, w.plan.cutTo(room))
			w.dropped = from
		case room > most:
			from = w.newest(r, room)
		}
	}
	before := w.all.items
	w.all = w.all.at(r)
	at, _ := slices.BinarySearch(w.all.items, int32(from))
	var items []int32
	for _, i := range w.fixed {
		if int(i) < from && s.There(r, int(i)) {
			items = append(items, i)
		}
	}
	if items != nil {
		items = append(items, w.all.items[at:]...)
		return Window{Items: items, Tokens: s.tokens(items)}, nil
	}
	items = slices.Clip(w.all.items[at:])
	return Window{Items: items, Tokens: s.tokens(items), shares: begins(w.all.items, before)}, nil
}

// newest returns the index from which on the items that are there and not pinned fit
// into room: the oldest of them, or w.dropped if all of them fit.
func (w *sliding) newest(r Request, room model.Tokens) int {
	s, from := w.history, r.Before
	for i := r.Before - 1; i >= w.dropped; i-- {
		if s.Items().Pinned(i) || !s.takesPart(i) || !s.There(r, i) {
			continue
		}
		if room -= s.Items().Tokens(i); room < 0 {
			return from
		}
		from = i
	}
	return w.dropped
}
