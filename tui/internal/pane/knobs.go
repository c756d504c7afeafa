package pane

import (
	"strings"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Knobs is a list of knobs with a cursor.
type Knobs struct {
	widget.List
	All     []experiment.Knob
	valueAt int // where the value of the knob under the cursor begins
	right   int // where it ends
}

// Set replaces the knobs. The cursor stays on the knob with the same id, if there is one.
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

// Current returns the knob under the cursor, or false if the list is empty.
func (p *Knobs) Current() (experiment.Knob, bool) {
	if p.Cursor() >= len(p.All) {
		return experiment.Knob{}, false
	}
	return p.All[p.Cursor()], true
}

// DrawKnob draws the knob with index i, with arrows around its value if it is under the
// cursor. It panics if there is no such knob.
func (p *Knobs) DrawKnob(f *widget.Frame, r draw.Rect, i int, focused bool) {
	k, g := p.All[i], f.Glyphs()
	name, value := strings.Repeat("  ", k.Depth)+widget.CleanName(k.Label), widget.CleanName(k.Value)
	role := theme.Plain
	if value == "0" || value == "off" || value == "= max" || k.AtDefault {
		role = theme.Dim
	}
	label := theme.Plain
	if p.Fixed > 0 && i >= p.Fixed && !focused { // the first ones are what a reader looks for
		label = theme.Dim
	}
	if k.Excluded != "" {
		label, role = theme.Dim, theme.Dim
	}
	if i == p.Cursor() {
		value, role = f.ValueOf(&k, value, r.W/2)
		blank := " "
		if k.Typed {
			if room := r.W - draw.Width(name+value); room == 4 || room == 5 { // the label is whole without it
				blank = ""
			}
			value = g.KnobLeft + blank + value + blank + g.KnobRight
		}
		p.ValueAt(r.X+r.W-draw.Width(value), r.X+r.W)
	}
	w := draw.Width(value)
	f.Text(r.X+1, r.Y, r.W-w-2, draw.FitWords(name, max(1, r.W-w-2), g), label)
	f.Text(r.X+r.W-w, r.Y, w, value, role)
	f.CursorRow(r, i == p.Cursor(), focused)
}

// ValueAt records in which columns, from left to right-1, the value of the knob under the
// cursor was drawn, with the arrows around it.
func (p *Knobs) ValueAt(left, right int) { p.valueAt, p.right = left, right }

// Hit returns the index of the knob that was last drawn at a cell, or false if there is
// none, and the step that a click there makes, see StepAt.
func (p *Knobs) Hit(x, y int) (knob, step int, ok bool) {
	knob, ok = p.RowAt(x, y)
	return knob, p.StepAt(knob, x), ok
}

// Click moves the cursor to a knob and turns it by a step; 0 does not.
func (p *Knobs) Click(app screen.App, knob, step int) {
	p.To(knob)
	if step != 0 {
		app.Turn(p.All[knob], step)
	}
}

// StepAt returns the step that a click in column x of a knob's row makes: -1 or 1 on the
// arrows around the value of the knob under the cursor, else 0.
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
