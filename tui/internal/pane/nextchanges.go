package pane

import (
	"errors"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
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

// NextChanges is the pane that says what the keys along the budget axis would do, with the names of the
// items and what comes after that where there is room, above an area of the value over the budget. It
// remembers what it read from the profile, which does not change while the budget moves.
type NextChanges struct {
	further []Step // beyond the next change, up to room
	room    int
	from    model.Tokens
	of      *simulate.Profile

	profile *simulate.Profile
	scale   draw.Scale
	values  []float64 // by column; -1 where the pipeline does not run
	at      draw.Rect // where the area was drawn
}

// valueRows is how many rows the value takes above its axis; names of items leave it that many.
// From minFurther to maxFurther of the later changes are listed: ] leads there too.
const valueRows, minFurther, maxFurther = 4, 6, 8

// Draw draws the steps that do something or say briefly why not, and below them, as high as there
// is room, the value of the selection at the largest budget of each column, exact there.
func (p *NextChanges) Draw(f *widget.Frame, r draw.Rect, steps []Step) {
	p.at = draw.Rect{}
	in := f.Box(r, "Next changes", false)
	y, named := 0, map[int32]bool{}
	steps = slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return !s.Tells() })
	put := func(spans ...draw.Span) {
		if y < in.H {
			f.Spans(in.X+1, in.Y+y, in.W-1, spans...)
			y++
		}
	}
	for k, s := range steps {
		put(s.Spans(f, in.W-2)...)
		items := slices.DeleteFunc(slices.Concat(s.In, s.Out), func(i int32) bool { return named[i] })
		if in.H-y-(len(steps)-k-1)-len(items) < valueRows {
			continue
		}
		for _, i := range items {
			named[i] = true
			head := "  #" + strconv.Itoa(int(i)) + " "
			put(draw.Span{Text: head + plain.Line(f.Exp.Items().Loaded(int(i)).Headline(80), in.W-1-draw.Width(head)), Role: theme.Dim})
		}
	}
	if room := min(in.H-y-4-valueRows, maxFurther); room >= minFurther && len(steps) > 0 && steps[0].Budget.Set && f.Out != nil && f.Out.Profile != nil && !f.NoResult {
		p.look(f, room)
		for k, s := range p.further {
			if k == 0 {
				y++
				put(draw.Span{Text: "then, as budgets grow", Role: theme.Dim})
			}
			put(s.Spans(f, in.W-2)...)
		}
	}
	if in.H-y < 3 || in.W < 16 || f.Out == nil || f.Out.Profile == nil || f.NoResult {
		return
	}
	const label = "value "
	rows := min(max(1, in.H-y-2), valueRows)
	area := draw.Rect{X: in.X + 1 + len(label), Y: in.Y + in.H - 1 - rows, W: in.W - 2 - len(label), H: rows}
	lo, hi := widget.StripRange(f.Out)
	scale := widget.StripScale(f.Out, area.W)
	p.read(f.Out.Profile, scale)
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
	f.Marker(area, here, shares, look.Here)
	if rows == 1 && here >= 0 {
		f.Set(area.X+here, area.Y, f.Glyphs().StripHere, theme.StripHere)
	}
	last := hi.Short()
	from := " from " + f.Out.Settled.Short()
	switch {
	case scale.Cut && len(f.Out.Report.Included) == f.Exp.Items().Len():
		last = "all in" + from
	case scale.Cut:
		last = "same" + from
	}
	f.Right(area.X, in.Y+in.H-1, area.W, last, theme.Dim)
	if first := lo.Short(); draw.Width(first)+draw.Width(last) < area.W {
		f.Text(area.X, in.Y+in.H-1, area.W, first, theme.Dim)
	}
	if f.Old {
		f.Mark(area, theme.Old)
	}
}

// look finds the changes beyond the next one above the budget, up to room, if they are not known yet.
func (p *NextChanges) look(f *widget.Frame, room int) {
	profile, b := f.Out.Profile, f.Exp.Setup().Budget.MaxTokens
	if p.of == profile && p.from == b && p.room == room {
		return
	}
	p.of, p.from, p.room, p.further = profile, b, room, p.further[:0]
	next, ok := profile.Next(b)
	for ok && len(p.further) < room {
		if next, ok = profile.Next(next.At); ok {
			c := screen.ToBudget(f.Exp.Setup(), next.At)
			c.In, c.Out, c.Resized = next.In, next.Out, experiment.ResizesAt(profile, next.Resized, next.At-1, next.At)
			p.further = append(p.further, Step{Change: c})
		}
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
	key := strings.TrimPrefix(s.Key+" ", " ")
	spans := []draw.Span{{Text: key, Role: theme.Key}}
	left := width - draw.Width(key)
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
