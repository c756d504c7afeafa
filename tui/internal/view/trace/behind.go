package trace

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// minBehind is the number of rows below the tables, the blank one included, from which the items behind a
// row are listed there: fewer would be a stub.
const minBehind = 5

// behind lists the items behind the row under the cursor.
type behind struct {
	of     *model.Report
	why    bool // its reasons are known
	filter string
	rows   int
	items  []int32 // the largest, as many as there are rows
	all    tally
	scale  draw.Scale
	levels [][]uint8 // of the strips of the first items
}

// read finds the items of a result that a filter shows.
func (b *behind) read(f *widget.Frame, filter string, rows int) {
	why := f.Out.Reasons != nil
	if b.of == f.Out.Report && b.why == why && b.filter == filter && b.rows == rows {
		return
	}
	*b = behind{of: f.Out.Report, why: why, filter: filter, rows: rows}
	q, err := query.Parse(filter)
	if err != nil { // no row has such a filter
		return
	}
	facts, tokens := widget.FactsOf(f.Out), b.of.Items.TokenColumn()
	size := func(i int32) float64 { return float64(tokens[i]) }
	for _, part := range inParts(len(tokens), func(part *behind, from, to int) {
		for i := from; i < to; i++ {
			if q.Match(&facts, i) {
				part.items = widget.Most(part.items, int32(i), rows, size)
				part.all.add(tally{1, tokens[i]})
			}
		}
	}) {
		for _, i := range part.items {
			b.items = widget.Most(b.items, i, rows, size)
		}
		b.all.add(part.all)
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
	p.behind.read(f, filter, r.H-1)
	items := p.behind.items
	used := f.Text(r.X, r.Y, r.W, title, theme.Strong)
	text := plain.Count(p.behind.all.items, "item") + " (" + plain.Line(filter, 40) + "), " + f.Sum(p.behind.all.tokens) + " tok"
	if p.behind.all.items > len(items) {
		text += "; the largest " + plain.Thousands(len(items))
	}
	strips := draw.Rect{X: r.X + maxBehind + 1, Y: r.Y, W: max(0, r.W-maxBehind-1), H: r.H}
	r.W -= strips.W
	head := f.DrawCells(r.Row(0), widget.Cell{Width: 9, Text: "tok", Role: theme.Dim}, widget.Cell{Width: whyCells, Text: "why", Role: theme.Dim, Left: true})
	f.Text(head.X+used+2, head.Y, head.W-used-2, text, theme.Dim)
	p.behind.strips(f, strips, items)
	for k, item := range items {
		i := int(item)
		f.DrawItem(r.Row(1+k), i, widget.Cell{Width: 9, Text: widget.ItemTokens(f.Exp.Items(), i), Role: widget.Shade(f, i)},
			widget.Cell{Width: whyCells, Text: widget.Why(f.Out, i, whyCells-2), Role: theme.Dim, Left: true})
	}
}

// strips draws at which budgets items are in, below their axis, where there is room.
func (b *behind) strips(f *widget.Frame, r draw.Rect, items []int32) {
	if r.W < minStrip {
		return
	}
	scale := widget.StripScale(f.Out, r.W)
	here := f.Here(scale, nil)
	f.ScaleRuler(r.Row(0), scale, nil)
	if !slices.Equal(b.scale.Edges, scale.Edges) {
		b.scale, b.levels = scale, nil
	}
	for k, item := range items {
		if k == len(b.levels) { // drawn for the first time
			b.levels = append(b.levels, widget.StripLevels(f.Out.Profile, scale, f.Out.Report.Survivor(int(item))))
		}
		f.ItemStrip(r.Row(1+k), b.levels[k], here, int(item))
	}
}

// maxBehind is how many cells a row takes at most, so that its numbers stand beside its text, and minStrip
// the least width of a strip behind it.
const maxBehind, minStrip = 120, 40

// whyCells is the width of the column that says why an item is out.
const whyCells = 32
