package placer

import "cupelscope/pipeline/order"

// Chronological places items by time: those with a timestamp first, oldest
// first, then the others. Items of the same instant, and those without a
// timestamp, stay in merged order. Cupel specification, chapter
// ChronologicalPlacer. O(n).
type Chronological struct{}

var _ Placer = Chronological{}

// Place implements Placer.
func (Chronological) Place(m *Merged) []int32 {
	keys := make([]uint64, 0, len(m.Items))
	dated := make([]int32, 0, len(m.Items))
	var undated []int32
	for _, item := range m.Items {
		if t := m.Set.Instant(int(item)); t != 0 {
			keys, dated = append(keys, t), append(dated, item)
		} else {
			undated = append(undated, item)
		}
	}
	placed := order.Sorted(keys)
	for k, p := range placed {
		placed[k] = dated[p]
	}
	return append(placed, undated...)
}
