package panes

import (
	"cupelscope/model"
	"cupelscope/tui/draw"
)

// Hit is what a pane drew at a cell of the screen, for the mouse. The zero Hit
// is nothing.
type Hit struct {
	Item   model.Option[int]
	Budget model.Option[model.Tokens] // a click takes it, and dragging goes on with others
	Sort   model.Option[Sort]         // the heading of a column
	Row    model.Option[int]          // a row that is not just an item, by the pane's own number
}

// Hit is what was last drawn at a cell: the heading of a column, a row, in a
// row's strip also a budget.
func (p *Items) Hit(x, y int) Hit {
	var h Hit
	if !p.at.Contains(x, y) {
		return h
	}
	var under column
	left, found := p.at.X+3, false
	for _, c := range p.shown {
		if x >= left && x < left+c.width {
			under, left, found = c, x-left, true
			break
		}
		left += c.width + 1
	}
	if y == p.at.Y {
		if found && under.sort >= 0 {
			h.Sort = model.Some(under.sort)
		}
		return h
	}
	row := p.top + y - p.at.Y - 1
	if row < 0 || row >= len(p.rows) {
		return h
	}
	h.Item = model.Some(int(p.rows[row]))
	if found && under.strip {
		h.Budget = budgetOf(p.scale, left)
	}
	return h
}

// budgetOf is the largest budget of a column of a scale.
func budgetOf(s draw.Scale, column int) model.Option[model.Tokens] {
	if column < 0 || column >= s.Columns() {
		return model.Option[model.Tokens]{}
	}
	return model.Some(s.Edges[column+1] - 1)
}

// Hit is what was last drawn at a cell: a row.
func (p *Compare) Hit(x, y int) Hit {
	var h Hit
	row := p.top + y - p.at.Y
	if p.at.Contains(x, y) && row < len(p.rows) && p.rows[row].item >= 0 {
		h.Item = model.Some(p.rows[row].item)
	}
	return h
}

// Hit is the budget that was last drawn in a column of the plot.
func (p *Curve) Hit(x, y int) Hit {
	if !p.at.Contains(x, y) {
		return Hit{}
	}
	return Hit{Budget: budgetOf(p.cells, x-p.at.X)}
}

// Hit is the knob that was last drawn at a cell, and what a click does to
// it: a step down or up on the marks around its value.
func (p *Knobs) Hit(x, y int) (knob, step int, ok bool) {
	row := p.top + y - p.at.Y
	if !p.at.Contains(x, y) || row >= len(p.List) {
		return 0, 0, false
	}
	if row == p.cursor {
		switch {
		case x >= p.at.X+p.at.W-2:
			step = 1
		case x <= p.valueAt+1 && x >= p.valueAt-1:
			step = -1
		}
	}
	return row, step, true
}

// To puts the cursor on a knob.
func (p *Knobs) To(knob int) { p.cursor = min(max(0, knob), max(0, len(p.List)-1)) }

// Hit is the entry that was last drawn at a cell.
func (p *Help) Hit(x, y int) bool {
	row := p.top + y - p.at.Y
	if !p.at.Contains(x, y) || row >= len(p.found) {
		return false
	}
	p.cursor = row
	return true
}

// PartHit is the part of the budget bar at a cell; false: there is none.
func PartHit(f *Frame, bar draw.Rect, x int) (draw.Part, bool) {
	if f.Out == nil || f.Out.Report == nil {
		return draw.Part{}, false
	}
	parts := Parts(f.Glyphs(), f.Out.Report)
	left := bar.X + 1
	for i, n := range draw.Cells(parts, bar.W-2) {
		if x >= left && x < left+n {
			return parts[i], true
		}
		left += n
	}
	return draw.Part{}, false
}

// Hit is what was last drawn at a cell: a step.
func (p *Replay) Hit(x, y int) Hit {
	var h Hit
	if row := p.top + y - p.at.Y; p.at.Contains(x, y) && row < len(p.steps) {
		h.Row = model.Some(row)
	}
	return h
}

// Hit is what was last drawn at a cell: a row of a section.
func (p *Trace) Hit(x, y int) Hit {
	var h Hit
	if !p.at.Contains(x, y) || p.column == 0 {
		return h
	}
	column := (x - p.at.X) / p.column
	for k, row := range p.rows {
		if row.column == column && row.y == p.top+y-p.at.Y {
			h.Row = model.Some(k)
		}
	}
	return h
}
