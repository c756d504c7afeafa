package pane

import (
	"math/bits"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Curve is the pane that draws the value of the selection over the budget. It caches what
// it read from the profiles, which do not change while the budget moves.
type Curve struct {
	sides [2]sampled
	at    draw.Rect  // where the plot was drawn
	cells draw.Scale // and the budgets of its columns
}

// sampled holds the value of a side's selection at the budgets of the plot.
type sampled struct {
	profile *simulate.Profile // nil: it was dropped since
	items   *model.Set
	setup   experiment.Setup
	lo, hi  model.Tokens
	values  []float64 // by column of dots; -1 where the pipeline does not run
}

// Draw draws the value of the selection over all budgets for A and B, with one point for
// each column of dots, exact at that budget. The best possible value is drawn under them,
// if it is known.
func (p *Curve) Draw(f *widget.Frame, r draw.Rect) {
	p.at = draw.Rect{}
	in := f.Box(r, "Value over budget (7)", false)
	if in.H < 4 || in.W < 12 || f.Out == nil {
		return
	}
	names := sideNames(f, in.W-1)
	plot := draw.Rect{X: in.X + 5, Y: in.Y, W: in.W - 6, H: in.H - 1 - len(names)}
	lo, hi := widget.StripRange(f.Out)
	scale := draw.NewScale(lo, hi, draw.Dots(plot.W, f.Glyphs()))
	var lines []draw.Line
	if at, kind := f.BestOf(f.Out); kind == widget.BestPossible {
		_, values := widget.BestColumns(at, f.Out.Profile.Axis(), scale)
		lines = append(lines, draw.Line{Values: values, Role: theme.Gain, Letter: '.', Under: true})
	}
	for _, side := range []experiment.Side{experiment.B, experiment.A} {
		o, _ := f.Exp.Listed(side)
		at := &p.sides[side]
		if o != nil {
			at.read(o, scale)
		} else if !p.Keeps(f.Exp, side) || !at.along(scale) {
			*at = sampled{}
			continue
		}
		lines = append(lines, draw.Line{Values: slices.Clone(at.values), Role: widget.SideRole(side), Letter: rune(side.String()[0])})
	}
	top := 0.0
	for _, l := range lines {
		top = max(top, slices.Max(l.Values))
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
	p.at, p.cells = plot, cells
	f.Curves(plot, lines, cells.Column(f.Exp.Setup().Budget.MaxTokens))
	f.Right(in.X, plot.Y, 4, widget.Score(top, 4), theme.Dim)
	f.Right(in.X, plot.Y+plot.H-1, 4, "0", theme.Dim)
	for y := range plot.H {
		f.Set(in.X+4, plot.Y+y, f.Glyphs().Vertical, theme.Frame)
	}
	f.Text(plot.X, plot.Y+plot.H, plot.W, lo.Short(), theme.Dim)
	f.Right(plot.X, plot.Y+plot.H, plot.W, hi.Short(), theme.Dim)
	for y, line := range names {
		f.Spans(in.X+1, plot.Y+plot.H+1+y, in.W-1, line...)
	}
	if f.Old {
		f.Mark(plot, theme.Old)
	}
}

// sideNames returns both slicers, on two lines where one has no room for both.
func sideNames(f *widget.Frame, width int) [][]draw.Span {
	var names [][]draw.Span
	for _, side := range []experiment.Side{experiment.A, experiment.B} {
		p := f.Exp.Setup().Policy[side]
		forms := widget.PolicyNames(side, p)
		names = append(names, []draw.Span{{Text: widget.Fitting(width, forms[1], forms[2]), Role: widget.SideRole(side)}})
	}
	return widget.Pack(width, names)
}

// read computes the value at the largest budget of each column, if it is not known yet.
// It selects at these budgets alone, because the values of a knapsack at every budget
// cost a pass over its table.
func (s *sampled) read(o *experiment.Outcome, scale draw.Scale) {
	p, n := o.Profile, scale.Columns()
	s.items, s.setup = o.Items, o.Setup
	if s.profile.Same(p) && s.along(scale) {
		return
	}
	*s = sampled{profile: p, items: o.Items, setup: o.Setup, lo: scale.Edges[0], hi: scale.Edges[n], values: make([]float64, n)}
	scores := p.Ranking().Input().Scores
	var selection slicer.Selection
	for k := range s.values {
		var runs bool
		if selection, runs = p.Selection(min(scale.Edges[k+1]-1, p.Axis().End()), selection); !runs {
			s.values[k] = -1
			continue
		}
		for w, word := range selection {
			for ; word != 0; word &= word - 1 {
				s.values[k] += scores[w<<6+bits.TrailingZeros64(word)]
			}
		}
	}
}

// Hit returns the budget that was last drawn in the column of a cell.
func (p *Curve) Hit(x, y int) widget.Hit {
	if !p.at.Contains(x, y) {
		return widget.Hit{}
	}
	return widget.Hit{Budget: widget.BudgetOf(p.cells, x-p.at.X)}
}

// along reports whether the values are those at the columns of a scale.
func (s *sampled) along(scale draw.Scale) bool {
	n := scale.Columns()
	return s.lo == scale.Edges[0] && s.hi == scale.Edges[n] && len(s.values) == n
}

// Keeps reports whether the pane can draw the curve of a side, as it was drawn last,
// without its profile: nothing has changed since but the budget.
func (p *Curve) Keeps(exp *experiment.Experiment, side experiment.Side) bool {
	at := &p.sides[side]
	return len(at.values) > 0 && at.items == exp.Items() && at.setup.SameProfile(exp.Setup(), side)
}

// Forget drops the profile of a side, which may be large, and keeps the values.
func (p *Curve) Forget(side experiment.Side) { p.sides[side].profile = nil }
