package order

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model/musttest"
)

func TestKeyIsTheOrderOfScores(t *testing.T) {
	falling := []float64{math.Inf(1), math.MaxFloat64, 1, math.SmallestNonzeroFloat64, 0, -math.SmallestNonzeroFloat64, -1, -math.MaxFloat64, math.Inf(-1), math.NaN()}
	for i, a := range falling {
		for j, b := range falling {
			musttest.Is(t, cmp.Compare(Key(a), Key(b)), cmp.Compare(i, j), "Key", a, "against Key", b)
		}
	}
	musttest.Is(t, Key(math.Copysign(0, -1)), Key(0), "-0.0 and +0.0 are no tie")
	musttest.Is(t, Key(math.Float64frombits(0xFFF8000000000001)), Key(math.NaN()), "two NaNs are no tie")
}

// TestSortIsStable compares with the library's stable sort, at sizes on both
// sides of the changes of method, for keys that differ in few or all bytes and
// for lists of one, two and many runs.
func TestSortIsStable(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for round := range 600 {
		n := []int{0, 1, 2, small - 1, small, small + 1, 300, 1000}[round%8]
		if round/80 == 3 && round%8 == 7 { // once in each way
			n = long + round/8%10
		}
		keys := make([]uint64, n)
		for i := range keys {
			switch round / 8 % 10 {
			case 0:
				keys[i] = r.Uint64()
			case 1:
				keys[i] = r.Uint64N(7) << 40
			case 2:
				keys[i] = uint64(i / 3)
			case 3:
				keys[i] = uint64((i * 2) % max(n, 1) / 2) // two runs
			case 4:
				keys[i] = Key(float64(r.IntN(20)-10) / 7)
			case 5: // long runs that agree in the upper 32 bits
				keys[i] = r.Uint64N(3)<<60 | r.Uint64N(1<<28)
			case 6: // and again in the next
				keys[i] = r.Uint64N(3)<<62 | r.Uint64N(2)<<28 | r.Uint64N(100)
			case 9: // all in 32 bits that are neither the upper nor the lower
				keys[i] = r.Uint64N(1<<32)<<13 | 5
			case 7: // falling; from falling positions, rising
				keys[i] = uint64(n - i)
			case 8: // falling but for ties, whose order is not reversed
				keys[i] = uint64((n - i) / 2)
			}
		}
		want := make([]int32, n)
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
		if got := Sorted(keys); !slices.Equal(got, want) {
			t.Fatalf("round %d: sorted %v, want %v, keys %x", round, got, want, keys)
		}
		// Sort keeps the order it finds among equal keys, whichever it is.
		perm := make([]int32, n)
		for i := range perm {
			perm[i] = int32(n - 1 - i)
		}
		want = slices.Clone(perm)
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
		Sort(keys, perm)
		musttest.Is(t, perm, want, "round", round, "from falling positions", keys)
	}
}
