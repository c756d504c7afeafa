package pipeline

import "slices"

// classify splits the set into items excluded by the user, items with negative
// tokens (even if pinned), pinned items and items to be scored, each in input
// order. See the Cupel specification, chapter Stage 1: Classify.
func (r *ranked) classify() {
	s := r.set
	r.scoreable = make([]int32, 0, s.Len())
	for i := range s.Len() {
		item := int32(i)
		switch {
		case s.Excluded(i):
			r.filtered = append(r.filtered, item)
		case s.Tokens(i) < 0:
			r.negative = append(r.negative, item)
		case s.Pinned(i) || r.mate(item) >= 0 && s.Pinned(int(r.mate(item))):
			r.pinned = append(r.pinned, item)
			r.pinnedSum += s.Tokens(i)
		default:
			r.scoreable = append(r.scoreable, item)
		}
	}
}

// scoreablePosition returns the position of an item among the scoreable ones
// and whether it is one of them.
func (r *ranked) scoreablePosition(item int) (int, bool) {
	return slices.BinarySearch(r.scoreable, int32(item))
}
