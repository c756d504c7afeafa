package replay

import (
	"slices"

	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// axis maps numbers of buckets to the cells of a row. The first cell is for low. A number
// takes wide cells or, if wide is 1, per numbers share a cell.
type axis struct {
	low       slicer.Target
	wide, per int
}

// widest bounds how many cells a number of buckets takes.
const widest = 4

// span returns how many numbers of buckets so many cells show.
func (a axis) span(cells int) slicer.Target { return slicer.Target(cells / a.wide * a.per) }

// axis returns the axis over so many cells for the rows first to end-1. Without a zoom it
// shows the numbers that the walk back passes in these rows, or all numbers while the
// table is filled. With a zoom the step under the cursor is in the middle. It is empty without
// cells.
func (p *View) axis(t *walkTable, first, end, cells int) axis {
	p.drawn, p.cells = axis{}, cells
	if cells == 0 {
		return axis{}
	}
	low, high := t.capacity, t.capacity
	a := p.zoom
	s := &p.steps[p.Cursor()]
	if a.wide > 0 && t.holds(p.Cursor()) {
		low, high = s.After, s.Left
	}
	if a.wide == 0 {
		first, end = max(first, t.open+1), min(end, t.end)
		if p.filling {
			low = 0
		} else if first < end {
			low, high = p.steps[end-1].After, p.steps[first].Left
		}
		a = axis{wide: 1, per: 1}
		switch n := int(high-low) + 1; {
		case 2*n <= cells:
			a.wide = 2
		case n > cells:
			a.per = (n + cells - 1) / cells
		}
	}
	a.low = max(0, min(low-(a.span(cells)-(high-low+1))/2, t.capacity+1-a.span(cells)))
	p.drawn = a
	return a
}

// needsTable returns why the table cannot be zoomed or filled, or "" if it can.
func (p *View) needsTable() string {
	if p.Steps() == 0 {
		return "there are no steps"
	}
	if p.other != nil {
		return "A and B stand beside each other; d shows one with its table"
	}
	if _, ok := p.table(); !ok {
		return "only a knapsack has a table"
	}
	return ""
}

// needsFilling returns why it cannot be shown how a table is filled, or "".
func (p *View) needsFilling() string {
	if p.other != nil && p.Steps() > 0 && (p.hasTable() || p.other.hasTable()) {
		return ""
	}
	return p.needsTable()
}

// Zoom shows half as many buckets a column of the table, or twice as many. It
// returns why it cannot, or "".
func (p *View) Zoom(in bool) string {
	if why := p.needsTable(); why != "" {
		return why
	}
	a := p.drawn
	switch t, _ := p.table(); {
	case a.wide == 0:
		return "there is no room for the columns of the table"
	case in && a.per > 1:
		a.per = (a.per + 1) / 2
	case in && a.wide < widest:
		a.wide *= 2
	case in:
		return "each number of buckets is " + tokens(widest) + " columns wide already"
	case a.span(p.cells) > t.capacity:
		return "all numbers of buckets are shown already"
	case a.wide > 1:
		a.wide /= 2
	default:
		a.per *= 2
	}
	p.zoom, p.drawn = a, a
	return ""
}

// fit ends the zoom. It returns why it cannot, or "".
func (p *View) fit() string {
	if why := p.needsTable(); why != "" {
		return why
	}
	if p.zoom.wide == 0 {
		return "the columns fit the rows already"
	}
	p.zoom = axis{}
	return ""
}

// at returns the cell of a number of buckets. It may be outside the row.
func (a axis) at(c slicer.Target) int {
	c -= a.low
	if c < 0 {
		c -= slicer.Target(a.per) - 1 // round down
	}
	return int(c) / a.per * a.wide
}

// labels writes the numbers of buckets of the first and the last cell over their cells, with the name
// of the axis between them, the longest that fits. Where there are few, the name stands behind the last.
func (a axis) labels(f *widget.Frame, x, y, cells int, capacity slicer.Target, names ...string) {
	high := min(capacity, a.low+a.span(cells)-1)
	last := a.at(high) + a.wide
	low, end := tokens(a.low), tokens(high)
	if last < len(low)+len(end)+len(names[len(names)-1])+2 { // few buckets
		f.Text(x+max(0, a.at(high)+1-len(end)), y, len(end), end, theme.Dim)
		f.Text(x+last+2, y, max(0, cells-last-2), widget.Fitting(cells-last-2, names...), theme.Plain)
		return
	}
	f.Fill(draw.Rect{X: x, Y: y, W: last, H: 1}, f.Glyphs().Strip[0], theme.StripOut)
	f.Text(x, y, last, low, theme.Dim)
	f.Right(x, y, last, end, theme.Dim)
	name := " " + widget.Fitting(last-len(low)-len(end)-2, names...) + " "
	f.Text(x+max(len(low), (last-draw.Width(name))/2), y, last-len(low), name, theme.Plain)
}

// marks draws a row of the table: with which numbers of buckets the best set of the items up to
// this one contains it, as strips show at which budgets an item is in.
func (a axis) marks(f *widget.Frame, x, y, cells int, s *pipeline.Step, t *walkTable) {
	var levels []uint8
	for len(levels)+a.wide <= cells {
		low := a.low + slicer.Target(len(levels)/a.wide*a.per)
		high := min(t.capacity, low+slicer.Target(a.per)-1)
		if low > high {
			break
		}
		level := uint8(0)
		switch n := t.Takes(s.Row, low, high); {
		case n > high-low:
			level = 4
		case n > 0:
			level = uint8(min(3, 1+3*n/(high-low+1)))
		}
		levels = append(levels, slices.Repeat([]uint8{level}, a.wide)...)
	}
	f.Strip(draw.Rect{X: x, Y: y, W: cells, H: 1}, levels, -1, false)
}

// room draws the buckets that are left after a step, and to the right of them the buckets that its
// item takes: row by row they lead down to the left, like stairs. What takes less than a cell is a
// low mark in the cell that it shares with buckets that are left.
func (a axis) room(f *widget.Frame, x, y, cells int, s *pipeline.Step) {
	g := f.Glyphs()
	left, taken := min(max(0, a.at(s.After)), cells), min(max(0, a.at(s.Left)), cells)
	f.Fill(draw.Rect{X: x, Y: y, W: left, H: 1}, g.Strip[0], theme.StripOut)
	f.Fill(draw.Rect{X: x + left, Y: y, W: taken - left, H: 1}, g.Strip[4], theme.StripIn)
	if last := left - 1; s.Verdict.In() && left == taken && last >= 0 && left < cells {
		f.Set(x+last, y, g.Strip[1], theme.StripIn)
	}
}
