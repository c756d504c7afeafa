package curve

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

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
		c := p.tracks[s].curve
		if c == nil || c.recall == nil {
			return nil
		}
		at, ok := c.recall.Holds(1)
		needed = c.recall.At(p.tracks[s].profile.Axis().End()).Needed
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
				spans = append(spans, draw.Span{Text: never + f.BudgetText(p.tracks[h.side].profile.Axis().End()), Role: theme.Warn})
			}
		}
		return append(spans, widget.Plain("."))
	}
	head := "All " + plain.Count(needed, "needed item") + " stay in"
	if needed == 1 {
		head = "The needed item stays in"
	}
	return draw.FirstThatFits(width, form(head+" ", "with ", " at no budget up to "), form(head+": ", "", " at none up to "), form("All needed: ", "", " at none up to "))
}

// neededHere says how much of what is needed each side has at the current budget and, where no
// budget holds all with a side, because of which items; nil while that is not known.
func (p *View) neededHere(f *widget.Frame, width int) []draw.Span {
	now := f.Exp.Setup().Budget.MaxTokens
	spans := []draw.Span{widget.Plain("At " + now.String() + " ")}
	for k, s := range [...]experiment.Side{p.side, p.side.Other()} {
		t := &p.tracks[s]
		if t.curve == nil || t.curve.recall == nil {
			return nil
		}
		m := t.curve.recall.At(now)
		has := " has " + plain.Thousands(m.In) + " of " + plain.Count(m.Needed, "needed item") + ", "
		if k > 0 {
			has = " has " + plain.Thousands(m.In) + "."
		}
		spans = append(spans, draw.Span{Text: s.String(), Role: widget.SideRole(s)}, widget.Plain(has))
	}
	for _, s := range [...]experiment.Side{p.side, p.side.Other()} {
		if why := blocked(f, p.tracks[s].curve.recall); why != "" {
			said := draw.Span{Text: "With " + s.String() + " " + why + ".", Role: theme.Warn}
			forms := [][]draw.Span{append(slices.Clip(spans), widget.Plain(" "), said), {said}, spans}
			if s != p.side {
				forms = [][]draw.Span{forms[0], spans} // of the other side only beside what there is
			}
			return draw.FirstThatFits(width, forms...)
		}
	}
	return spans
}

// blocked says which needed items keep all budgets from holding what is needed, and from where the
// others stay in; "" if some budget holds all.
func blocked(f *widget.Frame, recall *quality.Curve) string {
	items, others := recall.Blockers()
	if len(items) == 0 {
		return ""
	}
	text := widget.Indexes(items, 30) + widget.Verb(len(items), " stays", " stay") + " out"
	if others.Set {
		text += ", all other needed items stay in from " + f.BudgetText(others.Value)
	}
	return text
}

// held returns the budget from which on all that is needed stays in, or why there is none to go to.
func (p *View) held() (b model.Tokens, why string) {
	c, unknown := p.edited()
	switch {
	case c == nil:
		return 0, unknown
	case c.recall == nil:
		return 0, "nothing is marked as needed yet"
	}
	switch b, held := c.recall.Holds(1); {
	case !held:
		return 0, widget.NoneHolds(c.recall)
	case b == p.app.Experiment().Setup().Budget.MaxTokens:
		return 0, "this is the budget from which on all that is needed stays in"
	default:
		return max(1, b), ""
	}
}
