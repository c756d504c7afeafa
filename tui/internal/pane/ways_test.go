package pane

import (
	"context"
	"testing"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget/widgettest"
)

// Among many items nothing is tried for one that is not open, and what was tried for the one
// before stays: the next one that is opened has its own edits tried, and no number again.
func TestTriedNumbersStayFromOneItemToTheNext(t *testing.T) {
	f := widgettest.Frame(t, maxUnaskedItems+1, false)
	to := func(max model.Tokens) {
		t.Helper()
		widgettest.Apply(t, f, f.Exp.Setup().WithMax(max))
	}
	to(f.Exp.Items().Total() / 2)
	widgettest.WithPolicy(t, f, func(p *model.Policy) { p.Scorers = p.Scorers[:1] }) // over weights of several it takes long
	widgettest.Compute(t, f)
	var w Ways
	arrange := func(item int, open bool) {
		w.Arrange(f.Out, item, open, f.Exp.Sizer(), func() []experiment.Knob {
			return f.Exp.Knobs(f.Exp.Setup(), experiment.A, f.Exp.Setup())
		})
	}
	try := func(item int, open bool) (numbers, edits int) {
		arrange(item, open)
		for job, due := w.Job(); due; job, due = w.Job() {
			job.Run(context.Background())()
			if _, edit := job.Key.(editKey); edit {
				edits++
			} else {
				numbers++
			}
		}
		return numbers, edits
	}
	var out []int
	for i := range f.Out.Items.Len() {
		if w := (Ways{OverKnobs: OverKnobs{Out: f.Out}, item: i}); w.isOut() {
			out = append(out, i)
		}
	}
	for _, step := range []struct {
		item           int
		open           bool
		numbers, edits bool
	}{{out[0], false, false, false}, {out[0], true, true, true}, {out[1], false, false, false}, {out[1], true, false, true}} {
		numbers, edits := try(step.item, step.open)
		if numbers > 0 != step.numbers || edits > 0 != step.edits {
			t.Errorf("item %d, open %v: tried %d numbers and %d edits", step.item, step.open, numbers, edits)
		}
	}
	if w.Trying() || len(w.Of(f.Out, out[1])) == 0 {
		t.Error("nothing brings the item in")
	}
	to(f.Exp.Setup().Budget.MaxTokens + 50)
	arrange(out[1], true)
	job, due := w.Job()
	if _, edit := job.Key.(editKey); !due || edit {
		t.Error("another setup has the numbers of the one before")
	}
}
