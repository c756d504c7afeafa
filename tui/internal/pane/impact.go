package pane

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Impact draws the line that says what the newest change did: the effect, if it is not
// nil, in place of what came in and went out.
func Impact(f *widget.Frame, r draw.Rect, effect func(f *widget.Frame, width int) []draw.Span) {
	width := r.W - 2
	im, ok := f.Exp.Impact()
	if !ok {
		unchanged(f, r, width)
		return
	}
	if im.Silent() {
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
	needed := draw.Width(im.Label+": "+recallText(f, im)) + draw.SpansWidth(least)
	if least == nil {
		needed += len(onOther(f.Side, 0))
	}
	if undo != "" && (width > 60 || least != nil && !im.Shared && needed+len(undo)+1 <= width) {
		f.Right(r.X, r.Y, r.W, undo, theme.Dim)
		width -= len(undo) + 1
	}
	if since := sinceText(f, im, width, width-needed-2); since != "" {
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
	none, same := im.Err != nil && im.Side == f.Side, im.Err == nil && !im.Pending && !im.Moves()
	if none || effect == nil && same && draw.Width(label+on+widget.NothingMoves) > width {
		f.Text(x, r.Y, width, label, theme.Strong) // it says enough: the notice says why there is no result
		return
	}
	if room := width - draw.Width(name+": ") - draw.SpansWidth(least); draw.Width(label) > room { // what the change did says more than the rest of a long label
		if head, _, long := strings.Cut(label, ", "); long {
			label = head
		}
		label = plain.Line(label, max(room, minLabel))
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
		f.Text(x, r.Y, left, "no result", theme.Error)
		return
	}
	f.Spans(x, r.Y, left, ImpactSpans(f, im, left)...)
}

// minLabel is the least width of a label, in cells, that is cut for what the change did.
const minLabel = 16

// minSince is the least width of the line, in cells, that also has what came since the start.
const minSince = 70

// sinceText returns what arrived from a followed source since the start, how much of that is in, and how many older items fell
// out, after it has grown, where it fits beside what it did just now and that has half of the width; else "".
func sinceText(f *widget.Frame, im experiment.Impact, width, beside int) string {
	since, ok := f.Exp.Since(f.Side)
	said := slices.Equal(since.In, im.In) && slices.Equal(since.Out, im.Out)
	if said || !ok || !since.Newest || im.Side != f.Side || im.Pending || width < minSince {
		return ""
	}
	arrived, in, out := plain.Thousands(since.Arrived)+" arrived, ", plain.Thousands(since.Stayed), plain.Thousands(since.Older)+" older "
	text := "since the start " + arrived + in + " of them in; " + out + "fell out"
	if now := f.Exp.Setup().Budget.MaxTokens; now != since.Budget {
		text += ", budget " + since.Budget.String() + " " + f.Glyphs().Arrow + " " + now.String()
	}
	return widget.Fitting(min(width/2, beside), text, "in all "+arrived+in+" in; "+out+"out", "")
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
		f.Text(r.X+1, r.Y, width, widget.Fitting(width, long+" Edits are of the whole conversation.", short), theme.Dim)
		return
	}
	if allIn(f) {
		if !f.Tip {
			return
		}
		f.Text(r.X+1, r.Y, width, widget.Fitting(width, "Everything fits: { goes down to where the selected item drops out, [ to the first that does.",
			"Everything fits: { goes to where this item drops out."), theme.Dim)
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
	case width >= len(asBefore+"; "+on)+minEffect:
		return asBefore + "; " + on
	case width >= len(on)+minEffect:
		return on
	}
	return asBefore
}

// minEffect is the least width of what a change did to the other side, in cells.
const minEffect = 27

// ImpactSpans returns what a change does, in at most width cells if possible. If room is
// short, it drops first names of items, then the value, then what else changed; after a pin or an exclusion
// what it costs the others comes before all of these. It never cuts a word.
func ImpactSpans(f *widget.Frame, im experiment.Impact, width int) []draw.Span {
	sp := func(text string, role theme.Role) draw.Span { return draw.Span{Text: text, Role: role} }
	long, short := valueText(f, im)
	moves := func(names int) []draw.Span {
		s := append(widget.Moved(im.In, im.Out, names, "  "), widget.ResizeSpans(im.Resized, "  ")...)
		if text := sameText(im.Doubles); text != "" {
			s = append(s, sp(text+"  ", theme.Warn))
		}
		return s
	}
	form := func(names int, value string, more bool) []draw.Span {
		var s []draw.Span
		if im.Anew {
			s = append(s, sp(plain.Count(len(im.In), "item")+" in", theme.Gain), sp(widget.InParentheses(im.In, names), theme.Plain),
				sp("  "+f.Sum(im.Tokens)+" tok"+value, theme.Plain))
		} else if !im.Moves() {
			nothing := widget.NothingMoves
			if im.Pins {
				nothing = widget.NoOtherMoves
			}
			s = append(s, sp(nothing, theme.Dim), sp(value, theme.Plain))
		} else {
			s = append(moves(names), sp(f.Change(im.Tokens)+" tok"+value, theme.Plain))
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
		return s
	}
	if im.Shared {
		every, all := sp(", every kind is capped at its share", theme.Warn), sp("all are capped", theme.Warn)
		return draw.FirstThatFits(width, append(form(18, long, true), every), append(form(18, long, false), every), append(form(0, long, false), every), append(form(0, "", false), every),
			append(form(0, "", false), sp(", "+all.Text, all.Role)), append(widget.Moved(im.In, im.Out, 0, ", "), all), append(widget.Moved(nil, im.Out, 0, ", "), all))
	}
	shorter := [][]draw.Span{form(8, short, true), form(8, "", true), form(0, long, true), form(0, short, true), form(0, "", true)}
	if im.Others {
		shorter = [][]draw.Span{form(18, long, false), form(18, short, true), form(18, short, false), form(0, short, false)}
		if im.Moves() {
			shorter = append(shorter, append(moves(0), sp(strings.TrimSpace(short), theme.Plain)))
		}
	}
	return draw.FirstThatFits(width, slices.Concat([][]draw.Span{form(40, long, true), form(18, long, true), form(8, long, true)}, shorter, [][]draw.Span{form(0, "", false)})...)
}

// valueText returns by how much a change altered the value, or why no difference is shown, at length
// and in short. After a pin or an exclusion it is the value of the header, before and now.
func valueText(f *widget.Frame, im experiment.Impact) (long, short string) {
	moved := plain.Count(im.Moved, "item") + " rescored"
	gain := "  " + f.About() + widget.SignedValue(im.Value) + " value"
	switch {
	case im.Anew:
		long = "  value " + f.About() + widget.Value(im.Value)
	case im.Others && (im.Moves() || widget.Value(im.Values[0]) != widget.Value(im.Values[1])):
		short = "  " + valuesText(f, im.Values)
		switch parts := partsText(f, im.Values, im.Rescore, im.Pins && !im.Moves()); {
		case parts != "":
			return short + parts, "  " + rescored(f, im.Values[1])
		case im.Pins && im.Moves():
			return short + ", " + plain.Pinned + " items not counted", short
		case im.Pins:
			return short + ", as " + plain.Pinned + " items are not counted", short
		}
		return short, short
	case im.Others:
	case im.Moved > 0 && im.Moves():
		return "  " + widget.ByNewScores(f.About(), im.Values[1], im.Value, f.Glyphs()), "  " + f.About() + widget.SignedValue(im.Value) + " rescored"
	case im.Moved > 0:
		short = "  " + moved
		if widget.Value(im.Values[0]) == widget.Value(im.Values[1]) {
			return short, short
		}
		return short + ": value " + f.About() + widget.Value(im.Values[0]) + " by the old scores, " + f.About() + widget.Value(im.Values[1]) + " by the new", short
	case im.Rescored:
		long = "  other scores: compare tokens only"
	case im.Moves() || im.Value != 0:
		long = gain
	}
	return long, long
}

// rescored returns a value that is not compared with one before, as it is of other scores.
func rescored(f *widget.Frame, v float64) string {
	return "rescored: value " + f.About() + widget.Value(v)
}

// partsText returns how much of a difference of values comes of the items that count in one result
// alone, and how much of other scores of the rest; "" if none does. Pins says that a pin made these
// items count or not.
func partsText(f *widget.Frame, v [2]float64, r experiment.Rescore, pins bool) string {
	shown := func(v float64) float64 { return math.Round(100*v) / 100 }
	if shown(r.By) == 0 {
		return ""
	}
	rest, text := shown(v[1]-v[0]-r.By), ": "
	by := shown(v[1]) - shown(v[0]) - rest // so that the parts add up
	if len(r.Items) > 0 {
		text += f.About() + widget.SignedValue(rest) + " " + cmp.Or(widget.Indexes(r.Items, 12), "of "+plain.Count(len(r.Items), "item"))
		switch {
		case pins && rest < 0:
			text += ", not counted"
		case pins:
			text += ", counted now"
		}
		text += ", "
	}
	return text + f.About() + widget.SignedValue(by) + " the others rescored"
}

// sameText returns which items are in beside a pinned one of the same text; "" if none is.
func sameText(doubles []int32) string {
	if len(doubles) == 0 {
		return ""
	}
	return widget.Indexes(doubles, 12) + widget.Verb(len(doubles), " has", " have") + " the same text"
}

// valuesText returns the values of two results.
func valuesText(f *widget.Frame, v [2]float64) string {
	return "value " + f.About() + widget.Value(v[0]) + " " + f.Glyphs().Arrow + " " + f.About() + widget.Value(v[1])
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

// allIn reports whether no item is out, or cut, because it does not fit.
func allIn(f *widget.Frame) bool {
	if f.Out == nil || f.Old || f.NoResult || len(f.Out.Report.Included) == 0 {
		return false
	}
	if cut, noted := f.Out.Report.CountShrunk(); cut+noted > 0 {
		return false
	}
	return !slices.ContainsFunc(f.Out.Report.Excluded, func(i int32) bool { return !f.Out.Report.Codes[i].NeverIn() })
}
