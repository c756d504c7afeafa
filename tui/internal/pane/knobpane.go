package pane

import (
	"slices"
	"strconv"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// KnobPane is the pane of knobs beside the main area. Where it has no room for all, the knobs at
// their default are folded into one row, which can be opened.
type KnobPane struct {
	Knobs
	every []experiment.Knob
	open  bool
	room  int // how many knobs can be shown at once
	shown int // how many rows are above the row that folds; all rows if there is none
}

// foldID identifies the row that stands for the folded knobs.
const foldID experiment.KnobID = "at default"

// alwaysShown is the number of knobs that never scroll: maxTokens and slicer.
const alwaysShown = 2

// Set replaces the knobs, of which so many can be shown at once. The cursor stays on the same knob,
// which is not folded while the cursor is on it.
func (p *KnobPane) Set(list []experiment.Knob, room int) {
	p.Fixed, p.every, p.room = alwaysShown, list, room
	var on experiment.KnobID
	if k, ok := p.Current(); ok && p.Cursor() < p.shown {
		on = k.ID
	}
	var rows, folded []experiment.Knob
	for _, k := range list {
		if k.AtDefault && k.ID != on && len(list) > room {
			folded = append(folded, k)
		} else {
			rows = append(rows, k)
		}
	}
	p.shown = len(rows)
	if len(folded) > 0 {
		rows = append(rows, experiment.Knob{ID: foldID, Label: strconv.Itoa(len(folded)) + " more at default", Help: "knobs at 0 or at their default"})
		if p.open {
			rows = append(rows, folded...)
		}
	}
	p.Knobs.Set(rows)
}

// Current returns the knob under the cursor, or false on the row of the folded knobs.
func (p *KnobPane) Current() (experiment.Knob, bool) {
	k, ok := p.Knobs.Current()
	return k, ok && k.ID != foldID
}

// Folding reports whether a row stands for the folded knobs.
func (p *KnobPane) Folding(row int) bool { return row < len(p.All) && p.All[row].ID == foldID }

func (p *KnobPane) Open(open bool) {
	p.open = open
	p.Set(p.every, p.room)
}

func (p *KnobPane) Opened() bool { return p.open }

// Find returns the knob with that id, folded or not.
func (p *KnobPane) Find(id experiment.KnobID) (experiment.Knob, bool) {
	return experiment.FindKnob(p.every, id)
}

// Select moves the cursor to the knob with that id, if there is one, and opens the fold if
// the knob is folded.
func (p *KnobPane) Select(id experiment.KnobID) {
	at := func() int {
		return slices.IndexFunc(p.All, func(k experiment.Knob) bool { return k.ID == id })
	}
	if _, there := p.Find(id); there && at() < 0 {
		p.Open(true)
	}
	if row := at(); row >= 0 {
		p.To(row)
	}
}

// Draw draws the pane, a knob in each row. Its title is the policy that the knobs are of.
func (p *KnobPane) Draw(f *widget.Frame, r draw.Rect, focused bool) {
	names := append(widget.PolicyNames(f.Side, f.Exp.Setup().Policy[f.Side]), f.Side.String())
	name := widget.Fitting(r.W-5, names...)
	in := f.Box(r, name, focused)
	f.Text(r.X+3, r.Y, draw.Width(name), name, widget.SideRole(f.Side))
	if in.H < 1 {
		return
	}
	p.Show(in)
	last := 0
	for y := range in.H {
		row, ok := p.RowAt(in.X, in.Y+y)
		if !ok {
			break
		}
		last = row
		p.drawRow(f, in.Row(y), row, focused)
	}
	if hidden := len(p.All) - 1 - last; hidden > 0 && in.W > 12 {
		f.Right(in.X, r.Y+r.H-1, in.W, strconv.Itoa(hidden)+" more", theme.Dim)
	}
}

// drawRow draws a knob, or the row that folds.
func (p *KnobPane) drawRow(f *widget.Frame, r draw.Rect, row int, focused bool) {
	if !p.Folding(row) {
		p.DrawKnob(f, r, row, focused)
		return
	}
	f.Text(r.X+1, r.Y, r.W-1, p.All[row].Label, theme.Dim)
	f.Right(r.X, r.Y, r.W, "enter", theme.Dim)
	f.CursorRow(r, row == p.Cursor(), focused)
}

// Tab says how to reach all knobs from a single line, which shows some.
const Tab = "tab knobs"

// DrawLine draws maxTokens, the slicer, the knob under the cursor and as many others as fit
// on one line, without those at their default, for screens without room for the pane. The knob
// under the cursor has its place before all others, because keys turn it. Where stands at the end
// while the line has no focus.
func (p *KnobPane) DrawLine(f *widget.Frame, r draw.Rect, focused bool, where string) {
	g := f.Glyphs()
	p.Hide()
	if len(p.All) == 0 {
		return
	}
	if focused {
		where = strconv.Itoa(p.Cursor()+1) + " of " + strconv.Itoa(len(p.All))
		f.Set(r.X, r.Y, g.Cursor, theme.Focus)
	}
	f.Right(r.X, r.Y, r.W-1, where, theme.Dim)
	x, end := r.X+1, r.X+r.W-2-draw.Width(where)-1
	write := func(s string, role theme.Role) { x += f.Text(x, r.Y, max(0, end-x), s, role) }
	write(f.Side.String(), widget.SideRole(f.Side))
	label, value := p.inLine(f, p.Cursor())
	kept := draw.Width(label + value)
	for _, i := range p.order() {
		label, value := p.inLine(f, i)
		width := draw.Width(label + value)
		if i == p.Cursor() {
			role := theme.Plain
			if focused {
				role = theme.Focus
			}
			write(draw.Fit(label, max(2, end-x-draw.Width(value)), g), role)
			write(value, theme.Strong)
			kept = 0
			continue
		}
		if p.Folding(i) || p.All[i].AtDefault {
			continue
		}
		if x+width+kept > end {
			if kept > 0 {
				continue // the knob under the cursor is still to come
			}
			break
		}
		write(label, theme.Dim)
		write(value, theme.Dim)
	}
	if focused {
		f.Mark(r, theme.Selected)
	}
}

// inLine returns the label and the value of a row as they stand on a single line.
func (p *KnobPane) inLine(f *widget.Frame, row int) (label, value string) {
	k := p.All[row]
	label, value = " "+widget.CleanName(k.Label)+" ", widget.CleanName(k.Value)
	g := f.Glyphs()
	switch {
	case p.Folding(row):
		value = "enter"
	case row == p.Cursor() && k.Typed:
		value = g.KnobLeft + " " + value + " " + g.KnobRight
	}
	return label, value + " "
}

// order returns the rows in their order on a single line: the rows that are always shown, the
// row under the cursor, then the others.
func (p *KnobPane) order() []int {
	var rows []int
	for i := range p.All {
		rows = append(rows, i)
	}
	if at := p.Cursor(); at >= alwaysShown {
		rows = slices.Insert(slices.Delete(rows, at, at+1), alwaysShown, at)
	}
	return rows
}
