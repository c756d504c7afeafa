package replay

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// minStepsWidth is the least width at which steps can be read.
const minStepsWidth = 48

// Draw draws what the slicer does in words, how full the room is after the
// step under the cursor, and the steps around it. Those still to come are faint.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	if p.other != nil {
		p.follow()
	}
	in := r
	if boxed && (p.other == nil || f.NoResult) {
		in = f.Box(r, p.title(f), focused)
		in.X, in.W = in.X+1, in.W-2
	}
	p.Hide()
	if in.W < minStepsWidth || in.H < 3 {
		return
	}
	if f.NoResult {
		f.DrawNoResult(in, "there are no steps to replay")
		return
	}
	if p.other != nil {
		p.drawBeside(f, in, boxed, focused)
		return
	}
	if empty := p.empty(f); empty != "" {
		f.Lines(draw.Rect{X: in.X + 2, Y: in.Y + 1, W: in.W - 4, H: in.H - 1}, draw.Paragraph(in.W-4, draw.Span{Text: empty, Role: theme.Dim}))
		return
	}
	var first, end int
	if t, ok := p.table(); ok {
		first, end = p.drawTable(f, in, &t, boxed, focused)
	} else {
		first, end = p.drawSteps(f, in, boxed, focused)
	}
	if boxed {
		f.RowsShown(r, first, end, len(p.steps))
	}
	if f.Old || !p.ready() {
		f.Mark(in, theme.Old)
	}
}

// drawSteps draws the steps of a slicer that has no table. It returns which, from first to end-1.
func (p *View) drawSteps(f *widget.Frame, in draw.Rect, boxed, focused bool) (first, end int) {
	text := in
	if !boxed {
		text.X, text.W = in.X+1, max(0, in.W-2)
	}
	y := p.words(f, text)
	bar := text.Row(y)
	p.bar(f, bar, boxed)
	y++
	columns := p.columns(f, in.W)
	if in.H-y > 4 {
		p.head(f, in.Row(y), columns)
		y++
	}
	body := draw.Rect{X: in.X, Y: in.Y + y, W: in.W, H: in.H - y}
	first, end = p.Show(body)
	for k := first; k < end; k++ {
		row := body.Row(k - first)
		p.row(f, row, k, columns)
		p.markRow(f, row, k, focused)
	}
	return first, end
}

// markRow highlights the step under the cursor and dims the steps after it.
func (p *View) markRow(f *widget.Frame, row draw.Rect, step int, focused bool) {
	if step > p.Cursor() && !p.foretells() {
		f.Mark(row, theme.Later)
	}
	f.CursorRow(row, step == p.Cursor(), focused)
}

func (p *View) title(f *widget.Frame) string {
	s := "Replay (" + f.Side.String() + ")"
	if p.other != nil {
		s = "Replay  " + p.together()
	}
	if p.Steps() > 0 {
		where := p.where(p.counted())
		if p.other == nil && !p.filling && p.hasTable() {
			where = "read the table back, " + where
		}
		if p.other != nil { // each side says its step
			_, where, _ = strings.Cut(where, ", ")
		}
		s = strings.TrimRight(s+"  "+where, " ")
		if p.begun > 0 && p.chosen && p.other == nil && !p.play.On() {
			s += ", the selected item; space plays from the first"
		}
	}
	switch {
	case f.NoResult:
	case f.Old && f.Out != nil && f.Out.Report != nil:
		s += "  (" + f.OldText() + ")"
	case !p.ready() && p.of != nil:
		s += "  (old: computing" + f.Glyphs().Ellipsis + ")"
	}
	return s
}

// counted returns what the steps are called: "item" for a table, because filling and reading back
// are its two steps.
func (p *View) counted() string {
	if p.hasTable() {
		return "item "
	}
	return "step "
}

// where returns which step is under the cursor, by what these are called, how fast it plays and
// what n looks for.
func (p *View) where(counted string) string {
	s := counted + p.count(" of ")
	if p.filling && p.hasTable() {
		s = "fill the table, " + s
		switch {
		case p.AtEnd():
			s += "; it is full, b reads it back"
		case p.foretells() && !p.play.On():
			s = "fill the table of " + plain.Count(len(p.steps)-len(p.opens), "item") + "; space plays"
		}
	}
	if p.cut {
		s += " (more are not kept)"
	}
	if p.play.On() {
		s += ", playing " + speedText(p.play.speed)
	}
	if t := p.search.String(); t != "" {
		s += ", n finds " + plain.Line(t, 24)
	}
	return s
}

// count returns how many of the items have been decided on, at the cursor. A heading is no step.
func (p *View) count(of string) string {
	return plain.Thousands(p.Cursor()-p.opening(p.Cursor())) + of + plain.Thousands(len(p.steps)-len(p.opens))
}

// empty returns why there is nothing to replay. It returns "" if there are steps.
func (p *View) empty(f *widget.Frame) string {
	switch {
	case p.want == nil:
		return "No result yet, so there is nothing to replay."
	case p.of == nil:
		return "computing the steps" + f.Glyphs().Ellipsis
	case errors.Is(p.err, slicer.ErrNoSteps) && p.of.Items.HasSizes():
		return "A knapsack of items that may be cut has no steps to replay: it weighs all sizes of an item at once."
	case errors.Is(p.err, slicer.ErrNoSteps):
		return "This slicer has no steps to replay: it only reports what it selects."
	case p.err != nil:
		return "No steps: " + plain.Line(p.err.Error(), 200)
	case len(p.steps) > 0:
		return ""
	case p.of.Ranking.Input().Len() == 0:
		return "No candidates: every item is " + plain.Pinned + ", a " + export.CodeWord(model.Deduplicated) + ", " + export.CodeWord(model.Filtered) +
			" or with " + export.CodeWord(model.NegativeTokens) + ", so the slicer has nothing to look at."
	}
	return "No room: the budget leaves nothing for items that compete, so the slicer looks at none of them. Trace (6) shows where the tokens go."
}

// words draws what the step under the cursor decides, or at one that opens a phase what the
// slicer does, and the arithmetic of the phase, and returns how many rows they take. That
// depends only on the size and the policy, so that the steps do not jump.
func (p *View) words(f *widget.Frame, r draw.Rect) int {
	lines, notes := 0, 0
	switch {
	case r.H >= 16:
		lines, notes = 3, 2
	case r.H >= 12:
		lines, notes = 2, 1
	case r.H >= 9:
		lines, notes = 1, 1
	case r.H >= 7:
		lines = 1
	}
	var said [][]draw.Span
	switch s := &p.steps[p.Cursor()]; {
	case p.absent > 0:
		said = draw.Paragraph(r.W, draw.Span{Text: p.undecided(), Role: theme.Warn})
	case s.Item >= 0:
		said = firstWithin(r.W, lines, p.introduced(p.ended(p.decided(s))))
	default:
		said = firstWithin(r.W, lines, clauses(lesson(p.of.Policy)))
	}
	f.Lines(draw.Rect{X: r.X, Y: r.Y, W: r.W, H: lines}, said)
	if !p.hasNotes() {
		return lines
	}
	f.Lines(draw.Rect{X: r.X, Y: r.Y + lines, W: r.W, H: notes}, draw.Paragraph(r.W, draw.Span{Text: p.note(), Role: theme.Plain}))
	return lines + notes
}

// undecided returns why no step decides on the item that the user asked for.
func (p *View) undecided() string {
	item := p.absent - 1
	text := "No step decides on #" + strconv.Itoa(item)
	if item < len(p.of.Report.Codes) {
		text += ", the slicer does not get it: " + widget.Why(p.of, item, 40)
	}
	return text + "."
}

// hasNotes reports whether any phase has arithmetic to show.
func (p *View) hasNotes() bool {
	o := p.of.Policy
	return len(o.Quotas) > 0 || len(o.CountQuotas) > 0
}

// note returns the arithmetic of the phase that the cursor is in, or else of the phase
// around it.
func (p *View) note() string {
	k := p.opening(p.Cursor())
	room := slicer.Target(p.of.Report.Effective.Target)
	for depth := uint8(255); k >= 0 && depth > 0; k-- {
		s := &p.steps[p.opens[k]]
		if s.Depth >= depth {
			continue
		}
		depth = s.Depth
		if text := p.noteOf(s, room); text != "" {
			return text
		}
	}
	return ""
}

// bar draws how much of the room is taken after the step under the cursor.
func (p *View) bar(f *widget.Frame, r draw.Rect, boxed bool) {
	now := p.after(p.Cursor())
	rep := p.of.Report
	room := rep.Effective.Target
	// The numbers are padded, so that the bar has the same width at every step.
	pad := func(s, widest string) string { return strings.Repeat(" ", max(0, len(widest)-len(s))) + s }
	text := []draw.Span{
		{Text: "  " + pad(f.Sum(now.tokens), f.Sum(room)), Role: theme.Strong}, {Text: " of " + f.Sum(room) + " tokens", Role: theme.Plain},
		{Text: "  " + pad(plain.Thousands(now.items), plain.Thousands(len(rep.Included))) + " selected", Role: theme.In},
		{Text: "  value " + f.About() + pad(widget.Value(now.value), widget.Value(rep.Value)), Role: theme.Plain},
	}
	where := draw.Span{Text: "  " + p.where(p.counted()), Role: theme.Dim}
	short := []draw.Span{text[0], {Text: " of " + room.Short(), Role: theme.Plain}, text[2]}
	noUnit := []draw.Span{text[0], {Text: " of " + f.Sum(room), Role: theme.Plain}, text[2], text[3]}
	variants := [][]draw.Span{text, noUnit, short, text[:1]}
	if pinned := len(p.of.Ranking.Pinned()); pinned > 0 {
		plus := draw.Span{Text: " + " + plain.Thousands(pinned) + " " + plain.Pinned, Role: theme.Pin}
		variants = append([][]draw.Span{slices.Concat(text[:3], []draw.Span{plus}, text[3:])}, variants...)
	}
	wide := r.W / 2 // the bar has the rest
	if !boxed {     // there is no title to say it
		wide = r.W - 12
		step := draw.Span{Text: "  " + p.count("/"), Role: theme.Dim}
		playing := step
		if p.play.On() {
			playing.Text += " " + speedText(p.play.speed)
		}
		variants = [][]draw.Span{append(text[:4:4], where), append(text[:3:3], playing), append(short[:3:3], playing), append(short[:3:3], step), short, text[:1]}
	}
	spans := draw.FirstThatFits(wide, variants...)
	w := draw.SpansWidth(spans)
	left := max(0, r.W-w)
	p.fill(f, draw.Rect{X: r.X, Y: r.Y, W: left, H: 1}, now)
	f.Spans(r.X+left, r.Y, w, spans...)
}

// fill draws how much of the room is taken now.
func (p *View) fill(f *widget.Frame, r draw.Rect, now total) {
	f.Canvas.Bar(r, []draw.Part{
		{Tokens: now.tokens, Glyph: f.Glyphs().BarSelected, Role: theme.BarSelected},
		{Tokens: max(0, p.of.Report.Effective.Target-now.tokens), Glyph: f.Glyphs().BarFree, Role: theme.BarFree},
	})
}
