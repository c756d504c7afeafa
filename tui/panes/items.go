package panes

import (
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/query"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
)

// Items is the table of all items, in and out.
type Items struct {
	rows     []int32 // item indexes in table order
	cursor   int
	top      int
	selected int // item index under the cursor; survives sorting and filtering
	height   int // rows visible at the last drawing

	sort    sorting
	filter  query.Query
	made    made // what rows was made from
	version int  // counts up when rows are made anew
	Wide    bool // the strip takes most of the width

	measured *model.Set // what longest was found in
	longest  int

	at    draw.Rect // where it was drawn, and with which columns
	shown []column

	scale  draw.Scale
	bands  []simulate.Band
	strips stripCache
}

// Len is the number of rows: the items that pass the filter.
func (p *Items) Len() int { return len(p.rows) }

// Rows are the items that the filter shows, in table order. Read only.
func (p *Items) Rows() []int32 { return p.rows }

// Selected is the index of the item under the cursor; false if there is none.
func (p *Items) Selected() (int, bool) {
	if p.cursor < len(p.rows) {
		return int(p.rows[p.cursor]), true
	}
	return 0, false
}

// Move moves the cursor by rows, stopping at both ends.
func (p *Items) Move(by int) { p.to(p.cursor + by) }

// Page moves by the rows that are visible, less one.
func (p *Items) Page(dir int) { p.to(p.cursor + dir*max(1, p.height-1)) }

// Top and Bottom move to the first and the last row.
func (p *Items) Top() { p.to(0) }

// Bottom: see Top.
func (p *Items) Bottom() { p.to(len(p.rows) - 1) }

func (p *Items) to(row int) {
	p.cursor = min(max(0, row), max(0, len(p.rows)-1))
	if i, ok := p.Selected(); ok {
		p.selected = i
	}
}

// Select puts the cursor on an item; false if the filter hides it. A table
// without rows remembers it for when there are some.
func (p *Items) Select(item int) bool {
	if len(p.rows) == 0 {
		p.selected = item
	}
	row := slices.Index(p.rows, int32(item))
	if row < 0 {
		return false
	}
	p.to(row)
	return true
}

// Filter shows only what the query matches.
func (p *Items) Filter(q query.Query) { p.filter = q }

// FilterText is the query as typed, "" if there is none.
func (p *Items) FilterText() string { return p.filter.String() }

// column is a column of the table.
type column struct {
	title string
	width int
	right bool
	sort  Sort
	strip bool // shows budgets by p.scale
	cell  func(f *Frame, r draw.Rect, i int)
}

// Draw draws the table with its frame, or with a rule where there is no room for one.
func (p *Items) Draw(f *Frame, r draw.Rect, boxed, focused bool) {
	in := r
	if boxed {
		in = f.Box(r, p.title(f), focused)
	}
	if f.Out == nil || f.Out.Report == nil || in.H < 2 {
		return
	}
	columns := p.columns(f, in.W, boxed)
	p.at, p.shown = in, columns
	p.head(f, in.Row(0), columns)
	body := draw.Rect{X: in.X, Y: in.Y + 1, W: in.W, H: in.H - 1}
	p.height = body.H
	p.top = scroll(p.top, p.cursor, body.H, len(p.rows))
	if len(p.rows) == 0 {
		p.empty(f, body)
		return
	}
	p.strips.reset(f.Out, p.scale)
	for y := 0; y < body.H && p.top+y < len(p.rows); y++ {
		p.row(f, body.Row(y), int(p.rows[p.top+y]), columns, p.top+y == p.cursor, focused)
	}
	if f.Old {
		f.Mark(in, theme.Old)
	}
}

func (p *Items) title(f *Frame) string {
	if f.Out == nil || f.Out.Report == nil {
		return "Items"
	}
	s := "Items  " + model.Tokens(len(f.Out.Report.Included)).String() + " of " + model.Tokens(f.Exp.Items().Len()).String() + " in"
	if n := len(f.Out.Lost); n > 0 {
		s += ", " + model.Tokens(n).String() + " at risk"
	}
	if !p.filter.IsZero() {
		s += ", " + model.Tokens(len(p.rows)).String() + " shown"
	}
	if f.Old {
		s += "  (" + f.oldText() + ")"
	}
	return s
}

func (p *Items) empty(f *Frame, r draw.Rect) {
	lines := []string{"The set has no items."}
	if f.Exp.Items().Len() > 0 {
		lines = []string{"No item matches the filter " + plain.Line(p.filter.String(), max(8, r.W-30)) + ".", "esc clears it, / changes it."}
	}
	for y, s := range lines {
		f.Text(r.X+2, r.Y+1+y, r.W-4, s, theme.Dim)
	}
}

// columns divides the width: what every table needs first, then the item's
// text, the strip and the reason share the rest.
func (p *Items) columns(f *Frame, width int, boxed bool) []column {
	items := f.Exp.Items()
	digits := max(2, len(strconv.Itoa(max(0, items.Len()-1))))
	strips := boxed || width >= compactTable
	number := max(5, p.tokenWidth(items))
	budget := min(11, max(7, draw.Width(f.budget(f.Exp.Setup().End()))))
	list := []column{
		{title: "#", width: digits, right: true, sort: ByInput, cell: p.cellIndex},
		{title: "kind", width: 4, sort: ByKind, cell: p.cellKind},
		{title: "item", sort: -1, cell: p.cellText},
	}
	if width >= 100 && severalSources(items) {
		list = slices.Insert(list, 2, column{title: "file", width: 14, sort: -1, cell: p.cellFile})
	}
	text := len(list) - 1
	list = append(list, []column{
		{title: "tok", width: number, right: true, sort: ByTokens, cell: p.cellTokens},
	}...)
	if width >= compactTable {
		list = append(list, column{title: "score", width: 5, right: true, sort: ByScore, cell: p.cellScore})
	}
	if width >= 100 {
		list = append(list, column{title: "/1k", width: 5, right: true, sort: ByDensity, cell: p.cellDensity})
	}
	if boxed {
		list = append(list, column{title: "first", width: budget, right: true, sort: ByFirst, cell: p.cellFirst})
	}
	list = append(list, column{title: "stays", width: budget, right: true, sort: ByStays, cell: p.cellStays})
	if p.Wide && strips {
		list = list[:text+1]
	}
	strip, reason := len(list), len(list)+1
	if strips {
		list = append(list, column{sort: -1, strip: true, cell: p.cellStrip})
	} else {
		reason, strip = strip, -1
	}
	list = append(list, column{title: "why", sort: ByState, cell: p.cellWhy})

	rest := width - 3 // state column
	for i := range list {
		if i > 0 {
			rest--
		}
		rest -= list[i].width
	}
	list[reason].width = 11
	rest -= 11
	switch {
	case strip < 0:
		list[text].width = max(0, rest)
	case p.Wide:
		list[text].width = min(16, rest/4)
		list[strip].width = rest - list[text].width
	default:
		list[strip].width = max(10, rest*9/20)
		rest -= list[strip].width
		if wider := min(15, rest-24); wider > 0 { // room for "needs 2,480, 512 left"
			list[reason].width += wider
			rest -= wider
		}
		list[text].width = max(0, rest)
	}
	if strip >= 0 {
		lo, hi := stripRange(f.Out)
		p.scale = draw.NewScale(lo, hi, list[strip].width)
	}
	return list
}

// tokenWidth is the width of the longest token count, found once a set.
func (p *Items) tokenWidth(items *model.Set) int {
	if p.measured != items {
		p.measured, p.longest = items, 0
		var low, high model.Tokens
		for _, t := range items.TokenColumn() {
			low, high = min(low, t), max(high, t)
		}
		p.longest = min(12, max(len(low.String()), len(high.String())))
		if items.Estimates() > 0 {
			p.longest++
		}
	}
	return p.longest
}

// compactTable is the least width of a table with strips and scores.
const compactTable = 78

// stripRange is the range of budgets that strips show: from where something
// can be selected to the axis end.
func stripRange(o *experiment.Outcome) (lo, hi model.Tokens) {
	axis := o.Profile.Axis()
	hi = axis.End()
	lo = hi / 512
	if b, ok := axis.Least(1); ok {
		lo = max(lo, b)
	}
	return max(1, lo), max(1, hi)
}

func (p *Items) head(f *Frame, r draw.Rect, columns []column) {
	x := r.X + 3
	for _, c := range columns {
		title, role := c.title, theme.Dim
		if c.sort >= 0 && c.sort == p.sort.by {
			role = theme.Focus
		}
		switch {
		case c.title == "" && c.width > 0:
			f.Ruler(draw.Rect{X: x, Y: r.Y, W: c.width, H: 1}, p.scale, p.here(f), theme.Dim)
		case c.right:
			f.Right(x, r.Y, c.width, title, role)
		default:
			f.Text(x, r.Y, c.width, title, role)
		}
		x += c.width + 1
	}
}

func (p *Items) here(f *Frame) int {
	return p.scale.Column(f.Exp.Setup().Budget.MaxTokens)
}

func (p *Items) row(f *Frame, r draw.Rect, i int, columns []column, cursor, focused bool) {
	g := f.Glyphs()
	glyph, role, _ := state(g, f.Out, i)
	if cursor {
		f.Set(r.X, r.Y, g.Cursor, theme.Focus)
	}
	f.Set(r.X+1, r.Y, glyph, role)
	f.chosen(r.X+2, r.Y, i)
	x := r.X + 3
	for _, c := range columns {
		c.cell(f, draw.Rect{X: x, Y: r.Y, W: c.width, H: 1}, i)
		x += c.width + 1
	}
	if cursor && focused {
		f.Mark(r, theme.Selected)
	}
}

// chosen marks a row whose item is chosen.
func (f *Frame) chosen(x, y, item int) {
	if f.Chosen[item] {
		f.Set(x, y, f.Glyphs().Chosen, theme.Match)
	}
}

// shade is the role of a row's text: what is out steps back.
func shade(f *Frame, i int) theme.Role {
	if f.Out.Report.In(i) {
		return theme.Plain
	}
	return theme.Dim
}

func (p *Items) cellIndex(f *Frame, r draw.Rect, i int) {
	f.Right(r.X, r.Y, r.W, strconv.Itoa(i), theme.Dim)
}

func (p *Items) cellKind(f *Frame, r draw.Rect, i int) {
	f.Text(r.X, r.Y, r.W, plain.Line(kindName(f.Exp.Items().Loaded(i).Kind), r.W), shade(f, i))
}

func (p *Items) cellText(f *Frame, r draw.Rect, i int) {
	it := f.Exp.Items().Loaded(i)
	f.Text(r.X, r.Y, r.W, plain.Line(it.Headline(8*r.W+64), r.W), shade(f, i))
}

func (p *Items) cellTokens(f *Frame, r draw.Rect, i int) {
	items := f.Exp.Items()
	s := items.Tokens(i).String()
	if !items.Count(i).IsExact() {
		s = f.Glyphs().About + s
	}
	if draw.Width(s) > r.W {
		s = items.Tokens(i).Short()
	}
	f.Right(r.X, r.Y, r.W, s, shade(f, i))
}

func (p *Items) cellScore(f *Frame, r draw.Rect, i int) {
	f.Right(r.X, r.Y, r.W, scoreOf(f.Out.Report, i, r.W), shade(f, i))
}

// scoreOf writes the score of an item of a report; pinned items and those that
// were left out before scoring have none.
func scoreOf(rep *model.Report, i, width int) string {
	switch rep.Codes[i] {
	case model.Pinned:
		return "pin"
	case model.NegativeTokens, model.Filtered:
		return "-"
	}
	return score(rep.Scores[i], width)
}

func (p *Items) cellDensity(f *Frame, r draw.Rect, i int) {
	t := f.Exp.Items().Tokens(i)
	switch code := f.Out.Report.Codes[i]; {
	case t <= 0, code == model.Pinned, code == model.Filtered:
		f.Right(r.X, r.Y, r.W, "-", theme.Dim)
		return
	}
	f.Right(r.X, r.Y, r.W, score(1000*f.Out.Report.Scores[i]/float64(t), r.W), shade(f, i))
}

func (p *Items) cellFirst(f *Frame, r draw.Rect, i int) {
	b, ok := f.Out.Profile.First(i)
	p.cellBudget(f, r, i, b, ok)
}

func (p *Items) cellStays(f *Frame, r draw.Rect, i int) {
	b, ok := f.Out.Profile.Stays(i)
	if start, _ := f.Out.Profile.Axis().Start(); ok && b == start && f.Out.Report.Codes[i] == model.Pinned {
		f.Right(r.X, r.Y, r.W, "always", theme.Pin)
		return
	}
	p.cellBudget(f, r, i, b, ok)
}

func (p *Items) cellBudget(f *Frame, r draw.Rect, i int, b model.Tokens, ok bool) {
	switch {
	case !ok:
		f.Right(r.X, r.Y, r.W, "never", theme.Dim)
	case draw.Width(f.budget(b)) > r.W:
		f.Right(r.X, r.Y, r.W, b.Short(), shade(f, i))
	default:
		f.Right(r.X, r.Y, r.W, f.budget(b), shade(f, i))
	}
}

func (p *Items) cellStrip(f *Frame, r draw.Rect, i int) {
	levels := p.strips.levels(p, f.Out, i)
	f.Strip(r, levels, p.here(f), f.Out.Report.In(i))
}

func (p *Items) cellWhy(f *Frame, r draw.Rect, i int) {
	_, role, _ := state(f.Glyphs(), f.Out, i)
	g := f.Glyphs()
	if partner, parted := f.Out.Alone(i); parted {
		f.Text(r.X, r.Y, 2, string(g.Parted)+" ", theme.Warn)
		r.X, r.W = r.X+2, r.W-2
		if s := partedText(i, partner, r.W); f.Out.Report.In(i) && s != "" {
			f.Text(r.X, r.Y, r.W, s, theme.Warn)
			return
		}
	}
	f.Text(r.X, r.Y, r.W, why(g, f.Out, i, r.W), role)
}

// partedText says which item is missing beside item i, which is in; "" if that
// does not fit.
func partedText(i, partner, width int) string {
	name := "#" + strconv.Itoa(partner)
	for _, s := range []string{partName(i, partner) + " " + name + " is out", name + " is out", name + " out"} {
		if len(s) <= width {
			return s
		}
	}
	return ""
}

// stripCache keeps the levels of rows that were drawn: an item's bands may cost
// a pass over a table, and a frame shows the same rows as the one before.
type stripCache struct {
	profile *simulate.Profile
	scale   draw.Scale
	byItem  map[int][]uint8
}

func (c *stripCache) reset(o *experiment.Outcome, s draw.Scale) {
	same := c.profile != nil && c.profile.Targets() == o.Profile.Targets() && c.profile.Axis().Same(o.Profile.Axis()) &&
		slices.Equal(c.scale.Edges, s.Edges) && len(c.byItem) < 4096
	c.profile, c.scale = o.Profile, s
	if !same {
		c.byItem = make(map[int][]uint8)
	}
}

func (c *stripCache) levels(p *Items, o *experiment.Outcome, i int) []uint8 {
	if l, ok := c.byItem[i]; ok {
		return l
	}
	p.bands = o.Profile.Bands(p.bands[:0], i)
	l := p.scale.Levels(nil, p.bands)
	c.byItem[i] = l
	return l
}
