package placer

import (
	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// Chronological places by time: items with a timestamp first, oldest first,
// then the rest; items of the same instant in merged order. Cupel
// specification, chapter ChronologicalPlacer. Prepare is O(n).
type Chronological struct{}

var _ Placer = Chronological{}

// Prepare implements Placer.
func (Chronological) Prepare(m *Merged) Prepared {
	var times order.Instants
	times.Grow(len(m.Items))
	dated := make([]int32, 0, len(m.Items))
	var undated []int32
	for _, item := range m.Items {
		if t := &m.Set.Loaded(int(item)).Timestamp; t.Set {
			times.Add(t.Value)
			dated = append(dated, item)
		} else {
			undated = append(undated, item)
		}
	}
	items := make(byTime, 0, len(m.Items))
	for _, p := range times.Ascending() {
		items = append(items, dated[p])
	}
	return append(items, undated...)
}

// byTime is every item in placed order: those of a selection keep it.
type byTime []int32

// Place implements Prepared.
func (t byTime) Place(codes []model.Code, dst []int32) []int32 {
	for _, item := range t {
		if codes[item].Included() {
			dst = append(dst, item)
		}
	}
	return dst
}
