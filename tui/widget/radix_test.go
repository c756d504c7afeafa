package widget

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRadixSortIsAStableSort(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := rng.IntN(3000)
		keys := make([]float64, n)
		for i := range keys {
			switch seed % 4 {
			case 0:
				keys[i] = special[rng.IntN(len(special))]
			case 1:
				keys[i] = -float64(rng.IntN(50))
			case 2:
				keys[i] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
			case 3:
				keys[i] = -7
			}
		}
		rows := make([]int32, 0, n)
		for i := range n {
			if rng.IntN(5) > 0 { // a filter hides the others
				rows = append(rows, int32(i))
			}
		}
		rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		want := slices.Clone(rows)
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
		if radixSort(rows, keys); !slices.Equal(rows, want) {
			t.Fatalf("seed %d: %d rows are not in the order of a stable sort", seed, len(rows))
		}
	}
}
