package replay

import (
	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// minBesideWidth is the width from which on A and B stand side by side, and not one above the
// other.
const minBesideWidth = 100

// maxToldBeside is how many lines below both sides explain them; the rows have the rest.
const maxToldBeside = 3

// Paired reports whether the steps of both sides are shown.
func (p *View) Paired() bool { return p.other != nil }

// toggleBeside shows the other side beside this one, or this one alone.
func (p *View) toggleBeside() {
	if p.other != nil {
		p.other, p.why = nil, widget.Lead{}
		return
	}
	if p.filling {
		unmoved := p.Cursor() == 0
		p.toggleFilling()
		if unmoved {
			p.List.Top()
		}
	}
	p.other = New(p.app)
	if p.begun > 0 { // nobody has gone to a step yet
		p.List.Top()
	}
	p.shared = p.Cursor() + 1
}

// drawBeside draws both sides, A to the left or on top, and what they say of each other: in frames, the
// one below them, or without frames above and below.
func (p *View) drawBeside(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	p.other.Hide()
	in, text, frame := r, draw.Rect{X: r.X + 1, Y: r.Y, W: r.W - 2, H: 2}, 0
	if boxed {
		text.X, text.W, frame = r.X+2, r.W-4, 3
	}
	var parted [][]draw.Span
	if r.H >= 10 {
		parted = p.parted(f, text.W, r.H < 20)
	}
	n := len(parted)
	told := firstWithin(text.W, min(max(1, r.H-n-frame-12), maxToldBeside), p.toldBeside(f))
	if r.H < 9+n+frame+len(told) {
		told = nil
	}
	in.H -= n + len(told)
	text.H = n + len(told)
	switch {
	case boxed:
		in.H -= 2
		title := p.title(f)
		f.Box(draw.Rect{X: r.X, Y: r.Y + in.H, W: r.W, H: text.H + 2}, title, false)
		marks := besideLegend(f.Glyphs())
		if room := r.W - draw.Width(title) - 8; draw.SpansWidth(marks) <= room {
			f.Spans(r.X+r.W-2-draw.SpansWidth(marks), r.Y+in.H, room, marks...)
		}
		text.Y = r.Y + in.H + 1
		f.Lines(text, append(parted, told...))
	default:
		in.Y += n
		f.Lines(text, parted)
		text.Y = in.Y + in.H
		f.Lines(text, told)
	}
	first, second := in, in
	if in.W >= minBesideWidth {
		first.W = in.W / 2
		second.X, second.W = in.X+first.W, in.W-first.W
	} else {
		first.H = (in.H + 1) / 2
		second.Y, second.H = in.Y+first.H, in.H-first.H
	}
	if f.Side == experiment.B {
		first, second = second, first
	}
	p.drawHalf(f, first, f.Side, p, focused, boxed)
	p.other.drawHalf(f, second, f.Side.Other(), p, focused, boxed)
}

// besideLegend returns what the marks of the rows mean.
func besideLegend(g *theme.Glyphs) []draw.Span {
	return []draw.Span{{Text: " " + string(g.In), Role: theme.In}, {Text: " both  "}, {Text: "A", Role: theme.SideA}, {Text: " only A  "},
		{Text: "B", Role: theme.SideB}, {Text: " only B  "}, {Text: string(g.Out), Role: theme.Out}, {Text: " neither "}}
}

// drawHalf draws the steps of one side, which p has: both, the view that is shown, or its other
// side. If focused, keys move both sides, and the row of the step is drawn as selected.
func (p *View) drawHalf(f *widget.Frame, r draw.Rect, side experiment.Side, both *View, focused, boxed bool) {
	policy, top, right := f.Exp.Setup().Policy[side], r, r.X+r.W
	name := widget.Fitting(r.W/3, widget.PolicyNames(side, policy)...)
	if boxed {
		r = f.Box(r, name, focused && p == both)
		top.X, right, r.H = top.X+2, right-2, r.H+1
		r.Y-- // the names are in the frame
	}
	head := top.X + 1 + f.Text(top.X+1, r.Y, top.W-2, name, widget.SideRole(side))
	if empty := p.empty(f); empty != "" {
		f.Lines(draw.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 1}, draw.Paragraph(r.W-2, draw.Span{Text: empty, Role: theme.Dim}))
		return
	}
	now := p.after(p.Cursor())
	placed := f.Sum(now.tokens) + " of " + f.Sum(p.of.Report.Effective.Target)
	long, value := placed+"  "+plain.Thousands(now.items)+" selected", "  value "+f.About()+widget.Value(now.value)
	counted, bar := "step ", r.H >= 9
	switch {
	case p.AtEnd():
	case p.hasTable():
		counted = "read back "
	case p.Cursor() >= p.final:
		value = "  final" + value[1:]
	}
	step, short := counted+p.count(" of "), p.count("/")
	if !boxed { // there is no title to say it, and the rows leave the last cell free
		step, right = p.where(counted), right-1
	}
	if p.AtEnd() {
		step, short = "finished", "finished"
	}
	forms := []string{step + "   " + long + value, short + "  " + long + value, short + "  " + placed + value, short + "  " + placed, placed}
	switch { // the bar says the rest
	case bar && p.AtEnd():
		forms = []string{"finished: " + plain.Count(now.items, "item") + "," + value[1:]}
	case bar:
		forms = []string{step + value, step}
	}
	numbers := widget.Fitting(right-head-2, forms...)
	if boxed {
		numbers = " " + widget.Fitting(right-head-4, forms...) + " "
	}
	f.Right(head+1, r.Y, right-head-1, numbers, theme.Strong)
	body := draw.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}
	var said [][]draw.Span
	if bar {
		room := draw.Rect{X: r.X + 1, Y: body.Y, W: r.W - 4 - len(long), H: 1}
		f.Text(room.X+room.W+2, room.Y, len(long), long, theme.Plain)
		p.fill(f, room, now)
		said = p.saidBeside(both.closing(f, p), r.W-2, 3)
		body.Y, body.H = body.Y+1, body.H-1-3
	} else if r.H >= 7 {
		said = p.saidBeside(both.closing(f, p), r.W-2, 1)
		body.H--
	}
	t, table := p.table()
	if r.H >= 5 {
		if table {
			p.tableColumns(r.W, false).head(f, body.Row(0), axis{}, t.capacity)
		} else {
			p.head(f, body.Row(0), p.besideColumns(r.W))
		}
		body.Y, body.H = body.Y+1, body.H-1
	}
	from, end := p.Show(body)
	for k := from; k < end; k++ {
		row := body.Row(k - from)
		if table && p.steps[k].Opens == nil {
			p.tableRow(f, row, k, p.tableColumns(r.W, false), axis{}, &t)
		} else {
			p.row(f, draw.Rect{X: row.X, Y: row.Y, W: row.W - 1, H: 1}, k, p.besideColumns(r.W))
		}
		if i := int(p.steps[k].Item); i >= 0 && k <= p.Cursor() && both.differs(i) {
			only := side
			if !p.of.Report.In(i) {
				only = side.Other()
			}
			f.Set(row.X+1, row.Y, rune(only.String()[0]), widget.SideRole(only))
		}
		p.markRow(f, row, k, focused && p == both)
		if k == p.Cursor() && focused {
			f.Mark(row, theme.Selected)
		}
	}
	f.Lines(draw.Rect{X: r.X + 1, Y: body.Y + body.H, W: r.W - 2, H: len(said)}, said)
	if !p.ready() {
		f.Mark(r, theme.Old)
	}
}

// besideColumns returns the columns of a side without a table: what its slicer decides by, and
// the room.
func (p *View) besideColumns(width int) stepColumns {
	c := stepColumns{itemColumns: p.itemColumns(6), left: 7}
	if p.of.Policy.Slicer.Order() == model.OrderByDensity {
		c.density = 5
	} else {
		c.score = 5
	}
	c.text = max(0, width-4-c.index-1-c.tok-1-c.score-c.density-c.left-3)
	if c.text >= 28 {
		c.why = 11
		c.text -= c.why + 1
	}
	return c
}

// saidBeside says in at most so many lines the closing words, where there are some, or what the step under
// the cursor does.
func (p *View) saidBeside(closing []string, width, lines int) [][]draw.Span {
	s, forms := &p.steps[p.Cursor()], clauses(lesson(p.of.Policy))
	if t, ok := p.table(); ok {
		forms = p.sentence(&t)
	} else if s.Item >= 0 {
		forms = p.decided(s)
	}
	return firstWithin(width, lines, append(closing, forms...))
}

// firstWithin breaks the first of some forms that takes at most so many lines; nil if none does: no
// sentence is cut.
func firstWithin(width, lines int, forms []string) (all [][]draw.Span) {
	for _, form := range forms {
		if all = draw.Paragraph(width, draw.Span{Text: form}); len(all) <= lines {
			return all
		}
	}
	return nil
}
