package turns

import (
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// column sums up the requests from to to-1, which share one column of the chart.
type column struct {
	from, to                int
	read, written, uncached float64 // mean tokens of a request; only written is set without a bill
	kept                    float64 // the least share of a window that the next one reuses, 0 to 1; -1: no window was before
	billed                  bool    // the costs are computed
	fails, breaks           bool    // at least one request fails, or breaks the prefix
}

func (c column) tokens() float64 { return c.read + c.written + c.uncached }

// columnOf sums up the requests from to to-1 of a course. If c is nil, it takes the
// windows that are computed so far.
func (p *View) columnOf(c *turns.Course, from, to int) column {
	col := column{from: from, to: to, kept: -1, billed: c != nil}
	n := 0
	for t := from; t < to; t++ {
		if c == nil {
			if w := p.app.Turns().Part(p.row, t); w != nil {
				n++
				col.written += float64(w.Tokens)
				col.fails = col.fails || w.Err != nil
			}
			continue
		}
		n++
		bill, change := c.Bills[t], c.Changes[t]
		col.read, col.written, col.uncached = col.read+float64(bill.Read), col.written+float64(bill.Written), col.uncached+float64(bill.Plain)
		if c.Windows[t].Err != nil {
			col.fails = true
			continue
		}
		col.breaks = col.breaks || change.Cause != turns.NoBreak
		if s := change.Surviving(); !change.First && (col.kept < 0 || s < col.kept) {
			col.kept = s
		}
	}
	if n > 0 {
		k := float64(n)
		col.read, col.written, col.uncached = col.read/k, col.written/k, col.uncached/k
	}
	return col
}

// windowLimit returns how many tokens a window may have: the target, or less if the output reserve
// and its like leave less of the budget.
func windowLimit(b model.BudgetFields) model.Tokens {
	left := b.MaxTokens
	for _, d := range b.Deductions(0) {
		if d.OnlyMax {
			left -= d.Tokens
		}
	}
	return max(0, min(b.Target(), left))
}

// limitName returns what the limit of a window is, the longest form first.
func limitName(b model.BudgetFields) []string {
	limit := windowLimit(b)
	exact := func(of string) string { return "limit " + limit.String() + ": " + of }
	if limit == b.Target() && limit < b.MaxTokens {
		return []string{exact("target"), "limit: target"}
	}
	long, short := "budget", "budget"
	for _, d := range b.Deductions(0) {
		if d.OnlyMax && d.Tokens > 0 {
			field, _ := model.FieldOfBudget(d.Field)
			long += " less " + field.Label
			short += " less " + field.Short
		}
	}
	return []string{exact(long), "limit: " + long, "limit: " + short}
}

// chart draws the columns into r, and below them the rows of text about each: the number
// of the request, and every other row that has a line in below.
func (p *View) chart(f *widget.Frame, r draw.Rect, below rows) {
	g := f.Glyphs()
	bars := draw.Rect{X: r.X + gutter, Y: r.Y, W: r.W - gutter, H: below.bars}
	n := p.count()
	c, old, _ := p.app.Turns().Course(p.row)
	var columns []column
	most := 0.0
	for k := range p.grid.columns(bars.W) {
		from, to := p.grid.requests(p.left+k, n)
		if from == to {
			break
		}
		col := p.columnOf(c, from, to)
		columns, most = append(columns, col), max(most, col.tokens())
	}
	p.bars = draw.Rect{X: bars.X, Y: bars.Y, W: bars.W, H: r.H}
	limit := float64(windowLimit(f.Exp.Setup().Budget))
	to := scaleTo(most, limit, bars.H, len(filled(g)))
	p.drawAxis(f, draw.Rect{X: r.X, Y: bars.Y, W: r.W, H: bars.H}, to)
	for k, col := range columns {
		x := bars.X + k*p.grid.pitch
		col.draw(f, draw.Rect{X: x + p.grid.before(), Y: bars.Y, W: p.grid.bar(), H: bars.H}, to)
		p.words(f, draw.Rect{X: x, Y: bars.Y + bars.H, W: p.grid.pitch, H: below.labels()}, below, c, col)
	}
	y := bars.Y + bars.H
	room := gutter - 2
	if p.left == 0 && p.grid.per == 1 { // below the first request stands nothing: no prompt came before it
		room += p.grid.pitch + max(0, p.grid.pitch-len("100 "))
	}
	names, _ := below.names(f.About(), room, p.grid.pitch == numberPitch && p.grid.per == 1, p.grid.pitch <= 1+len(strconv.Itoa(n)), "", "")
	for _, name := range names {
		f.Text(r.X+1, y, max(room, gutter-1), name, theme.Dim)
		y++
	}
	if old || c == nil {
		f.Mark(draw.Rect{X: bars.X, Y: bars.Y, W: bars.W, H: r.H}, theme.Old)
	}
	if now := p.current(); now >= 0 && c != nil {
		if k := now/p.grid.per - p.left; k >= 0 && k < len(columns) {
			column := draw.Rect{X: bars.X + k*p.grid.pitch, Y: bars.Y, W: max(1, p.grid.pitch-1), H: bars.H + below.labels()}
			if !f.Theme().Shades() { // a line or a ground as loud as the bars would be read as one of them
				column.Y, column.H = bars.Y+bars.H, below.labels()
			}
			f.Mark(column, theme.Selected)
		}
	}
}

// minNumbersHeight is the least height, in cells, of bars whose axis has more numbers than its largest.
const minNumbersHeight = 6

// drawAxis draws the line of the limit, and the numbers of the axis.
func (p *View) drawAxis(f *widget.Frame, r draw.Rect, s scale) {
	number := func(row int, about string, tokens float64) { // row is counted from 0 at the bottom
		f.Right(r.X, r.Y+r.H-1-row, gutter-1, about+model.Tokens(tokens+.5).Short(), theme.Dim)
	}
	top, about, most := s.limitRow(), "", s.limit // the limit is exact, what a request has may not be
	if s.limit <= 0 || top >= r.H {
		top, about, most = r.H-1, f.About(), s.top
	} else {
		f.Fill(draw.Rect{X: r.X + gutter, Y: r.Y + r.H - 1 - top, W: r.W - gutter - 1, H: 1}, f.Glyphs().Limit, theme.Dim)
	}
	if top < r.H-1 {
		number(r.H-1, f.About(), s.top)
	}
	number(top, about, most)
	if r.H > minNumbersHeight {
		number(0, "", 0)
	}
	if top >= minNumbersHeight {
		number(top/2, about, most/2) // the row that has the middle in it, or below it
	}
}

// words draws the rows of text below a column.
func (p *View) words(f *widget.Frame, r draw.Rect, below rows, c *turns.Course, col column) {
	g := f.Glyphs()
	y, now := r.Y, p.current()
	here := col.from <= now && now < col.to
	number := strconv.Itoa(col.from + 1)
	if history, _ := p.app.Turns().History(); history != nil && history.Requests()[col.from].IsNow() {
		number = "now"
	}
	role := theme.Dim
	if here {
		role = theme.Focus
	}
	switch every := (gutter + r.W - 1) / max(1, r.W); {
	case len(number) < r.W:
		f.Right(r.X, y, r.W-1, number, role)
	case here:
		f.Set(r.X, y, g.StripHere, theme.Focus)
	case (col.from/p.grid.per)%every == 0 && (now < col.from-every*p.grid.per || now >= col.to+every*p.grid.per) && number != "now":
		f.Text(r.X, y, gutter, number, theme.Dim)
	}
	for t := col.from; t < col.to; t++ {
		if _, ok := p.app.Turns().Compaction(t); ok {
			f.Set(r.X, y, compacted, theme.Warn)
		}
	}
	y++
	if below.tokens > 0 {
		if t := model.Tokens(col.tokens() + .5); c != nil && t > 0 {
			f.Right(r.X, y, r.W-1, widget.Fitting(r.W-1, t.String(), t.Short(), ((t+500)/1000*1000).Short()), theme.Dim)
		}
		y++
	}
	if below.kept > 0 {
		switch {
		case c == nil || col.kept < 0:
		case r.W >= 4:
			role := theme.Plain
			if col.breaks {
				role = theme.Loss
			}
			f.Right(r.X, y, r.W-1, widget.Fitting(r.W-1, strings.TrimSuffix(plain.Percent(col.kept), " %"), percent(col.kept)), role)
		default:
			role, glyph := theme.StripIn, g.Strip[min(4, 1+int(col.kept*3.999))]
			if col.breaks {
				role, glyph = theme.Loss, g.Strip[min(3, 1+int(col.kept*3))]
			}
			f.Set(r.X, y, glyph, role)
		}
		y++
	}
	if below.cut > 0 && c != nil {
		p.drawBreak(f, r.Row(y-r.Y), c, col)
	}
}

// drawBreak says in the row r of a column what breaks its prefix.
func (p *View) drawBreak(f *widget.Frame, r draw.Rect, c *turns.Course, col column) {
	sign := string(f.Glyphs().Fall)
	if col.breaks && col.to == col.from+1 {
		sign = causeSign(c.Changes[col.from].Cause)
	}
	switch {
	case col.fails:
		f.Right(r.X, r.Y, r.W-1, widget.Fitting(r.W-1, "fails", "fail", sign), theme.Error)
	case !col.breaks:
	case r.W >= numberPitch && col.to == col.from+1:
		history, _ := p.app.Turns().History()
		item := c.Changes[col.from].Item
		name := history.Name(col.from, item)
		switch {
		case r.W == numberPitch: // the name of the row has the #
			name = strings.TrimPrefix(name, "#")
		case item < 0:
			name = widget.Fitting(r.W-2, name, "sum")
		}
		f.Right(r.X, r.Y, r.W-1, widget.Fitting(r.W-1, sign+name, sign), theme.Loss)
	case r.W >= 4: // below the percentage
		f.Right(r.X, r.Y, r.W-1, sign, theme.Loss)
	default:
		f.Text(r.X, r.Y, 1, sign, theme.Loss)
	}
}

// compacted marks the first request after a recorded compaction.
const compacted = 'C'

// percent writes a share, 0 to 1, in whole percents. Only a share of 1 gives 100, and only
// one of 0 gives 0.
func percent(share float64) string {
	whole := int(100*share + .5)
	switch {
	case whole == 0 && share > 0:
		return "<1"
	case share < 1:
		whole = min(whole, 99)
	}
	return strconv.Itoa(whole)
}

// causeSign returns the sign for a cause, written before the number of its item.
func causeSign(c turns.Cause) string {
	switch c {
	case turns.Left:
		return theme.Minus
	case turns.CameIn:
		return "+"
	case turns.Moved:
		return "~"
	}
	return "!"
}

// drawLegend draws the legend of the columns.
func (p *View) drawLegend(f *widget.Frame, r draw.Rect) {
	g, cache := f.Glyphs(), p.app.Turns().Cache()
	var sum turns.Bill
	if c, _, _ := p.app.Turns().Course(p.row); c != nil {
		sum = c.Totals.Bill
	}
	part := func(there bool, glyph rune, role theme.Role, text ...string) []draw.Span {
		if !there {
			return nil
		}
		return []draw.Span{{Text: string(glyph), Role: role}, {Text: " " + strings.Join(text, "") + "  ", Role: theme.Dim}}
	}
	few := "not cached"
	if cache.Minimum <= model.MaxTokens {
		few += " below " + cache.Minimum.String() + " tok"
	}
	took := part(p.compacted(), compacted, theme.Warn, "compaction")
	parts := func(words [4]string) []draw.Span {
		return slices.Concat(part(sum.Written > 0, g.BarSelected, theme.CacheWritten, words[0], priceText(cache.Write), words[1]),
			part(sum.Read > 0, g.Cached, theme.CacheRead, words[2], priceText(cache.Read)), part(sum.Plain > 0, g.Uncached, theme.Uncached, words[3]), took)
	}
	var forms, brief [][]draw.Span
	const of = " of the input price"
	for _, words := range [...][4]string{{"written at ", of, "read from cache at ", few + " at 1"}, {"written at ", of, "read at ", "not cached at 1"},
		{"written at ", "", "read at ", "not cached at 1"}} {
		for _, name := range limitName(f.Exp.Setup().Budget) {
			forms = append(forms, slices.Concat(parts(words), part(true, g.Limit, theme.Dim, name)))
		}
		brief = append(brief, slices.Concat(parts(words), part(true, g.Limit, theme.Dim, "limit")))
	}
	least := parts([4]string{"written ", "", "read ", "not cached"})
	brief = append(brief, slices.Concat(least, part(true, g.Limit, theme.Dim, "limit")))
	bare := slices.Concat(part(sum.Written > 0, g.BarSelected, theme.CacheWritten, "written"), part(sum.Read > 0, g.Cached, theme.CacheRead, "read"),
		part(sum.Plain > 0, g.Uncached, theme.Uncached, "not cached"), took)
	for _, tight := range [...][]draw.Span{least, bare} {
		for k := 1; k < len(tight); k += 2 { // one blank apart
			tight[k].Text = strings.TrimSuffix(tight[k].Text, " ")
		}
		brief = append(brief, append(tight, widget.Plain(" "))) // so that two end it, as the others
	}
	f.Spans(r.X, r.Y, r.W, draw.FirstThatFits(r.W+2, append(forms, brief...)...)...)
}

// compacted reports whether a compaction was recorded at any request.
func (p *View) compacted() bool {
	for t := range p.count() {
		if _, ok := p.app.Turns().Compaction(t); ok {
			return true
		}
	}
	return false
}
