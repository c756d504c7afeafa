package compare

import (
	"slices"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget/widgettest"
)

func TestCompareSkipsHeadings(t *testing.T) {
	f := widgettest.Frame(t, 150, false)
	var p View
	for _, only := range []bool{false, true, false} {
		p.onlyDifferent = only
		p.Arrange(f.Exp, f.Side)
		var walked []int
		p.Top()
		for {
			i, ok := p.Selected()
			if !ok {
				t.Fatal("the cursor is on a heading")
			}
			walked = append(walked, i)
			before := p.Cursor()
			p.Move(1)
			if p.Cursor() == before {
				break
			}
		}
		var want []int
		for _, r := range p.rows {
			if r.item >= 0 {
				want = append(want, r.item)
			}
		}
		if !slices.Equal(walked, want) || !only && len(walked) != f.Exp.Items().Len() {
			t.Fatalf("walking down passes %v, the rows are %v", walked, want)
		}
		for range len(walked) {
			p.Move(-1)
		}
		if i, _ := p.Selected(); i != want[0] {
			t.Errorf("walking up ends on %d, want %d", i, want[0])
		}
		p.Bottom()
		if i, _ := p.Selected(); i != want[len(want)-1] {
			t.Errorf("the last is %d, want %d", i, want[len(want)-1])
		}
		p.Page(-1)
		if _, ok := p.Selected(); !ok {
			t.Error("a page up ends on a heading")
		}
	}
	if !p.Select(33) {
		t.Fatal("item 33 is not there")
	}
	p.onlyDifferent = true
	p.Arrange(f.Exp, f.Side)
	if _, ok := p.Selected(); !ok && len(p.result.OnlyA)+len(p.result.OnlyB) > 0 {
		t.Error("after rows went away the cursor is on a heading")
	}
}

func TestCompareWithoutDifferences(t *testing.T) {
	f := widgettest.Frame(t, 20, false)
	now := f.Exp.Setup()
	widgettest.Apply(t, f, now.WithPolicy(experiment.B, now.Policy[experiment.A]))
	p := View{onlyDifferent: true}
	p.Arrange(f.Exp, f.Side)
	for _, move := range []func(){p.Top, p.Bottom, func() { p.Move(1) }, func() { p.Move(-1) }, func() { p.Page(1) }} {
		move()
		if i, ok := p.Selected(); ok {
			t.Errorf("item %d of an empty comparison is selected", i)
		}
	}
	p.Draw(f, draw.Rect{X: 0, Y: 0, W: 100, H: 20}, true, true)
	musttest.Says(t, f.String(), "only A: nothing", "the empty group is not told")
}
