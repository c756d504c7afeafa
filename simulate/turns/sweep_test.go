package turns

import "testing"

// Only where the cost still falls at the lowest mark may a lower one cost less.
func TestTheLeastMayLieBelowTheSweep(t *testing.T) {
	for _, c := range []struct {
		name  string
		costs []float64
		below bool
	}{
		{"falls to the end", []float64{1, 2, 3}, true},
		{"the least is inside", []float64{2, 1, 3}, false},
		{"the least is the whole room", []float64{3, 2, 1}, false},
		{"all alike", []float64{2, 2, 2}, false},
		{"all are free", []float64{0, 0}, false},
		{"no marks", nil, false},
	} {
		var totals []Totals
		for _, cost := range c.costs {
			totals = append(totals, Totals{Bill: Bill{Cost: cost}, Against: 4})
		}
		if got := BelowLows(totals); got != c.below {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
