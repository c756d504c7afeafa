package pane

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Hints draws as many hints as fit, in order. The last is always shown, and so is the palette
// before it where there is the width for it. It returns the rectangle of each hint, which is
// empty if the hint is left out.
func Hints(f *widget.Frame, r draw.Rect, hints []screen.Hint) []draw.Rect {
	at := make([]draw.Rect, len(hints))
	if len(hints) == 0 {
		return at
	}
	width := func(h screen.Hint) int { return draw.Width(h.Key) + 1 + draw.Width(h.Text) + 2 }
	x, end := r.X+1, r.X+r.W
	last := hints[len(hints)-1]
	kept := len(hints) - 1 // the hints from here on are always shown
	room := end - x - width(last)
	if kept > 0 && hints[kept-1].Key == ":" && r.W >= paletteWidth {
		kept--
		room -= width(hints[kept])
	}
	for i, h := range hints[:len(hints)-1] {
		switch {
		case i >= kept:
		case width(h) > room:
			continue // a later hint may be shorter
		default:
			room -= width(h)
		}
		at[i] = draw.Rect{X: x, Y: r.Y, W: width(h) - 2, H: 1}
		x += f.Spans(x, r.Y, end-x, draw.Span{Text: h.Key + " ", Role: theme.Key}, draw.Span{Text: h.Text + "  ", Role: theme.Dim})
	}
	at[len(at)-1] = draw.Rect{X: x, Y: r.Y, W: f.Spans(x, r.Y, end-x, draw.Span{Text: last.Key + " ", Role: theme.Key}, draw.Span{Text: last.Text, Role: theme.Dim}), H: 1}
	return at
}

// paletteWidth is the width, in cells, from which on the palette is always among the hints.
const paletteWidth = 80

// Message draws the answer to a key in r, and in the row below it too, where it needs that. It
// returns how many rows it took. Where two rows do not hold it, the first breaks within a long
// path, because all of it counts.
func Message(f *widget.Frame, r draw.Rect, text string) (rows int) {
	width := r.W - 2
	text = plain.Line(text, 1000)
	lines := plain.Wrap(text, width, 3)
	if len(lines) > 2 {
		first := lines[0]
		if draw.Width(first) < width*2/3 {
			first = draw.Prefix(text, width)
		}
		lines = []string{first, draw.FitWords(strings.TrimLeft(text[len(first):], " "), width, f.Glyphs())}
	}
	for y, line := range lines {
		row := draw.Rect{X: r.X, Y: r.Y + y, W: r.W, H: 1}
		f.Fill(row, ' ', theme.Plain)
		f.Text(row.X+1, row.Y, width, line, theme.Warn)
		f.Mark(row, theme.Selected) // it stands at the edge of the screen, and is not to be missed
	}
	return len(lines)
}

// Impact draws the line that says what the newest change did: the effect, if it is not
// nil, in place of what came in and went out.
func Impact(f *widget.Frame, r draw.Rect, effect func(f *widget.Frame, width int) []draw.Span) {
	width := r.W - 2
	im, ok := f.Exp.Impact()
	if !ok {
		unchanged(f, r, width)
		return
	}
	undo := ""
	if f.Exp.CanUndo() {
		undo = "u undo "
	}
	if f.Exp.CanRedo() && width > 100 {
		undo += " ctrl+r redo "
	}
	var least []draw.Span // of what the change did
	switch {
	case effect != nil:
		least = effect(f, 0)
	case im.Err == nil && !im.Pending && im.Side == f.Side:
		least = ImpactSpans(f, im, 0)
	}
	beside := draw.Width(im.Label+": "+recallText(f, im)) + draw.SpansWidth(least) + len(undo) + 1
	if undo != "" && (width > 60 || least != nil && !im.Shared && beside <= width) {
		f.Right(r.X, r.Y, r.W, undo, theme.Dim)
		width -= len(undo) + 1
	}
	if since := sinceText(f, im, width); since != "" {
		f.Right(r.X, r.Y, width+1, since, theme.Dim)
		width -= len(since) + 2
	}
	label := plain.Line(im.Label, width)
	name := ""
	if side := im.Side.String(); effect != nil && im.Side != f.Side && !slices.Contains(strings.Fields(label), side) {
		name = ", on " + side
	}
	on := ""
	if im.Side != f.Side && effect == nil {
		on = onOther(f.Side, width-draw.Width(label+": "))
	}
	x := r.X + 1
	if same := im.Err == nil && !im.Pending && !im.Moves(); effect == nil && same && draw.Width(label+on+nothingMoved) > width {
		f.Text(x, r.Y, width, label, theme.Strong) // it says enough
		return
	}
	if head, _, long := strings.Cut(label, ", "); long && draw.SpansWidth(least) > width-draw.Width(label+name+": ") {
		label = head // what the change did says more than the rest of a long label
	}
	x += f.Text(x, r.Y, width, label+name+": ", theme.Strong)
	x += f.Text(x, r.Y, r.X+1+width-x, on, theme.Plain)
	if on != "" && !strings.HasSuffix(on, ": ") {
		return // there is no room for what it did to the other side
	}
	left := r.X + 1 + width - x
	switch {
	case effect != nil:
		f.Spans(x, r.Y, left, effect(f, left)...)
		return
	case im.Pending:
		x += f.Text(x, r.Y, left, "computing"+f.Glyphs().Ellipsis+" "+f.Waiting.Spin()+" ", theme.Warn)
		if done := f.Computing.Sides[im.Side]; done > 0 {
			f.Spans(x, r.Y, r.X+1+width-x, append(f.Waiting.Bar(20, done), draw.Span{Text: " " + strconv.Itoa(done) + " %", Role: theme.Warn})...)
		}
		return
	case im.Err != nil:
		f.Text(x, r.Y, left, "no result, see above", theme.Error)
		return
	}
	f.Spans(x, r.Y, left, ImpactSpans(f, im, left)...)
}

// minSince is the least width of the line, in cells, that also has what came since the start.
const minSince = 70

// sinceText says what a followed source has brought since the start, after it has grown, where
// half of the width and more is left for what it did just now; else "".
func sinceText(f *widget.Frame, im experiment.Impact, width int) string {
	since, ok := f.Exp.Since(f.Side)
	if slices.Equal(since.In, im.In) && slices.Equal(since.Out, im.Out) {
		return "" // the line has said it
	}
	if !ok || !since.Newest || im.Side != f.Side || im.Pending || width < minSince {
		return ""
	}
	in, out := plain.Thousands(len(since.In)), plain.Thousands(len(since.Out))
	text := "since the start " + plain.Thousands(since.Arrived) + " arrived, " + in + " came in, " + out + " went out"
	if now := f.Exp.Setup().Budget.MaxTokens; now != since.Budget {
		text += ", budget " + since.Budget.String() + " " + f.Glyphs().Arrow + " " + now.String()
	}
	for _, form := range [...]string{text, "since the start +" + in + " " + theme.Minus + out} {
		if 2*draw.Width(form) <= width {
			return form
		}
	}
	return ""
}

// unchanged draws the line while there is no change to show: which moment is shown, that
// everything fits, or the introduction.
func unchanged(f *widget.Frame, r draw.Rect, width int) {
	if at, moment := f.Exp.Moment(); moment {
		there := f.Exp.Items().Len()
		n, of := plain.Thousands(there), plain.Thousands(f.Exp.Whole().Len())
		long, short := fmt.Sprintf("What had come before request %d: %v of %v items.", at.Number, n, of), fmt.Sprintf("Before request %d: %v of %v items had come.", at.Number, n, of)
		if removed := at.Removed(); removed > 0 {
			short = fmt.Sprintf("Before request %d: %v, %v removed later", at.Number, plain.Count(there, "item"), plain.Thousands(removed))
			long = short + " by a compaction or rewind."
		}
		f.Spans(r.X+1, r.Y, width, draw.FirstThatFits(width,
			[]draw.Span{{Text: long + " Edits are of the whole conversation.", Role: theme.Dim}},
			[]draw.Span{{Text: short, Role: theme.Dim}})...)
		return
	}
	if allIn(f) {
		if !f.Tip {
			return
		}
		f.Spans(r.X+1, r.Y, width, draw.FirstThatFits(width,
			[]draw.Span{{Text: "Everything fits: { goes down to where the selected item drops out, [ to the first that does.", Role: theme.Dim}},
			[]draw.Span{{Text: "Everything fits: { goes to where this item drops out.", Role: theme.Dim}})...)
		return
	}
	if len(f.Intro) > 0 {
		f.Right(r.X, r.Y, r.W-1, f.IntroKeys, theme.Key)
		f.Text(r.X+1, r.Y, width, widget.FirstFitting(f.Intro, width-draw.Width(f.IntroKeys)-2, f.Glyphs()), theme.Focus)
	}
}

// onOther returns the words before what a change did to the other side alone, in width cells.
// If they do not end in a colon and a blank, there is no room for what it did.
func onOther(shown experiment.Side, width int) string {
	asBefore, on := shown.String()+" is as before", "on "+shown.Other().String()+": "
	switch {
	case width >= len(asBefore+"; "+on+nothingMoved):
		return asBefore + "; " + on
	case width >= len(on+nothingMoved):
		return on
	}
	return asBefore
}

const nothingMoved = "nothing came in or went out"

// ImpactSpans returns what a change does, in at most width cells if possible. If room is
// short, it drops first names of items, then the value, then what else changed. It never cuts a
// word.
func ImpactSpans(f *widget.Frame, im experiment.Impact, width int) []draw.Span {
	sp := func(text string, role theme.Role) draw.Span { return draw.Span{Text: text, Role: role} }
	form := func(names int, value, more bool) []draw.Span {
		var s []draw.Span
		if im.Anew {
			s = append(s, sp(plain.Count(len(im.In), "item")+" in", theme.Gain), sp(widget.InParentheses(im.In, names), theme.Plain),
				sp("  "+f.Sum(im.Tokens)+" tok", theme.Plain))
			if value {
				s = append(s, sp("  value "+f.About()+widget.ExactScore(im.Value), theme.Plain))
			}
		} else if !im.Moves() {
			s = append(s, sp(nothingMoved, theme.Dim))
			if value && (im.Value != 0 || im.Rescored) {
				s = append(s, sp(valueText(f, im), theme.Plain))
			}
		} else {
			if len(im.In) > 0 {
				s = append(s, sp(counted("+", im.In, " in", names)+"  ", theme.Gain))
			}
			if len(im.Out) > 0 {
				s = append(s, sp(counted(theme.Minus, im.Out, " out", names)+"  ", theme.Loss))
			}
			s = append(s, widget.ResizeSpans(im.Resized, "  ")...)
			s = append(s, sp(f.Change(im.Tokens)+" tok", theme.Plain))
			if value {
				s = append(s, sp(valueText(f, im), theme.Plain))
			}
		}
		if !more {
			return s
		}
		if im.Reordered {
			s = append(s, sp(", placed in another order", theme.Plain))
		}
		if im.Risk != im.RiskWas {
			s = append(s, sp("  "+plain.AtRisk+" "+strconv.Itoa(im.RiskWas)+" "+f.Glyphs().Arrow+" "+strconv.Itoa(im.Risk), theme.Risk))
		}
		if recall := recallText(f, im); recall != "" {
			s = append(s, sp(recall, theme.Needed))
		}
		if im.Moved > 0 && !(value && im.Rescored) {
			s = append(s, sp("  "+plain.Count(im.Moved, "score")+" moved", theme.Plain))
		}
		return s
	}
	if im.Shared {
		all, out := []draw.Span{sp("all kinds limited, ", theme.Warn)}, sp(theme.Minus+strconv.Itoa(len(im.Out))+" out", theme.Loss)
		return draw.FirstThatFits(width, append(all, form(18, true, false)...), append(all, form(0, true, false)...), append(all, form(0, false, false)...),
			append(all, out), []draw.Span{sp("all limited, ", theme.Warn), out})
	}
	return draw.FirstThatFits(width,
		form(40, true, true), form(18, true, true), form(8, true, true), form(8, false, true), form(0, true, true), form(0, false, true), form(0, false, false))
}

// counted returns the items that came in or went out: by name, as in "+ #32 #40", where
// they take at most room cells, else how many they are and the first of them.
func counted(sign string, list []int32, word string, room int) string {
	names := widget.Indexes(list, room)
	if room > 0 && names != "" && !strings.Contains(names, "more") {
		return sign + " " + names
	}
	return sign + strconv.Itoa(len(list)) + word + widget.InParentheses(list, room)
}

// valueText returns by how much a change altered the value, or why no difference is shown.
func valueText(f *widget.Frame, im experiment.Impact) string {
	switch {
	case im.Moved > 0 && !im.Moves():
		return "  " + plain.Count(im.Moved, "score") + " moved"
	case im.Moved > 0:
		return "  " + f.About() + byNewScores(im.Value, im.Others)
	case im.Rescored:
		return "  other scores: compare tokens only"
	}
	return "  " + f.About() + widget.SignedValue(im.Value) + " value"
}

// byNewScores writes a difference of values where scores moved; see simulate.Gain.
func byNewScores(value float64, others bool) string {
	of := ""
	if others {
		of = " of others"
	}
	return widget.SignedValue(value) + " value" + of + " by new scores"
}

// recallText returns how a change altered the recall; "" if it did not.
func recallText(f *widget.Frame, im experiment.Impact) string {
	if !im.Recall.Set || im.Recall == im.RecallWas {
		return ""
	}
	now := "  recall "
	if im.RecallWas.Set {
		now += plain.Percent(im.RecallWas.Value) + " " + f.Glyphs().Arrow + " "
	}
	return now + plain.Percent(im.Recall.Value)
}

// NoticeLines breaks a notice into at most most lines, for Notice to draw. The first line
// leaves room for the hint. Text that does not fit is replaced by an ellipsis after a
// whole word.
func NoticeLines(g *theme.Glyphs, text string, width, most int, hint string) []string {
	text = strings.TrimSpace(plain.Line(text, 600))
	var lines []string
	for text != "" && len(lines) < most {
		room := width - 2
		if len(lines) == 0 && hint != "" {
			room -= draw.Width(hint) + 2
		}
		line := draw.Paragraph(max(1, room), draw.Span{Text: text})[0][0].Text
		if len(lines) == most-1 {
			line = draw.FitWords(text, max(1, room), g)
		}
		lines = append(lines, line)
		text = strings.TrimLeft(strings.TrimPrefix(text, line), " ")
	}
	return lines
}

// Notice draws the lines of advice, warning or error.
func Notice(f *widget.Frame, r draw.Rect, lines []string, role theme.Role, hint string) {
	for y, line := range lines {
		f.Text(r.X+1, r.Y+y, r.W-2, line, role)
	}
	if hint != "" {
		f.Right(r.X, r.Y, r.W, " "+hint+" ", theme.Dim)
	}
}

// allIn reports whether no item is out, or cut, because it does not fit.
func allIn(f *widget.Frame) bool {
	if f.Out == nil || f.Out.Report == nil || f.Old || f.NoResult || len(f.Out.Report.Included) == 0 {
		return false
	}
	if cut, noted := f.Out.Report.CountShrunk(); cut+noted > 0 {
		return false
	}
	return !slices.ContainsFunc(f.Out.Report.Excluded, func(i int32) bool { return !f.Out.Report.Codes[i].NeverIn() })
}
