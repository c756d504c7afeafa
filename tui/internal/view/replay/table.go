package replay

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// walkTable is the table of the knapsack phase that the cursor is in.
type walkTable struct {
	*slicer.Table
	capacity  slicer.Target // whole buckets in the room
	bucket    model.Tokens
	whole     bool    // the table fills the whole room, not a part of it
	before    float64 // the value of what is in before, of other tables; 0 if it is the whole
	open, end int     // steps of the walk back: its heading, and the one after its last
	packed    packed  // what the whole walk takes
}

// packed sums up the items that a walk back takes.
type packed struct {
	tokens, charged model.Tokens // charged: in whole buckets
}

// table returns the table of the phase that the cursor is in, and false if the
// phase has none.
func (p *View) table() (walkTable, bool) { return p.tableOf(p.Cursor()) }

// tableOf is table of the phase of a step: under quotas each share has one of its own.
func (p *View) tableOf(step int) (walkTable, bool) {
	k := p.opening(step)
	if k >= 0 && p.steps[p.opens[k]].Phase == slicer.WalkBack {
		k--
	}
	if k < 0 || k+1 >= len(p.opens) {
		return walkTable{}, false
	}
	s := &p.steps[p.opens[k]]
	outline, ok := s.Opens.(slicer.TableOutline)
	if !ok {
		return walkTable{}, false
	}
	t := walkTable{
		Table: outline.Table, capacity: slicer.Target(outline.Capacity), bucket: s.Unit, whole: s.Depth == 0,
		open: int(p.opens[k+1]), end: len(p.steps), packed: p.packs[k+1],
	}
	if k+2 < len(p.opens) {
		t.end = int(p.opens[k+2])
	}
	if !t.whole {
		t.before = p.after(int(p.opens[k])).value
	}
	return t, true
}

// hasTable reports whether the phase that the cursor is in has a table; false without steps.
func (p *View) hasTable() bool {
	if p.Steps() == 0 {
		return false
	}
	_, ok := p.table()
	return ok
}

// holds reports whether a step belongs to the walk back over the table.
func (t *walkTable) holds(step int) bool { return step > t.open && step < t.end }

// drawTable draws what the step under the cursor does in a sentence, and the table's rows
// around it with the buckets that are left. It returns which rows, from first to end-1.
func (p *View) drawTable(f *widget.Frame, in draw.Rect, t *walkTable, boxed, focused bool) (first, end int) {
	said, more := min(2, max(0, in.H-4)), in.H >= 9
	c := p.tableColumns(in.W, true)
	explained := more && (c.cells > 0 || in.H >= 12 || !p.filling && p.Cursor() == t.end-1) // numbers have headings of their own
	if p.filling && more && boxed {
		said = 3 // in place of the bar
	}
	text := in
	if !boxed {
		text.X, text.W = in.X+1, in.W-2
	}
	p.say(f, draw.Rect{X: text.X, Y: in.Y, W: text.W, H: said}, t)
	y := in.Y + said
	switch {
	case !more:
	case !p.filling:
		p.bar(f, draw.Rect{X: text.X, Y: y, W: text.W, H: 1}, boxed)
		y++
	case !boxed: // a box has this in its title
		f.Text(text.X, y, text.W, widget.Fitting(text.W, p.where(p.counted())), theme.Dim)
		y++
	}
	legend := draw.Rect{X: text.X, Y: y, W: text.W, H: 1}
	if explained {
		y++
	}
	body := draw.Rect{X: in.X, Y: y + 1, W: in.W, H: in.Y + in.H - y - 1}
	if body.H < 1 { // no room for both: a row rather than the heading
		body = draw.Rect{X: in.X, Y: y, W: in.W, H: in.Y + in.H - y}
	}
	first, end = p.Show(body)
	axis := p.axis(t, first, end, c.cells)
	if explained {
		f.Spans(legend.X, legend.Y, legend.W, draw.FirstThatFits(legend.W, p.tableLegend(f, t, axis)...)...)
	}
	if body.Y > y {
		names := []string{"buckets left", "left"}
		if p.filling {
			names = []string{"buckets"}
		}
		c.head(f, draw.Rect{X: in.X, Y: y, W: in.W, H: 1}, axis, t.capacity, names...)
	}
	for k := first; k < end; k++ {
		row := body.Row(k - first)
		if p.steps[k].Opens != nil {
			p.row(f, row, k, stepColumns{})
		} else {
			p.tableRow(f, row, k, c, axis, t)
		}
		p.markRow(f, row, k, focused)
	}
	return first, end
}

// packing returns how the items that the walk back takes fill the room, the longest form first.
func (p *View) packing(f *widget.Frame, t *walkTable) []string {
	buckets, all, rest := t.packed.charged/t.bucket, plain.Count(int(t.capacity), "bucket"), " in empty buckets"
	full := buckets.String() + " of " + all + " of " + t.bucket.String() + widget.Verb(int(t.capacity), " is", " are") + " full; "
	if int(buckets) == int(t.capacity) {
		full, rest = "all "+all+" are full; ", " too few for a bucket"
	}
	rounded, target := f.Sum(t.packed.charged-t.packed.tokens), p.of.Report.Effective.Target
	if !t.whole {
		return []string{full + "rounding costs " + rounded, "rounding costs " + rounded}
	}
	short := "free " + f.Sum(target-t.packed.tokens) + " = " + rounded + " by rounding + " + f.Sum(target-t.packed.charged)
	return []string{full + short + rest, short + rest, short}
}

// tableLegend says in a line what the columns and the marks mean or, at the last row of the table
// that is read, how the room is filled; the longest form first.
func (p *View) tableLegend(f *widget.Frame, t *walkTable, a axis) [][]draw.Span {
	dim := func(text string) draw.Span { return draw.Span{Text: text, Role: theme.Dim} }
	mark := func(level int, role theme.Role) draw.Span {
		return draw.Span{Text: string(f.Glyphs().Strip[level]), Role: role}
	}
	var forms [][]draw.Span
	switch {
	case !p.filling && p.Cursor() == t.end-1:
		for _, form := range p.packing(f, t) {
			forms = append(forms, []draw.Span{dim(form)})
		}
		return forms
	case a.wide == 0:
		return [][]draw.Span{{dim("the best total with and without the item")}}
	case p.filling:
		in := []draw.Span{mark(4, theme.StripIn), dim(" more with the item")}
		forms = [][]draw.Span{append(in[:2:2], dim("   "), mark(2, theme.StripSome), dim(" for some numbers of buckets")), in}
	default:
		takes := []draw.Span{mark(4, theme.StripIn), dim(" buckets it takes   "), mark(0, theme.StripOut), dim(" left")}
		forms = [][]draw.Span{append(takes[:4:4], dim("   a column: "+plain.Count(a.per, "bucket"))), takes}
	}
	if a.per == 1 { // no column is of several
		forms = forms[1:]
	}
	return forms
}

// foretells reports whether the rows show what the filling comes to: at the step that says what is asked.
func (p *View) foretells() bool { return p.filling && p.steps[p.Cursor()].Phase == slicer.InOutline }

// tableColumns holds the widths of the columns of a table: best is for each of the two values
// that decide, cells for the buckets.
type tableColumns struct {
	itemColumns
	buckets, best, cells int
}

// minCells is the least width in which marks tell anything.
const minCells = 12

// tableColumns divides the width: numbers first, then the marks, if they are drawn, then the text.
func (p *View) tableColumns(width int, marks bool) tableColumns {
	c := tableColumns{itemColumns: p.itemColumns(6), buckets: 5, best: 8}
	if marks && width >= 64 {
		c.kind = 4
	}
	rest := width - 6 - widget.CellsWidth(c.index, c.kind, c.tok, c.buckets, c.best, c.best) // the last cell stays free
	c.text = min(60, max(12, rest*2/5))
	if c.cells = rest - c.text; !marks || c.cells < minCells {
		c.text, c.cells = max(0, rest+1), 0 // no blank before the marks
	}
	return c
}

func (c tableColumns) head(f *widget.Frame, r draw.Rect, a axis, capacity slicer.Target, names ...string) {
	row := c.itemColumns.head(f, r, theme.Dim)
	row.Put(c.buckets, "takes", true, theme.Dim)
	row.Put(c.best, "with", true, theme.Focus)
	row.Put(c.best, "without", true, theme.Focus)
	if c.cells > 0 {
		a.labels(f, row.X+1, r.Y, c.cells, capacity, names...)
	}
}

// tableRow draws the row of an item in the table, with its marks while the table is filled or, once
// it is read, with the buckets that are left.
func (p *View) tableRow(f *widget.Frame, r draw.Rect, k int, c tableColumns, a axis, t *walkTable) {
	g, s := f.Glyphs(), &p.steps[k]
	role, done := theme.Plain, k <= p.Cursor()
	if done && !p.filling {
		glyph, verdict := stepGlyph(g, s)
		f.Set(r.X+1, r.Y, glyph, verdict)
		if !s.Verdict.In() {
			role = theme.Dim
		}
	}
	done = done || p.foretells() && t.holds(k)
	row := p.item(f, r, s, c.itemColumns, p.of.Report.Cost(int(s.Item)), role)
	buckets := "0"
	if s.Phase == slicer.WalkBack {
		buckets = widget.Fitting(c.buckets, tokens(s.Need), model.Tokens(s.Need).Short())
	}
	row.Put(c.buckets, buckets, true, role)
	x := row.X + 2*c.best + 3
	if done {
		own, _ := p.tableOf(k)
		p.putBest(row, c.best, s, &own, role)
	}
	switch {
	case !t.holds(k) || c.cells == 0 || !done:
	case p.filling:
		a.marks(f, x, r.Y, c.cells, s, t)
	default:
		a.room(f, x, r.Y, c.cells, s)
	}
}

// putBest writes the best values that can be reached from a step with its item and without
// it, "-" for what cannot be. The larger one, which decides, stands out.
func (p *View) putBest(row *widget.Cells, width int, s *pipeline.Step, t *walkTable, role theme.Role) {
	with, without, roleWith, roleWithout := "-", "-", role, role
	if s.Row > 0 {
		buckets, a, b := p.weigh(s, t)
		_, textB := worth(b, b)
		if s.Need <= buckets {
			var textA string
			textA, textB = worth(a, b)
			with = widget.Fitting(width, textA, widget.ExactScore(a))
		}
		without = widget.Fitting(width, textB, widget.ExactScore(b))
		roleWithout = theme.Strong
		if s.Need <= buckets && a > b {
			roleWith, roleWithout = theme.Strong, role
		}
	}
	row.Put(width, with, true, roleWith)
	row.Put(width, without, true, roleWithout)
}

// A knapsack first fills its table, one row per item, from the highest score to the
// lowest, and then walks back through the rows. The steps are the walk
// back. To show the filling they are in the opposite order.

// toggleFilling shows how the table is filled, from the first step, or the walk back
// again. The cursor then stays with its item or, if it has not moved meanwhile, returns to
// where the walk back was left, at first to the first item that stays out. Where A and B stand
// beside each other, it shows the side that has a table. It returns why it cannot, or "".
func (p *View) toggleFilling() string {
	if why := p.needsFilling(); why != "" {
		return why
	}
	p.Leave()
	if p.other != nil {
		p.toggleBeside()
		if !p.hasTable() { // the filling begins once the steps of the other side are made
			p.taught = false
			p.app.Edit(p.app.Side().Other())
			return ""
		}
	}
	cursor := p.turnRound(p.Cursor())
	p.filling = !p.filling
	switch {
	case p.filling:
		p.left, cursor = p.Cursor(), 0
	case cursor == 0:
		cursor = p.left
	}
	if p.List.To(cursor); cursor == 0 && !p.filling { // nobody has gone to a step of the walk back yet
		p.find(0, 1)
	}
	return ""
}

// turnRound reverses the steps of every walk back. It returns the new index of a step.
func (p *View) turnRound(step int) int {
	at := step
	for k, open := range p.opens {
		if p.steps[open].Phase != slicer.WalkBack {
			continue
		}
		from, end := int(open)+1, len(p.steps)
		if k+1 < len(p.opens) {
			end = int(p.opens[k+1])
		}
		slices.Reverse(p.steps[from:end])
		if from <= step && step < end {
			at = from + end - 1 - step
		}
	}
	p.mark(p.of.Ranking.Input())
	return at
}
