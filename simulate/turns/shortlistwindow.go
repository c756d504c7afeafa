package turns

import (
	"cmp"
	"context"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// choose sets the codes of the items that came before a request, as the slicer selects
// them. It reports whether what it takes of the list is what it takes of all items.
func (l *shortlist) choose(ctx context.Context, r Request) (suffices bool, err error) {
	l.rate(r)
	l.chosen = 0
	room := l.budget.Effective(l.pinnedTokens).Target
	if room <= 0 {
		return true, nil
	}
	if l.set != nil {
		return l.chooseSet(ctx, room)
	}
	left, stopped := room, false // when it has gone through all before minKey
	batch := uint64(0)           // the last that was begun while something of the room remained
	for _, k := range l.sorted {
		if room > 0 {
			batch = l.keys[k]
		}
		switch tokens := l.tokens[k]; {
		case l.batch > 0 && l.keys[k] > batch:
		case l.codes[k] == model.Deduplicated:
		case tokens <= room:
			l.codes[k], room = model.Scored, room-tokens
			l.chosen++
			if l.keys[k] < l.minKey {
				left -= tokens
			}
		case l.stops:
			room, stopped = 0, stopped || l.keys[k] < l.minKey
		}
	}
	if l.stops {
		return stopped && l.minTokens > 0 || l.minTokens > model.MaxTokens, nil
	}
	return left < l.minTokens, nil
}

// chooseSet is choose under a slicer that takes a set as a whole.
func (l *shortlist) chooseSet(ctx context.Context, room model.Tokens) (suffices bool, err error) {
	in := slicer.Input{Items: l.indexes[:l.came], Tokens: l.tokens[:l.came], Scores: l.scores[:l.came]}
	sorted := make([]int32, 0, l.came)
	for _, k := range l.sorted {
		if l.codes[k] != model.Deduplicated {
			sorted = append(sorted, k)
		}
	}
	set, certain, err := l.set.Slice(ctx, &in, sorted, slicer.Target(room), l.minKey, l.minTokens)
	if err != nil {
		return false, err
	}
	for _, k := range sorted {
		if set.Has(int(k)) {
			l.codes[k] = model.Scored
			l.chosen++
		}
	}
	return certain || l.minTokens > model.MaxTokens, nil
}

// rate scores the items that came before a request, drops duplicates and sorts the rest.
func (l *shortlist) rate(r Request) {
	before := int32(l.came)
	for l.came < len(l.places) && int(l.indexes[l.came]) < r.Before {
		l.came++
	}
	l.growing.Score(l.places[:l.came], scorer.None, l.scores[:l.came])
	for k, score := range l.scores[:l.came] {
		l.keys[k], l.codes[k] = l.key(score, l.tokens[k]), model.BudgetExceeded
	}
	l.deduplicate()
	l.number()
	for n, k := range l.sorted { // the order hardly changes
		at, key := n, l.keys[k]
		for ; at > 0 && key <= l.keys[l.sorted[at-1]] && l.compare(k, l.sorted[at-1]) < 0; at-- {
			l.sorted[at] = l.sorted[at-1]
		}
		l.sorted[at] = k
	}
	for k := before; k < int32(l.came); k++ {
		at := len(l.sorted) // of a new list all came, and are sorted below
		if before > 0 {
			at, _ = slices.BinarySearchFunc(l.sorted, k, l.compare)
		}
		l.sorted = slices.Insert(l.sorted, at, k)
	}
	if before == 0 {
		slices.SortFunc(l.sorted, l.compare)
	}
}

// number sets the keys to the numbers of the batches of a stream.
func (l *shortlist) number() {
	if l.batch == 0 {
		return
	}
	dropped, before := 0, 0 // of all repeats, and of those before minPlace
	for k, place := range l.places[:l.came] {
		l.keys[k] = uint64((int(place) - dropped) / l.batch)
		if l.codes[k] == model.Deduplicated {
			dropped++
			if int(place) < l.minPlace {
				before++
			}
		}
	}
	if l.minPlace >= 0 {
		l.minKey = uint64((l.minPlace - before) / l.batch)
	}
}

// compare orders items of the set as the slicer goes through them.
func (l *shortlist) compare(a, b int32) int {
	if x, y := l.keys[a], l.keys[b]; x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Or(cmp.Compare(order.Key(l.scores[a]), order.Key(l.scores[b])), cmp.Compare(a, b))
}

// deduplicate keeps, of the items with the same content, the one with the best score, and of
// equal scores the first, as the pipeline does.
func (l *shortlist) deduplicate() {
	if l.best == nil {
		l.best = make([]int32, l.history.Items().Len())
	}
	came := l.repeats
	for len(came) > 0 && int(came[len(came)-1].at) >= l.came {
		came = came[:len(came)-1]
	}
	for _, r := range came {
		l.best[r.first] = -1
	}
	for _, r := range came {
		if best := l.best[r.first]; best < 0 || order.Before(l.scores[r.at], l.scores[best]) {
			l.best[r.first] = r.at
		}
	}
	for _, r := range came {
		if l.best[r.first] != r.at {
			l.codes[r.at] = model.Deduplicated
		}
	}
}

// window returns the window of what is chosen, in the order of the placer.
func (l *shortlist) window() (Window, error) {
	if err := checkPinned(l.budget, l.pinnedTokens, l.parts.Overflow); err != nil {
		return Window{}, err
	}
	w := Window{Items: make([]int32, 0, len(l.pinned)+l.chosen), Tokens: l.pinnedTokens}
	w.Items = append(w.Items, l.pinned...)
	in := make([]int32, 0, l.chosen) // of indexes
	for k, code := range l.codes[:l.came] {
		if code == model.Scored {
			w.Items, in = append(w.Items, l.indexes[k]), append(in, int32(k))
			w.Tokens += l.tokens[k]
			l.keys[k] = order.Key(l.scores[k])
			l.merged[l.indexes[k]] = l.keys[k]
		}
	}
	slices.Sort(w.Items)
	if l.placed(w.Items) {
		return w, nil
	}
	m := placer.Merged{Set: l.history.Items(), Items: slices.Clone(l.pinned), Scores: slices.Repeat([]float64{pinnedScore}, len(l.pinned))}
	order.Sort(l.keys, in)
	for _, k := range in {
		m.Items, m.Scores = append(m.Items, l.indexes[k]), append(m.Scores, l.scores[k])
	}
	w.Items = l.parts.Placer.Place(&m)
	return w, nil
}

// placed puts items that are in input order into the order of the placer. It can if the placer goes
// by time and no item is earlier than the one before: only items of one instant, such as the items of
// a message, then change places. Otherwise it returns false and leaves the items in any order.
func (l *shortlist) placed(items []int32) bool {
	if _, goes := l.parts.Placer.(placer.Chronological); !goes {
		return false
	}
	first, last := 0, uint64(1) // the first item of an instant, and the instant; without a timestamp it is 0
	for n, item := range items {
		at := l.history.Items().Instant(int(item))
		if at < last {
			return false
		}
		if at > last {
			first = n
		}
		for ; n > first && l.merged[item] < l.merged[items[n-1]]; n-- {
			items[n] = items[n-1]
		}
		items[n], last = item, at
	}
	return true
}
