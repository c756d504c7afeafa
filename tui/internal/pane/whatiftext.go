package pane

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// verbosity says how items are named in a text.
type verbosity int

const (
	numbersOnly verbosity = iota // "#39 #57"
	WithNames                    // "#39 doc store.go (512 tok), ..."
)

// WhatIfParts returns the texts about how the result would change if an item were treated
// differently: each part says one thing, the most important first. Ways are named where they
// are not nil.
func WhatIfParts(f *widget.Frame, q *WhatIf, ways *Ways, item int, v verbosity) [][]draw.Span {
	w := whatIfText{Frame: f, verbosity: v}
	if q.of(f.Out, item) {
		w.If = q
	}
	if w.If != nil && len(w.If.items) > 1 {
		return w.chosen()
	}
	rep := f.Out.Report
	var parts [][]draw.Span
	add := func(part ...draw.Span) {
		if len(part) > 0 {
			parts = append(parts, part)
		}
	}
	switch code := rep.Codes[item]; {
	case code == model.NegativeTokens:
		return nil
	case code == model.Pinned:
		return w.answers(pinning, dropping)
	case code == model.Filtered:
		add(w.answer(dropping)...)
	case rep.In(item):
		return w.answers(dropping, pinning)
	default:
		add(w.displaced(item)...)
		add(w.answer(pinning)...)
		add(w.single()...)
		add(ways.brief(f, item)...)
	}
	return parts
}

// whatIfText writes the parts of the text.
type whatIfText struct {
	*widget.Frame
	verbosity
	If *WhatIf // nil: nothing is known beyond the profile
}

// chosen returns the parts about several items together.
func (w whatIfText) chosen() [][]draw.Span {
	items := w.If.items
	var tokens model.Tokens
	list := make([]int32, len(items))
	in, repeats := 0, 0 // a duplicate counts as in where the item that it repeats is in
	for k, i := range items {
		tokens += w.Exp.Items().Tokens(i)
		list[k] = int32(i)
		switch {
		case w.Out.Report.In(i):
			in++
		case w.Out.Report.In(w.Out.Report.Survivor(i)):
			in, repeats = in+1, repeats+1
		}
	}
	text := plain.Thousands(in) + " in"
	if repeats > 0 {
		text += " (" + plain.Count(repeats, export.CodeWord(model.Deduplicated)) + ")"
	}
	head := draw.Span{Text: plain.Count(len(items), "item") + " chosen (" + widget.Indexes(list, 24) + "), " + text + ", " + w.Sum(tokens) + " tok" + w.nearest(), Role: theme.Strong}
	return append([][]draw.Span{{head}}, w.answers(pinning, dropping)...)
}

// answers says of both cases what else comes in and goes out, once where that is the same.
func (w whatIfText) answers(first, second int) [][]draw.Span {
	if w.If == nil {
		return nil
	}
	a, b := w.answer(first), w.answer(second)
	if slices.Equal(a[1:], b[1:]) {
		a[0].Text = strings.TrimSuffix(a[0].Text, ": ") + ", " + b[0].Text
		return [][]draw.Span{a}
	}
	return [][]draw.Span{a, b}
}

// nearest says of the chosen items, where all are in, which is out at the nearest smaller budget, if that is
// no further than the slack; else "".
func (w whatIfText) nearest() string {
	report := w.Out.Report
	now, most, first := report.Budget.MaxTokens(), model.Tokens(0), -1
	for _, i := range w.If.items {
		if !report.In(report.Survivor(i)) {
			return ""
		}
		if below, ok := w.Out.Profile.PrevFor(report.Survivor(i), now); ok && below > most {
			most, first = below, i
		}
	}
	if first < 0 || now-most > w.Exp.Setup().Slack {
		return ""
	}
	return ", #" + strconv.Itoa(first) + " is out with " + apart(w.Frame, now, most, true)
}

// displaced returns when, and for what, an item went out on the way up to the budget.
func (w whatIfText) displaced(item int) []draw.Span {
	lost, ok := w.Out.Profile.Displaced(item, w.Out.Report.Budget.MaxTokens())
	if !ok {
		return nil
	}
	if len(lost.In) == 0 {
		return []draw.Span{widget.Plain("lost at " + w.BudgetText(lost.At))}
	}
	return []draw.Span{widget.Plain("displaced by " + w.names(lost.In) + " at " + w.BudgetText(lost.At))}
}

// answer says of a case what else comes in and goes out.
func (w whatIfText) answer(which int) []draw.Span {
	if w.If == nil {
		return nil
	}
	set := w.Out.Items
	name := [...]string{"space pins ", "x excludes "}[which] // the key comes first: it is what to press
	switch {
	case which == pinning && w.If.all(set.Pinned):
		name = "space releases "
	case which == dropping && w.If.all(set.Excluded):
		name = "x restores "
	}
	head := widget.Plain(name + widget.Verb(len(w.If.items), "it: ", "them: "))
	if w.If.late {
		return []draw.Span{head, {Text: "enter computes", Role: theme.Dim}}
	}
	if w.If.answers == nil {
		return []draw.Span{head, {Text: w.Glyphs().Ellipsis, Role: theme.Dim}}
	}
	a := w.If.answers[which]
	if a.err != nil {
		text := append(noResult(a.err), "no result")[0]
		if w.verbosity == WithNames {
			text = "no result, " + plain.Line(a.err.Error(), 160)
		}
		return []draw.Span{head, {Text: text, Role: theme.Error}}
	}
	spans := []draw.Span{head}
	if verdict := w.fate(which, a.effect); verdict != "" {
		spans = append(spans, widget.Plain(verdict))
	}
	in, out := w.If.others(which)
	comma := func() {
		if len(spans) > 1 {
			spans = append(spans, widget.Plain(", "))
		}
	}
	moves := widget.Moved(in, out, 20, "")
	if w.verbosity == WithNames {
		moves = nil
		if len(in) > 0 {
			moves = append(moves, draw.Span{Text: "+ " + w.names(in), Role: theme.Gain})
		}
		if len(out) > 0 {
			moves = append(moves, draw.Span{Text: theme.Minus + " " + w.names(out), Role: theme.Loss})
		}
	}
	for k, move := range moves {
		if k == 0 {
			comma()
		} else {
			spans = append(spans, widget.Plain(" "))
		}
		spans = append(spans, move)
	}
	resized := slices.DeleteFunc(experiment.Resized(w.Out.Report, a.effect.Report), func(r experiment.Resize) bool {
		return r.Note() || slices.Contains(w.If.items, int(r.Item))
	})
	for _, s := range widget.ResizeSpans(resized, "") {
		comma()
		spans = append(spans, s)
	}
	if len(in)+len(out)+len(resized) == 0 {
		comma()
		spans = append(spans, widget.Plain(widget.NoOtherMoves))
	}
	if text := sameText(experiment.Doubles(w.Out.Report, a.effect.Report)); text != "" {
		if w.verbosity == WithNames {
			text += ": a pin is no " + export.CodeWord(model.Deduplicated)
		}
		spans = append(spans, draw.Span{Text: ", " + text, Role: theme.Warn})
	}
	if w.verbosity == WithNames {
		spans = append(spans, draw.Span{Text: w.sums(which, a.effect, len(in)+len(out)+len(resized) > 0), Role: theme.Dim})
	}
	return spans
}

// fate returns what becomes of the items themselves; "" if that goes without saying.
func (w whatIfText) fate(which int, e simulate.Effect) string {
	items := w.If.items
	in := 0
	for _, i := range items {
		if e.Report.In(i) {
			in++
		}
	}
	switch {
	case which == pinning && !w.If.all(w.Out.Items.Pinned) && in == len(items), which == dropping && in == 0 && !w.If.all(w.Out.Items.Excluded):
		return ""
	case len(items) > 1:
		return plain.Thousands(in) + " of them in"
	case in == 1:
		return "in"
	}
	return "out"
}

// sums returns how a case changes the tokens, if no other item moves, and the value; what is 0 in the digits
// shown is not said. A pin that moves nothing takes an item out of the value, which says nothing about it.
func (w whatIfText) sums(which int, e simulate.Effect, othersMove bool) (text string) {
	if e.Tokens != 0 && !othersMove {
		text = "; " + w.Change(e.Tokens) + " tok"
	}
	values := [2]float64{w.Out.Report.Value, e.Report.Value}
	if (othersMove || which != pinning) && widget.Value(values[0]) != widget.Value(values[1]) {
		if partsText(w.Frame, values, experiment.RescoreOf(w.Out.Report, e.Report), false) != "" {
			return text + "; " + rescored(w.Frame, values[1])
		}
		text += "; " + valuesText(w.Frame, values)
	}
	return text
}

// single returns which single items keep this one out. Only those that are in are tried:
// under quotas, or a scorer that rates items against each other, dropping one that is out
// could let it in as well.
func (w whatIfText) single() []draw.Span {
	if w.If == nil || w.If.answers == nil {
		return nil
	}
	s := &w.If.search
	tried := "" // how far the answer reaches
	switch {
	case len(s.candidates) == 0, w.verbosity == numbersOnly && len(s.found) == 0: // the opened item says what does not help
		return nil
	case s.looked == 0:
		return []draw.Span{{Text: "would dropping one item bring it in?", Role: theme.Dim}}
	case !s.ended(w.If.patient):
		tried = w.Spin() + "tried " + plain.Thousands(s.looked) + " of " + plain.Thousands(len(s.candidates)) + w.Glyphs().Ellipsis
	case s.looked < len(s.candidates):
		tried = "of the first " + plain.Thousands(s.looked) + " of " + plain.Thousands(len(s.candidates)) + " that are in"
		if !w.If.patient {
			tried += "; enter tries all"
		}
	}
	var spans []draw.Span
	if len(s.found) == 0 {
		text := "dropping any one item does not bring it in"
		if s.looked < len(s.candidates) {
			text = "would dropping one item bring it in?"
		}
		spans = append(spans, widget.Plain(text))
	} else {
		spans = append(spans, widget.Plain("comes in without "+w.either(s.found)))
	}
	if tried != "" {
		spans = append(spans, draw.Span{Text: " (" + tried + ")", Role: theme.Dim})
	}
	return spans
}

// either names items of which one is enough, the item with the lowest score first and pinned items
// last: "#31 or #40", "one of #3 #5 #8".
func (w whatIfText) either(list []int32) string {
	switch len(list) {
	case 1:
		return w.names(list)
	case 2:
		return w.names(list[:1]) + " or " + w.names(list[1:])
	}
	return "one of " + widget.Indexes(list, 20)
}

// names returns the names of items; of many, the names of the first ones and how many more
// there are.
func (w whatIfText) names(list []int32) string {
	if w.verbosity == numbersOnly {
		return widget.Indexes(list, 20)
	}
	const maxNames = 5
	var all []string
	for k, i := range list {
		if k == maxNames && len(list) > maxNames+1 {
			all = append(all, "and "+plain.Thousands(len(list)-k)+" more")
			break
		}
		it := w.Exp.Items().Loaded(int(i))
		all = append(all, "#"+strconv.Itoa(int(i))+" "+widget.KindName(it.Kind)+" "+plain.Line(it.Headline(160), 28)+" ("+widget.ItemTokens(w.Exp.Items(), int(i))+")")
	}
	return strings.Join(all, ", ")
}

// noResult returns why there is or would be no result, at length and in short; nothing where that
// takes a sentence.
func noResult(err error) []string {
	if pinned, is := errors.AsType[*model.PinnedError](err); is {
		return []string{"no result: " + plain.Pinned + " items need " + pinned.Pinned.String() + ", the budget leaves " + pinned.Available.String(),
			"no result: " + plain.Pinned + " items need " + (pinned.Pinned - pinned.Available).String() + " more"}
	}
	if over, is := errors.AsType[*model.OverflowError](err); is {
		return []string{"no result: what must be in takes " + over.Merged.String() + ", the target is " + over.Target.String(),
			"no result: " + (over.Merged - over.Target).String() + " over the target"}
	}
	return nil
}
