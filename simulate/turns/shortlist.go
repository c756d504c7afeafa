package turns

import (
	"context"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
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
