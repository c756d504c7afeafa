package items

import (
	"slices"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// This file has the rows of changed items that are out of sight: they are pulled in below the others.

// maxAway is how many rows that the newest change concerns are pulled into sight.
const maxAway = 12

// maxBelow is how many rows stay below the cursor, except at the end of the list.
const maxBelow = 2

// away are items that the newest change brought in or took out and whose rows are not in
// sight: the largest of them, how many there are, and how many more the filter hides.
type away struct {
	first         []int
	count, hidden int
}

// show decides which rows are shown in body: from first to end-1, and below them a line and the rows of
// changed items that are out of sight, unless all rows are changed items.
func (p *View) show(f *widget.Frame, body draw.Rect) (first, end int, out away) {
	if p.onlyMoved() && !p.only.since {
		first, end = p.cursor().Show(body)
		return first, end, away{}
	}
	moved, hidden := p.movedRows(f)
	// Room below the cursor: rows that a change pulls into sight do not move it.
	p.cursor().Show(draw.Rect{X: body.X, Y: body.Y, W: body.W, H: body.H - min(maxBelow, body.H/4)})
	for rows := 0; ; rows++ {
		first, end = p.cursor().Show(draw.Rect{X: body.X, Y: body.Y, W: body.W, H: body.H - rows - min(rows+hidden, 1)})
		out = awayFrom(f, moved, p.between(first, end))
		if room := min(maxAway, body.H/2); rows >= min(room, len(out.first)) {
			out.first, out.hidden = out.first[:rows], hidden
			return first, end, out
		}
	}
}

// movedRows returns the items that moved and that the filter shows, and how many more it hides.
func (p *View) movedRows(f *widget.Frame) (moved []int32, hidden int) {
	in, out := f.Moved()
	all := slices.Concat(in, out)
	if len(all) == 0 || !p.Filtered() {
		return all, 0
	}
	for _, i := range p.Rows() {
		if came, went := f.ItemMoved(int(i)); came || went {
			moved = append(moved, i)
		}
	}
	return moved, len(all) - len(moved)
}

// awayFrom returns which of the items that moved are not among the rows that are shown.
func awayFrom(f *widget.Frame, moved, shown []int32) away {
	a := away{count: len(moved)}
	for _, i := range shown {
		if came, went := f.ItemMoved(int(i)); came || went {
			a.count--
		}
	}
	if a.count == 0 {
		return a
	}
	for _, i := range widget.Largest(f.Exp.Items(), moved, maxAway+len(shown)) {
		if len(a.first) < maxAway && !slices.Contains(shown, i) {
			a.first = append(a.first, int(i))
		}
	}
	return a
}

// drawAway draws the rows of items that are away at the end of body, below a line that counts the
// items without a row.
func (p *View) drawAway(f *widget.Frame, body draw.Rect, out away, columns []column) {
	n, more := len(out.first), out.count-len(out.first)+out.hidden
	if n+more == 0 {
		return
	}
	line := body.Row(body.H - 1 - n)
	f.Fill(line, f.Glyphs().Dashed, theme.Frame)
	head, rest := " changed out of sight", plain.Thousands(more)+" more"
	if more > out.hidden {
		head += ", largest first"
	} else if more > 0 {
		rest += " changed that the filter hides"
	}
	text := head + " "
	switch {
	case n == 0:
		text = widget.Fitting(line.W-2, " "+rest+": D lists them ", " "+rest+" ")
	case more > 0:
		text = widget.Fitting(line.W-2, head+"; "+rest+": D lists them ", head+"; "+rest+" ", text)
	}
	f.Text(line.X+1, line.Y, line.W-2, text, theme.Dim)
	for k, i := range out.first {
		p.row(f, body.Row(body.H-n+k), i, columns, false, false)
	}
}
