package pane

import (
	"errors"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/theme"
	"cupelscope/tui/widget"
)

// Detail draws what is known of one item: numbers, the reason, the sentence
// about its budgets, and the beginning of its text.
func Detail(f *widget.Frame, q *WhatIf, r draw.Rect, boxed bool, item int, ok bool) {
	in := r
	title := "Item"
	if ok {
		title = ItemTitle(f, item, r.W-6)
	}
	if boxed {
		in = f.Box(r, title, false)
		in.X, in.W = in.X+1, in.W-2
	} else if r.H <= 2 { // no room for a title of its own
		in = draw.Rect{X: r.X + 1, Y: r.Y, W: r.W - 2, H: r.H}
	} else {
		for x := range r.W {
			f.Set(r.X+x, r.Y, f.Glyphs().Horizontal, theme.Frame)
		}
		f.Text(r.X+2, r.Y, r.W-4, " "+title+" ", theme.Dim)
		in = draw.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 1}
	}
	if !ok {
		f.Text(in.X, in.Y, in.W, "No item is selected.", theme.Dim)
		return
	}
	if f.Out == nil || f.Out.Report == nil || in.H < 1 {
		return
	}
	numbers := widget.Pack(in.W, Numbers(f, item))
	told := Sentence(f, item, in.H < 3)
	if in.H <= 2 {
		number := draw.Span{Text: "#" + strconv.Itoa(item) + " ", Role: theme.Strong}
		told = append([]draw.Span{number}, told...)
		if len(draw.Paragraph(in.W, told...)) > in.H { // rather no answer of the search than half of one
			told = append([]draw.Span{number}, budgetSpans(f, item, true)...)
		}
	}
	sentence := draw.Paragraph(in.W, told...)
	reason := draw.Paragraph(in.W, ReasonSpans(f, item)...)
	otherwise := widget.Pack(in.W, WhatIfParts(f, q, item, numbersOnly))
	// The sentence about the budgets is what the pane is for; it comes before
	// the rest where there is no room for all.
	var lines [][]draw.Span
	switch {
	case in.H <= 2:
		lines = append(sentence, otherwise...)
	case in.H <= 4: // the table has the reason
		lines = append(append(numbers[:1:1], sentence...), otherwise...)
	default:
		lines = append(append(append(numbers, sentence...), reason...), otherwise...)
	}
	y := 0
	for ; y < in.H && y < len(lines); y++ {
		f.Spans(in.X, in.Y+y, in.W, lines[y]...)
	}
	if rest := in.H - y; rest > 0 {
		it := f.Exp.Items().Loaded(item)
		for k, line := range plain.Wrap(it.Content, in.W-2, rest) {
			f.Set(in.X, in.Y+y+k, f.Glyphs().Vertical, theme.Frame)
			f.Text(in.X+2, in.Y+y+k, in.W-2, line, theme.Dim)
		}
	}
	if f.Old {
		f.Mark(in, theme.Old)
	}
}

func ItemTitle(f *widget.Frame, i, width int) string {
	it := f.Exp.Items().Loaded(i)
	head := "#" + strconv.Itoa(i) + " " + plain.Line(string(it.Kind), 20) + "  "
	return head + plain.Line(it.Headline(8*max(0, width)+64), max(1, width-draw.Width(head)))
}

// Numbers is an item's numbers, each with its name, the most telling first:
// tokens, score with its parts, density, place in the window.
func Numbers(f *widget.Frame, i int) [][]draw.Span {
	items, rep := f.Exp.Items(), f.Out.Report
	t := items.Tokens(i)
	tokens := []draw.Span{{Text: t.String() + " tok", Role: theme.Strong}}
	if c := items.Count(i); !c.IsExact() {
		tokens = append(tokens, draw.Span{Text: " (" + c.String() + ")", Role: theme.Warn})
	}
	all := [][]draw.Span{tokens}
	plainly := func(text string) { all = append(all, []draw.Span{widget.Plain(text)}) }
	switch rep.Codes[i] {
	case model.Pinned:
		plainly("score 1.000, pinned")
	case model.NegativeTokens, model.Filtered:
		plainly("not scored")
	default:
		plainly("score " + widget.ExactScore(rep.Scores[i]))
		var parts []string
		for _, p := range f.Out.Ranking.ScorerParts(i) {
			parts = append(parts, widget.ExactScore(p.Weight*p.Score)+" "+widget.CleanName(p.Name))
		}
		if len(parts) > 1 {
			at := &all[len(all)-1]
			*at = append(*at, draw.Span{Text: " = " + strings.Join(parts, " + "), Role: theme.Dim})
		}
		if t > 0 {
			plainly(widget.ExactScore(1000*rep.Scores[i]/float64(t)) + " per 1k tok")
		}
	}
	if rep.In(i) {
		for place, j := range rep.Included {
			if int(j) == i {
				plainly("placed " + plain.Thousands(place+1) + " of " + plain.Thousands(len(rep.Included)))
				break
			}
		}
	}
	return all
}

// Sentence tells both numbers of an item, what lies between, and what Cupel's
// own search answers.
func Sentence(f *widget.Frame, i int, short bool) []draw.Span {
	s := budgetSpans(f, i, short)
	if search := searchSpan(f, i, short); search.Text != "" {
		s = append(s, widget.Plain("; "), search)
	}
	return s
}

// budgetSpans tells at which budgets an item is in.
func budgetSpans(f *widget.Frame, i int, short bool) []draw.Span {
	p, rep := f.Out.Profile, f.Out.Report
	end := p.Axis().End()
	strong := func(t model.Tokens) draw.Span { return draw.Span{Text: f.BudgetText(t), Role: theme.Strong} }
	switch rep.Codes[i] {
	case model.Deduplicated:
		by := rep.Survivors[i]
		return []draw.Span{widget.Plain("never in: the same text as #" + strconv.Itoa(int(by)) + ", which scores higher or came first")}
	case model.NegativeTokens:
		return []draw.Span{widget.Plain("never in: a negative token count excludes it")}
	case model.Filtered:
		return []draw.Span{widget.Plain("never in: you excluded it (x takes it back)")}
	case model.Pinned:
		s, ok := p.Stays(i)
		if !ok {
			return []draw.Span{widget.Plain("pinned: in wherever there is a result, which there is not at " + f.BudgetText(end))}
		}
		return []draw.Span{widget.Plain("pinned: in at every budget that holds the pinned items and the reserve, from "), strong(s)}
	}
	sum := p.Summary(i)
	if !sum.First.Set {
		return []draw.Span{widget.Plain("never in up to "), strong(end)}
	}
	out := []draw.Span{widget.Plain("first in at "), strong(sum.First.Value)}
	if sum.Stays.Set && sum.Stays.Value == sum.First.Value {
		return append(out, widget.Plain(" and never lost up to "+f.BudgetText(end)))
	}
	out = append(out, widget.Plain(" (for "+plain.Count(int(min(sum.FirstWidth, 1<<40)), "token")+"), "))
	if sum.Stays.Set {
		out = append(out, widget.Plain("stays from "), strong(sum.Stays.Value))
	} else {
		out = append(out, draw.Span{Text: "does not stay up to " + f.BudgetText(end), Role: theme.Risk})
	}
	out = append(out, widget.Plain("; in at "+widget.Percent(sum.Share)+" of budgets between"))
	switch {
	case short:
	case sum.Ranges <= 9:
		out = append(out, widget.Plain(", in "+plain.Count(sum.Ranges, "range")))
	default:
		out = append(out, widget.Plain(", in many ranges"))
	}
	return out
}

// searchSpan is what Cupel's search answers; empty for what it is not asked about.
func searchSpan(f *widget.Frame, i int, short bool) draw.Span {
	switch f.Out.Report.Codes[i] {
	case model.Deduplicated, model.NegativeTokens, model.Filtered, model.Pinned:
		return draw.Span{}
	}
	p := f.Out.Profile
	end, sum := p.Axis().End(), p.Summary(i)
	role := theme.Plain
	got, err := p.CupelSearch(i, end)
	if err == nil && (got.Set != sum.First.Set || got.Value != sum.First.Value) {
		role = theme.Risk // the search is wrong
	}
	return draw.Span{Text: searchText(f, i, end, sum, short), Role: role}
}

// searchText says what Cupel's FindMinBudgetFor answers, and whether that is so.
func searchText(f *widget.Frame, i int, end model.Tokens, sum simulate.Summary, short bool) string {
	head := "Cupel's search to " + f.BudgetText(end) + " "
	if short {
		head = "Cupel's search "
	}
	got, err := f.Out.Profile.CupelSearch(i, end)
	switch {
	case errors.Is(err, simulate.ErrSearchNotMonotonic):
		return "Cupel refuses to search under quotas, this is exact"
	case err != nil:
		return head + "is refused: " + plain.Line(err.Error(), 80)
	case !got.Set && sum.First.Set:
		return head + "finds none"
	case !got.Set:
		return head + "finds none either"
	case got.Value == sum.First.Value:
		return head + "answers the same"
	}
	return head + "answers " + f.BudgetText(got.Value)
}

// ReasonSpans says in full why the item is in or out.
func ReasonSpans(f *widget.Frame, i int) []draw.Span {
	rep := f.Out.Report
	_, role, _ := widget.State(f.Glyphs(), f.Out, i)
	now := "at " + rep.Budget.MaxTokens().String() + ": "
	text := ""
	switch r := rep.Reason(i); r.Code {
	case model.BudgetExceeded:
		switch miss := r.Tokens - r.Available; {
		case rep.Effective.Target <= 0:
			text = "out, there is no room: nothing is left for items that compete"
		case rep.Cut(i):
			text = "out, selected and cut off: needs " + r.Tokens.String() + " tokens and " + r.Available.String() + " are left of the target"
		case r.Available < 0: // count quotas commit whatever it costs
			text = "out, needs " + r.Tokens.String() + " tokens, and what quotas require exceeds the room by " + (-r.Available).String()
		case miss > 0:
			text = "out, needs " + r.Tokens.String() + " tokens and " + r.Available.String() + " are left of the room (" + miss.String() + " missing)"
		default:
			text = "out, not chosen: needs " + r.Tokens.String()
			if p := f.Out.Policy; p.Slicer == model.Knapsack && p.Bucket() > 1 {
				text += " (charged " + ((r.Tokens + p.Bucket() - 1) / p.Bucket() * p.Bucket()).String() + " in buckets of " + p.Bucket().String() + ")"
			}
			text += ", " + r.Available.String() + " left"
		}
	case model.PinnedOverride:
		text = "out, larger than the room that the pinned items leave; first of them is #" + strconv.Itoa(r.By)
	case model.Scored:
		text = "in, selected by " + widget.SlicerName(f.Out.Policy)
		if f.Out.AtRisk(i) {
			text += "; at risk: a budget " + f.Exp.Setup().Slack.String() + " smaller loses it"
		}
	case model.ZeroToken:
		text = "in, costs nothing"
	case model.Pinned:
		text = "in, pinned"
	case model.Deduplicated:
		text = "out, duplicate of #" + strconv.Itoa(r.By)
	case model.NegativeTokens:
		text = "out, its token count is " + r.Tokens.String()
	case model.Filtered:
		text = "out, excluded by you"
	case model.CountCapExceeded:
		text = "out, the cap of " + strconv.Itoa(r.Cap) + " for " + widget.CleanName(string(r.Kind)) + " is reached"
	}
	spans := []draw.Span{{Text: now, Role: theme.Dim}, {Text: text, Role: role}}
	if partner, parted := f.Out.Alone(i); parted {
		said := "; its " + widget.PartName(i, partner) + " #" + strconv.Itoa(partner) + " is "
		if rep.In(i) {
			said += "out"
		} else {
			said += "in"
		}
		spans = append(spans, draw.Span{Text: said, Role: theme.Warn})
	}
	return spans
}
