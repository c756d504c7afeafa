package turns

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Of the totals that always fit, those are unbeaten that no other beats: with no more cost and
// no less recall, and less or more of one of them; of equal ones the first is.
func TestUnbeaten(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 29))
	for range 300 {
		totals := make([]Totals, rng.IntN(12))
		for k := range totals {
			totals[k] = Totals{Bill: Bill{Cost: float64(rng.IntN(5))}, Against: 10, Over: rng.IntN(4) / 3, recall: float64(rng.IntN(5)) / 4, judged: 1}
		}
		beats := func(a, b int) bool {
			x, y := totals[a], totals[b]
			return x.Over == 0 && x.Cost <= y.Cost && x.recall >= y.recall && (x.Cost < y.Cost || x.recall > y.recall || a < b)
		}
		var want []int
		for k := range totals {
			beaten := totals[k].Over > 0
			for other := range totals {
				beaten = beaten || other != k && beats(other, k)
			}
			if !beaten {
				want = append(want, k)
			}
		}
		got := slices.Sorted(slices.Values(Unbeaten(totals)))
		if !slices.Equal(got, want) {
			t.Fatalf("%v of %+v, want %v", got, totals, want)
		}
	}
	if got := Unbeaten([]Totals{{Bill: Bill{Cost: 1}, Against: 2}}); got != nil {
		t.Errorf("%v without recall", got)
	}
}
