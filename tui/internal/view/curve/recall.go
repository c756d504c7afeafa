package curve

import (
	"cmp"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// measuresRecall reports whether the recall is drawn and known on both sides.
func (p *View) measuresRecall() bool {
	for s := range p.tracks {
		if c := p.tracks[s].curve; p.measure != byRecall || c == nil || c.recall == nil {
			return false
		}
	}
	return true
}

// recallReadOut draws from which budgets on all that is needed stays in, the recall at the
// budget under the cursor, and the budgets that reach the wanted recall.
func (p *View) recallReadOut(f *widget.Frame, r draw.Rect, now model.Tokens) {
	lines, budgets := [][]draw.Span{p.answer(f, r.W)}, [][]draw.Span(nil)
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		lines, budgets = append(lines, p.recallSpans(f, s, now, r.W)), append(budgets, p.wantedSpans(f, s, r.W), p.fallen(f, s, r.W))
	}
	p.drawLines(f, r, append(lines, budgets...))
}

// answer says from which budget on all that is needed stays in, the side that needs less
// first.
func (p *View) answer(f *widget.Frame, width int) []draw.Span {
	type hold struct {
		side experiment.Side
		at   model.Tokens
		ok   bool
	}
	var holds []hold
	needed := 0
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		q := p.tracks[s].curve.recall
		at, ok := q.Holds(1)
		needed = q.At(p.tracks[s].profile.Axis().End()).Needed
		holds = append(holds, hold{s, at, ok})
	}
	if other := holds[1]; other.ok && (!holds[0].ok || other.at < holds[0].at) {
		slices.Reverse(holds)
	}
	form := func(head, with, never string) []draw.Span {
		spans := []draw.Span{{Text: head, Role: theme.Strong}}
		for k, h := range holds {
			if k > 0 {
				spans = append(spans, widget.Plain(", "))
			}
			spans = append(spans, widget.Plain(with), draw.Span{Text: h.side.String(), Role: widget.SideRole(h.side)})
			if h.ok {
				spans = append(spans, widget.Plain(" from "), draw.Span{Text: f.BudgetText(h.at), Role: theme.Strong})
			} else {
				spans = append(spans, draw.Span{Text: never + f.BudgetText(p.tracks[h.side].profile.Axis().End()), Role: theme.Risk})
			}
		}
		return spans
	}
	head := "All " + plain.Count(needed, "needed item") + " stay in"
	if needed == 1 {
		head = "The needed item stays in"
	}
	return draw.FirstThatFits(width, form(head+" ", "with ", " at no budget up to "), form(head+": ", "", " at none up to "), form("All needed: ", "", " at none up to "))
}

// recallSpans describes the recall of one side at the cursor, in the longest form
// that fits.
func (p *View) recallSpans(f *widget.Frame, s experiment.Side, now model.Tokens, width int) []draw.Span {
	t := &p.tracks[s]
	name := draw.Span{Text: widget.PolicyName(s, p.outs[s].Policy), Role: widget.SideRole(s)}
	short := draw.Span{Text: s.String(), Role: widget.SideRole(s)}
	at := t.at(now)
	if !at.Runs {
		return []draw.Span{name, widget.Plain("   no result at " + now.String())}
	}
	m := t.curve.recall.At(now)
	recall := draw.Span{Text: "   recall " + plain.Percent(m.Recall.Value), Role: theme.Strong}
	if p.outs[s].Items.HasSizes() {
		recall.Text += ", whole " + plain.Percent(m.WholeRecall.Value)
	}
	needed := draw.Span{Text: "   needed " + plain.Thousands(m.In) + " of " + plain.Thousands(m.Needed) + " in", Role: theme.Needed}
	value := widget.Plain("   value " + f.About() + widget.ExactScore(m.Value))
	share := widget.Plain("")
	if m.ShareNeeded.Set {
		share.Text = "   " + plain.Percent(m.ShareNeeded.Value) + " of the tokens are needed"
	}
	return draw.FirstThatFits(width,
		[]draw.Span{name, recall, needed, value, share},
		[]draw.Span{name, recall, needed, value},
		[]draw.Span{short, recall, needed, value},
		[]draw.Span{short, recall, needed})
}

// wantedSpans names the budgets that reach and hold the wanted recall on a side.
func (p *View) wantedSpans(f *widget.Frame, s experiment.Side, width int) []draw.Span {
	q, end := p.tracks[s].curve.recall, p.tracks[s].profile.Axis().End()
	percent := f.Exp.Setup().Wanted
	wanted := widget.Share(percent) + " recall"
	name := draw.Span{Text: s.String(), Role: widget.SideRole(s)}
	strong := func(b model.Tokens) draw.Span { return draw.Span{Text: f.BudgetText(b), Role: theme.Strong} }
	reaches, reached := q.Reaches(percent / 100)
	holds, held := q.Holds(percent / 100)
	switch {
	case !reached:
		return []draw.Span{name, {Text: " reaches " + wanted + " at no budget up to " + f.BudgetText(end), Role: theme.Risk}}
	case !held:
		return []draw.Span{name, widget.Plain(" reaches " + wanted + " at "), strong(reaches), {Text: ", but does not hold it", Role: theme.Risk}}
	case reaches == holds:
		return draw.FirstThatFits(width,
			[]draw.Span{name, widget.Plain(" reaches " + wanted + " at "), strong(reaches), widget.Plain(" and holds it")},
			[]draw.Span{name, widget.Plain(" " + wanted + " from "), strong(holds)})
	}
	return draw.FirstThatFits(width,
		[]draw.Span{name, widget.Plain(" reaches " + wanted + " at "), strong(reaches), widget.Plain(" and holds it from "), strong(holds), widget.Plain(" on")},
		[]draw.Span{name, widget.Plain(" " + wanted + " at "), strong(reaches), widget.Plain(", holds it from "), strong(holds)},
		[]draw.Span{name, widget.Plain(" " + wanted + ": at "), strong(reaches), widget.Plain(", from "), strong(holds)})
}

// held returns the budget from which on all that is needed stays in. If there is none, or if it is
// the current budget, held returns the budget from which on the wanted recall is held. share is
// the recall there; why says why there is no such budget.
func (p *View) held() (b model.Tokens, share float64, why string) {
	setup := p.app.Experiment().Setup()
	share = setup.Wanted / 100
	c, unknown := p.edited()
	switch {
	case c == nil:
		return 0, share, unknown
	case c.recall == nil:
		return 0, share, "nothing is marked as needed yet"
	}
	for _, share := range [...]float64{1, share} {
		b, held := c.recall.Holds(share)
		switch {
		case held && b != setup.Budget.MaxTokens:
			return max(1, b), share, ""
		case held && why == "":
			why = recallText(share) + " is held from here on"
		}
	}
	return 0, share, cmp.Or(why, "no budget holds "+recallText(share)+" up to the ceiling")
}

// recallText names a share, 0 to 1, of what is needed.
func recallText(share float64) string { return widget.Share(100*share) + " recall" }
