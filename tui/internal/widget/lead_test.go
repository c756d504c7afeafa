package widget

import (
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
)

// A side would win by what is shown of it: where the two values are shown alike, the value stands in place of
// a win of less than 0.1 %.
func TestNoWinIsSaidOfValuesThatAreShownAlike(t *testing.T) {
	f := &Frame{Exp: experimenttest.New(t, 3)}
	for without, want := range map[float64]string{9.5: "B is worth 9.50", 10: "B is worth 10.00", 10.004: "B is worth 10.00", 10.006: "B would win by 0.1 %: 10.01", 10.5: "B would win by 5.0 %: 10.50"} {
		l := Lead{Of: [2]*experiment.Outcome{{Report: &model.Report{Value: 10}}, {}}, Answered: true, Cause: simulate.Advantage{Cause: simulate.CountQuotas, Without: without}}
		long, _ := l.Because(f, " (M)")
		musttest.Is(t, long, "B's counts by kind decide what is in. Without them (M), "+want+".", without)
	}
}
