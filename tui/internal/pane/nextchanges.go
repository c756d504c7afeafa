package pane

import (
	"errors"
	"math/bits"
	"slices"
	"strings"

	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Step is what a key would do that moves along the budget axis, or why it does nothing.
type Step struct {
	Key string
	screen.Change
	Err error
}

// NextChanges is the pane that says what the keys along the budget axis would do, above an
// area of the value over the budget. It remembers what it read from the profile, which does
// not change while the budget moves.
type NextChanges struct {
	profile *simulate.Profile
	scale   draw.Scale
	values  []float64 // by column; -1 where the pipeline does not run
	at      draw.Rect // where the area was drawn
}

// Draw draws the steps that do something or say briefly why not, and below them, as high as there
// is room, the value of the selection at the largest budget of each column, exact there.
func (p *NextChanges) Draw(f *widget.Frame, r draw.Rect, steps []Step) {
	p.at = draw.Rect{}
	in := f.Box(r, "Next changes", false)
	y := 0
	for _, s := range steps {
		if y < in.H && s.Tells() {
			f.Spans(in.X+1, in.Y+y, in.W-1, s.Spans(f, in.W-2)...)
			y++
		}
	}
	if in.H-y < 3 || in.W < 16 || f.Out == nil || f.Out.Profile == nil || f.NoResult {
		return
	}
	const label = "value "
	rows := max(1, in.H-y-2)
	area := draw.Rect{X: in.X + 1 + len(label), Y: in.Y + in.H - 1 - rows, W: in.W - 2 - len(label), H: rows}
	lo, hi := widget.StripRange(f.Out)
	p.read(f.Out.Profile, draw.NewScale(lo, hi, area.W))
	top := slices.Max(p.values)
	if top <= 0 {
		f.Text(in.X+1, area.Y, in.W-1, "no value yet", theme.Dim)
		return
	}
	p.at = area
	f.Text(in.X+1, area.Y, len(label), label, theme.Dim)
	shares := make([]float64, len(p.values))
	for x, v := range p.values {
		shares[x] = v / top
	}
	here := p.scale.Column(f.Exp.Setup().Budget.MaxTokens)
	look := widget.LookOf(f.Side)
	f.Area(area, shares, look.Area)
	if f.Marker(area, here, shares, look.Here); rows == 1 && here >= 0 {
		f.Set(area.X+here, area.Y, f.Glyphs().StripHere, theme.StripHere)
	}
	f.Text(area.X, in.Y+in.H-1, area.W, lo.Short(), theme.Dim)
	f.Right(area.X, in.Y+in.H-1, area.W, hi.Short(), theme.Dim)
	if f.Old {
		f.Mark(area, theme.Old)
	}
}

// read computes the value at the largest budget of each column, if it is not known yet.
// It selects at these budgets alone, because the values of a knapsack at every budget
// cost a pass over its table.
func (p *NextChanges) read(profile *simulate.Profile, scale draw.Scale) {
	if p.profile.Same(profile) && slices.Equal(p.scale.Edges, scale.Edges) {
		return
	}
	p.profile, p.scale, p.values = profile, scale, make([]float64, scale.Columns())
	candidates := profile.Ranking().Input()
	var selection slicer.Selection
	for k := range p.values {
		var runs bool
		if selection, runs = profile.Selection(min(scale.Edges[k+1]-1, profile.Axis().End()), selection); !runs {
			p.values[k] = -1
			continue
		}
		for w, word := range selection {
			for ; word != 0; word &= word - 1 {
				p.values[k] += candidates.ScoreAt(w<<6 + bits.TrailingZeros64(word))
			}
		}
	}
}

// Hit returns the budget that was last drawn in the column of a cell.
func (p *NextChanges) Hit(x, y int) widget.Hit {
	if !p.at.Contains(x, y) {
		return widget.Hit{}
	}
	return widget.Hit{Budget: widget.BudgetOf(p.scale, x-p.at.X)}
}

// Tells reports whether the step does something or has a brief word for why not.
func (s Step) Tells() bool { return s.Err == nil || s.brief() != "" }

func (s Step) brief() string {
	var idle screen.Idle
	errors.As(s.Err, &idle)
	return idle.Brief
}

// Spans returns the value that the step leads to and what changes there, in at most width
// cells.
func (s Step) Spans(f *widget.Frame, width int) []draw.Span {
	spans := []draw.Span{{Text: s.Key + " ", Role: theme.Key}}
	left := width - draw.Width(s.Key) - 1
	put := func(text string, role theme.Role) {
		text = draw.Fit(text, left, f.Glyphs())
		spans = append(spans, draw.Span{Text: text, Role: role})
		left -= draw.Width(text)
	}
	switch {
	case s.Err != nil:
		put(s.brief(), theme.Dim)
		return spans
	case s.Budget.Set:
		put(f.BudgetText(s.Budget.Value)+" ", theme.Plain)
	case s.Changes() || len(s.Resized) > 0:
		put(s.Label.To+" ", theme.Plain)
	}
	if s.Words != "" {
		return append(spans, draw.Span{Text: strings.Repeat(" ", max(0, left-draw.Width(s.Words)))}, draw.Span{Text: s.Words, Role: s.Role})
	}
	return append(spans, widget.ChangeSpans(f.Glyphs(), s.In, s.Out, s.Resized, left)...)
}
