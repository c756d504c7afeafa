package pane

import (
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget/widgettest"
)

func TestKnobsKeepTheirCursor(t *testing.T) {
	f := widgettest.Frame(t, 10, false)
	var p KnobPane
	list := f.Exp.Knobs(f.Exp.Setup(), experiment.A, f.Exp.Setup())
	p.Set(list, 0)
	p.Select(experiment.Slicer)
	p.Set(f.Exp.Knobs(f.Exp.Setup(), experiment.B, f.Exp.Setup()), 0) // has a bucket besides
	if k, ok := p.Current(); !ok || k.ID != experiment.Slicer {
		t.Errorf("the cursor is on %v", k.ID)
	}
	p.Select(experiment.Bucket)
	p.Set(list, 0)
	if _, ok := p.Current(); !ok {
		t.Error("the cursor is on no knob after its knob went away")
	}
	p.Open(true)
	p.Move(1000)
	if k, _ := p.Current(); k.ID != list[len(list)-1].ID {
		t.Errorf("the last knob is %v", k.ID)
	}
	if _, ok := p.Find("no such knob"); ok {
		t.Error("a knob that is not there was found")
	}
	var none KnobPane
	if _, ok := none.Current(); ok {
		t.Error("there is a knob in an empty list")
	}
}

// Where there is room for all knobs, none is folded and each has its place.
func TestKnobsAreFoldedOnlyForWantOfRoom(t *testing.T) {
	f := widgettest.Frame(t, 10, false)
	list := f.Exp.Knobs(f.Exp.Setup(), experiment.A, f.Exp.Setup())
	var p KnobPane
	p.Set(list, len(list)-1)
	if n := len(p.All); n >= len(list) || !p.Folding(n-1) {
		t.Errorf("%d of %d knobs are shown where one has no room", n, len(list))
	}
	p.Set(list, len(list))
	for i, k := range list {
		musttest.Is(t, len(p.All), len(list), "the rows are", p.All, "the knobs as they are")
		musttest.Is(t, p.All[i].ID, k.ID, "the rows are", p.All, "the knobs as they are")
	}
}

// Knobs at their default are folded, can all be reached, and none appears twice.
func TestKnobsAtTheirDefaultAreFolded(t *testing.T) {
	f := widgettest.Frame(t, 10, false)
	original := f.Exp.Setup()
	next := original
	next.Slack = 700
	for _, c := range []struct {
		name string
		now  experiment.Setup
	}{{"as it began", original}, {"one was turned", next}, {"and turned back", original}} {
		musttest.Do(t, f.Exp.Apply(c.now, experiment.Label{Name: c.name}, ""))
		for _, open := range []bool{false, true} {
			var p KnobPane
			list := f.Exp.Knobs(f.Exp.Setup(), experiment.A, original)
			p.Set(list, 0)
			p.Open(open)
			seen := map[experiment.KnobID]bool{}
			for _, k := range p.All {
				if seen[k.ID] {
					t.Fatalf("%s: %s appears twice", c.name, k.ID)
				}
				seen[k.ID] = true
			}
			for _, k := range list {
				if want := open || !k.AtDefault; seen[k.ID] != want {
					t.Errorf("%s, open %v: %s = %q is shown: %v", c.name, open, k.ID, k.Value, seen[k.ID])
				}
				if p.Select(k.ID); !p.Opened() && k.AtDefault {
					t.Errorf("%s: %s is not reached", c.name, k.ID)
				}
				if got, _ := p.Current(); got.ID != k.ID {
					t.Errorf("%s: %s is selected, not %s", c.name, got.ID, k.ID)
				}
			}
			if !seen[experiment.MaxTokens] || !seen[experiment.Slicer] || p.All[0].ID != experiment.MaxTokens || p.All[1].ID != experiment.Slicer {
				t.Errorf("%s: maxTokens and slicer do not come first", c.name)
			}
		}
	}
}
