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

// Prepare implements Placer. It reads the items in the order in which they
// were loaded: that is how they lie in memory, and in a conversation they are
// in order of time already.
func (Chronological) Prepare(m *Merged) Prepared {
	place := make([]uint64, m.Set.Len()) // 1 + place in merged order, 0: not there
	for k, item := range m.Items {
		place[item] = uint64(k) + 1
	}
	var times order.Instants
	times.Grow(len(m.Items))
	dated := make([]int32, 0, len(m.Items))
	for i, at := range place {
		if at == 0 {
			continue
		}
		if t := &m.Set.Loaded(i).Timestamp; t.Set {
			times.Add(t.Value)
			dated = append(dated, int32(i))
		}
	}
	perm := times.Ascending()
	items := make(byTime, 0, len(m.Items))
	for start := 0; start < len(perm); {
		end := start + 1
		for end < len(perm) && times.Same(perm[start], perm[end]) {
			end++
		}
		for _, p := range perm[start:end] {
			items = append(items, dated[p])
		}
		order.Sort(place, items[start:end])
		start = end
	}
	if len(dated) == len(m.Items) {
		return items
	}
	for _, item := range dated {
		place[item] = 0
	}
	for _, item := range m.Items {
		if place[item] != 0 {
			items = append(items, item)
		}
	}
	return items
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
