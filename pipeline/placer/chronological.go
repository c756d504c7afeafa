package placer

import (
	"cupelscope/model"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scratch"
)

// Chronological places items by time: those with a timestamp first, oldest
// first, then the others. Items of the same instant, and those without a
// timestamp, stay in merged order. Cupel specification, chapter
// ChronologicalPlacer. Prepare is O(n) in the items of the set.
type Chronological struct{}

var _ Placer = Chronological{}

// Prepare implements Placer. It reads the items in the order in which they were
// loaded, because they lie so in memory, and because the items of a conversation
// are already in order of time.
func (Chronological) Prepare(m *Merged) Prepared {
	lentPlaces := places.LendClear(m.Set.Len())
	defer lentPlaces.Return()
	place := lentPlaces.Of // 1 + place in merged order, 0: not there
	for k, item := range m.Items {
		place[item] = uint64(k) + 1
	}
	lentKeys := places.Lend(len(m.Items))
	defer lentKeys.Return()
	keys := lentKeys.Of[:0]
	lentItems := items.Lend(len(m.Items))
	defer lentItems.Return()
	dated := lentItems.Of[:0]
	for i, at := range place {
		if at == 0 {
			continue
		}
		if t := m.Set.Instant(i); t != 0 {
			keys = append(keys, t)
			dated = append(dated, int32(i))
		}
	}
	placed := make(byTime, len(m.Items))
	sorted := placed[:len(dated)]
	order.SortInto(sorted, keys)
	for start := 0; start < len(sorted); {
		key := keys[sorted[start]]
		end := start
		for ; end < len(sorted) && keys[sorted[end]] == key; end++ {
			sorted[end] = dated[sorted[end]]
		}
		if end-start > 1 {
			order.Sort(place, sorted[start:end])
		}
		start = end
	}
	if len(dated) == len(m.Items) {
		return placed
	}
	for _, item := range dated {
		place[item] = 0
	}
	undated := placed[len(dated):][:0]
	for _, item := range m.Items {
		if place[item] != 0 {
			undated = append(undated, item)
		}
	}
	return placed
}

// places and items are lent to Prepare.
var (
	places scratch.Pool[uint64]
	items  scratch.Pool[int32]
)

// byTime holds all items in placed order, which every selection keeps.
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
