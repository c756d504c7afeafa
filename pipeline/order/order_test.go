package order

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestKeyIsTheOrderOfScores(t *testing.T) {
	falling := []float64{math.Inf(1), math.MaxFloat64, 1, math.SmallestNonzeroFloat64, 0, -math.SmallestNonzeroFloat64, -1, -math.MaxFloat64, math.Inf(-1), math.NaN()}
	for i, a := range falling {
		for j, b := range falling {
			if got := cmp.Compare(Key(a), Key(b)); got != cmp.Compare(i, j) {
				t.Errorf("Key(%v) against Key(%v): %d", a, b, got)
			}
		}
	}
	if Key(math.Copysign(0, -1)) != Key(0) {
		t.Error("-0.0 and +0.0 are no tie")
	}
	if Key(math.Float64frombits(0xFFF8000000000001)) != Key(math.NaN()) {
		t.Error("two NaNs are no tie")
	}
}

// TestSortIsStable compares with the library's stable sort, at sizes on both
// sides of the change of method, for keys that differ in few or all bytes and
// for lists of one, two and many runs.
func TestSortIsStable(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for round := range 600 {
		n := []int{0, 1, 2, small - 1, small, small + 1, 300, 1000}[round%8]
		keys := make([]uint64, n)
		for i := range keys {
			switch round / 8 % 9 {
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
		if Sort(keys, perm); !slices.Equal(perm, want) {
			t.Fatalf("round %d: from falling positions %v, want %v, keys %x", round, perm, want, keys)
		}
	}
}

// TestInstantsAreThoseOfTime holds the keys to time.Time; every other round
// stays within the years that nanoseconds in an int64 cover.
func TestInstantsAreThoseOfTime(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	edge := []time.Time{
		time.Unix(0, math.MaxInt64), time.Unix(0, math.MinInt64), time.Unix(lastSecond, 999_999_999),
		time.Unix(lastSecond+1, 0), time.Unix(-lastSecond, 0), time.Unix(-lastSecond-1, 999_999_999),
	}
	far := []time.Time{{}, time.Unix(math.MaxInt64, 0), time.Unix(math.MinInt64, 0), time.Unix(math.MaxInt64-secondsToUnix, 999_999_999)}
	for round := range 400 {
		n := r.IntN(120)
		times := make([]time.Time, n)
		in := LendInstants(n)
		for i := range times {
			when := time.Unix(int64(r.IntN(5)), int64(r.IntN(3)))
			switch r.IntN(4) {
			case 0:
				when = edge[r.IntN(len(edge))]
			case 1:
				when = time.Unix(0, int64(r.Uint64()))
			}
			if round%2 == 0 {
				switch r.IntN(8) {
				case 0:
					when = time.Unix(int64(r.Uint64()), int64(r.IntN(1e9)))
				case 1:
					when = far[r.IntN(len(far))]
				}
			}
			times[i] = when
			in.Add(when)
		}
		keys := in.Keys()
		if len(keys) != n {
			t.Fatalf("round %d: %d keys for %d instants", round, len(keys), n)
		}
		for i, a := range times {
			for j, b := range times {
				if got, want := cmp.Compare(keys[i], keys[j]), a.Compare(b); got != want {
					t.Fatalf("round %d: %v compares with %v as %d, want %d", round, a, b, got, want)
				}
			}
		}
		in.Return()
	}
}
