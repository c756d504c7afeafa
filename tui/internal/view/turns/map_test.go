package turns

import (
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/turns"
)

// The sentence above the map says in every width when even the cheapest pair costs more than
// the policy that is edited, and only then.
func TestTheCheapestPairSaysThatItIsDearer(t *testing.T) {
	axes := [2]turns.Axis{{Key: "trigger", Values: []int{20_000}}, {Key: "at-least", Values: []int{0}}}
	for cost, dearer := range map[float64]bool{90: false, 100: false, 99.6: false, 100.4: true, 108: true} {
		total := turns.Totals{Requests: 1, Bill: turns.Bill{Cost: cost}}
		m := heat{axes: axes, of: "A", totals: []turns.Totals{total}, now: &turns.Course{Totals: turns.Totals{Bill: turns.Bill{Cost: 100}}}}
		for _, width := range []int{118, 78, 56, 46} {
			got := m.sayBest(width)
			if strings.Contains(got, " % more") != dearer || len(got) > width {
				t.Errorf("%v in %d columns: %q", cost, width, got)
			}
		}
	}
}

// A pair is on the ground of the number that is written: up to 10 %, up to 30 %, and above.
func TestTheStepOfACost(t *testing.T) {
	for ratio, want := range map[float64]int{1: 0, 1.0004: 1, .9996: -1, 1.0994: 1, 1.0996: 2, .9: -2, 1.2994: 2, 1.3: 3, .5: -3, 4: 3} {
		musttest.Is(t, heatStep(ratio), want, ratio, "written", signed(ratio), "step")
	}
	for ratio, want := range map[float64]string{1: "0 %", 1.085: "+8.5 %", .9: "−10 %", 1.12: "+12 %", 12.5: "+1,150 %"} {
		musttest.Is(t, signed(ratio), want, ratio, "is written")
	}
}
