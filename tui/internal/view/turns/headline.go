package turns

import (
	"cmp"
	"fmt"
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

// headline says in at most so many lines which plan costs least, and what the plan that is drawn costs.
func (p *View) headline(f *widget.Frame, width, most int) [][]draw.Span {
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
		return line(sentence(why), theme.Dim)
	}
	best, least, equal, computed := p.leastCost()
	if computed && equal {
		return p.everythingFits(c, width)
	}
	var lines [][]draw.Span
	if computed {
		lines = append(lines, p.bestLine(best, least, width))
	}
	lines = append(lines, p.costLine(c, width))
	return lines[:min(most, len(lines))]
}

// costLine says what the plan that is drawn costs, in the longest form that fits, that its windows, or
// those of everything, do not fit, and of a plan that is not A's or B's, unless the plans stand beside
// the requests, what an agent does to have it.
func (p *View) costLine(c *turns.Course, width int) []draw.Span {
	ratio, _ := c.Totals.CostRatio()
	of := p.called(p.row)
	name := draw.Span{Text: strings.ToUpper(of[:1]) + of[1:], Role: role(p.row)}
	costs, than := draw.Span{Text: moreOrLess(ratio), Role: costRole(ratio)}, than(ratio)+"sending everything"
	if p.row == plans.All {
		name, costs, than = draw.Span{Text: "Sending everything", Role: theme.Strong}, draw.Span{Text: p.withUnit(c.Totals.Cost), Role: theme.Strong}, ""
	}
	var forms [][]draw.Span
	add := func(than string, end ...draw.Span) {
		forms = append(forms, append(append([]draw.Span{name, widget.Plain(" costs "), costs, widget.Plain(than)}, end...), widget.Plain(".")))
	}
	if idle := p.idle(); p.row == plans.Rule && idle != nil {
		end := widget.Plain("")
		if no := unfit(c.Totals); no != nil {
			end = draw.Span{Text: "; " + no[0], Role: theme.Warn}
		}
		for _, why := range idle {
			forms = append(forms, []draw.Span{name, widget.Plain(" sends everything: " + why), end, widget.Plain(".")})
		}
		return draw.FirstThatFits(width, append(forms, []draw.Span{name, widget.Plain(" sends everything.")})...)
	}
	ends := []string{""}
	if c.Totals.SummaryCost > 0 {
		ends = []string{"; its summaries cost " + p.cost(c.Totals.SummaryCost), ""}
	}
	all, _, _ := p.app.Turns().Course(plans.All)
	switch own, everything := unfit(c.Totals), unfit(all.Totals); {
	case own != nil:
		for _, but := range own[:2] {
			add(than, draw.Span{Text: ", but " + but, Role: theme.Warn})
			add("", draw.Span{Text: ", but " + but, Role: theme.Warn})
		}
	case p.row > plans.All && c.Totals.SummaryCost == 0 && !p.alongside:
		for _, how := range p.how(p.row) {
			add(than + ": " + how)
		}
		for _, how := range p.how(p.row) {
			forms = append(forms, []draw.Span{name, widget.Plain(": " + how + ".")})
		}
	case everything != nil:
		for _, end := range ends {
			add(than+" would if it fitted: ", draw.Span{Text: strings.TrimSuffix(everything[0], " fit"), Role: theme.Warn}, widget.Plain(end))
			for _, than := range [...]string{than, strings.Replace(than, "sending ", "", 1)} {
				add(than, widget.Plain(" ("), draw.Span{Text: everything[1], Role: theme.Warn}, widget.Plain(")"+end))
			}
		}
	default:
		add(than, widget.Plain(ends[0]))
	}
	add(than)
	add("")
	return draw.FirstThatFits(width, forms...)
}

// because says what makes the cost of totals, the longest form first: how much is sent, and how much
// of that is read from the cache; "" where nothing is left out.
func (p *View) because(t turns.Totals) []string {
	share, sends := p.share(t)
	if !sends || share == 1 {
		return []string{""}
	}
	sent := "It sends " + plain.Percent(share) + " of all tokens"
	all, _, _ := p.app.Turns().Course(plans.All)
	if t.Read == 0 || all.Totals.Read == 0 {
		return []string{sent + "."}
	}
	reads, other := " and reads ", ""
	if ratio, _ := t.CostRatio(); ratio > 1 && fromCache(t) < fromCache(all.Totals) {
		reads, other = ", but reads only ", "; sending everything reads "+plain.Percent(fromCache(all.Totals))
	}
	reads += plain.Percent(fromCache(t)) + " of them from the cache"
	return []string{sent + reads + other + ".", sent + reads + ".", "It sends " + plain.Percent(share) + reads + "."}
}

// idle says why the plan of the agent sends all that there is, the longest form first, of three; nil
// if it does not, or is not known.
func (p *View) idle() []string {
	c, _, _ := p.app.Turns().Course(plans.Rule)
	all, _, _ := p.app.Turns().Course(plans.All)
	if c == nil || all == nil || c.Totals.Failed > 0 || c.Totals.Tokens() != all.Totals.Tokens() || c.Totals.Cost != all.Totals.Cost {
		return nil
	}
	rule, largest := p.rule().Rule, p.largest()+p.app.Turns().Billing().Fixed.Tokens
	trigger := rule.Trigger
	if rule.OfMax {
		trigger = max(0, p.app.Experiment().Setup().Budget.MaxTokens-trigger)
	}
	if largest > trigger {
		return []string{"there is nothing that it may leave out", "it finds nothing to leave out", "finds nothing to leave out"}
	}
	of := "its trigger of " + trigger.String() + " tokens is not reached"
	return []string{of + " (the largest request has " + p.tokens(largest) + ")", of, "trigger " + trigger.String() + " not reached"}
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

// bestLine names the plan that costs least of those that fit, with what it sends: a plan that leaves
// out nearly everything is cheap too. Of the watermark it says which other cut costs least.
func (p *View) bestLine(best plans.Row, least *turns.Course, width int) []draw.Span {
	all, _, _ := p.app.Turns().Course(plans.All)
	of, fit := plain.Thousands(int(plans.Rows))+" plans", 0
	say := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Strong}} }
	switch {
	case least == nil:
		return say("None of these " + of + " fits in every request.")
	case best == plans.All || unfit(all.Totals) == nil && least.Totals.Cost >= all.Totals.Cost:
		return say("None of these " + of + " costs less than sending everything.")
	}
	for row := range plans.Rows {
		if c, _, _ := p.app.Turns().Course(row); c != nil && unfit(c.Totals) == nil {
			fit++
		}
	}
	if of = "these " + of; fit < int(plans.Rows) {
		of = "the " + plain.Count(fit, "plan") + widget.Verb(fit, " that fits", " that fit")
	}
	ratio, _ := least.Totals.CostRatio()
	share, _ := p.share(least.Totals)
	everything, with, cut := than(ratio)+"sending everything", ", with "+plain.Percent(share)+" of all tokens", ""
	if other := p.otherCut(); other != "" {
		cut = "; " + other
	}
	form := func(head, end string) []draw.Span {
		return []draw.Span{{Text: head, Role: theme.Strong}, {Text: p.name(best), Role: cmp.Or(role(best), theme.Strong)}, widget.Plain(", "), {Text: moreOrLess(ratio), Role: costRole(ratio)}, widget.Plain(end + ".")}
	}
	of = "Cheapest of " + of + ": "
	const fits = "Cheapest that fits: "
	return draw.FirstThatFits(width, form(of, everything+with+cut), form(of, everything+cut), form(fits, everything+cut), form(of, everything+with), form(of, everything), form(fits, everything), form(of, ""), form(fits, ""), form("Cheapest: ", ""))
}

// otherCut says which cut of the watermark costs least of those that the sweep tries, after what the
// cheapest plan costs; "" if it costs no less than all plans, or is not known.
func (p *View) otherCut() string {
	totals, old, _ := p.app.Turns().Sweep()
	k := turns.Least(totals)
	best, least, known := p.best()
	if k < 0 || old || !known || totals[k].Cost >= least.Totals.Cost {
		return ""
	}
	ratio, _ := totals[k].CostRatio()
	cut := " cuts to " + widget.Share(turns.SweepLows()[k])
	if best == plans.Watermark {
		return moreOrLess(ratio) + " if it" + cut
	}
	return "a watermark that" + cut + ": " + moreOrLess(ratio)
}

// sentence makes a clause one.
func sentence(clause string) string { return strings.ToUpper(clause[:1]) + clause[1:] + "." }

// howTo says of a plan what an agent has to do to have it, as a sentence.
func (p *View) howTo(row plans.Row) string {
	if row == plans.All {
		return "The yardstick: every other cost is more or less than this."
	}
	name := p.called(row)
	return strings.ToUpper(name[:1]) + name[1:] + ": " + p.how(row)[0] + "."
}

// how says what an agent has to do to have a plan, the longest form first.
func (p *View) how(row plans.Row) []string {
	switch row {
	case plans.A, plans.B:
		return []string{"let " + p.called(row) + " choose anew before every request"}
	case plans.All:
		return []string{"send all that there is"}
	case plans.Sliding:
		return []string{"send the newest items that fit"}
	case plans.Watermark:
		cut := p.side.String() + " cut it to " + widget.Share(p.app.Turns().Low())
		return []string{"append to the last prompt until it is full; then let " + cut + " of the room" + ours, "append; when full, let " + cut}
	}
	return []string{howRule(p.rule())}
}

// howRule does the same for the plan of an agent.
func howRule(plan turns.Plan) string {
	rule := plan.Rule
	when, newest, end := "", "", ""
	if rule.OfMax {
		when = "with less than " + rule.Trigger.String() + " tokens of the budget left "
	} else if rule.Trigger > 0 {
		when = "above " + rule.Trigger.String() + " tokens "
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
		end = " where that frees " + rule.AtLeast.String() + " tokens"
	}
	sentence := "all items" + newest + " become one summary" + end
	switch plan.Strategy {
	case turns.Clear:
		sentence = "all results of tools" + newest + " become notes" + end
	case turns.Drop:
		if rule.KeepTokens == 0 {
			newest = " before the newest " + plain.Count(rule.Keep, "message")
		}
		sentence = "all calls and results" + newest + " go" + end
	}
	return when + sentence
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
