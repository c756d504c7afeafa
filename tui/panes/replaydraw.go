package panes

import (
	"errors"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
)

// Draw draws what the slicer does in words, how full the room is after the
// step under the cursor, and the steps around it. Those still to come are faint.
func (p *Replay) Draw(f *Frame, r draw.Rect, boxed, focused bool) {
	in := r
	if boxed {
		in = f.Box(r, p.title(f), focused)
		in.X, in.W = in.X+1, in.W-2
	}
	p.at = draw.Rect{}
	if empty := p.empty(f); empty != "" {
		for y, line := range draw.Paragraph(in.W-4, draw.Span{Text: empty, Role: theme.Dim}) {
			if y+1 < in.H {
				f.Spans(in.X+2, in.Y+1+y, in.W-4, line...)
			}
		}
		return
	}
	y := p.words(f, in)
	bar := in.Row(y)
	if !boxed {
		bar.X, bar.W = bar.X+1, max(0, bar.W-2)
	}
	p.bar(f, bar, boxed)
	y++
	columns := p.columns(f, in.W)
	if in.H-y > 4 {
		p.head(f, in.Row(y), columns)
		y++
	}
	body := draw.Rect{X: in.X, Y: in.Y + y, W: in.W, H: in.H - y}
	p.height, p.at = body.H, body
	p.top = scroll(p.top, p.cursor, body.H, len(p.steps))
	for y := 0; y < body.H && p.top+y < len(p.steps); y++ {
		k, row := p.top+y, body.Row(y)
		p.row(f, row, k, columns)
		switch {
		case k > p.cursor:
			f.Mark(row, theme.Old)
		case k == p.cursor && focused:
			f.Mark(row, theme.Selected)
		}
	}
	if f.Old || !p.ready() {
		f.Mark(in, theme.Old)
	}
}

func (p *Replay) title(f *Frame) string {
	s := "Replay (" + f.Side.String() + ")"
	if n := len(p.steps); n > 0 {
		s += "  " + p.where()
	}
	switch {
	case f.Old && f.Out != nil && f.Out.Report != nil:
		s += "  (" + f.oldText() + ")"
	case !p.ready() && p.of != nil:
		s += "  (old: computing" + f.Glyphs().Ellipsis + ")"
	}
	return s
}

// where is the step under the cursor, and what moves it.
func (p *Replay) where() string {
	s := "step " + model.Tokens(p.cursor+1).String() + " of " + model.Tokens(len(p.steps)).String()
	if p.Playing != "" {
		s += ", playing " + p.Playing
	}
	if t := p.search.String(); t != "" {
		s += ", n finds " + plain.Line(t, 24)
	}
	return s
}

// empty says why there is nothing to replay; "" if there is something.
func (p *Replay) empty(f *Frame) string {
	switch {
	case p.want == nil:
		return "No result yet, so there is nothing to replay."
	case p.of == nil:
		return "computing the steps" + f.Glyphs().Ellipsis
	case errors.Is(p.err, pipeline.ErrNoSteps):
		return "This slicer has no steps to replay: it tells only what it selects."
	case p.err != nil:
		return "No steps: " + plain.Line(p.err.Error(), 200)
	case len(p.steps) > 0:
		return ""
	case p.of.Ranking.Input().Len() == 0:
		return "No candidates: every item is pinned, a duplicate, excluded or of negative size, so the slicer has nothing to look at."
	}
	return "No room: the budget leaves nothing for items that compete, so the slicer looks at none of them. Trace (6) shows where the tokens go."
}

// words draws the lesson and the arithmetic of the phase, and returns how many
// rows they take: always as many at one size, so that the steps stand still.
func (p *Replay) words(f *Frame, r draw.Rect) int {
	lines, notes := 0, 0
	switch {
	case r.H >= 16:
		lines, notes = 3, 2
	case r.H >= 12:
		lines, notes = 2, 1
	case r.H >= 9:
		notes = 1
	}
	said := draw.Paragraph(r.W, draw.Span{Text: lesson(p.of.Policy), Role: theme.Dim})
	y := min(lines, len(said))
	if p.absent > 0 {
		said = draw.Paragraph(r.W, draw.Span{Text: p.undecided(f), Role: theme.Warn})
	}
	for k, line := range said[:min(y, len(said))] {
		f.Spans(r.X, r.Y+k, r.W, line...)
	}
	if !p.hasNotes() {
		return y
	}
	for k, line := range draw.Paragraph(r.W, draw.Span{Text: p.note(), Role: theme.Plain}) {
		if k < notes {
			f.Spans(r.X, r.Y+y+k, r.W, line...)
		}
	}
	return y + notes
}

// undecided says why no step decides on the item that was to be shown.
func (p *Replay) undecided(f *Frame) string {
	item := p.absent - 1
	text := "No step decides on #" + strconv.Itoa(item)
	if item < len(p.of.Report.Codes) {
		text += ", the slicer does not get it: " + why(f.Glyphs(), p.of, item, 40)
	}
	return text + "."
}

// hasNotes reports whether any phase has arithmetic to show.
func (p *Replay) hasNotes() bool {
	o := p.of.Policy
	return o.Slicer == model.Knapsack || len(o.Quotas) > 0 || len(o.CountQuotas) > 0
}

// note is the arithmetic of the phase that the cursor is in, or of the one around it.
func (p *Replay) note() string {
	k := p.opening(p.cursor)
	room := slicer.Target(p.of.Report.Effective.Target)
	for depth := uint8(255); k >= 0 && depth > 0; k-- {
		s := &p.steps[p.opens[k]]
		if s.Depth >= depth {
			continue
		}
		if depth = s.Depth; s.Phase == slicer.WalkBack {
			depth++ // the table's outline is beside it
		}
		if text := note(s, room); text != "" {
			return text
		}
	}
	return ""
}

// bar draws how much of the room is taken after the step under the cursor.
func (p *Replay) bar(f *Frame, r draw.Rect, boxed bool) {
	now := p.after(p.cursor)
	rep := p.of.Report
	room := rep.Effective.Target
	// As wide at every step, so that the bar only grows.
	pad := func(s, widest string) string { return strings.Repeat(" ", max(0, len(widest)-len(s))) + s }
	text := []draw.Span{
		{Text: "  " + pad(now.tokens.String(), room.String()), Role: theme.Strong}, {Text: " of " + room.String() + " tokens", Role: theme.Plain},
		{Text: "  " + pad(model.Tokens(now.items).String(), model.Tokens(len(rep.Included)).String()) + " in", Role: theme.In},
		{Text: "  value " + pad(exactScore(now.value), exactScore(rep.Value)), Role: theme.Plain},
	}
	where := draw.Span{Text: "  " + p.where(), Role: theme.Dim}
	short := []draw.Span{text[0], {Text: " of " + room.Short(), Role: theme.Plain}, text[2]}
	variants := [][]draw.Span{text, short, text[:1]}
	if !boxed { // there is no title to say it
		step := draw.Span{Text: "  " + strconv.Itoa(p.cursor+1) + "/" + strconv.Itoa(len(p.steps)), Role: theme.Dim}
		playing := step
		if p.Playing != "" {
			playing.Text += " " + p.Playing
		}
		variants = [][]draw.Span{append(text[:4:4], where), append(text[:3:3], playing), append(short[:3:3], playing), append(short[:3:3], step), short, text[:1]}
	}
	spans := draw.FirstThatFits(r.W-12, variants...)
	w := draw.SpansWidth(spans)
	inner := draw.Rect{X: r.X, Y: r.Y, W: max(0, r.W-w), H: 1}
	g := f.Glyphs()
	f.Canvas.Bar(inner, []draw.Part{
		{Tokens: now.tokens, Glyph: g.BarSelected, Role: theme.BarSelected},
		{Tokens: max(0, room-now.tokens), Glyph: g.BarFree, Role: theme.BarFree},
	})
	f.Spans(r.X+inner.W, r.Y, w, spans...)
}

// stepColumns are the widths of the columns; 0: not shown.
type stepColumns struct{ index, kind, text, tok, score, density, table, left, why int }

// columns divides the width: numbers first, then the reason, then the text.
func (p *Replay) columns(f *Frame, width int) stepColumns {
	items, policy := p.of.Items, p.of.Policy
	digits := max(2, len(strconv.Itoa(max(0, items.Len()-1))))
	number := len(p.of.Report.Budget.MaxTokens().String())
	left := number
	knapsack := policy.Slicer == model.Knapsack
	if knapsack && len(policy.CountQuotas) == 0 { // all is counted in buckets
		left = len((p.of.Report.Effective.Target / policy.Bucket()).String())
	}
	c := stepColumns{index: digits, tok: max(6, min(number, 9)), left: max(6, left), why: 14}
	if width >= compactTable-2 {
		c.kind, c.score, c.density, c.why = 4, 5, 5, 16
		if knapsack {
			c.density = 0
		}
	}
	if width >= 88 {
		c.left, c.why = max(12, 2*left+2+draw.Width(f.Glyphs().Arrow)), 20
		if knapsack {
			c.table = 12
		}
	}
	rest := width - 3
	for _, w := range []int{c.index, c.kind, c.tok, c.score, c.density, c.table, c.left, c.why} {
		if w > 0 {
			rest -= w + 1
		}
	}
	if wider := min(12, rest-18); wider > 0 { // room for "needs 2,480, 512 left"
		c.why += wider
		rest -= wider
	}
	if wider := min(36, rest-30); wider > 0 && c.table > 0 {
		c.table += wider
		rest -= wider
	}
	c.text = max(0, rest)
	return c
}

func (p *Replay) head(f *Frame, r draw.Rect, c stepColumns) {
	x := r.X + 3
	decides := theme.Focus
	role := func(decisive bool) theme.Role {
		if decisive {
			return decides
		}
		return theme.Dim
	}
	slicerType := p.of.Policy.Slicer
	put := func(width int, title string, right bool, role theme.Role) {
		if width == 0 {
			return
		}
		if right {
			f.Right(x, r.Y, width, title, role)
		} else {
			f.Text(x, r.Y, width, title, role)
		}
		x += width + 1
	}
	left := "left"
	if slicerType == model.Knapsack && c.left >= 12 {
		left = "buckets left"
	}
	put(c.index, "#", true, role(slicerType == model.Stream))
	put(c.kind, "kind", false, theme.Dim)
	put(c.text, "item", false, theme.Dim)
	put(c.tok, "tok", true, theme.Dim)
	put(c.score, "score", true, role(slicerType == model.Knapsack))
	put(c.density, "/1k", true, role(slicerType == model.Greedy))
	if k := p.opening(p.cursor); k >= 0 && c.table > 0 {
		if s := &p.steps[p.opens[k]]; s.Phase == slicer.InOutline || s.Phase == slicer.WalkBack {
			f.Right(x, r.Y, c.table, tokens(s.Left), theme.Dim)
		}
	}
	put(c.table, "table", false, theme.Dim)
	put(c.left, left, true, theme.Dim)
	put(c.why, "why", false, theme.Dim)
}

func (p *Replay) row(f *Frame, r draw.Rect, k int, c stepColumns) {
	g, s := f.Glyphs(), &p.steps[k]
	if k == p.cursor {
		f.Set(r.X, r.Y, g.Cursor, theme.Focus)
	}
	if s.Opens != nil {
		x := r.X + 1
		x += f.Text(x, r.Y, r.W, string(g.Horizontal)+" ", theme.Frame)
		role := theme.Strong
		if s.Depth > 0 {
			role = theme.Plain
		}
		x += f.Text(x, r.Y, r.X+r.W-x, firstFitting(heading(s), r.X+r.W-x-1, g)+" ", role)
		for ; x < r.X+r.W; x++ {
			f.Set(x, r.Y, g.Horizontal, theme.Frame)
		}
		return
	}
	i := int(s.Item)
	items := p.of.Items
	glyph, verdict := stepGlyph(g, s)
	f.Set(r.X+1, r.Y, glyph, verdict)
	role := theme.Plain
	if !s.Verdict.In() {
		role = theme.Dim
	}
	x := r.X + 3
	f.Right(x, r.Y, c.index, strconv.Itoa(i), theme.Dim)
	x += c.index + 1
	it := items.Loaded(i)
	if c.kind > 0 {
		f.Text(x, r.Y, c.kind, plain.Line(kindName(it.Kind), c.kind), role)
		x += c.kind + 1
	}
	f.Text(x, r.Y, c.text, plain.Line(it.Headline(8*c.text+64), c.text), role)
	x += c.text + 1
	tok := items.Tokens(i)
	f.Right(x, r.Y, c.tok, fitting(c.tok, tok.String(), tok.Short()), role)
	x += c.tok + 1
	if c.score > 0 {
		f.Right(x, r.Y, c.score, score(p.of.Report.Scores[i], c.score), role)
		x += c.score + 1
	}
	if c.density > 0 {
		density := "-"
		if tok > 0 && s.At >= 0 {
			density = score(1000*p.of.Report.Scores[i]/float64(tok), c.density)
		}
		f.Right(x, r.Y, c.density, density, role)
		x += c.density + 1
	}
	if c.table > 0 {
		if s.Phase == slicer.WalkBack {
			p.tableRow(f, draw.Rect{X: x, Y: r.Y, W: c.table, H: 1}, s, p.steps[p.opens[p.opening(k)]].Left)
		}
		x += c.table + 1
	}
	left := tokens(s.After)
	if c.left >= 12 && s.After != s.Left {
		left = tokens(s.Left) + " " + g.Arrow + " " + left
	}
	f.Right(x, r.Y, c.left, fitting(c.left, left, model.Tokens(s.After).Short()), role)
	x += c.left + 1
	f.Text(x, r.Y, c.why, firstFitting(because(s), c.why, g), verdict)
}

// tableRow draws the row of an item in the knapsack's table, from capacity 0 to
// the largest: where it has cells that can matter, and where the walk back meets it.
func (p *Replay) tableRow(f *Frame, r draw.Rect, s *pipeline.Step, capacity slicer.Target) {
	g := f.Glyphs()
	column := func(c slicer.Target) int { return int(min(c, capacity) * slicer.Target(r.W-1) / max(1, capacity)) }
	from := r.W
	if s.From > 0 {
		from = column(s.From)
	}
	for x := range r.W {
		if x < from {
			f.Set(r.X+x, r.Y, g.Strip[0], theme.StripOut)
		} else {
			f.Set(r.X+x, r.Y, g.Strip[1], theme.StripOut)
		}
	}
	at := r.X + column(s.Left)
	if s.Verdict.In() {
		f.Set(at, r.Y, g.StripHereIn, theme.StripIn)
	} else {
		f.Set(at, r.Y, g.StripHere, theme.StripHere)
	}
}

// fitting is the first text that fits, or the last.
func fitting(width int, texts ...string) string {
	for _, t := range texts[:len(texts)-1] {
		if draw.Width(t) <= width {
			return t
		}
	}
	return texts[len(texts)-1]
}

// firstFitting is fitting with the last one cut.
func firstFitting(texts []string, width int, g *theme.Glyphs) string {
	return draw.Fit(fitting(width, texts...), width, g)
}
