package budgetmap

import (
	"strconv"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// inner returns the main area without its frame.
func (p *View) inner() draw.Rect { return p.rect.Inner(p.boxed) }

// From a height of legendFrom on there is a legend, from fateFrom on a second line about
// the item under the cursor.
const (
	legendFrom = 8
	fateFrom   = 12
)

// height returns how many text rows the cells have: those that the ruler, the lines
// about the cursor and the legend leave.
func (p *View) height() int {
	h := p.inner().H
	rest := h - 2
	if h >= legendFrom {
		rest--
	}
	if h >= fateFrom {
		rest--
	}
	return max(1, rest)
}

// body returns the rectangle of the cells: right of the gutter, below the ruler.
func (p *View) body() draw.Rect {
	in, gutter := p.inner(), p.gutter()
	return draw.Rect{X: in.X + gutter, Y: in.Y + 1, W: max(1, in.W-gutter-1), H: p.height()}
}

// maxCellsBeside bounds the cells of budgets beside long names: names have what is left of a wide screen.
const maxCellsBeside = 120

// marksWidth is the width of the marks of a text row.
const marksWidth = 6

// gutter returns the width of the gutter. It shows the cursor, the states and the ranges of the lines of
// a text row, and the name of the item if a row has only one, else the number of the first if there is room.
func (p *View) gutter() int {
	switch {
	case !p.named() && p.rect.W < 100:
		return marksWidth
	case !p.named():
		return marksWidth + 2 + len(strconv.Itoa(p.rows.Len()))
	case p.rect.W >= 100:
		return max(36, p.rect.W/3-6, p.rect.W-maxCellsBeside)
	}
	return max(16, p.rect.W/3)
}

func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	p.Fit(r, boxed, f.Theme())
	p.focused = focused
	if p.out == nil || f.Out == nil {
		f.DrawTitle(r, "Map", boxed, focused)
		f.DrawNoResult(r.Inner(boxed), "no item comes in or goes out")
		return
	}
	title, order := p.title(f), " by "+p.rows.SortText()+" "
	by, _, _ := strings.Cut(order, ",")
	order = widget.Fitting(r.W-4-draw.Width(title), order, strings.TrimSpace(by))
	f.DrawTitle(r, draw.FitParts(title, r.W-4-draw.Width(order), f.Glyphs()), boxed, focused)
	f.Right(r.X, r.Y, r.W-2, order, theme.Dim)
	in, body := p.inner(), p.body()
	if in.H < 4 || in.W < 20 {
		return
	}
	f.ScaleRuler(draw.Rect{X: body.X, Y: body.Y - 1, W: body.W, H: 1}, p.cells.scale, p.over)
	if p.rows.Len() == 0 {
		p.rows.DrawEmpty(f, draw.Rect{X: in.X, Y: body.Y, W: in.W, H: body.H})
		return
	}
	here := f.Here(p.cells.scale, p.over)
	for y := range body.H {
		if p.perRow() == 2 {
			p.halves(f, body.Row(y), p.top+2*y, here)
		} else {
			p.line(f, body.Row(y), p.top+y, here)
		}
	}
	about := draw.Rect{X: in.X + 1, Y: body.Y + body.H, W: in.W - 2, H: 1}
	item, _ := p.rows.Selected() // there are rows
	p.readOut(f, about, item)
	if in.H >= fateFrom {
		about.Y++
		if p.over == nil {
			p.drawFate(f, about, item)
		} else {
			p.drawValues(f, about, item)
		}
	}
	if in.H >= legendFrom {
		about.Y++
		p.legend(f, about)
	}
	if boxed {
		f.Text(r.X+2, r.Y+r.H-1, r.W-4, " "+p.budgetsText()+" ", theme.Dim)
	}
	n, g := p.rows.Len(), p.group()
	if boxed && p.lineCount() > p.lines() {
		f.RowsShown(r, p.top*g, min(n, (p.top+p.lines())*g), n)
	}
	if f.Old {
		f.Mark(in, theme.Old)
	}
}

// itemsOf returns the items that share a line.
func (p *View) itemsOf(at int) []int32 {
	return p.rows.Rows()[at*p.group() : min((at+1)*p.group(), p.rows.Len())]
}

// lineLook is how a line of the map is drawn.
type lineLook struct {
	there  bool // the line exists
	known  bool // its cells are computed
	cursor bool
	line   mapLine
	in     bool // the item, or most of several, is in at the current budget
	pinned bool
	moved  bool // it came in or went out lately during a run
	risk   bool // the item is at risk at the current budget: at others it need not be
	glyph  rune
	role   theme.Role
	item   int
}

func (p *View) look(f *widget.Frame, at int) lineLook {
	g := p.group()
	if at >= p.lineCount() {
		return lineLook{glyph: ' '}
	}
	items := p.itemsOf(at)
	l := lineLook{there: true, cursor: p.rows.Cursor()/g == at, item: int(items[0]), glyph: ' '}
	l.line, l.known = p.cells.lines[at]
	if g == 1 {
		if f.NoResult {
			return l
		}
		l.in = f.Out.Report.In(l.item)
		if f.Out.Report.Survivor(l.item) != l.item {
			l.line.ranges = 0 // the item that it repeats comes and goes
		}
		l.glyph, l.role, _ = widget.State(f.Glyphs(), f.Out, l.item)
		l.pinned, l.risk = l.role == theme.Pin, l.role == theme.Risk
		if role, moved := p.flashing(f, l.item); moved {
			l.role, l.moved = role, true
		}
		return l
	}
	l.in = !f.NoResult && 2*inNow(f, items) >= len(items)
	return l
}

// inNow returns how many of items are in at the current budget.
func inNow(f *widget.Frame, items []int32) (n int) {
	for _, i := range items {
		if f.Out.Report.In(int(i)) {
			n++
		}
	}
	return n
}

// tone returns the colour of the line's cell in column k.
func (l *lineLook) tone(k, here int) theme.Tone {
	switch {
	case !l.there:
		return theme.NoTone
	case !l.known || k >= len(l.line.levels):
		return theme.ToneWait
	case k == here && l.risk:
		return theme.ToneRisk
	case k == here && l.in:
		return theme.ToneInHere
	case k == here:
		return theme.ToneOutHere
	}
	level := theme.Tone(l.line.levels[k])
	switch {
	case l.line.levels[k] >= draw.LevelNote:
		return theme.ToneNote + level - theme.Tone(draw.LevelNote)
	case level == 0 && l.cursor:
		return theme.ToneOutRow
	case level == 0:
		return theme.ToneOut
	case l.pinned && level < 4:
		return theme.TonePin1
	case l.pinned:
		return theme.TonePin
	}
	return theme.ToneIn1 + level - 1
}

// halves draws two lines in one text row.
func (p *View) halves(f *widget.Frame, r draw.Rect, at, here int) {
	a, b := p.look(f, at), p.look(f, at+1)
	x := p.inner().X
	switch {
	case (a.cursor || b.cursor) && !p.focused:
		f.Cursor(x, r.Y, false)
	case a.cursor && b.there:
		f.Set(x, r.Y, '▀', theme.Focus)
	case a.cursor:
		f.Set(x, r.Y, '▌', theme.Focus)
	case b.cursor:
		f.Set(x, r.Y, '▄', theme.Focus)
	}
	p.first(f, r, &a)
	f.Set(x+1, r.Y, a.glyph, a.role)
	p.ranges(f, x+2, r.Y, &a)
	f.Set(x+3, r.Y, b.glyph, b.role)
	p.ranges(f, x+4, r.Y, &b)
	if p.group() == 1 && a.there {
		f.MarkItem(x+5, r.Y, a.item)
		if b.there {
			f.MarkItem(x+5, r.Y, b.item)
		}
	}
	for k := range min(r.W, p.cells.scale.Columns()) {
		f.Halves(r.X+k, r.Y, a.tone(k, here), b.tone(k, here))
	}
}

// first names the first item of a text row beside its cells.
func (p *View) first(f *widget.Frame, r draw.Rect, l *lineLook) {
	if x := p.inner().X + marksWidth; l.there && x < r.X-1 {
		f.Right(x, r.Y, r.X-1-x, "#"+strconv.Itoa(l.item), theme.Dim)
	}
}

// ranges marks a line with an item that is in at several ranges of budgets: with their
// number where the items have names, as "18×", else with one character.
func (p *View) ranges(f *widget.Frame, x, y int, l *lineLook) {
	n, role := l.line.ranges, theme.StripSome
	if l.cursor && p.named() && !f.Theme().Shades() { // the row has a ground that areas do not take
		role = theme.Plain
	}
	switch {
	case n == 0 || n == 1 && p.group() == 1:
	case !p.named():
		f.Set(x, y, f.Glyphs().Several, role)
	case n > 999: // the line about the cursor has all digits
		f.Right(x, y, rangesWidth, strconv.Itoa(min(n/1000, 99))+"k"+string(f.Glyphs().Times), role)
	default:
		f.Right(x, y, rangesWidth, strconv.Itoa(n)+string(f.Glyphs().Times), role)
	}
}

// rangesWidth is how many cells a number of ranges takes.
const rangesWidth = 4

// line draws one line in a text row: as an area of colour, or with glyphs if the
// theme has no shades.
func (p *View) line(f *widget.Frame, r draw.Rect, at, here int) {
	l := p.look(f, at)
	if !l.there {
		return
	}
	g := f.Glyphs()
	in := p.inner()
	if l.cursor {
		f.Cursor(in.X, r.Y, p.focused)
	}
	f.Set(in.X+1, r.Y, l.glyph, l.role)
	p.ranges(f, in.X+2, r.Y, &l)
	if !p.named() {
		p.first(f, r, &l)
	} else {
		f.MarkItem(in.X+2+rangesWidth, r.Y, l.item)
		x, end := in.X+3+rangesWidth, r.X-1
		digits := min(max(0, end-x), len(strconv.Itoa(f.Exp.Items().Len()-1)))
		f.Right(x, r.Y, digits, strconv.Itoa(l.item), theme.Dim)
		x += digits + 1
		it, role := f.Exp.Items().Loaded(l.item), widget.Shade(f, l.item)
		if l.moved {
			role = l.role
		}
		if end-x >= 10 { // a name says more than a kind
			f.Text(x, r.Y, 4, plain.Line(widget.KindName(it.Kind), 4), theme.Dim)
			x += 5
		}
		f.Text(x, r.Y, end-x, plain.Line(it.Headline(8*max(0, end-x)+64), max(0, end-x)), role)
	}
	if l.cursor && p.focused {
		f.Mark(draw.Rect{X: in.X, Y: r.Y, W: r.X - in.X, H: 1}, theme.Selected)
	}
	if l.known && p.group() == 1 && p.over == nil && !f.NoResult && f.Out.Report.Survivor(l.item) != l.item {
		f.ItemStrip(r, l.line.levels, here, l.item)
		return
	}
	if p.shades {
		for k := range min(r.W, p.cells.scale.Columns()) {
			tone := l.tone(k, here)
			f.Halves(r.X+k, r.Y, tone, tone)
		}
		return
	}
	if !l.known {
		f.Text(r.X, r.Y, r.W, "computing"+g.Ellipsis, theme.Dim)
		return
	}
	for k := range min(r.W, len(l.line.levels)) {
		glyph, role := draw.StripCell(g, l.line.levels[k], k == here, l.in)
		switch level := l.line.levels[k]; {
		case k == here && l.risk:
			role, glyph = theme.Risk, l.glyph
		case k != here && l.pinned && level > 0:
			role = theme.BarPinned
			if level == 4 { // colour alone must not tell the state
				glyph = l.glyph
			}
		}
		f.Set(r.X+k, r.Y, glyph, role)
	}
}
