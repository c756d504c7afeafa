// Package items is the Items view: the table of all items, in and out.
package items

import (
	"slices"
	"strconv"

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

// column is a column of the table.
type column struct {
	title string
	left  int // where it begins
	width int
	right bool
	ruled bool // a line parts its heading from the one before
	sort  widget.Sort
	strip bool                                      // the column shows budgets along the view's scale
	cell  func(f *widget.Frame, r draw.Rect, i int) // nil: the column before draws there too
	head  int                                       // where its heading was drawn
}

// Draw draws the table over r, with a frame if boxed is set.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	in, title := r, p.title(f)
	if boxed {
		in = f.Box(r, title, focused)
	}
	if f.Out == nil || f.Out.Report == nil || in.H < 2 {
		f.DrawNoItems(in)
		return
	}
	if p.only.moved = (experiment.Since{}); p.only.since && p.onlyMoved() {
		p.only.moved, _ = f.Exp.Since(f.Side)
	}
	columns := p.columns(f, in, boxed)
	p.heading, p.shown = in.Row(0), columns
	body := draw.Rect{X: in.X, Y: in.Y + 1, W: in.W, H: in.H - 1}
	first, end, out := p.show(f, body)
	beyond := widget.Beyond(first, end, p.cursor().Len())
	if boxed {
		from := r.X + 4 + draw.Width(title)
		to := p.subtitle(f, draw.Rect{X: in.X, Y: r.Y, W: in.W - 1, H: 1})
		p.nameAxis(f, draw.Rect{X: from, Y: r.Y, W: to - from, H: 1}, columns)
		f.RowsShown(r, first, end, p.cursor().Len())
		beyond = [2]string{} // the frame says it
	}
	if p.turns.on {
		p.turns.follow(f.Exp, p.app.Turns(), f.Side, p.between(first, end))
	}
	var groups groupColumns
	if p.tree.by != ungrouped {
		groups = p.tree.columns(f, in.W)
	}
	if p.tree.heading() != nil {
		p.tree.head(f, in.Row(0), groups)
		p.heading.H = 0 // its columns sort nothing
	} else {
		p.head(f, in.Row(0), columns, beyond)
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

// drawAway draws the rows of items that are away at the end of body, below a line that counts those
// without a row.
func (p *View) drawAway(f *widget.Frame, body draw.Rect, out away, columns []column) {
	n, more := len(out.first), out.count-len(out.first)+out.hidden
	if n+more == 0 {
		return
	}
	line := body.Row(body.H - 1 - n)
	for x := range line.W {
		f.Set(line.X+x, line.Y, f.Glyphs().Dashed, theme.Frame)
	}
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

// nameAxis says above the strips that their axis is the budget, and its ends where the heads of groups
// stand in place of the axis, where that lies in the free part of the frame.
func (p *View) nameAxis(f *widget.Frame, free draw.Rect, columns []column) {
	name, last, grouped := " strips: budget ", free.X+free.W, p.tree.heading() != nil
	if grouped {
		lo, hi := widget.StripRange(f.Out)
		name = " strips: budget " + lo.Short() + " to " + hi.Short() + " "
	}
	if len(p.tree.lines) == len(p.tree.groups) && p.tree.by != ungrouped { // no item has a row
		return
	}
	for _, c := range columns {
		at := min(c.left, last-draw.Width(name)-2)
		if c.strip && p.over == nil && at > free.X && at+draw.Width(name) <= last {
			f.Text(at, free.Y, draw.Width(name), name, theme.Dim)
		}
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
		s += "  " + plain.Thousands(p.Matching()) + " shown"
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

// columns divides the width: the columns that every table needs come first, then the item's text
// and the strip share the rest. A reason takes what it needs of the room of the text, so that an
// item without one has all of it. The numbers are shown where there is room, or in place of the strip.
func (p *View) columns(f *widget.Frame, r draw.Rect, boxed bool) []column {
	width := r.W
	items := f.Exp.Items()
	digits := max(2, len(strconv.Itoa(max(0, items.Len()-1))))
	strips := (boxed || width >= widget.CompactTable) && (!p.Numbers || f.W >= manyColumns)
	numbers := p.Numbers || f.W >= manyColumns
	budget := min(11, max(7, draw.Width(f.BudgetText(f.Exp.Setup().End()))))
	if f.W >= manyColumns { // each heading stands above its column
		budget = max(budget, len("stays from"))
	}
	tok := max(5, p.tokenWidth(items))
	if width >= roomyTable {
		tok += p.cut
	}
	list := []column{
		{title: "#", width: digits, right: true, sort: widget.ByInput, cell: p.cellIndex},
		{title: "kind", width: 4, sort: widget.ByKind, cell: p.cellKind},
		{title: "tok", width: tok, right: true, sort: widget.ByTokens, cell: p.cellTokens},
	}
	if width >= 100 && severalSources(items) {
		list = append(list, column{title: "file", width: 14, sort: -1, cell: p.cellFile})
	}
	text := len(list)
	list = append(list, column{title: "item", sort: -1, cell: p.cellText},
		column{title: "why", width: shortWhy, right: true, sort: widget.ByState})
	if numbers {
		list = append(list,
			column{title: "score", width: 5, right: true, ruled: true, sort: widget.ByScore, cell: p.cellScore},
			column{title: "/1k", width: 5, right: true, ruled: true, sort: widget.ByDensity, cell: p.cellDensity},
			column{title: "first in", width: budget, right: true, ruled: true, sort: widget.ByFirst, cell: p.cellFirst})
	}
	list = append(list, column{title: "stays from", width: budget, right: true, ruled: true, sort: widget.ByStays, cell: p.cellStays})
	strip := -1
	if strips {
		strip = len(list)
		list = append(list, column{sort: -1, ruled: true, strip: !p.turns.on && p.over == nil, cell: p.cellStrip})
	}
	rest := width - 3 // state column
	for i := range list {
		rest -= list[i].width + min(i, 1)
	}
	if boxed { // no strip touches the frame
		rest--
	}
	if p.whyWidth = shortWhy; p.Numbers && rest < minText { // the detail pane says the reason too
		list = slices.Delete(list, text+1, text+2)
		rest, p.whyWidth = rest+shortWhy+1, 0
	} else if wider := min(longWhy-shortWhy, rest-48); wider > 0 {
		list[text+1].width, p.whyWidth, rest = shortWhy+wider, shortWhy+wider, rest-wider
	}
	if strip >= 0 {
		list[strip].width = max(10, rest*9/20, min(18, rest-20)) // with room for the budget on its axis
		rest -= list[strip].width
		if p.over == nil {
			p.scale, _ = widget.StripScale(f.Out, list[strip].width)
		} else {
			p.scale = p.over.Scale(list[strip].width)
		}
	}
	if strips && p.over != nil && !p.turns.on { // beside strips over a knob they would look like its values
		list = slices.DeleteFunc(list, func(c column) bool {
			budgets := c.sort == widget.ByFirst || c.sort == widget.ByStays
			if budgets {
				rest += c.width + 1
			}
			return budgets
		})
	}
	list[text].width = max(0, rest)
	x := r.X + 3
	for k := range list {
		list[k].left = x
		x += list[k].width + 1
	}
	return list
}

// manyColumns is the least width of a screen whose table has all columns. The
// reason takes shortWhy cells, for "out at −23,456" and "not in the set", and longWhy where
// there is room.
const (
	manyColumns = 140
	roomyTable  = 85 // of a table that shows the size taken beside the whole
	minText     = 10 // of an item, beside all numbers
	shortWhy    = 14
	longWhy     = 20
)

// tokenWidth returns the width, in cells, of the longest token count. It is found
// once per set.
func (p *View) tokenWidth(items *model.Set) int {
	if p.measured != items {
		p.measured, p.maxTokenWidth = items, 0
		var low, high model.Tokens
		for _, t := range items.TokenColumn() {
			low, high = min(low, t), max(high, t)
		}
		p.maxTokenWidth = min(12, max(len(low.String()), len(high.String())))
		p.cut = 0
		for i := range items.Len() {
			if sizes := items.Sizes(i); len(sizes) > 0 {
				p.cut = max(p.cut, min(12, len(sizes[0].Tokens.String())+1))
			}
		}
		if items.Estimates() > 0 {
			p.maxTokenWidth++
		}
	}
	return p.maxTokenWidth
}

// head draws the headings, ruled ones with a line before them, and beside that of the items what
// is beyond them. One that is wider than its column begins in the one before, whose heading gives way.
func (p *View) head(f *widget.Frame, r draw.Rect, columns []column, beyond [2]string) {
	free := r.X + r.W
	for k := len(columns) - 1; k >= 0; k-- {
		c := &columns[k]
		role := theme.Dim
		if c.sort >= 0 && c.sort == p.SortedBy() {
			role = theme.Focus
		}
		at := draw.Rect{X: c.left, Y: r.Y, W: c.width, H: 1}
		switch {
		case c.title == "" && c.width > 0 && p.turns.on:
			p.turns.head(f, p.app.Turns(), at)
		case c.title == "" && c.width > 0 && p.over != nil:
			p.over.Ruler(f, at, p.scale)
		case c.title == "" && c.width > 0:
			span := widget.SpanOf(p.scale)
			span.Ruler(f, at, p.scale, p.here(f), nil)
		case c.right:
			at.X = min(at.X+at.W, free) - len(c.title)
		case c.title == "item":
			x := at.X + len(c.title) + 2
			f.Text(x, at.Y, free-x, widget.Fitting(free-x-1, beyond[0], beyond[1], ""), theme.Dim)
		}
		f.Text(at.X, at.Y, free-at.X, c.title, role)
		c.head, free = at.X, at.X-1
		if c.ruled {
			rule := min(c.left-1, at.X-2)
			f.Set(rule, at.Y, f.Glyphs().Vertical, theme.Frame)
			free = rule - 1
		}
	}
}

// here returns the column of the budget or value now, or -1 for a budget that is not shown.
func (p *View) here(f *widget.Frame) int {
	if p.over != nil {
		return p.scale.Column(p.over.Here())
	}
	span, now := widget.SpanOf(p.scale), f.Exp.Setup().Budget.MaxTokens
	if now < span.Lo || now > span.Hi {
		return -1
	}
	return p.scale.Column(now)
}

func (p *View) row(f *widget.Frame, r draw.Rect, i int, columns []column, cursor, focused bool) {
	g := f.Glyphs()
	glyph, role, _ := widget.State(g, f.Out, i)
	if _, mark := moved(f, i); mark != theme.Plain {
		role = mark
	}
	if !f.NoResult {
		f.Set(r.X+1, r.Y, glyph, role)
	}
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

// maxLoud is how many rows a change may move for each to stand out reversed: more would be a wall
// in front of the names.
const maxLoud = 2

// moved returns what the newest change did to item i, and its role: Plain where it did
// nothing, or brought or took a note, and Gain or Loss where it moved more than maxLoud rows.
func moved(f *widget.Frame, i int) (string, theme.Role) {
	more, less := theme.CameIn, theme.WentOut
	in, out := f.Moved()
	all := f.Resized()
	if len(in)+len(out)+len(all) > maxLoud {
		more, less = theme.Gain, theme.Loss
	}
	switch came, went := f.ItemMoved(i); {
	case came:
		return "+ CAME IN", more
	case went:
		return theme.Minus + " WENT OUT", less
	}
	at, found := slices.BinarySearchFunc(all, i, func(r experiment.Resize, i int) int { return int(r.Item) - i })
	switch {
	case !found || all[at].Note():
		return "", theme.Plain
	case all[at].To > all[at].From:
		return "+ GREW", more
	}
	return theme.Minus + " SHRANK", less
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
