package turns

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// headline says what the plan sends and costs against sending everything, and below that what it
// does or, of A and B, what the cheapest plan here does.
func (p *View) headline(f *widget.Frame, width int) [][]draw.Span {
	t := p.app.Turns()
	c, _, err := t.Course(p.row)
	all, _, _ := t.Course(plans.All)
	line := func(text string, role theme.Role) [][]draw.Span { return [][]draw.Span{{{Text: text, Role: role}}} }
	switch {
	case c == nil && err != nil:
		return line(plain.Line(p.name(p.row)+": "+err.Error(), width), theme.Error)
	case (c == nil || all == nil) && t.Stopped():
		return line(p.computing(f), theme.Warn)
	case c == nil || all == nil:
		return line(f.Spin()+"computing "+plain.Count(p.count(), "request")+f.Glyphs().Ellipsis, theme.Warn)
	}
	if _, ok := c.Totals.CostRatio(); !ok {
		why := widget.Fitting(width-1, p.noCost(c)...)
		return line(strings.ToUpper(why[:1])+why[1:]+".", theme.Dim)
	}
	best, least, equal, computed := p.leastCost()
	switch {
	case computed && equal:
		return p.everythingFits(c, width)
	case !computed:
		return [][]draw.Span{p.costLine(c, all, width)}
	}
	return [][]draw.Span{p.costLine(c, all, width), p.bestLine(c, best, least, width)}
}

// costLine says what share of all tokens a plan sends and what it costs, in the longest form that
// fits: that its own windows do not fit matters more than what it sends, that everything does not
// fit matters less.
func (p *View) costLine(c, all *turns.Course, width int) []draw.Span {
	ratio, _ := c.Totals.CostRatio()
	of := p.called(p.row)
	name, dot := draw.Span{Text: strings.ToUpper(of[:1]) + of[1:], Role: role(p.row)}, widget.Plain(".")
	costs := []draw.Span{{Text: moreOrLess(ratio), Role: costRole(ratio)}, widget.Plain(than(ratio) + "sending everything")}
	sends := []string{" costs "}
	if share, ok := p.share(c.Totals); p.row == plans.All {
		name, costs = draw.Span{Text: "Sending everything", Role: theme.Strong}, []draw.Span{{Text: p.withUnit(c.Totals.Cost), Role: theme.Strong}}
	} else if ok && share != 1 {
		sends = []string{" sends " + plain.Percent(share) + " of all tokens and costs ", " sends " + plain.Percent(share) + " and costs ", " costs "}
	}
	var forms [][]draw.Span
	add := func(of string, end ...draw.Span) {
		forms = append(forms, slices.Concat([]draw.Span{name, widget.Plain(of)}, costs, end, []draw.Span{dot}))
	}
	if no := unfit(c.Totals); no != nil {
		for _, but := range no[:2] {
			for _, of := range sends {
				add(of, draw.Span{Text: ", but " + but, Role: theme.Warn})
			}
		}
	} else if no := unfit(all.Totals); no != nil {
		add(sends[0], draw.Span{Text: ", of which " + no[0], Role: theme.Dim})
	}
	for _, of := range sends {
		add(of)
	}
	return draw.FirstThatFits(width, forms...)
}

// called names a plan within a sentence.
func (p *View) called(row plans.Row) string {
	if row <= plans.B {
		return experiment.Side(row).String()
	}
	return p.name(row)
}

// share returns which share of the tokens of everything is sent; false without any.
func (p *View) share(t turns.Totals) (float64, bool) {
	all, _, _ := p.app.Turns().Course(plans.All)
	if all == nil || all.Totals.Tokens() == 0 {
		return 0, false
	}
	return float64(t.Tokens()) / float64(all.Totals.Tokens()), true
}

// bestLine names the cheapest plan of those that fit, with what it does and what it sends: a plan
// that leaves out nearly everything is cheap too. Of a plan that is no policy it says what that does.
func (p *View) bestLine(c *turns.Course, best plans.Row, least *turns.Course, width int) []draw.Span {
	say := func(forms ...string) []draw.Span { return []draw.Span{widget.Plain(widget.Fitting(width, forms...))} }
	switch {
	case p.row > plans.B:
		does, brief := p.does(p.row)
		forms := []string{does, p.name(p.row) + ": " + brief}
		if best == p.row && least != nil {
			forms = slices.Insert(forms, 0, does+" No plan here that fits costs less.")
		}
		return say(forms...)
	case least == nil:
		return say("No plan here fits in every request.")
	case best == plans.All:
		return say("No plan here costs less than sending everything.")
	case least.Totals.Cost == c.Totals.Cost:
		return say("No other plan here that fits costs less.")
	}
	ratio, _ := least.Totals.CostRatio()
	share, _ := p.share(least.Totals)
	_, brief := p.does(best)
	if brief != "" {
		brief = " (" + brief + ")"
	}
	mark := ""
	if best == plans.Watermark {
		mark = ours
	}
	form := func(head, brief, sends, costs string) []draw.Span {
		return []draw.Span{widget.Plain(head), {Text: p.name(best), Role: role(best)}, widget.Plain(brief + sends + plain.Percent(share) + costs), {Text: moreOrLess(ratio), Role: costRole(ratio)}, widget.Plain(".")}
	}
	return draw.FirstThatFits(width,
		form("Cheapest here that fits: ", brief, ", sends ", " of all tokens and costs "), form("Cheapest: ", brief, ", sends ", ", costs "),
		form("Cheapest here that fits: ", mark, ", sends ", " and costs "), form("Cheapest: ", mark, ", sends ", ", costs "),
		form("Cheapest: ", mark, ", ", " sent, "))
}

// does returns what a plan that is no policy does, as a sentence, and in a few words to follow its
// name.
func (p *View) does(row plans.Row) (sentence, brief string) {
	switch row {
	case plans.A, plans.B:
		return "", ""
	case plans.All:
		return "The yardstick: every other cost is more or less than this.", "the yardstick"
	case plans.Sliding:
		return "It sends the newest items that fit.", "the newest that fit"
	case plans.Watermark:
		to := widget.Share(p.app.Turns().Low())
		return "It grows until it is full, then " + p.side.String() + " cuts it to " + to + " of the room" + ours + ".", "ours: cut to " + to + " when full"
	}
	return doesRule(p.rule())
}

// doesRule does the same for the plan of an agent.
func doesRule(plan turns.Plan) (sentence, brief string) {
	rule := plan.Rule
	when, newest, end := "", "", "."
	if rule.OfMax {
		when = "With less than " + rule.Trigger.String() + " tokens of the budget left "
	} else if rule.Trigger > 0 {
		when = "Above " + rule.Trigger.String() + " tokens "
	}
	switch {
	case rule.Keep > 0 && rule.KeepTokens > 0:
		newest = " but the newest " + plain.Thousands(rule.Keep) + " or " + rule.KeepTokens.String() + " tokens, whichever is more,"
	case rule.KeepTokens > 0:
		newest = " but the newest " + rule.KeepTokens.String() + " tokens of them"
	case rule.Keep > 0:
		newest = " but the newest " + plain.Thousands(rule.Keep)
	}
	if rule.AtLeast > 0 {
		end = " where that frees " + rule.AtLeast.String() + " tokens."
	}
	switch plan.Strategy {
	case turns.Clear:
		sentence, brief = "all results of tools"+newest+" become notes"+end, "old results become notes"
	case turns.Drop:
		if rule.KeepTokens == 0 {
			newest = " before the newest " + plain.Count(rule.Keep, "message")
		}
		sentence, brief = "all calls and results"+newest+" go"+end, "old calls go"
	default:
		sentence, brief = "all items"+newest+" become one summary"+end, "old items become a summary"
	}
	if when == "" {
		sentence = "A" + sentence[1:]
	}
	return when + sentence, brief
}

// everythingFits is the headline where all plans cost the same.
func (p *View) everythingFits(c *turns.Course, width int) [][]draw.Span {
	first := "Everything fits at " + p.app.Experiment().Setup().Budget.MaxTokens.String() + ": every plan costs " + p.withUnit(c.Totals.Cost) + "."
	second := "Plans differ below " + p.tokens(p.largest()) + ": try " + p.smaller() + "."
	say := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Strong}} }
	if draw.Width(first+second)+1 <= width {
		return [][]draw.Span{say(first + " " + second)}
	}
	return [][]draw.Span{say(widget.Fitting(width, first, "Everything fits: every plan costs "+p.withUnit(c.Totals.Cost)+".")), say(second)}
}

// leastCost returns the plan that costs least among the plans whose windows always fit and never
// fail; nil if there is none. equal reports that all plans fit and cost the same, computed that
// no plan is still being computed.
func (p *View) leastCost() (best plans.Row, least *turns.Course, equal, computed bool) {
	equal = true
	for row := range plans.Rows {
		c, _, err := p.app.Turns().Course(row)
		if c == nil && err == nil {
			return 0, nil, false, false
		}
		if c == nil || c.Totals.Failed > 0 || c.Totals.Over > 0 {
			equal = false
			continue
		}
		if least != nil && c.Totals.Cost != least.Totals.Cost {
			equal = false
		}
		if least == nil || c.Totals.Cost < least.Totals.Cost {
			best, least = row, c
		}
	}
	return best, least, equal, true
}

// best returns the plan of leastCost and its course; false where there is none, or where all
// plans cost the same.
func (p *View) best() (plans.Row, *turns.Course, bool) {
	best, least, equal, computed := p.leastCost()
	return best, least, computed && least != nil && !equal
}

// largest returns the tokens of the largest request if everything is sent: it does not fit into a
// smaller budget.
func (p *View) largest() (most model.Tokens) {
	session, _ := p.app.Turns().Session()
	if all, _, _ := p.app.Turns().Course(plans.All); all != nil && session != nil {
		for t, w := range all.Windows {
			if !session.Requests()[t].IsNow() {
				most = max(most, w.Tokens)
			}
		}
	}
	return most
}

// smaller returns a budget to type at which plans cut, three quarters of the largest request.
func (p *View) smaller() string { return fmt.Sprintf(":%d", 3*p.largest()/4) }
