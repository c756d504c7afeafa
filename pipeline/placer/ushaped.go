package placer

import (
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// UShaped places the best items at both ends and the worst in the middle, which
// models attend to least. By descending score, ranks 0, 2, 4... fill the result
// from the left, and ranks 1, 3, 5... from the right. Items with equal scores
// keep merged order. Cupel specification, chapter UShapedPlacer. Prepare is
// O(n).
//
//	rank   0 1 2 3 4
//	place  0 4 1 3 2
type UShaped struct{}

var _ Placer = UShaped{}

// Prepare implements Placer.
func (UShaped) Prepare(m *Merged) Prepared {
	if order.IsDescending(m.Scores) { // nothing is pinned that other items are above
		return byScore(m.Items)
	}
	items := order.Descending(m.Scores)
	for k, p := range items {
		items[k] = m.Items[p]
	}
	return byScore(items)
}

// byScore holds all items, best first; a selection keeps this order of ranks.
type byScore []int32

// Place implements Prepared.
func (s byScore) Place(codes []model.Code, dst []int32) []int32 {
	odd := make([]int32, 0, 16)
	right := false
	for _, item := range s {
		if !codes[item].Included() {
			continue
		}
		if right {
			odd = append(odd, item)
		} else {
			dst = append(dst, item)
		}
		right = !right
	}
	slices.Reverse(odd)
	return append(dst, odd...)
}
