package pipeline

import (
	"slices"

	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scratch"
)

// deduplicate drops a candidate if another one has the same content, byte for byte, and a
// higher score, or the same score and an earlier position. A pair that is one item has the same
// content as another pair if both their calls and both their results do. deduplicate returns
// the survivors in input order, a pair by its first member. See the Cupel specification,
// chapter Stage 3: Deduplicate. O(items whose content is repeated), and O(n) if one is dropped.
func (r *ranked) deduplicate() []int32 {
	items, firsts := r.set.Repeats()
	lent := survivorsSoFar.Lend(r.set.Len())
	defer lent.Return()
	singles, pairs := lent.Of, make(map[[2]int32]*int32) // by the first items with the contents: the survivor so far, -1 before
	for _, first := range firsts {
		singles[first] = -1
	}
	survivor := func(k int) *int32 { // nil for an item that is no candidate, or that no other can equal
		mate := r.mate(items[k])
		switch {
		case mate >= 0 && mate < items[k] || r.class(int(items[k])) != &r.scoreable:
			return nil
		case mate < 0:
			return &singles[firsts[k]]
		}
		at, repeated := slices.BinarySearch(items, mate)
		if !repeated {
			return nil
		}
		both := [2]int32{firsts[k], firsts[at]}
		if pairs[both] == nil {
			none := int32(-1)
			pairs[both] = &none
		}
		return pairs[both]
	}
	for k, item := range items {
		if so := survivor(k); so != nil && (*so < 0 || order.Before(r.decides(item), r.decides(*so))) {
			*so = item
		}
	}
	for k, item := range items {
		so := survivor(k)
		if so == nil || *so == item {
			continue
		}
		r.drop(item, *so)
		if mate := r.mate(item); mate >= 0 {
			r.drop(mate, r.mates[*so])
		}
	}
	return r.surviving(r.firsts(r.scoreable))
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
	return slices.DeleteFunc(slices.Clone(list), func(item int32) bool { return r.survivors[item] >= 0 })
}

// survivorsSoFar are lent to deduplicate.
var survivorsSoFar scratch.Pool[int32]
