package pipeline

import "slices"

// classify splits the set into items excluded by the user, items with negative
// tokens (even if pinned), pinned items and items to be scored, each in input
// order. See the Cupel specification, chapter Stage 1: Classify.
func (r *ranked) classify() {
	r.scoreable = make([]int32, 0, r.set.Len())
	for i := range r.set.Len() {
		class := r.class(i)
		*class = append(*class, int32(i))
	}
	r.sumPinned()
}

func (r *ranked) sumPinned() {
	r.pinnedSum = 0
	for _, item := range r.pinned {
		r.pinnedSum += r.set.SizeTokens(int(item), r.PinnedSize(int(item)))
	}
}

// class returns the list that an item belongs to.
func (r *ranked) class(i int) *[]int32 {
	switch s := r.set; {
	case s.Excluded(i):
		return &r.filtered
	case s.Tokens(i) < 0:
		return &r.negative
	case s.Pinned(i) || r.mate(int32(i)) >= 0 && s.Pinned(int(r.mate(int32(i)))):
		return &r.pinned
	}
	return &r.scoreable
}

// scoreablePosition returns the position of an item among the scoreable ones
// and whether it is one of them.
func (r *ranked) scoreablePosition(item int) (int, bool) {
	return slices.BinarySearch(r.scoreable, int32(item))
}
