package replay

import (
	"fmt"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// shown is the table of the knapsack phase that the cursor is in.
type shown struct {
	*slicer.Table
	capacity  slicer.Target // whole buckets in the room
	bucket    model.Tokens
	whole     bool   // the table fills the whole room, not a part of it
	open, end int    // steps of the walk back: its heading, and the one after its last
	packed    packed // what the whole walk takes
}

// packed is what a walk back takes.
type packed struct {
	items           int
	tokens, charged model.Tokens // charged: in whole buckets
}

// table returns the table of the phase that the cursor is in, and false if the
// phase has none.
func (p *View) table() (shown, bool) {
	k := p.opening(p.Cursor())
	if k >= 0 && p.steps[p.opens[k]].Phase == slicer.WalkBack {
		k--
	}
	if k < 0 || k+1 >= len(p.opens) {
		return shown{}, false
	}
	s := &p.steps[p.opens[k]]
	outline, ok := s.Opens.(slicer.TableOutline)
	if !ok {
		return shown{}, false
	}
	t := shown{
		Table: outline.Table, capacity: slicer.Target(outline.Capacity), bucket: s.Unit, whole: s.Depth == 0,
		open: int(p.opens[k+1]), end: len(p.steps), packed: p.packs[k+1],
	}
	if k+2 < len(p.opens) {
		t.end = int(p.opens[k+2])
	}
	return t, true
}

// holds reports whether a step is one of the walk back over the table.
func (t *shown) holds(step int) bool { return step > t.open && step < t.end }

// drawTable draws the table's rows around the cursor with the walk back as a
// path through them, and what the step under the cursor does in a sentence.
func (p *View) drawTable(f *widget.Frame, in draw.Rect, t *shown, boxed, focused bool) {
	head, said, bar := 0, min(2, max(0, in.H-4)), 0
	switch {
	case in.H >= 14:
		head, bar = 2, 1
	case in.H >= 9:
		head, bar = 1, 1
	}
	y := in.Y
	if head > 0 {
		y += p.tableHead(f, draw.Rect{X: in.X + 1, Y: y, W: in.W - 2, H: head}, t)
	}
	if bar > 0 {
		p.bar(f, draw.Rect{X: in.X + 1, Y: y, W: in.W - 2, H: 1}, boxed)
		y++
	}
	body := draw.Rect{X: in.X, Y: y + 1, W: in.W, H: in.Y + in.H - y - 1 - said}
	if body.H < 1 { // the row under the cursor before its heading
		body = draw.Rect{X: in.X, Y: y, W: in.W, H: in.Y + in.H - y}
	}
	first, end := p.Show(body)
	c := p.tableColumns(in.W)
	axis := p.axis(t, first, end, c.cells)
	if body.Y > y {
		c.head(f, draw.Rect{X: in.X, Y: y, W: in.W, H: 1}, axis, t.capacity)
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
	forms, role := p.sentence(t), theme.Plain
	if p.absent > 0 {
		forms, role = []string{p.undecided(f)}, theme.Warn
	}
	var lines [][]draw.Span
	for _, text := range forms {
		if lines = draw.Paragraph(in.W-2, draw.Span{Text: text, Role: role}); len(lines) <= said {
			break
		}
	}
	for k, line := range lines[:min(said, len(lines))] {
		f.Spans(in.X+1, body.Y+body.H+k, in.W-2, line...)
	}
}

// tableHead says how the room is filled and what the marks mean, and returns
// the rows that takes.
func (p *View) tableHead(f *widget.Frame, r draw.Rect, t *shown) int {
	g := f.Glyphs()
	buckets := plain.Count(int(t.capacity), "bucket") + " of " + t.bucket.String()
	room := buckets
	if t.whole {
		room = "room " + p.of.Report.Effective.Target.String() + " = " + buckets
	}
	fills := fmt.Sprintf("; %s of %v tokens %s %v", plain.Count(t.packed.items, "item"), t.packed.tokens, widget.Verb(t.packed.items, "pays for", "pay for"), t.packed.charged)
	cost := ": rounding costs " + (t.packed.charged - t.packed.tokens).String()
	text := widget.Fitting(r.W, room+fills+cost, buckets+fills+cost, buckets+fills, buckets)
	lines := [][]draw.Span{{{Text: text, Role: theme.Plain}}}
	turn := string([]rune{g.WalkDown, g.Horizontal, g.WalkUp})
	path := []draw.Span{
		{Text: "path: ", Role: theme.Dim}, {Text: string(g.Vertical), Role: theme.StripHere}, {Text: " out  ", Role: theme.Dim},
		{Text: turn, Role: theme.In}, {Text: " in, its buckets wide   ", Role: theme.Dim},
	}
	bit := draw.Span{Text: string(g.Strip[1]), Role: theme.StripIn}
	long := append(path[:5:5], bit, draw.Span{Text: " would be in with that many buckets left", Role: theme.Dim})
	short := append(path[:5:5], bit, draw.Span{Text: " in with so many left", Role: theme.Dim})
	lines = append(lines, draw.FirstThatFits(r.W, long, short, path))
	for k := range r.H {
		line := lines[len(lines)-r.H+k] // where there is one line, the legend
		f.Spans(r.X, r.Y+k, r.W, line...)
	}
	return r.H
}

// tableColumns holds the widths of the columns. A width of 0 hides the column.
type tableColumns struct{ index, kind, text, tok, buckets, score, cells int }

func (p *View) tableColumns(width int) tableColumns {
	c := tableColumns{index: max(2, len(strconv.Itoa(max(0, p.of.Items.Len()-1)))), tok: 6, buckets: 4}
	if width >= 64 {
		c.kind, c.score = 4, 5
	}
	rest := width - 4
	for _, w := range []int{c.index, c.kind, c.tok, c.buckets, c.score} {
		if w > 0 {
			rest -= w + 1
		}
	}
	if c.text = min(30, rest-60); c.text < 12 {
		c.text = 0
	} else {
		rest -= c.text + 1
	}
	c.cells = max(0, rest)
	return c
}

func (c *tableColumns) head(f *widget.Frame, r draw.Rect, a axis, capacity slicer.Target) {
	x := r.X + 3
	put := func(width int, title string, right bool, role theme.Role) {
		switch {
		case width == 0:
			return
		case right:
			f.Right(x, r.Y, width, title, role)
		default:
			f.Text(x, r.Y, width, title, role)
		}
		x += width + 1
	}
	put(c.index, "#", true, theme.Dim)
	put(c.kind, "kind", false, theme.Dim)
	put(c.text, "item", false, theme.Dim)
	put(c.tok, "tok", true, theme.Dim)
	put(c.buckets, "bkt", true, theme.Dim)
	put(c.score, "score", true, theme.Focus)
	a.labels(f, x+1, r.Y, c.cells, capacity)
}

// tableRow draws the row of an item in the table: where the item would be in,
// and the path of the walk back.
func (p *View) tableRow(f *widget.Frame, r draw.Rect, k int, c tableColumns, a axis, t *shown) {
	g, s := f.Glyphs(), &p.steps[k]
	glyph, verdict := stepGlyph(g, s)
	f.Set(r.X+1, r.Y, glyph, verdict)
	role := theme.Plain
	if !s.Verdict.In() {
		role = theme.Dim
	}
	x, i := r.X+3, int(s.Item)
	it, tok := p.of.Items.Loaded(i), p.of.Report.Cost(i)
	put := func(width int, right bool, role theme.Role, text string) {
		switch {
		case width == 0:
			return
		case right:
			f.Right(x, r.Y, width, text, role)
		default:
			f.Text(x, r.Y, width, text, role)
		}
		x += width + 1
	}
	put(c.index, true, theme.Dim, strconv.Itoa(i))
	put(c.kind, false, role, plain.Line(widget.KindName(it.Kind), c.kind))
	if c.text > 0 {
		put(c.text, false, role, plain.Line(p.with(s)+it.Headline(8*c.text+64), c.text))
	}
	put(c.tok, true, role, widget.Fitting(c.tok, tok.String(), tok.Short()))
	if c.buckets > 0 && s.Phase == slicer.WalkBack {
		put(c.buckets, true, role, widget.Fitting(c.buckets, tokens(s.Need), model.Tokens(s.Need).Short()))
	} else {
		put(c.buckets, true, role, "0")
	}
	if c.score > 0 {
		put(c.score, true, role, widget.Score(p.worth(s), c.score))
	}
	if x++; t.holds(k) {
		a.path(f, x, r.Y, c.cells, s, t)
	}
}

// axis is which buckets the cells of a row stand for: the first is low, and each
// is wide cells, or a cell is per buckets.
type axis struct {
	low       slicer.Target
	wide, per int
}

// axis shows the capacities that the steps first to end-1 pass, with as much
// beside them as there is room for.
func (p *View) axis(t *shown, first, end, cells int) axis {
	first, end = max(first, t.open+1), min(end, t.end)
	low, high := t.capacity, t.capacity
	if first < end {
		low, high = p.steps[end-1].After, p.steps[first].Left
	}
	a := axis{wide: 1, per: 1}
	n := int(high-low) + 1
	switch cells = max(1, cells); {
	case 2*n <= cells:
		a.wide = 2
	case n > cells:
		a.per = (n + cells - 1) / cells
	}
	span := slicer.Target(cells / a.wide * a.per)
	a.low = max(0, min(low-(span-slicer.Target(n))/2, t.capacity+1-span))
	return a
}

// at is the cell of a capacity.
func (a axis) at(c slicer.Target) int { return int(c-a.low) / a.per * a.wide }

// labels writes capacities over their cells, at round numbers.
func (a axis) labels(f *widget.Frame, x, y, cells int, capacity slicer.Target) {
	high := min(capacity, a.low+slicer.Target(cells/a.wide*a.per)-1)
	room := len(tokens(high)) + 2
	step := slicer.Target(1)
	for k := 0; int(step)*a.wide < room*a.per; k++ {
		step = step * []slicer.Target{2, 5, 2}[k%3] / []slicer.Target{1, 2, 1}[k%3]
	}
	for c := (a.low + step - 1) / step * step; c <= high; c += step {
		text := tokens(c)
		if at := a.at(c); at+1 >= len(text) {
			f.Text(x+at+1-len(text), y, len(text), text, theme.Dim)
		} else if at == 0 {
			f.Text(x, y, len(text), text, theme.Dim)
		}
	}
}

// path draws one row of the table and how the walk back passes it.
func (a axis) path(f *widget.Frame, x, y, cells int, s *pipeline.Step, t *shown) {
	g := f.Glyphs()
	for cell := 0; cell+a.wide <= cells; cell += a.wide {
		c := a.low + slicer.Target(cell/a.wide*a.per)
		if c > t.capacity {
			break
		}
		glyph := g.Strip[0]
		if s.Row > 0 && t.Takes(s.Row, c, min(t.capacity, c+slicer.Target(a.per)-1)) {
			glyph = g.Strip[1]
		}
		for k := range a.wide {
			f.Set(x+cell+k, y, glyph, theme.StripOut)
		}
	}
	from, to := a.at(s.Left), a.at(s.After)
	if !s.Verdict.In() {
		f.Set(x+from, y, g.Vertical, theme.StripHere)
		return
	}
	for k := to; k <= from; k++ {
		f.Set(x+k, y, g.Horizontal, theme.In)
	}
	f.Set(x+to, y, g.WalkDown, theme.In)
	f.Set(x+from, y, g.WalkUp, theme.In)
	if from == to {
		f.Set(x+from, y, g.Vertical, theme.In)
	}
}

// sentence says what the step under the cursor does, for a reader who does not
// know the programme, the longest form first.
func (p *View) sentence(t *shown) []string {
	s := &p.steps[p.Cursor()]
	room := plain.Count(int(t.capacity), "bucket")
	switch {
	case s.Opens != nil && s.Phase == slicer.InOutline:
		aim := "Find the items with the largest total score that fit into " + room + "; each pays for whole buckets."
		return []string{
			aim + " Knapsack first works out for each item, and for each number of buckets left, if it belongs in.",
			aim + " A row marks where its item belongs in.",
			"Find the items with the largest total score that fit into " + room + ".",
		}
	case s.Opens != nil:
		return []string{
			"Now it reads the answer off the table, from the top: all " + room + " are left. An item that belongs in with so many left takes its buckets, and the path moves left.",
			"From the top, with all " + room + ": an item that belongs in with so many left takes its buckets.",
		}
	case s.Verdict == slicer.Free:
		return []string{fmt.Sprintf("#%d is in: it has no tokens, so it takes no bucket.", s.Item)}
	case s.Why == slicer.NoValue:
		return []string{fmt.Sprintf("#%d stays out: its score is below 0.0001, so it adds nothing.", s.Item)}
	case s.Why == slicer.NoRoom:
		return []string{fmt.Sprintf("#%d stays out: it takes %s, and %s left.", s.Item, plain.Count(int(s.Need), "bucket"), are(s.Left))}
	}
	return p.weighed(s, t)
}

// weighed compares the best with an item to the best without it.
func (p *View) weighed(s *pipeline.Step, t *shown) []string {
	left, need := plain.Count(int(s.Left), "bucket"), plain.Count(int(s.Need), "bucket")
	short := fmt.Sprintf("#%d stays out: there is a best set for the %s left without it.", s.Item, left)
	if s.Verdict.In() {
		short = fmt.Sprintf("#%d is in and takes %s: the best set for the %s left needs it.", s.Item, need, left)
	}
	with, without, told := weigh(s, t)
	if !told {
		return []string{short}
	}
	later := plain.Count(t.end-p.Cursor()-1, "item")
	if s.Verdict.In() {
		return []string{fmt.Sprintf("#%d is in: it takes %v of the %s left. With it they hold a score of %s; the %s still to come alone reach %s: %s less.",
			s.Item, tokens(s.Need), left, worth(with), later, worth(without), worth(with-without)), short}
	}
	text := fmt.Sprintf("#%d stays out: %s left. The %s still to come can fill them with a score of %s; with #%d, which takes %v, ",
		s.Item, are(s.Left), later, worth(without), s.Item, tokens(s.Need))
	if worth(with) == worth(without) {
		return []string{text + "it is the same.", short}
	}
	return []string{fmt.Sprintf("%s%s: %s less.", text, worth(with), worth(without-with)), short}
}

// weigh returns the value of the best set that fits into the rest of the room:
// with the item of the step, and without it. told is false if the table does not
// say.
func weigh(s *pipeline.Step, t *shown) (with, without float64, told bool) {
	without, told = t.Best(s.Row-1, s.Left)
	rest, _ := t.Best(s.Row-1, s.Left-s.Need)
	return rest + t.Value(s.Row), without, told
}

// are returns a count with its verb: "1 bucket is", "180 buckets are".
func are(n slicer.Target) string {
	return plain.Count(int(n), "bucket") + widget.Verb(int(n), " is", " are")
}

// worth formats a value of the knapsack, which counts in ten-thousandths.
func worth(v float64) string {
	if v >= 1e9 {
		return strconv.FormatFloat(v, 'g', 12, 64)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}
