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

// headline says in at most so many lines which plan costs least, and what there is to say of the plan
// that is drawn. In one line it says the latter where that is not what the session costs now. Where all
// plans cost the same it may take two lines all the same.
func (p *View) headline(f *widget.Frame, width, most int) [][]draw.Span {
	t := p.app.Turns()
	c, _, err := t.Course(p.row)
	line := func(text string, role theme.Role) [][]draw.Span { return [][]draw.Span{{{Text: text, Role: role}}} }
	best, least, equal, computed := p.leastCost()
	switch {
	case c == nil && err != nil:
		return line(plain.Line(p.name(p.row)+": "+err.Error(), width), theme.Error)
	case !computed && t.Stopped():
		return line(p.computing(f), theme.Warn)
	case !computed && c != nil:
		return line(f.Spin()+"computing which plan costs least"+f.Glyphs().Ellipsis, theme.Warn)
	case !computed:
		return line(f.Spin()+"computing "+plain.Count(p.count(), "request")+f.Glyphs().Ellipsis, theme.Warn)
	}
	if _, ok := c.Totals.CostRatio(); !ok {
		why := widget.Fitting(width-1, p.noCost(c)...)
		return line(sentence(why), theme.Dim)
	}
	if equal {
		return p.everythingFits(c, width)
	}
	lines := [][]draw.Span{p.bestLine(best, least, width, most, f.Glyphs().Better)}
	switch led := p.alongside && p.row != plans.Rule && most > 1 && p.leads(c.Totals); { // then the first line has what its plan costs
	case !led && (p.row != p.now() || unfit(c.Totals) != nil):
		lines = append(lines, p.costLine(c, width))
		return lines[len(lines)-min(most, 2):]
	case least != nil:
		_, _, totals := p.cheapest(best, least)
		lines = append(lines, []draw.Span{{Text: sentence(widget.Fitting(width-1, p.because(totals)...)), Role: theme.Dim}})
	}
	return lines[:min(most, len(lines))]
}

// now is the policy that is edited: what the session costs now, and what all plans are compared with.
func (p *View) now() plans.Row { return plans.RowOf(p.side) }

// ratio returns what a plan costs relative to the policy that is edited. It returns false until both are
// known, as long as either is old, and where not as many requests of either fail: these cost nothing.
func (p *View) ratio(t turns.Totals, old bool) (float64, bool) {
	now, was, _ := p.app.Turns().Course(p.now())
	if was || old {
		return 0, false
	}
	return relative(t, now)
}

// relative is ratio for a course that belongs to the same setup as the plan.
func relative(t turns.Totals, now *turns.Course) (float64, bool) {
	if now == nil || now.Totals.Cost == 0 || now.Totals.Failed != t.Failed {
		return 0, false
	}
	return t.Cost / now.Totals.Cost, true
}

// comparedWith names the policy of a course, which is not the edited policy if the course is old.
func (p *View) comparedWith(now *turns.Course) string {
	if now == nil {
		return p.side.String()
	}
	return now.Plan.Name
}

// versus returns what a plan costs relative to the policy that is edited, the longest form first,
// with the role of that; else the cost itself.
func (p *View) versus(t turns.Totals, old bool) (forms [2]string, role theme.Role) {
	ratio, ok := p.ratio(t, old)
	if !ok {
		return [2]string{p.withUnit(t.Cost), p.withUnit(t.Cost)}, theme.Strong
	}
	return [2]string{plain.Compared(ratio, p.side.String()), plain.Compared(ratio, "")}, costRole(ratio)
}

// costLine returns what the plan that is drawn costs, in the longest form that fits, that its
// windows do not fit and, unless the plans stand beside the requests, what an agent does to have
// it.
func (p *View) costLine(c *turns.Course, width int) []draw.Span {
	_, old, _ := p.app.Turns().Course(p.row)
	against, tone := p.versus(c.Totals, old)
	of := p.called(p.row)
	name, verb := draw.Span{Text: strings.ToUpper(of[:1]) + of[1:], Role: cmp.Or(role(p.row), theme.Strong)}, " costs "
	if p.row == plans.All {
		name.Text = "Sending everything"
	}
	var forms [][]draw.Span
	add := func(against string, end ...draw.Span) {
		forms = append(forms, append(append([]draw.Span{name, widget.Plain(verb), {Text: against, Role: tone}}, end...), widget.Plain(".")))
	}
	no := unfit(c.Totals)
	if idle := p.idle(); p.row == plans.Rule && idle != nil {
		end := widget.Plain("")
		if no != nil {
			end = draw.Span{Text: "; " + no[0], Role: theme.Warn}
		}
		if !p.alongside { // nothing else says what it does
			but := ", but only " + strings.TrimSpace(when(p.rule().Rule))
			if !strings.HasPrefix(idle[2], "trigger") {
				but = ", but " + idle[1]
			}
			for _, but := range [...]string{but, ", but not yet"} {
				forms = append(forms, []draw.Span{name, widget.Plain(": " + does(p.rule()) + but + ".")})
			}
		}
		for _, end := range [...]draw.Span{end, {}} { // the row of the plan says what does not fit
			for _, why := range idle {
				forms = append(forms, []draw.Span{name, widget.Plain(" sends everything: " + why), end, widget.Plain(".")})
			}
		}
		return draw.FirstThatFits(width, append(forms, []draw.Span{name, widget.Plain(" sends everything.")})...)
	}
	switch {
	case no != nil && p.row == p.now():
		return []draw.Span{name, widget.Plain(": "), {Text: no[0], Role: theme.Warn}, widget.Plain(".")}
	case no != nil:
		verb = " would cost "
		for _, but := range no[:2] {
			add(against[0], draw.Span{Text: ", but " + but, Role: theme.Warn})
			add(against[1], draw.Span{Text: ", but " + but, Role: theme.Warn})
		}
	case c.Totals.SummaryCost > 0:
		add(against[0], widget.Plain("; its summaries cost "+p.cost(c.Totals.SummaryCost)))
	case p.alongside:
		for _, why := range p.because(c.Totals) {
			add(against[0], widget.Plain(": "+why))
		}
	case p.row > plans.All:
		hows := p.how(p.row)
		for _, how := range hows[:min(2, len(hows))] {
			add(against[0] + ": " + how)
		}
		for _, how := range hows {
			forms = append(forms, []draw.Span{name, widget.Plain(": " + how + ".")})
		}
	}
	add(against[0])
	add(against[1])
	return draw.FirstThatFits(width, forms...)
}

// because returns what makes the cost of a plan, as a clause, the longest form first: how much it
// leaves out, and how much of the rest it reads from the cache.
func (p *View) because(t turns.Totals) []string {
	of := func(t turns.Totals) (out, reads string) {
		share, known := p.share(t)
		if !known || t.Tokens() == 0 {
			return "", ""
		}
		return plain.Percent(1 - share), plain.Percent(fromCache(t))
	}
	out, reads := of(t)
	if out == "" {
		return []string{"it sends nothing"}
	}
	said := "it leaves out " + out + " of all tokens and reads " + reads + " of the rest from the cache"
	forms := []string{said, "it leaves out " + out + " of all tokens"}
	if t.Bare > 0 { // all that was asked is left out there
		bare := " sends " + plain.Thousands(t.Bare) + " of " + plain.Count(t.Requests, "request") + " with pinned items alone"
		return []string{forms[1] + ", and" + bare + ": j/k for another plan", forms[1] + ", and" + bare, "it" + bare}
	}
	if now, _, _ := p.app.Turns().Course(p.now()); now != nil && now.Totals != t {
		if out, reads := of(now.Totals); out != "" {
			forms = append([]string{said + "; " + p.side.String() + " leaves out " + out + " and reads " + reads}, forms...)
		}
	}
	return forms
}

// idle returns why the plan of the agent sends all that there is, the longest form first, of three;
// nil if it does not, or is not known.
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

// bestLine returns what costs least of all that fits, after the mark of its row where that fits and
// is in the list, and what the cheapest of the list costs where that is another; or all that there
// is, with a larger budget.
func (p *View) bestLine(best plans.Row, least *turns.Course, width, most int, mark rune) []draw.Span {
	say := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Strong}} }
	if least == nil {
		return say("No plan fits in every request.")
	}
	_, old, _ := p.app.Turns().Course(best)
	row, low, totals := p.cheapest(best, least)
	against, tone := p.versus(totals, old)
	tail, takes := "", ""
	if set, _ := p.versus(least.Totals, old); totals.Cost < least.Totals.Cost {
		takes, tail = " (= takes it)", "; "+p.name(best)+": "+set[1]
		if row == best {
			tail = "; " + widget.Share(p.app.Turns().Low()) + ", as set: " + set[1]
		}
	}
	all, _, _ := p.app.Turns().Course(plans.All)
	if one, ok := p.ratio(all.Totals, old); ok && all.Totals.Over > 0 && all.Totals.Cost < totals.Cost {
		tail = "; sending everything, from " + p.fitsFrom().String() + " on: " + plain.Compared(one, "")
	}
	if n := totals.Bare; n > 0 && most == 1 { // no line after it says so
		tail = "; " + plain.Count(n, "request") + widget.Verb(n, " holds", " hold") + " pinned items alone"
	}
	if ratio, ok := p.ratio(totals, old); ok && ratio >= 1 {
		none := "None of these plans that fit costs less than " + p.side.String()
		return say(widget.Fitting(width, none+tail+".", none+"."))
	}
	form := func(head, against, tail string) []draw.Span {
		return []draw.Span{{Text: head, Role: theme.Strong}, {Text: p.named(row, low), Role: cmp.Or(role(row), theme.Strong)}, widget.Plain(", "), {Text: against, Role: tone}, widget.Plain(tail + ".")}
	}
	const plan, fits, brief = "Cheapest of these plans: ", "Cheapest of these: ", "Cheapest: "
	forms := [][]draw.Span{form(plan, against[0], takes+tail), form(fits, against[0], takes+tail), form(fits, against[0], tail)}
	if takes == "" {
		forms = append([][]draw.Span{append([]draw.Span{{Text: string(mark) + " ", Role: theme.Gain}}, forms[0]...)}, forms...)
	}
	short := strings.TrimSuffix(tail, " less")
	return draw.FirstThatFits(width, append(forms, form(fits, against[0], short), form(brief, against[0], short), form(brief, against[1], short), form(plan, against[0], ""), form(fits, against[0], ""), form(fits, against[1], ""), form(brief, against[1], ""))...)
}

// cheapest returns what costs least of all that fits: the best plan of the list, or a plan that
// cuts a full window to another low mark of its sweep, once that is known.
func (p *View) cheapest(best plans.Row, least *turns.Course) (row plans.Row, low float64, totals turns.Totals) {
	row, low, totals = best, p.app.Turns().Low(), least.Totals
	for _, of := range plans.Cutting() {
		cuts, _, old, _ := p.app.Turns().Sweep(of)
		if k := turns.CheapestThatFits(cuts); k >= 0 && !old && cuts[k].Cost < totals.Cost {
			row, low, totals = of, turns.SweepLows()[k], cuts[k]
		}
	}
	return row, low, totals
}

// sentence returns a clause as a sentence.
func sentence(clause string) string { return strings.ToUpper(clause[:1]) + clause[1:] + "." }

// howTo says of a plan what an agent has to do to have it, as a sentence, the longest form first.
func (p *View) howTo(row plans.Row) []string {
	name := p.called(row)
	return plain.Texts(p.how(row), func(clause string) string {
		return strings.ToUpper(name[:1]) + name[1:] + ": " + clause + "."
	})
}

// how returns what an agent has to do to have a plan, the longest form first.
func (p *View) how(row plans.Row) []string {
	switch row {
	case plans.A, plans.B:
		return []string{"choose anew before every request"}
	case plans.All:
		return []string{"send all that there is"}
	case plans.Sliding:
		return []string{"send the newest items, up to one that does not fit"}
	case plans.SlidingCut:
		cut := "send all until it no longer fits; then the newest items that fill " + widget.Share(p.app.Turns().Low())
		return []string{cut + " of the room: what goes stays out", cut, "send all; when full, the newest " + widget.Share(p.app.Turns().Low())}
	case plans.Watermark:
		cut := "send all until it no longer fits; then let " + p.side.String() + " cut it to " + widget.Share(p.app.Turns().Low())
		return []string{cut + " of the room: what " + p.side.String() + " drops stays out" + notCupel, cut, "send all; when full, cut to " + widget.Share(p.app.Turns().Low())}
	}
	rule := p.rule()
	return []string{howRule(rule), strings.TrimSpace(when(rule.Rule) + does(rule)), does(rule)}
}

// does says in a few words what the plan of an agent does.
func does(plan turns.Plan) string {
	switch plan.Strategy {
	case turns.Clear:
		return "old results become notes"
	case turns.Drop:
		return "old calls and results go"
	}
	return "old items become one summary"
}

// when returns the words for when the plan of an agent acts, to stand before what it does; "" if at
// every request.
func when(rule turns.Rule) string {
	switch {
	case rule.OfMax:
		return "with less than " + rule.Trigger.String() + " tokens of the budget left "
	case rule.Trigger > 0:
		return "above " + rule.Trigger.String() + " tokens "
	}
	return ""
}

// howRule returns what the plan of an agent does and when, in full.
func howRule(plan turns.Plan) string {
	rule := plan.Rule
	newest, end := "", ""
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
	return when(rule) + sentence
}

// everythingFits is the headline where all plans cost the same.
func (p *View) everythingFits(c *turns.Course, width int) [][]draw.Span {
	first := "Everything fits at " + p.app.Experiment().Setup().Budget.MaxTokens.String() + ": every plan costs " + p.withUnit(c.Totals.Cost) + " for the whole session."
	second := "Plans differ below " + p.tokens(p.largest()) + ": try " + p.smaller()
	second = widget.Fitting(width, second+", a budget at which they cut.", second+".")
	say := func(text string) []draw.Span { return []draw.Span{{Text: text, Role: theme.Strong}} }
	if draw.Width(first+second)+1 <= width {
		return [][]draw.Span{say(first + " " + second)}
	}
	return [][]draw.Span{say(widget.Fitting(width, first, "Everything fits: every plan costs "+p.withUnit(c.Totals.Cost)+".")), say(second)}
}

// leastCost returns the plan that costs least among the plans that send something and whose windows
// always fit and never fail; nil if there is none. equal reports that all plans fit and cost the
// same, computed that no plan is still being computed.
func (p *View) leastCost() (best plans.Row, least *turns.Course, equal, computed bool) {
	equal, computed = true, true
	for row := range plans.Rows {
		c, old, err := p.app.Turns().Course(row)
		if c == nil && err == nil {
			return 0, nil, false, false
		}
		computed = computed && !old
		if c == nil || unfit(c.Totals) != nil || c.Totals.Tokens() == 0 {
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
	return best, least, equal, computed
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
	history, _ := p.app.Turns().History()
	if all, _, _ := p.app.Turns().Course(plans.All); all != nil && history != nil {
		for t, w := range all.Windows {
			if !history.Requests()[t].IsNow() {
				most = max(most, w.Tokens)
			}
		}
	}
	return most
}

// fitsFrom returns the least budget from which on every request fits if everything is sent.
func (p *View) fitsFrom() model.Tokens { return p.largest() + p.app.Experiment().Setup().Gap }

// smaller returns a budget to type at which plans cut, three quarters of the largest request.
func (p *View) smaller() string { return fmt.Sprintf(":%d", 3*p.largest()/4) }
