package turns

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// shortlist chooses the windows of requests that follow each other, each from the few
// items that can be in it, as Stateless chooses from all. chooser.all calls next for each of them.
//
// The slicer goes by a key and takes what still fits (choose). While items only come, no
// score rises, so no key falls. The list is made of the items with the first keys (make). From
// then on every other item has at least minKey, the first key that was left out:
//
//	when made   1 2 5 7  9 | 11 12 20 ...    minKey = 11
//	later       1 2 6 9 12 | 11 14 20 ...    and what came since is on the list too
//
// What the slicer takes of all items before key 11 is what it takes of the list. If the
// smallest item that was left out does not fit in the room that then remains, or the slicer
// has stopped, none of them is in. Otherwise the list is made anew, and of more items where
// that is not enough. A window costs O(list), as the list is sorted by keys that hardly
// change from request to request; a new list costs O(items).
//
// A stream goes by the batch of an item. All repeated items are on its list, so that it is known which
// of them stay: batches are counted without the others (number).
//
// A knapsack takes a set as a whole, so the room that remains tells nothing. Its
// slicer.ListSlicer fills a table for the list alone, with the density of an item as its key, and
// says whether an item of at least minKey and minTokens could be in a set as good (chooseSet).
type shortlist struct {
	history *History
	budget  model.Budget
	parts   pipeline.Parts
	key     func(score float64, tokens model.Tokens) uint64 // that the slicer goes by
	stops   bool                                            // see slicer.Traits
	batch   int                                             // likewise; above 0: number sets the keys
	set     *slicer.ListSlicer                              // nil: the slicer takes one item after the other

	seen         int   // items below this index have come
	taken        int32 // how many items were taken out by then
	pinned       []int32
	pinnedTokens model.Tokens
	items        []int32 // that compete, ascending
	growing      scorer.Growing

	absent []bool // by first item: the items of its content that had come are not on the list
	// The least key and the fewest tokens of an item that is not on the list.
	minKey    uint64
	minTokens model.Tokens
	minPlace  int          // the first place in items that is not on the list
	quarters  model.Tokens // of the room for which the list is made

	// The items on the list, without the pinned ones, and, so that the list serves several
	// windows, the items that come next, below index until.
	until   int
	indexes []int32 // in the history
	places  []int32 // in items
	tokens  []model.Tokens
	repeats []repeat
	came    int     // how many of them have come
	sorted  []int32 // the ones that have come, in the order in which the slicer goes

	chosen int // how many are in at the last request

	// At the last request, by item of indexes.
	codes  []model.Code
	scores []float64
	keys   []uint64 // that the slicer goes by
	best   []int32  // by first item: which item of its content stays
	merged []uint64 // by item: where it is in merged order, the pinned ones first
}

// repeat is an item of the list whose content another item of the history has too, of which
// first is the first.
type repeat struct{ at, first int32 }

// pinnedScore is the score of a pinned item where it is placed.
const pinnedScore = 1.0

const (
	// shortlisted is the number of requests that one shortlist goes through: few, so that all
	// processors have some, though its first list costs about as much as ten windows.
	shortlisted = 128
	// startQuarters is for how many quarters of the room a list is made at first, and minListed
	// how many items it has at least for each quarter.
	startQuarters, minListed = 5, 8
	// A list also has the smallest items, one for every smallListed others: they fit where little
	// room remains.
	smallListed = 4
)

// shortlist returns a shortlist for requests under a budget, or nil if the policy allows
// none: what a slicer with quotas takes depends on all items, and some scores rise as items
// come.
func (c *chooser) shortlist(b model.Budget) *shortlist {
	if c.pipe == nil || c.policy.KeepPairs || c.history.Items().HasSizes() {
		return nil
	}
	parts, err := pipeline.PartsOf(c.policy)
	if err != nil {
		return nil
	}
	traits := parts.Slicer.Traits()
	l := &shortlist{history: c.history, budget: b, parts: parts, key: traits.Key, stops: traits.Stops, batch: traits.Batch, quarters: startQuarters}
	if traits.FromList != nil {
		if l.set = traits.FromList(c.history.Items().Len(), slicer.Target(b.Effective(0).Target)); l.set != nil {
			l.key = l.set.Key
		}
	}
	switch {
	case l.batch > 0:
		l.key = func(float64, model.Tokens) uint64 { return 0 } // in input order, until number sets the keys
	case l.key == nil:
		return nil
	}
	if _, ok := scorer.Grow(parts.Scorer, c.history.Items()); !ok {
		return nil
	}
	return l
}

// first returns the first item that has the content of an item, and whether another one has it
// that it may have to give way to.
func (l *shortlist) first(item int32) (first int32, repeated bool) {
	items, firsts := l.history.Items().Repeats()
	at, repeated := slices.BinarySearch(items, item)
	if !repeated || !l.parts.Deduplicate {
		return item, false
	}
	return firsts[at], true
}

// next chooses the window of a request.
func (l *shortlist) next(ctx context.Context, r Request) (Window, error) {
	if l.growing == nil || l.history.taken[r.Before] != l.taken || r.Before < l.seen {
		l.seen, l.until, l.taken, l.pinned, l.pinnedTokens, l.items = 0, 0, l.history.taken[r.Before], nil, 0, nil
		l.growing, _ = scorer.Grow(l.parts.Scorer, l.history.Items())
		l.merged = make([]uint64, l.history.Items().Len())
	}
	for anew := l.come(r); ; anew = true {
		if anew {
			l.make()
		}
		if suffices, err := l.choose(ctx, r); err != nil {
			return Window{}, err
		} else if suffices {
			return l.window()
		}
		if anew {
			l.quarters *= 2
		}
	}
}

// come takes in what came before a request. It reports whether the list must be made anew:
// a score may have risen, an item is not in the set, or an item that is not on the list may
// have the same content. Which of the two stays depends on their scores.
func (l *shortlist) come(r Request) (anew bool) {
	from := len(l.items)
	for _, item := range l.history.come(r, l.seen) {
		if l.history.Items().Pinned(int(item)) {
			l.pinned = append(l.pinned, item)
			l.pinnedTokens += l.history.Items().Tokens(int(item))
			continue
		}
		first, repeated := l.first(item)
		anew = anew || repeated && l.absent != nil && l.absent[first]
		l.items = append(l.items, item)
	}
	l.seen = r.Before
	return l.growing.Grow(l.items[from:]) || anew || l.seen > l.until
}

// make makes the list anew.
func (l *shortlist) make() {
	n := len(l.items)
	all, scores, keys, sizes := make([]int32, n), make([]float64, n), make([]uint64, n), make([]uint64, n)
	for k := range all {
		all[k] = int32(k)
	}
	l.growing.Score(all, scorer.None, scores)
	for k, item := range l.items {
		tokens := l.history.Items().Tokens(int(item))
		keys[k], sizes[k] = l.key(scores[k], tokens), uint64(tokens)
	}
	listed := make([]bool, n)
	count, room := 0, l.quarters*l.budget.Effective(l.pinnedTokens).Target/4
	for _, k := range order.Sorted(keys) {
		if room <= 0 && count >= minListed*int(l.quarters) {
			break
		}
		room -= model.Tokens(sizes[k])
		listed[k] = true
		count++
	}
	for _, k := range order.Sorted(sizes)[:min(n, count/smallListed)] {
		listed[k] = true
	}
	l.listRepeats(listed)
	l.minKey, l.minTokens, l.minPlace = math.MaxUint64, model.MaxTokens+1, slices.Index(listed, false)
	for k, is := range listed {
		if !is {
			l.minKey, l.minTokens = min(l.minKey, keys[k]), min(l.minTokens, model.Tokens(sizes[k]))
		}
	}
	l.pick(listed, count/3)
}

// listRepeats lists all items that have the content of one that is listed, or of any other for a stream.
func (l *shortlist) listRepeats(listed []bool) {
	with := make([]bool, l.history.Items().Len())
	l.absent = make([]bool, len(with))
	for k, item := range l.items {
		if first, repeated := l.first(item); repeated {
			with[first] = with[first] || listed[k] || l.batch > 0
		}
	}
	for k, item := range l.items {
		if first, repeated := l.first(item); repeated {
			listed[k], l.absent[first] = with[first], !with[first]
		}
	}
}

// pick takes what is listed and some items that come next.
func (l *shortlist) pick(listed []bool, next int) {
	whole := l.history.Items()
	l.indexes, l.places, l.repeats, l.came, l.sorted = nil, nil, nil, 0, nil
	for k, item := range l.items {
		if listed[k] {
			l.indexes, l.places = append(l.indexes, item), append(l.places, int32(k))
		}
	}
	place := len(l.items)
	for l.until = l.seen; l.until < whole.Len() && l.until < l.seen+next; l.until++ {
		if whole.TakesPart(l.until) && !whole.Pinned(l.until) {
			l.indexes, l.places = append(l.indexes, int32(l.until)), append(l.places, int32(place))
			place++
		}
	}
	n := len(l.indexes)
	l.codes, l.scores, l.keys, l.tokens = make([]model.Code, n), make([]float64, n), make([]uint64, n), make([]model.Tokens, n)
	for k, item := range l.indexes {
		l.tokens[k] = whole.Tokens(int(item))
		if first, repeated := l.first(item); repeated {
			l.repeats = append(l.repeats, repeat{int32(k), first})
		}
	}
}

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
