package placer

import "cupelscope/pipeline/order"

// UShaped places the best items at both ends and the worst in the middle, which
// models attend to least. By descending score, ranks 0, 2, 4... fill the result
// from the left, and ranks 1, 3, 5... from the right. Items with equal scores
// keep merged order. Cupel specification, chapter UShapedPlacer. O(n).
//
//	rank   0 1 2 3 4
//	place  0 4 1 3 2
type UShaped struct{}

var _ Placer = UShaped{}

// Place implements Placer.
func (UShaped) Place(m *Merged) []int32 {
	placed := make([]int32, len(m.Items))
	left, right := 0, len(placed)-1
	for rank, p := range order.Descending(m.Scores) {
		if rank%2 == 0 {
			placed[left] = m.Items[p]
			left++
		} else {
			placed[right] = m.Items[p]
			right--
		}
	}
	return placed
}
