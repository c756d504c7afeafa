package pane

import (
	"testing"

	"cupelscope/tui/experiment"
	"cupelscope/tui/widget/widgettest"
)

func TestKnobsKeepTheirCursor(t *testing.T) {
	f := widgettest.Frame(t, 10, false)
	var p Knobs
	list := f.Exp.Knobs(experiment.A, f.Exp.Setup())
	p.Set(list)
	p.Select(experiment.Slicer)
	p.Set(f.Exp.Knobs(experiment.B, f.Exp.Setup())) // has a bucket besides
	if k, ok := p.Current(); !ok || k.ID != experiment.Slicer {
		t.Errorf("the cursor is on %v", k.ID)
	}
	p.Select(experiment.Bucket)
	p.Set(list)
	if _, ok := p.Current(); !ok {
		t.Error("the cursor is on no knob after its knob went away")
	}
	p.Move(1000)
	if k, _ := p.Current(); k.ID != list[len(list)-1].ID {
		t.Errorf("the last knob is %v", k.ID)
	}
	if _, ok := p.Find("no such knob"); ok {
		t.Error("a knob that is not there was found")
	}
	var none Knobs
	if _, ok := none.Current(); ok {
		t.Error("there is a knob in an empty list")
	}
}
