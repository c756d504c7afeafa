package pipeline

import (
	"slices"

	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scratch"
)

// deduplicate drops a scoreable item if another one has the same content, byte
// for byte, and a higher score, or the same score and an earlier position. It
// returns the survivors in input order. See the Cupel specification, chapter
// Stage 3: Deduplicate. O(items whose content is repeated), and O(n) if one is dropped.
func (r *ranked) deduplicate() []int32 {
	items, firsts := r.set.Repeats()
	lent := survivorsSoFar.Lend(r.set.Len())
	defer lent.Return()
	best := lent.Of // by the first item with a content: the survivor so far, -1 before
	for _, first := range firsts {
		best[first] = -1
	}
	scoreable := func(item int32) bool { return r.class(int(item)) == &r.scoreable }
	for k, item := range items {
		if !scoreable(item) {
			continue
		}
		if so := &best[firsts[k]]; *so < 0 || order.Before(r.scores[item], r.scores[*so]) {
			*so = item
		}
	}
	for k, item := range items {
		if winner := best[firsts[k]]; winner != item && scoreable(item) {
			r.drop(item, winner)
		}
	}
	return r.surviving(r.scoreable)
}

// drop notes that an item is a duplicate, and which one survives.
func (r *ranked) drop(item, survivor int32) {
	if r.survivors == nil {
		r.survivors = slices.Repeat([]int32{-1}, r.set.Len())
	}
	r.survivors[item] = survivor
	r.duplicates = append(r.duplicates, item)
}

// surviving returns the items of a list that are no duplicates.
func (r *ranked) surviving(list []int32) []int32 {
	if r.survivors == nil {
		return list
	}
	survivors := make([]int32, 0, len(list))
	for _, item := range list {
		if r.survivors[item] < 0 {
			survivors = append(survivors, item)
		}
	}
	return survivors
}

// survivorsSoFar are lent to deduplicate.
var survivorsSoFar scratch.Pool[int32]
