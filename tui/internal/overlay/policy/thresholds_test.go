package policy

import (
	"math"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/widget/widgettest"
)

// The nearest value at which anything changes has another result, and no value with another result is nearer.
func TestTheNearestThresholdIsTheNearest(t *testing.T) {
	f := widgettest.Frame(t, 40, false)
	knobs := append(f.Exp.Knobs(f.Exp.Setup(), experiment.A, f.Exp.Setup()), f.Exp.PolicyKnobs(f.Exp.Setup(), experiment.A, f.Exp.Setup())...)
	below, above := 0, 0
	for _, k := range pane.NewOverKnobs(f.Out, knobs).All {
		k.Over = musttest.Of(simulate.NewProfileOver(t.Context(), f.Out.Ranking, f.Out.Report.Budget, k.Number))(t)
		here := k.Over.At(k.Number.Value)
		to, value := nearest(k)
		least := math.Inf(1)
		for at, s := range k.Over.Stretches() {
			if at != here {
				least = min(least, math.Abs(min(max(k.Number.Value, s.From), s.To)-k.Number.Value))
			}
		}
		switch {
		case to < 0 && !math.IsInf(least, 1):
			t.Errorf("%s: no value has another result, but one %v away has", k.Knob.Label, least)
		case to >= 0 && (to == here || k.Over.At(value) != to || math.Abs(value-k.Number.Value) != least):
			t.Errorf("%s at %v: %v is said to be the nearest, another result is %v away", k.Knob.Label, k.Number.Value, value, least)
		case to >= 0 && value < k.Number.Value:
			below++
		case to >= 0:
			above++
		}
	}
	if below == 0 || above == 0 {
		t.Errorf("%d are nearest below, %d above: both are needed", below, above)
	}
}
