// Package pane has the parts of the screen around a view: header, budget bar, knobs, next
// changes, detail of an item, hints and messages. WhatIf and Ways also find in the background
// what the detail says of an item.
package pane

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Header draws the first line, which is the answer: how many items are in, how many of
// them are at risk, what they are worth, and under which policy. What does not fit is
// shortened or left out, the least important first.
func Header(f *widget.Frame, r draw.Rect) {
	const help = "? help "
	width := r.W - draw.Width(help) - 1
	side := f.Exp.Setup().Policy[f.Side]
	var forms []string
	for _, name := range append(widget.PolicyNames(f.Side, side), f.Side.String()) {
		forms = append(forms, "   "+name)
	}
	left := append(nameParts(f, width), answerParts(f)...)
	left = append(left, momentParts(f)...)
	line := shorten(width-2, append(left, headerPart{role: widget.SideRole(f.Side), forms: append(forms, ""), order: 4}))
	name := line[len(line)-1]
	f.Spans(r.X+1, r.Y, width-1, line[:len(line)-1]...)
	f.Right(r.X, r.Y, r.W, help, theme.Key)
	f.Right(r.X, r.Y, width-2, strings.TrimSpace(name.Text), name.Role)
}

// headerPart is a part of the first line, with its gap before it.
type headerPart struct {
	role  theme.Role
	forms []string // the longest first; an empty one leaves it out
	order int      // parts with a lower order are shortened first; each step adds two to it
}

// shorten takes shorter forms, part by part, until all fit into width cells.
func shorten(width int, parts []headerPart) []draw.Span {
	at := make([]int, len(parts))
	for {
		used, next := 0, -1
		for i, p := range parts {
			used += draw.Width(p.forms[at[i]])
			if at[i] < len(p.forms)-1 && (next < 0 || p.order+2*at[i] < parts[next].order+2*at[next]) {
				next = i
			}
		}
		if used <= width || next < 0 {
			break
		}
		at[next]++
	}
	spans := make([]draw.Span, len(parts))
	for i, p := range parts {
		spans[i] = draw.Span{Text: p.forms[at[i]], Role: p.role}
	}
	return spans
}

// nameParts returns the name of what is loaded, a mark where it has unsaved changes, and
// the view where no tab shows it.
func nameParts(f *widget.Frame, width int) []headerPart {
	name := f.Source
	if base := name[strings.LastIndexByte(name, '/')+1:]; base != "" { // the load report has the path
		name = base
	}
	third := plain.Tail(name, max(11, width/3-1)) // the end of a path says most
	if draw.Width(name) > width/2 {
		name = third
	}
	parts := []headerPart{{role: theme.Strong, forms: []string{name, third, plain.Tail(name, 11)}, order: 5}}
	if f.Unsaved {
		parts = append(parts, headerPart{role: theme.Warn, forms: []string{" " + f.Glyphs().Unsaved}})
	}
	if f.View != "" {
		parts = append(parts, headerPart{role: theme.Focus, forms: []string{"  " + f.View}})
	}
	return parts
}

// fitsText says that all items fit, and how many are out all the same: duplicates, or items of
// any sort that take no part.
func fitsText(rep *model.Report) string {
	out, duplicates := len(rep.Excluded), 0
	for _, i := range rep.Excluded {
		if rep.Codes[i] == model.Deduplicated {
			duplicates++
		}
	}
	switch {
	case out == 0:
		return "everything fits"
	case out == duplicates:
		return "all fits but " + plain.Count(out, "duplicate")
	}
	return "all fits, " + plain.Thousands(out) + " left out"
}

// answerParts returns what is in and what it is worth, or why nothing is.
func answerParts(f *widget.Frame) []headerPart {
	var parts []headerPart
	estimated := f.Exp.Items().Estimates() > 0
	add := func(role theme.Role, order int, forms ...string) {
		parts = append(parts, headerPart{role, append(forms, ""), order})
	}
	state, err := f.Exp.State(f.Side)
	if state == experiment.Pending {
		parts = append(parts, headerPart{role: theme.Warn, forms: []string{"  " + f.ComputingText(f.Side)}})
	}
	if f.NoResult && state == experiment.Failed {
		parts = append(parts, headerPart{role: theme.Error, order: 5, forms: noResultForms(err)})
	}
	if f.Out != nil && f.Out.Report != nil && !f.NoResult {
		g, rep := f.Glyphs(), f.Out.Report
		in := plain.Thousands(len(rep.Included)) + " of " + plain.Thousands(f.Exp.Items().Len()) + " in"
		cut, noted := rep.CountShrunk()
		order := 9
		if cut+noted > 0 {
			order = 7 // only the header says how many are cut; the list shows how many items there are
		}
		add(theme.In, order, "  "+string(g.In)+" "+in, "  "+string(g.In)+" "+plain.Thousands(len(rep.Included))+" in")
		if cut+noted > 0 {
			add(theme.In, 2, cutForms(g, cut, noted)...)
		}
		if n := len(f.Out.Lost); n > 0 {
			add(theme.Risk, 6, "   "+string(g.Risk)+" "+plain.Thousands(n)+" "+plain.AtRisk, " "+string(g.Risk)+" "+plain.Thousands(n))
		}
		if needed := neededText(f.Out); needed != "" {
			add(theme.Needed, 11, "   "+needed)
		}
		value, forms := "value "+f.About()+widget.Value(rep.Value), f.BelowBestForms(f.Out, rep.Value, slicer.Target(rep.Effective.Target))
		below := forms[len(forms)-1]
		if len(f.Out.Policy.Quotas) == 0 {
			forms = forms[len(forms)-1:] // how far its computing is says Compare
		}
		switch {
		case allIn(f):
			all := "   " + fitsText(rep)
			fits := []string{all + ": " + f.About() + rep.Kept.Short() + " of " + rep.Budget.MaxTokens().Short(), all, "   all fits"}
			if estimated && !f.Counting {
				by := fits[0] + ", " + model.Estimated.String()
				fits = append([]string{by + " by " + widget.Program, by}, fits[1:]...)
			}
			add(theme.Plain, 3, fits...)
		case below != "":
			var worth []string
			for _, form := range forms {
				worth = append(worth, "   "+value+", "+form)
			}
			add(theme.Plain, 3, append(worth, "   "+below)...)
		default:
			add(theme.Plain, 3, "   "+value)
		}
		if f.First && !allIn(f) {
			add(theme.Dim, 0, " (value: sum of scores)")
		}
		if n := len(f.Out.Split); n > 0 {
			add(theme.Warn, 2, "   "+plain.Count(n, "split pair"))
		}
	}
	// While tokens are counted all numbers move by themselves, so this is dropped last.
	if items := f.Exp.Items(); f.Counting {
		about := f.Glyphs().About
		parts = append(parts, headerPart{role: theme.Warn, order: 10, forms: []string{
			fmt.Sprintf("   %s%s tok, %s counting %d %%", about, items.Total().Short(), f.Waiting.Spin(), f.Counted),
			fmt.Sprintf("  %s counting %d %%", about, f.Counted)}})
	} else if e := items.Estimates(); estimated && (f.NoResult || !allIn(f)) {
		about, word := "   "+f.Glyphs().About, " "+model.Estimated.String()
		add(theme.Warn, 1, about+plain.Count(e, "count")+word+" by "+widget.Program, about+plain.Thousands(e)+word)
	}
	return parts
}

// noResultForms returns why there is no result, the longest form first.
func noResultForms(err error) []string {
	const short = "  no result"
	var pinned *model.PinnedError
	var over *model.OverflowError
	switch {
	case errors.As(err, &pinned):
		return []string{short + ": pinned items need " + pinned.Pinned.String() + ", the budget leaves " + pinned.Available.String(), short}
	case errors.As(err, &over):
		return []string{short + ": what must be in takes " + over.Merged.String() + ", the target is " + over.Target.String(), short}
	}
	return []string{short}
}

// pinnedParts returns the parts of a budget that does not hold the pinned items; nil where
// something else is why there is no result.
func pinnedParts(f *widget.Frame) []draw.Part {
	_, err := f.Exp.State(f.Side)
	var over *model.PinnedError
	if !errors.As(err, &over) {
		return nil
	}
	g, budget := f.Glyphs(), f.Exp.Setup().Budget
	left := taker(budget.MaxTokens)
	there, _ := left.take(over.Available)
	return append([]draw.Part{
		{Label: "pinned", Short: "pin", Tokens: there, Glyph: g.BarPinned, Swatch: g.Swatch, Role: theme.BarPinned, Counted: true,
			Text: over.Pinned.String() + " (" + (over.Pinned - there).String() + " too many)"},
	}, reserveParts(g, budget, &left)...)
}

// taker divides a budget among its parts; it is what is left of it.
type taker model.Tokens

// take returns how many of t tokens there are, and a text that says so if there are fewer.
func (left *taker) take(t model.Tokens) (there model.Tokens, text string) {
	t = max(0, t)
	there = min(t, model.Tokens(*left))
	*left -= taker(there)
	if there < t {
		text = there.String() + " of " + t.String()
	}
	return there, text
}

// reserveParts returns the parts of the fields that reduce maxTokens alone: the output reserve, as
// the last, and its like.
func reserveParts(g *theme.Glyphs, b model.BudgetFields, left *taker) (parts []draw.Part) {
	for _, d := range b.Deductions(0) {
		if !d.OnlyMax {
			continue
		}
		field, _ := model.FieldOfBudget(d.Field)
		there, text := left.take(d.Tokens)
		parts = append(parts, draw.Part{Label: field.Short, Short: field.Short, Tokens: there, Glyph: g.BarOutput, Swatch: g.KeptSwatch, Role: theme.BarOutput, Text: text, KeptBack: true})
	}
	slices.Reverse(parts)
	return parts
}

// cutForms returns how many of the items that are in are cut, and how many are out with a
// note, as forms of a part of the header: ", 6 of them cut, 17 notes", the shorter ones without
// the notes if any is cut.
func cutForms(g *theme.Glyphs, cut, noted int) []string {
	notes := ", " + plain.Count(noted, "note")
	if cut == 0 {
		return []string{notes, " " + string(g.Note) + " " + plain.Thousands(noted)}
	}
	if noted == 0 {
		notes = ""
	}
	n := plain.Thousands(cut)
	return []string{", " + n + " of them cut" + notes, ", " + n + " cut" + notes, ", " + n + " cut", " " + string(g.Cut) + " " + n}
}

// momentParts returns which moment of a conversation is shown, and that a source is followed.
func momentParts(f *widget.Frame) []headerPart {
	var parts []headerPart
	if at, ok := f.Exp.Moment(); ok {
		text := fmt.Sprintf("request %d of %d", at.Number, at.Of)
		parts = append(parts, headerPart{theme.Warn, []string{"   at " + text + "; esc: back to the end", "  " + text + ", esc ends", ""}, 12})
	}
	if f.Following != "" {
		parts = append(parts, headerPart{theme.In, []string{"   " + f.Following}, 8})
	}
	return parts
}

// neededText returns how much of what is needed is in: "needed 5 of 7 in (71 %)"; "" if
// nothing is labelled.
func neededText(o *experiment.Outcome) string {
	if o.Judge == nil {
		return ""
	}
	var parts []string
	q := o.Quality
	if q.Recall.Set {
		share := plain.Percent(q.Recall.Value)
		if o.Items.HasSizes() {
			share += ", whole " + plain.Percent(q.WholeRecall.Value)
		}
		parts = append(parts, fmt.Sprintf("needed %s of %s in (%s)", plain.Thousands(q.In), plain.Thousands(q.Needed), share))
	}
	switch {
	case !q.Answered.Set:
	case q.Answered.Value:
		parts = append(parts, "answered")
	default:
		parts = append(parts, "not answered")
	}
	return strings.Join(parts, "   ")
}

// Parts returns the parts of a report's budget, which add up to maxTokens. What is in
// comes before what is kept free: count quotas may commit more than the room, and then
// less is kept free than asked for. The text of a part says so.
func Parts(g *theme.Glyphs, rep *model.Report) []draw.Part {
	b, left := rep.Budget, taker(rep.Budget.MaxTokens())
	ofMax, ofBoth := b.Deducted()
	in := rep.Kept - rep.PinnedTokens
	pinned, _ := left.take(rep.PinnedTokens)
	selected, selectedText := left.take(in)
	if selected < in {
		selectedText = in.String() + ", " + (in - selected).String() + " too many"
	}
	reserves := reserveParts(g, b.Fields(), &left)
	above, _ := left.take(b.MaxTokens() - rep.PinnedTokens - ofMax - ofBoth - rep.Effective.Margin - rep.Effective.Target)
	held, heldText := left.take(ofBoth)
	safety, safetyText := left.take(rep.Effective.Margin)
	free, _ := left.take(rep.Effective.Target - in)
	more := ""
	if cut := cutTokens(rep); cut > 0 {
		more = ", " + cut.String() + " of it cut"
	}
	return append([]draw.Part{
		{Label: "pinned", Short: "pin", Tokens: pinned, Glyph: g.BarPinned, Swatch: g.Swatch, Role: theme.BarPinned, Counted: true},
		{Label: "selected", Short: "selected", Tokens: selected, Glyph: g.BarSelected, Swatch: g.Swatch, Role: theme.BarSelected, Text: selectedText, More: more, Counted: true},
		{Label: "free", Short: "free", Tokens: free, Glyph: g.BarFree, Role: theme.BarFree, Counted: true},
		{Label: heldLabel(b), Short: string(experiment.HeldBack), Tokens: held, Glyph: g.BarHeld, Swatch: g.KeptSwatch, Role: theme.BarHeld, Text: heldText, KeptBack: true},
		{Label: "safety", Short: "safety", Tokens: safety, Glyph: g.BarSafety, Swatch: g.KeptSwatch, Role: theme.BarSafety, Text: safetyText, Counted: true, KeptBack: true},
		{Label: "above target", Short: "above", Tokens: above, Glyph: g.BarAbove, Role: theme.BarAbove, KeptBack: true},
	}, reserves...)
}

// cutTokens returns the tokens of the items that are in cut, and of notes.
func cutTokens(rep *model.Report) (sum model.Tokens) {
	for i, size := range rep.Sizes {
		if size > 0 && rep.Codes[i] != model.Pinned {
			sum += rep.Taken(i)
		}
	}
	return sum
}

// text returns the number of a part, or the text that is shown in its place.
func text(p draw.Part, number func(model.Tokens) string) string {
	if p.Text != "" {
		return p.Text
	}
	return number(p.Tokens)
}

// heldLabel names what reduces maxTokens and targetTokens, if it is one thing: a field of the
// budget, or the kind of a slot.
func heldLabel(b model.Budget) string {
	var only model.Deduction
	n := 0
	for _, d := range b.Fields().Deductions(0) {
		if d.Tokens > 0 && !d.OnlyMax {
			only, n = d, n+1
		}
	}
	switch {
	case n != 1:
		return string(experiment.HeldBack)
	case only.Kind != "":
		return only.Label() + " for " + only.Kind.Noun()
	}
	return only.Label()
}

// Bar draws the budget bar, and the legend below it where legend has a row.
func Bar(f *widget.Frame, bar, legend draw.Rect) {
	if f.Out == nil || f.Out.Report == nil {
		return
	}
	var parts []draw.Part
	if f.NoResult { // nothing is in, and what was in before is not true now
		if parts = pinnedParts(f); parts == nil {
			return // the line above says that there is no result
		}
	} else {
		parts = Parts(f.Glyphs(), f.Out.Report)
	}
	inner := draw.Rect{X: bar.X + 1, Y: bar.Y, W: bar.W - 2, H: 1}
	f.Canvas.Bar(inner, parts)
	if !legend.Empty() {
		drawLegend(f, legend, parts)
	}
	if f.Old && !f.NoResult {
		f.Mark(inner, theme.Old)
		f.Mark(legend, theme.Old)
	}
}

// drawLegend names the parts of the bar, and the budget that they add up to. Where room is
// short, the parts that are kept back become one number, and are left out before the tokens of
// cut items are.
func drawLegend(f *widget.Frame, r draw.Rect, parts []draw.Part) {
	width := r.W - 2
	budget := "budget " + f.Out.Report.Budget.MaxTokens().String()
	if f.NoResult {
		budget = "budget " + f.Exp.Setup().Budget.MaxTokens.String()
	}
	build := func(parts []draw.Part, label func(draw.Part) string, number func(model.Tokens) string, more bool, together string) []draw.Span { // together names what is kept back, as one part
		var s []draw.Span
		var back model.Tokens
		var swatches []draw.Span // of what is kept back
		add := func(label, number string, swatches ...draw.Span) {
			if len(s) > 0 {
				s = append(s, draw.Span{Text: "  "})
			}
			s = append(append(s, swatches...), draw.Span{Text: " " + label + " ", Role: theme.Dim}, draw.Span{Text: number, Role: theme.Plain})
		}
		for _, p := range parts {
			swatch := draw.Span{Text: string(p.LegendGlyph()), Role: p.Role}
			if p.KeptBack && p.Tokens > 0 {
				back += p.Tokens
				swatches = append(swatches, swatch)
			}
			if p.Tokens == 0 && p.Text == "" || p.KeptBack && together != "" {
				continue
			}
			about := ""
			if p.Counted {
				about = f.About()
			}
			says := about + text(p, number)
			if more {
				says += p.More
			}
			add(label(p), says, swatch)
		}
		if together != "" && back > 0 {
			add(together, number(back), swatches...)
		}
		return s
	}
	long := func(p draw.Part) string { return p.Label }
	short := func(p draw.Part) string { return p.Short }
	held := func(p draw.Part) string { // the longest label alone is shortened
		if p.KeptBack {
			return p.Short
		}
		return p.Label
	}
	in := slices.DeleteFunc(slices.Clone(parts), func(p draw.Part) bool { return p.KeptBack })
	room := width - draw.Width(budget) - 2
	forms := [][]draw.Span{
		build(parts, long, model.Tokens.String, true, ""), build(parts, held, model.Tokens.String, true, ""), build(parts, short, model.Tokens.String, true, ""),
		build(parts, long, model.Tokens.String, true, "kept back"), build(parts, short, model.Tokens.String, true, "kept back"), build(parts, short, model.Tokens.Short, true, "kept back"), build(parts, short, model.Tokens.Short, true, "kept"),
	}
	if slices.ContainsFunc(parts, func(p draw.Part) bool { return p.More != "" }) { // the knobs also show what is kept back
		forms = append(forms, build(in, short, model.Tokens.Short, true, ""))
	}
	forms = append(forms, build(parts, short, model.Tokens.String, false, ""),
		build(parts, short, model.Tokens.String, false, "kept back"), build(parts, short, model.Tokens.Short, false, "kept back"))
	f.Spans(r.X+1, r.Y, room, draw.FirstThatFits(room, forms...)...)
	f.Right(r.X, r.Y, r.W-1, budget, theme.Strong)
}

// PartHit returns the part of the budget bar in a column, or false if there is none.
func PartHit(f *widget.Frame, bar draw.Rect, x int) (draw.Part, bool) {
	if f.Out == nil || f.Out.Report == nil || f.NoResult {
		return draw.Part{}, false
	}
	parts := Parts(f.Glyphs(), f.Out.Report)
	left := bar.X + 1
	for i, n := range draw.Cells(parts, bar.W-2) {
		if x >= left && x < left+n {
			return parts[i], true
		}
		left += n
	}
	return draw.Part{}, false
}
