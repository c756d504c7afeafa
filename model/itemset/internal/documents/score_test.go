package documents

import (
	"math"
	"testing"
)

// The place of a score between the least and the greatest is a number from 0 to
// 1 that never puts two scores in another order.
func FuzzBetween(f *testing.F) {
	f.Add(0.5, 0.1, 0.9)
	f.Add(math.MaxFloat64, -math.MaxFloat64, 0.0)
	f.Add(5e-324, 0.0, 1e-323)
	f.Fuzz(func(t *testing.T, a, b, c float64) {
		for _, x := range []float64{a, b, c} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return
			}
		}
		least, most := min(a, b, c), max(a, b, c)
		x, y := between(a, least, most), between(b, least, most)
		if !(x >= 0 && x <= 1 && y >= 0 && y <= 1) || a < b && x > y || a > b && x < y {
			t.Fatalf("%v, %v, %v: %v, %v", a, b, c, x, y)
		}
	})
}
