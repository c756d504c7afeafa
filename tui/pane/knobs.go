package pane

import (
	"strconv"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// indented is a knob's label fit for the screen, its indentation kept.
func indented(s string) string {
	text := strings.TrimLeft(s, " ")
	return s[:len(s)-len(text)] + widget.CleanName(text)
}

// Knobs is the list of knobs with a cursor.
type Knobs struct {
	widget.List
	All     []experiment.Knob
	valueAt int // where the value of the knob under the cursor begins
	right   int // where it ends
}

// Set replaces the list, keeping the cursor on the same knob.
func (p *Knobs) Set(list []experiment.Knob) {
	var id experiment.KnobID
	if p.Cursor() < len(p.All) {
		id = p.All[p.Cursor()].ID
	}
	p.All = list
	p.SetLen(len(list))
	for i, k := range list {
		if k.ID == id {
			p.To(i)
		}
	}
}

// Current is the knob under the cursor.
func (p *Knobs) Current() (experiment.Knob, bool) {
	if p.Cursor() >= len(p.All) {
		return experiment.Knob{}, false
	}
	return p.All[p.Cursor()], true
}

// Find returns the knob with that id.
func (p *Knobs) Find(id experiment.KnobID) (experiment.Knob, bool) {
	for _, k := range p.All {
		if k.ID == id {
			return k, true
		}
	}
	return experiment.Knob{}, false
}

// Select moves the cursor to the knob with that id, if there is one.
func (p *Knobs) Select(id experiment.KnobID) {
	for i, k := range p.All {
		if k.ID == id {
			p.To(i)
		}
	}
}

// Changes are what the keys along the budget axis would do, for their hints.
type Changes struct {
	Next, Prev       simulate.Change
	HasNext, HasPrev bool
}

// Draw draws the pane: a knob a row, then what [ and ] would do.
func (p *Knobs) Draw(f *widget.Frame, r draw.Rect, focused bool, ch Changes) {
	in := f.Box(r, "Knobs  ", focused)
	f.Text(r.X+9, r.Y, 1, f.Side.String(), widget.SideRole(f.Side))
	rows := in.H - 2
	if rows < 1 {
		return
	}
	first, end := p.Show(draw.Rect{X: in.X, Y: in.Y, W: in.W, H: rows})
	for i := first; i < end; i++ {
		p.DrawKnob(f, in.Row(i-first), i, focused)
	}
	p.changes(f, draw.Rect{X: in.X, Y: in.Y + in.H - 2, W: in.W, H: 2}, ch)
	if hidden := len(p.All) - end; hidden > 0 && in.W > 12 {
		f.Right(in.X, r.Y+r.H-1, in.W, strconv.Itoa(hidden)+" more", theme.Dim)
	}
}

// DrawKnob draws a knob, with arrows around its value if it has the cursor.
func (p *Knobs) DrawKnob(f *widget.Frame, r draw.Rect, i int, focused bool) {
	k, g := p.All[i], f.Glyphs()
	value := widget.CleanName(k.Value)
	role := theme.Plain
	if value == "0" || value == "off" || value == "= max" {
		role = theme.Dim
	}
	label := theme.Plain
	if k.Excluded != "" {
		label, role = theme.Dim, theme.Dim
	}
	if i == p.Cursor() {
		f.Cursor(r.X, r.Y, focused)
		value = g.KnobLeft + " " + value + " " + g.KnobRight
		role = theme.Strong
		p.right = r.X + r.W
		p.valueAt = p.right - draw.Width(value)
	}
	w := draw.Width(value)
	f.Text(r.X+1, r.Y, r.W-w-2, draw.Fit(indented(k.Label), max(1, r.W-w-3), g), label)
	f.Text(r.X+r.W-w, r.Y, w, value, role)
	if i == p.Cursor() && focused {
		f.Mark(r, theme.Selected)
	}
}

func (p *Knobs) changes(f *widget.Frame, r draw.Rect, ch Changes) {
	line := func(y int, key string, c simulate.Change, ok bool, none string) {
		x := r.X + 1
		x += f.Text(x, r.Y+y, 2, key+" ", theme.Key)
		if !ok {
			f.Text(x, r.Y+y, r.X+r.W-x, none, theme.Dim)
			return
		}
		x += f.Text(x, r.Y+y, r.X+r.W-x, f.BudgetText(c.At)+" ", theme.Plain)
		f.Spans(x, r.Y+y, r.X+r.W-x, changeSpans(c, r.X+r.W-x)...)
	}
	line(0, "]", ch.Next, ch.HasNext, "no change above")
	line(1, "[", ch.Prev, ch.HasPrev, "no change below")
}

// changeSpans writes "+#40 -#9" in at most width cells, or counts.
func changeSpans(c simulate.Change, width int) []draw.Span {
	var named, counted []draw.Span
	for _, part := range []struct {
		list []int32
		sign string
		role theme.Role
	}{{c.In, "+", theme.Gain}, {c.Out, "-", theme.Loss}} {
		for _, i := range part.list {
			if len(named) > 12 {
				break
			}
			named = append(named, draw.Span{Text: part.sign + "#" + strconv.Itoa(int(i)) + " ", Role: part.role})
		}
		if n := len(part.list); n > 0 {
			counted = append(counted, draw.Span{Text: part.sign + plain.Thousands(n) + " ", Role: part.role})
		}
	}
	return draw.FirstThatFits(width+1, named, counted)
}

// DrawLine draws the knob under the cursor and its neighbours on one line, for
// screens without room for the pane.
func (p *Knobs) DrawLine(f *widget.Frame, r draw.Rect, focused bool) {
	g := f.Glyphs()
	p.Hide()
	k, ok := p.Current()
	if !ok {
		return
	}
	x, end := r.X+1, r.X+r.W-1
	where := strconv.Itoa(p.Cursor()+1) + "/" + strconv.Itoa(len(p.All))
	f.Right(r.X, r.Y, r.W-1, where, theme.Dim)
	end -= len(where) + 2
	role := theme.Plain
	if focused {
		role = theme.Focus
	}
	write := func(s string, role theme.Role) { x += f.Text(x, r.Y, max(0, end-x), s, role) }
	if focused {
		f.Set(r.X, r.Y, g.Cursor, theme.Focus)
	}
	write(f.Side.String()+" ", widget.SideRole(f.Side))
	write(widget.CleanName(k.Label), role)
	write(" "+g.KnobLeft+" "+widget.CleanName(k.Value)+" "+g.KnobRight, theme.Strong)
	for i := 1; i < len(p.All); i++ {
		next := p.All[(p.Cursor()+i)%len(p.All)]
		s := "  " + widget.CleanName(next.Label) + " " + widget.CleanName(next.Value)
		if x+draw.Width(s) > end {
			break
		}
		write(s, theme.Dim)
	}
	if focused {
		f.Mark(r, theme.Selected)
	}
}

// Hit is the knob that was last drawn at a cell, and what a click does to
// it: a step down or up on the marks around its value.
func (p *Knobs) Hit(x, y int) (knob, step int, ok bool) {
	knob, ok = p.RowAt(x, y)
	return knob, p.StepAt(knob, x), ok
}

// StepAt is the step that a click in the row of a knob makes: 0 but on the marks
// around the value of the knob under the cursor.
func (p *Knobs) StepAt(knob, x int) int {
	switch {
	case knob != p.Cursor():
	case x >= p.right-2:
		return 1
	case x <= p.valueAt+1 && x >= p.valueAt-1:
		return -1
	}
	return 0
}
