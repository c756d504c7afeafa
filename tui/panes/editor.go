package panes

import (
	"cupelscope/model/plain"
	"cupelscope/tui/draw"
	"cupelscope/tui/pane"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// Editor is the policy editor: knobs in sections, with a cursor.
type Editor struct {
	pane.Knobs
	top int
}

// Draw draws the editor over r, each section under its heading, and what the
// row under the cursor means at the bottom.
func (p *Editor) Draw(f *widget.Frame, r draw.Rect) {
	f.Fill(r, ' ', theme.Plain)
	in := f.Box(r, "Policy "+widget.PolicyName(f.Side, f.Exp.Setup().Policy[f.Side]), true)
	if in.H < 4 {
		return
	}
	// Headings take lines of their own; at is the line of each knob.
	var lines []int // knob of a line; -1: a heading, that of the next knob
	cursor := 0
	for i, k := range p.All {
		if i == 0 || k.Section != p.All[i-1].Section {
			lines = append(lines, -1-i)
		}
		if i == p.Cursor() {
			cursor = len(lines)
		}
		lines = append(lines, i)
	}
	rows := in.H - 1
	p.top = widget.Scroll(p.top, cursor, rows, len(lines))
	if p.Cursor() == 0 {
		p.top = 0
	}
	columns := min(in.W, 60)
	for y := 0; y < rows && p.top+y < len(lines); y++ {
		row := draw.Rect{X: in.X, Y: in.Y + y, W: columns, H: 1}
		if i := lines[p.top+y]; i < 0 {
			f.Text(row.X+1, row.Y, in.W-2, p.All[-1-i].Section, theme.Strong)
		} else {
			p.DrawKnob(f, row, i, true)
		}
	}
	if k, ok := p.Current(); ok {
		f.Text(in.X+1, in.Y+in.H-1, in.W-2, draw.Fit(plain.Line(k.Help, 300), in.W-2, f.Glyphs()), theme.Dim)
	}
}
