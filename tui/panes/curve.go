package panes

import (
	"sort"

	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
)

// Curve draws the value of the selection over all budgets, for A and B: a
// point a column of dots, exact at that budget.
func Curve(f *Frame, r draw.Rect) {
	in := f.Box(r, "Value over budget", false)
	if in.H < 4 || in.W < 12 || f.Out == nil {
		return
	}
	plot := draw.Rect{X: in.X + 5, Y: in.Y, W: in.W - 6, H: in.H - 2}
	lo, hi := stripRange(f.Out)
	scale := draw.NewScale(lo, hi, draw.Dots(plot.W, f.Glyphs()))
	var lines []draw.Line
	top := 0.0
	for _, side := range []experiment.Side{experiment.B, experiment.A} {
		o := f.Exp.Outcome(side)
		if o == nil {
			continue
		}
		values := valuesAt(o.Profile, scale)
		for _, v := range values {
			top = max(top, v)
		}
		lines = append(lines, draw.Line{Values: values, Role: SideRole(side), Letter: rune(side.String()[0])})
	}
	if top <= 0 {
		f.Text(plot.X, plot.Y, plot.W, "no value yet", theme.Dim)
		return
	}
	for _, l := range lines {
		for i, v := range l.Values {
			if v >= 0 {
				l.Values[i] = v / top
			}
		}
	}
	cells := draw.NewScale(lo, hi, plot.W)
	f.Curves(plot, lines, cells.Column(f.Exp.Setup().Budget.MaxTokens))
	f.Right(in.X, plot.Y, 4, score(top, 4), theme.Dim)
	f.Right(in.X, plot.Y+plot.H-1, 4, "0", theme.Dim)
	for y := range plot.H {
		f.Set(in.X+4, plot.Y+y, f.Glyphs().Vertical, theme.Frame)
	}
	f.Text(plot.X, plot.Y+plot.H, plot.W, lo.Short(), theme.Dim)
	f.Right(plot.X, plot.Y+plot.H, plot.W, hi.Short(), theme.Dim)
	setup := f.Exp.Setup()
	f.Spans(in.X+1, plot.Y+plot.H+1, in.W-1,
		draw.Span{Text: "A " + SlicerName(setup.Policy[experiment.A]) + "  ", Role: theme.SideA},
		draw.Span{Text: "B " + SlicerName(setup.Policy[experiment.B]), Role: theme.SideB})
	if f.Old {
		f.Mark(plot, theme.Old)
	}
}

// valuesAt reads the curve of a profile at the largest budget of each column; -1
// where the pipeline does not run.
func valuesAt(p *simulate.Profile, s draw.Scale) []float64 {
	c := p.Targets().Curve()
	values := make([]float64, s.Columns())
	for k := range values {
		b := min(s.Edges[k+1]-1, p.Axis().End())
		t, runs := p.Axis().Target(b)
		if !runs {
			values[k] = -1
			continue
		}
		at := sort.Search(len(c.Targets), func(i int) bool { return c.Targets[i] > slicer.Target(t) }) - 1
		if at >= 0 {
			values[k] = c.Scores[at]
		}
	}
	return values
}
