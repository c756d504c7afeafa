package pane

import (
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Detail draws the details of one item: the reason why it is in or out, a picture of its
// budgets, its numbers, what other edits would do, and the beginning of its text. If none
// is not nil, it says what to show in place of the item, with the title "" nothing.
func Detail(f *widget.Frame, q *WhatIf, ways *Ways, r draw.Rect, boxed bool, item int, none func(f *widget.Frame, width, rows int) (string, [][]draw.Span)) {
	if none != nil {
		room := detailRoom(r, boxed)
		if title, lines := none(f, room.W, room.H); title != "" {
			f.Lines(detailFrame(f, r, boxed, title, ""), lines)
			return
		}
	}
	tokens := f.TokensText(item)
	if f.Out != nil && !f.NoResult && f.Out.Report.Shrunk(item) {
		tokens = f.Out.Report.Taken(item).String() + " of " + tokens
	}
	in := detailFrame(f, r, boxed, ItemTitle(f, item, r.W-8-draw.Width(tokens)), tokens)
	if f.Out == nil || in.H < 1 {
		return
	}
	y := 0
	text := func(lines ...[]draw.Span) {
		y += f.Lines(draw.Rect{X: in.X, Y: in.Y + y, W: in.W, H: in.H - y}, lines)
	}
	roomy := in.H > 9
	var edits, numbers [][]draw.Span // what other edits would do
	if !f.NoResult {
		edits, numbers = WhatIfParts(f, q, ways, item, numbersOnly), Numbers(f, item)
	}
	switch {
	case in.H <= 2:
		text(briefly(f, item, in.W))
		if in.H > y && (!f.NoResult || f.Profiled) {
			drawRangesLine(f, in.Row(y), item)
			y++
		}
	case !f.NoResult:
		text(reasonLines(f, item, in.W, in.H, boxed)...)
	}
	if in.H > 2 && (!f.NoResult || f.Profiled) {
		if roomy {
			y++
		}
		if f.NoResult || in.H < 5 || !saysNoBudget(f, item) {
			room := in.H - y
			if !roomy && room > 1 {
				room = max(min(2, room-1), room-len(widget.Pack(in.W, edits)))
			}
			rows, untold := drawRanges(f, draw.Rect{X: in.X, Y: in.Y + y, W: in.W, H: room}, item, roomy)
			y += rows
			if lines := len(widget.Pack(in.W, edits)) + len(widget.Pack(in.W, numbers)); len(untold) > 0 && y+lines < in.H {
				text([]draw.Span{{Text: widget.Fitting(in.W, untold...), Role: theme.Dim}})
			} else if len(untold) > 0 {
				edits, numbers = within(in.W, edits, numbers, draw.Span{Text: untold[len(untold)-1], Role: theme.Dim})
			}
			if y < in.H-3 {
				y++
			}
		}
	}
	text(widget.Pack(in.W, edits)...)
	text(widget.Pack(in.W, numbers)...)
	if rest := in.H - y; rest > 0 {
		content := f.Exp.Items().Loaded(item).Content
		if !f.NoResult {
			content = f.Exp.Sent(f.Out.Report, item)
		}
		for k, line := range plain.Wrap(content, in.W-2, rest) {
			f.Set(in.X, in.Y+y+k, f.Glyphs().Vertical, theme.Frame)
			f.Text(in.X+2, in.Y+y+k, in.W-2, line, theme.Dim)
		}
	}
	if f.Old {
		f.Mark(in, theme.Old)
	}
}

// within returns edits and numbers with text added to edits, or to numbers where it would add a
// line to edits.
func within(width int, edits, numbers [][]draw.Span, text draw.Span) (e, n [][]draw.Span) {
	if longer := append(slices.Clip(edits), []draw.Span{text}); len(widget.Pack(width, longer)) == len(widget.Pack(width, edits)) {
		return longer, numbers
	}
	return edits, append(slices.Clip(numbers), []draw.Span{text})
}

// reasonLines returns the mark of an item and why it is in or out: in one line, unless that
// leaves out what decides and there are more than a few rows. See reasonForms for beside.
func reasonLines(f *widget.Frame, item, width, rows int, beside bool) [][]draw.Span {
	glyph, role, _ := widget.State(f.Glyphs(), f.Out, item)
	mark := []draw.Span{{Text: string(glyph) + " ", Role: role}}
	forms := reasonForms(f, item, beside)
	told := draw.FirstThatFits(width-2, forms[:min(2, len(forms))]...)
	switch {
	case rows <= 4:
		told = draw.FirstThatFits(width-2, forms...)
	case draw.SpansWidth(told) > width-2:
		return draw.Paragraph(width, append(mark, forms[0]...)...)
	}
	return [][]draw.Span{append(mark, told...)}
}

// briefly returns why an item is in or out, with its number, for a screen without a title for them.
func briefly(f *widget.Frame, item, width int) []draw.Span {
	if f.NoResult { // which the header says
		return []draw.Span{{Text: ItemTitle(f, item, width), Role: theme.Dim}}
	}
	number := draw.Span{Text: "#" + strconv.Itoa(item) + " ", Role: theme.Strong}
	return append([]draw.Span{number}, draw.FirstThatFits(width-draw.Width(number.Text), reasonForms(f, item, false)...)...)
}

// Opened draws why an item is in or out and the picture of its budgets, and a rule below. Where it has not
// the whole width, the pane of the next changes beside it has the budgets. It returns how many rows
// that takes.
func Opened(f *widget.Frame, r draw.Rect, item int) int {
	glyph, role, _ := widget.State(f.Glyphs(), f.Out, item)
	y := f.Lines(r, draw.Paragraph(r.W, append([]draw.Span{{Text: string(glyph) + " ", Role: role}}, reasonForms(f, item, r.W < f.W-10)[0]...)...))
	left := draw.Rect{X: r.X, Y: r.Y + y, W: r.W, H: r.H - y}
	switch {
	case saysNoBudget(f, item):
	case r.H > 10:
		told := r.H > 20
		if left.H = 3; told {
			left.H = 6
		}
		rows, _ := drawRanges(f, left, item, told)
		y += rows
	default:
		drawRangesLine(f, left.Row(0), item)
		y++
	}
	y = min(y, max(0, r.H-1)) // a long reason in a small pane
	f.Fill(r.Row(y), f.Glyphs().Horizontal, theme.Frame)
	return y + 1
}

// detailFrame draws a frame or, if it is not boxed, a rule with the title where that leaves
// room for two lines. It returns the rectangle inside.
func detailFrame(f *widget.Frame, r draw.Rect, boxed bool, title, tokens string) draw.Rect {
	switch {
	case boxed:
		in := f.Box(r, title, false)
		if tokens != "" {
			f.Right(in.X, r.Y, in.W-1, " "+tokens+" ", theme.Dim)
		}
	case r.H > 2:
		f.Fill(r.Row(0), f.Glyphs().Horizontal, theme.Frame)
		f.Text(r.X+2, r.Y, r.W-4, " "+title+" ", theme.Dim)
		if tokens != "" {
			f.Right(r.X, r.Y, r.W-2, " "+tokens+" ", theme.Dim)
		}
	}
	return detailRoom(r, boxed)
}

// detailRoom returns what the frame of the detail, or the rule above it, leaves.
func detailRoom(r draw.Rect, boxed bool) draw.Rect {
	if boxed || r.H > 2 {
		r = r.Inner(boxed)
	}
	return draw.Rect{X: r.X + 1, Y: r.Y, W: r.W - 2, H: r.H}
}

// ItemTitle returns the number, the kind and the first line of an item, in width cells.
func ItemTitle(f *widget.Frame, i, width int) string {
	it := f.Exp.Items().Loaded(i)
	head := "#" + strconv.Itoa(i) + " " + widget.KindName(it.Kind) + "  "
	return head + plain.Line(it.Headline(8*max(0, width)+64), max(1, width-draw.Width(head)))
}

// Numbers returns an item's numbers, each with its name, the most important first: score
// with its parts, density.
func Numbers(f *widget.Frame, i int) [][]draw.Span {
	items, rep := f.Exp.Items(), f.Out.Report
	t := items.Tokens(i)
	var all [][]draw.Span
	add := func(text string) { all = append(all, []draw.Span{{Text: text, Role: theme.Dim}}) }
	switch rep.Codes[i] {
	case model.Pinned:
		add("no score, " + plain.Pinned)
	case model.NegativeTokens, model.Filtered:
		add("not scored")
	default:
		score, parts := "score "+widget.ExactScore(rep.Scores[i]), []string(nil)
		for _, p := range f.Out.Ranking.ScorerParts(i) {
			parts = append(parts, widget.ExactScore(p.Weight*p.Score)+" "+widget.CleanName(p.Name))
		}
		if len(parts) > 1 {
			score += " = " + strings.Join(parts, " + ")
		}
		add(score)
		if t > 0 {
			add(f.About() + widget.ExactScore(1000*rep.Scores[i]/float64(t)) + " per 1k tok")
		}
	}
	return all
}

// sentences returns the forms of the sentence without the search, from long to short.
func sentences(f *widget.Frame, i int) [][]draw.Span {
	items, p := f.Out.Items, f.Out.Profile // of the setup now; without a result the report is of an older one
	end := p.Axis().End()
	strong := func(t model.Tokens) draw.Span { return draw.Span{Text: f.BudgetText(t), Role: theme.Strong} }
	switch {
	case widget.NeverIn(items, i) != "":
		return [][]draw.Span{{widget.Plain("never in")}}
	case items.Pinned(i):
		s, ok := p.StaysFrom(i)
		if !ok {
			return [][]draw.Span{{widget.Plain("in wherever there is a result, which there is not at " + f.BudgetText(end))}}
		}
		return [][]draw.Span{
			{widget.Plain("always in, at every budget that holds the " + plain.Pinned + " items and the reserve: from "), strong(s)},
			{widget.Plain("always in, from "), strong(s), widget.Plain(" on")},
		}
	}
	if survivor := f.Out.Report.Survivor(i); survivor != i {
		all := sentences(f, survivor)
		for k := range all {
			all[k] = append([]draw.Span{widget.Plain("#" + strconv.Itoa(survivor) + ": ")}, all[k]...)
		}
		return all
	}
	sum := p.Summary(i)
	first := []draw.Span{widget.Plain("first in at "), strong(sum.FirstIn.Value)}
	switch {
	case !sum.FirstIn.Set:
		return [][]draw.Span{{widget.Plain("in at no budget up to "), strong(end)}}
	case sum.StaysFrom.Set && sum.StaysFrom.Value == sum.FirstIn.Value:
		return [][]draw.Span{
			append(slices.Clip(first), widget.Plain(" and never lost up to "+f.BudgetText(end))),
			append(slices.Clip(first), widget.Plain(" and stays")),
		}
	}
	stays := []draw.Span{{Text: "stays at no budget up to " + f.BudgetText(end), Role: theme.Warn}}
	if sum.StaysFrom.Set {
		stays = []draw.Span{widget.Plain(plain.StaysFrom + " "), strong(sum.StaysFrom.Value)}
	}
	between := "comes and goes up to " + f.BudgetText(sum.StaysFrom.Or(end+1)-1) + ", in at " + plain.Percent(sum.Share) + " of these budgets"
	switch {
	case !sum.StaysFrom.Set && sum.Ranges == 1:
		between = "then out"
	case sum.StaysFrom.Set && sum.Ranges == 2:
		between = "then out until it stays"
	}
	short := append(append(stays, widget.Plain("; ")), first...)
	return [][]draw.Span{append(slices.Clip(short), widget.Plain(", for budgets up to "+f.BudgetText(sum.FirstIn.Value+sum.FirstWidth-1)+"; "+between)), short}
}

// SearchSpans returns what Cupel's search for the least budget of an item, or of the item that it
// repeats, answers; nil for an item that does not compete. The role says whether the answer is
// right.
func SearchSpans(f *widget.Frame, i int) [][]draw.Span {
	if !competes(f.Out, i) {
		return nil
	}
	answer, role := f.Search(f.Out.Report.Survivor(i)), theme.Plain
	if answer.Errs {
		role = theme.Warn
	}
	return [][]draw.Span{{{Text: answer.Text, Role: role}}}
}
