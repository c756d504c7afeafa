package curve

import (
	"fmt"
	"maps"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
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
	items, _ := p.tracks[p.side].curve.recall.Blockers()
	if p.neverAny() {
		all := widget.Verb(needed, "the needed item", "all "+plain.Count(needed, "needed item"))
		out := widget.StayOut(p.outs[p.side].Items, items)
		brief := widget.Indexes(items, 20) + widget.Verb(len(items), " stays out", " stay out")
		return []draw.Span{{Text: widget.Fitting(width, "No budget holds "+all+"; "+out+".", "No budget holds "+all+"; "+brief+".", "No budget holds all; "+brief+"."), Role: theme.Warn}}
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
	head := widget.Verb(needed, "The needed item stays in", "All "+plain.Count(needed, "needed item")+" stay in")
	return draw.FirstThatFits(width, form(head+" ", "with ", " at no budget up to "), form(head+": ", "", " at none up to "), form("All needed: ", "", " at none up to "))
}

// never returns a needed item that is in at no budget with a side, however large; -1 if there is none.
func (p *View) never(s experiment.Side) int {
	if recall := p.tracks[s].curve.recall; recall != nil {
		items, _ := recall.Blockers()
		for _, i := range items {
			if widget.NeverIn(p.outs[s].Items, int(i)) != "" {
				return int(i)
			}
		}
	}
	return -1
}

// neverAny reports whether a needed item is in at no budget with both sides: the first line names it.
func (p *View) neverAny() bool { return p.never(experiment.A) >= 0 && p.never(experiment.B) >= 0 }

// neededHere returns how much of what is needed each side has at the current budget and, where no
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
		if why := p.blocked(f, s); why != "" {
			said := draw.Span{Text: "With " + s.String() + " " + why + ".", Role: theme.Warn}
			forms := [][]draw.Span{append(slices.Clip(spans), widget.Plain(" "), said), {said}, spans}
			if s != p.side {
				forms = [][]draw.Span{forms[0], spans} // of the other side only beside what there is
			}
			return draw.FirstThatFits(width, forms...)
		}
	}
	if lost := p.lostBelow(now); len(lost) > 0 {
		return draw.FirstThatFits(width, append(slices.Clip(spans), widget.Plain(" With 1 token less "+p.side.String()+" loses "+widget.Indexes(lost, 20)+".")), spans)
	}
	if repeats := p.repeats(f); repeats != "" {
		return draw.FirstThatFits(width, append(slices.Clip(spans), widget.Plain(" "+repeats)), spans)
	}
	return spans
}

// lostBelow returns the needed items that the side shown has at a budget, and not at one smaller by a token.
func (p *View) lostBelow(now model.Tokens) (lost []int32) {
	report, profile := p.outs[p.side].Report, p.tracks[p.side].profile
	for i, grade := range p.app.Experiment().Setup().Labels.Grades {
		if i >= report.Items.Len() || grade == 0 {
			continue
		}
		item := report.Survivor(i)
		_, in := profile.SizeAt(item, now)
		if _, below := profile.SizeAt(item, now-1); in && !below {
			lost = append(lost, int32(i))
		}
	}
	slices.Sort(lost)
	return lost
}

// repeats says of the first needed item whose text another has, too, that this one stands for it.
func (p *View) repeats(f *widget.Frame) string {
	report, grades := p.outs[p.side].Report, f.Exp.Setup().Labels.Grades
	for _, i := range slices.Sorted(maps.Keys(grades)) {
		if i < report.Items.Len() && grades[i] > 0 && report.Survivor(i) != i {
			return fmt.Sprintf("#%d is in where #%d with the same text is.", i, report.Survivor(i))
		}
	}
	return ""
}

// blocked returns which needed items keep all budgets from holding what is needed with a side, and
// from where the others stay in; "" if some budget holds all.
func (p *View) blocked(f *widget.Frame, s experiment.Side) string {
	items, others := p.tracks[s].curve.recall.Blockers()
	if len(items) == 0 {
		return ""
	}
	if p.neverAny() {
		if others.Set {
			return "all other needed items stay in from " + f.BudgetText(others.Value)
		}
		return ""
	}
	text := widget.StayOut(p.outs[s].Items, items)
	if others.Set {
		text += ", all other needed items stay in from " + f.BudgetText(others.Value)
	}
	return text
}

// held returns the budget from which on all that is needed stays in or, where that is the current
// budget, the budget at which none of it is at risk, or why there is none to go to.
func (p *View) held() (b model.Tokens, why string) {
	c, unknown := p.edited()
	switch {
	case c == nil:
		return 0, unknown
	case c.recall == nil:
		return 0, "nothing is marked as needed yet"
	}
	setup := p.app.Experiment().Setup()
	switch b, held := c.recall.Holds(1); {
	case !held:
		return 0, widget.NoneHolds(p.outs[p.app.Side()].Items, c.recall)
	case b == setup.Budget.MaxTokens:
		if spared, ok := setup.Spared(b); ok {
			return spared, ""
		}
		return 0, "this is the budget from which on all that is needed stays in"
	default:
		return max(1, b), ""
	}
}
