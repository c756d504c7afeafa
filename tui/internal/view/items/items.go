// Package items is the Items view: the table of all items, in and out.
package items

import (
	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// View is the table of all items, in and out.
type View struct {
	widget.ItemList
	app     screen.App
	Numbers bool // show all numbers, instead of the strip where there is no room for both
	turns   requestStrips
	tree    tree
	only    only

	measured      *model.Set // the set that longest was found in
	maxTokenWidth int        // width of the longest token count, in cells
	cut           int        // the cells that the size taken needs before it; 0 without sizes
	whyWidth      int        // the most cells of a reason; 0: none is shown

	heading draw.Rect // where the headings were drawn
	shown   []column  // the columns that were drawn

	over   *widget.Over // what the strips are over; nil: budgets
	scale  draw.Scale
	strips stripCache
}

// setOver sets what the strips are over. It returns false if nothing changes.
func (p *View) setOver(o *widget.Over) bool {
	was := p.over
	p.over = o
	return !was.Same(o)
}

// Draw draws the table over r, with a frame if boxed is set.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	in, title := r, p.title(f)
	if boxed {
		in = f.Box(r, title, focused)
	}
	if f.Out == nil || f.Out.Report == nil || in.H < 2 {
		f.DrawNoResult(in, "no item comes in or goes out")
		return
	}
	p.only.moved = experiment.Since{}
	if p.only.since && p.onlyMoved() {
		p.only.moved, _ = f.Exp.Since(f.Side)
	}
	columns := p.columns(f, in, boxed)
	p.heading, p.shown = draw.Rect{}, columns
	body, groups, lists := in, groupColumns{}, true
	if p.tree.by != ungrouped {
		groups, lists = p.tree.columns(f, in.W), p.tree.unfolded()
		p.tree.head(f, in.Row(0), groups)
		body = body.Inner(false)
	}
	if lists {
		p.heading, body = body.Row(0), body.Inner(false)
	}
	first, end, out := p.show(f, body)
	beyond := widget.Beyond(first, end, p.cursor().Len())
	if boxed {
		from := r.X + 4 + draw.Width(title)
		to := p.subtitle(f, draw.Rect{X: in.X, Y: r.Y, W: in.W - 1, H: 1})
		if lists {
			p.nameAxis(f, draw.Rect{X: from, Y: r.Y, W: to - from, H: 1}, columns)
		}
		f.RowsShown(r, first, end, p.cursor().Len())
		beyond = [2]string{} // the frame says it
	}
	if p.turns.on {
		p.turns.follow(f.Exp, p.app.Turns(), f.Side, p.between(first, end))
	}
	if lists {
		p.head(f, p.heading, columns, beyond)
	}
	if p.Len() == 0 {
		p.DrawEmpty(f, body)
		return
	}
	p.strips.reset(f.Out, p.over, p.scale)
	for row := first; row < end; row++ {
		if i, heading := p.at(row); heading != nil {
			p.headingRow(f, body.Row(row-first), heading, groups, row == p.cursor().Cursor(), focused)
		} else {
			p.row(f, body.Row(row-first), i, columns, row == p.cursor().Cursor(), focused)
		}
	}
	p.drawAway(f, body, out, columns)
	if f.Old {
		f.Mark(in, theme.Old)
	}
}

// subtitle draws what the newest change brought in and took out or, where it did neither,
// how the rows are sorted, at the end of the title. It returns where that begins.
func (p *View) subtitle(f *widget.Frame, r draw.Rect) int {
	order := p.SortText()
	if p.tree.by != ungrouped {
		order = p.tree.by.String() + ", then " + order
	}
	spans := []draw.Span{{Text: " sorted by " + order + " ", Role: theme.Dim}}
	in, out := f.Moved()
	if sizes := f.Resized(); len(in)+len(out)+len(sizes) > 0 {
		spans = append([]draw.Span{{Text: " last step  ", Role: theme.Dim}}, widget.ChangeSpans(f.Glyphs(), in, out, sizes, r.W/2)...)
	}
	n := draw.SpansWidth(spans)
	f.Spans(r.X+r.W-n, r.Y, n, spans...)
	return r.X + r.W - n
}

func (p *View) title(f *widget.Frame) string {
	if f.Out == nil || f.Out.Report == nil {
		return "Items"
	}
	s := "Items"
	if p.Filtered() {
		s += "  " + plain.Thousands(p.Matching()) + " shown" + p.StayingText()
	}
	s += p.onlyText(f.Exp, f.Side)
	if p.over != nil && !p.turns.on && !p.Numbers {
		s += "  over " + widget.CleanName(p.over.Name)
	}
	if f.Old && !f.NoResult {
		s += "  (" + f.OldText() + ")"
	}
	return s
}

func (p *View) row(f *widget.Frame, r draw.Rect, i int, columns []column, cursor, focused bool) {
	g := f.Glyphs()
	glyph, role, _ := widget.State(g, f.Out, i)
	if _, mark := f.MovedText(i); mark != theme.Plain {
		role = mark
	}
	switch {
	case !f.NoResult:
	case f.Exp.Items().Pinned(i):
		glyph, role = g.Pinned, theme.Pin
	case role != theme.Dup || !f.Profiled:
		glyph = ' '
	}
	f.Set(r.X+1, r.Y, glyph, role)
	f.MarkItem(r.X+2, r.Y, i)
	for k, c := range columns {
		if c.cell == nil {
			continue
		}
		cell := draw.Rect{X: c.left, Y: r.Y, W: c.width, H: 1}
		if k+1 < len(columns) && columns[k+1].cell == nil {
			cell.W += 1 + columns[k+1].width
		}
		c.cell(f, cell, i)
		r.W = c.left + c.width - r.X // beside the strip, which keeps its ground, more would be a stub
	}
	f.CursorRow(r, cursor, focused)
}

// DropStale drops the rows and strips, which are out of date. The cursor stays with its
// item.
func (p *View) DropStale() {
	p.over, p.strips = nil, stripCache{}
	p.ItemList.Arrange(nil)
}

// Hit returns what was last drawn at the cell (x, y): the heading of a column that
// sorts, or an item, in the item's strip also with a budget.
func (p *View) Hit(x, y int) widget.Hit {
	var h widget.Hit
	if p.heading.Contains(x, y) {
		for _, c := range p.shown {
			if c.sort >= 0 && x >= c.head && x < c.head+len(c.title) {
				h.Click = func() { p.ClickSort(c.sort) }
			}
		}
		return h
	}
	row, ok := p.cursor().RowAt(x, y)
	if !ok {
		return h
	}
	i, heading := p.at(row)
	if heading != nil {
		h.Click = func() {
			p.tree.To(row)
			_, fold := p.fold()
			fold()
		}
		return h
	}
	h.Item = model.Some(i)
	for _, c := range p.shown {
		if c.strip && x >= c.left && x < c.left+c.width {
			h.Budget = widget.BudgetOf(p.scale, x-c.left)
		}
	}
	return h
}
