package turns

import (
	"strings"
	"testing"

	"cupelscope/simulate/turns"
)

// The sentence above the map says in every width when even the cheapest pair costs more than
// sending everything, and only then.
func TestTheCheapestPairSaysThatItIsDearer(t *testing.T) {
	axes := [2]turns.Axis{{Key: "trigger", Values: []int{20_000}}, {Key: "at-least", Values: []int{0}}}
	for cost, dearer := range map[float64]bool{90: false, 100: false, 99.6: false, 100.4: true, 108: true} {
		total := turns.Totals{Requests: 1, Bill: turns.Bill{Cost: cost}, Against: 100}
		for _, width := range []int{118, 78, 56, 46} {
			got := sayBest(axes, []turns.Totals{total}, 0, width)
			if strings.Contains(got, " % more") != dearer || len(got) > width {
				t.Errorf("%v in %d columns: %q", cost, width, got)
			}
		}
	}
}
