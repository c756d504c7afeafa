package trace

import (
	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// minBehind is the number of rows below the tables from which the items behind a row are
// listed there.
const minBehind = 4

// behind lists the items behind the row under the cursor.
type behind struct {
	of     *model.Report
	why    bool // its reasons are known
	filter string
	items  []int32
	tokens model.Tokens
}

// read lists the items of a result that a filter shows.
func (b *behind) read(f *widget.Frame, filter string) {
	why := f.Out.Reasons != nil
	if b.of == f.Out.Report && b.why == why && b.filter == filter {
		return
	}
	*b = behind{of: f.Out.Report, why: why, filter: filter}
	q, err := query.Parse(filter)
	if err != nil { // no row has such a filter
		return
	}
	facts := widget.FactsOf(f.Out)
	for i := range b.of.Items.Len() {
		if q.Match(&facts, i) {
			b.items = append(b.items, int32(i))
			b.tokens += b.of.Items.Tokens(i)
		}
	}
}

// drawBehind lists in r, where there is room, the items behind the row under the cursor: those
// that enter shows in Items, and for a row that leads to none the items that are out.
func (p *View) drawBehind(f *widget.Frame, r draw.Rect) {
	if f.Out == nil || f.NoResult || p.sums.of != f.Out.Report {
		return
	}
	title, filter := "Behind the row", p.Lead().Filter
	if filter == "" {
		title, filter = "Out", "is:out"
	}
	p.behind.read(f, filter)
	rows, columns := r.H-1, 1
	if len(p.behind.items) > rows && r.W >= minTwice {
		columns = 2
	}
	used := f.Text(r.X, r.Y, r.W, title, theme.Strong)
	text := plain.Count(len(p.behind.items), "item") + " (" + plain.Line(filter, 40) + "), " + f.Sum(p.behind.tokens) + " tok"
	if len(p.behind.items) > rows*columns {
		text += "; the first " + plain.Thousands(rows*columns)
	}
	next := r.W / columns
	r.W = min(next-2*(columns-1), maxBehind)
	for column := range columns {
		head := f.DrawCells(draw.Rect{X: r.X + column*next, Y: r.Y, W: r.W, H: 1}, widget.Cell{Width: 9, Text: "tok", Role: theme.Dim}, widget.Cell{Width: whyCells, Text: "why", Role: theme.Dim, Left: true})
		if column == 0 {
			f.Text(head.X+used+2, head.Y, head.W-used-2, text, theme.Dim)
		}
	}
	for k, item := range p.behind.items[:min(len(p.behind.items), rows*columns)] {
		i := int(item)
		f.DrawItem(draw.Rect{X: r.X + k/rows*next, Y: r.Y + 1 + k%rows, W: r.W, H: 1}, i, widget.Cell{Width: 9, Text: widget.ItemTokens(f.Exp.Items(), i), Role: widget.Shade(f, i)},
			widget.Cell{Width: whyCells, Text: widget.Why(f.Out, i, whyCells-2), Role: theme.Dim, Left: true})
	}
}

// maxBehind is the most cells that a row takes, so that its numbers stand beside its text, and minTwice the
// width from which items that are too many for the rows stand in two columns.
const maxBehind, minTwice = 140, 170

// whyCells is the width of the column that says why an item is out.
const whyCells = 32
