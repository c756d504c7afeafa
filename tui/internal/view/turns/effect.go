package turns

import (
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Effect returns what the newest change did to the plan that is drawn: its cost, the
// tokens that it sends and the prefix that survives, before and after.
func (p *View) Effect(f *widget.Frame, width int) []draw.Span {
	t := p.app.Turns()
	now, old, err := t.Course(p.row)
	say := func(text string, role theme.Role) []draw.Span { return []draw.Span{{Text: text, Role: role}} }
	switch {
	case err != nil:
		return say("no cost: "+plain.Line(err.Error(), max(0, width-9)), theme.Error)
	case t.Requests() == 0:
		return say("no requests, no cost", theme.Dim)
	case now == nil || old:
		return say(p.short()+" "+p.computing(f), theme.Warn)
	}
	arrow := " " + string(f.Glyphs().Arrow) + " "
	was := t.Before(p.row)
	im, _ := p.app.Experiment().Impact()
	known := was != nil && im.Change == p.app.Experiment().Changes()
	if !known {
		was = now
	}
	from, to, end := p.costs(was, now)
	if to == "" {
		return say(widget.Fitting(width, p.noCost(now)...), theme.Dim)
	}
	by := change(was, now)
	cost := draw.Span{Text: p.short() + " costs " + to + end, Role: theme.Plain}
	brief := widget.Plain(p.short() + " costs " + to)
	switch {
	case by != 1 && from != to:
		cost = draw.Span{Text: p.short() + " costs " + from + arrow + to + end, Role: costRole(by)}
		brief = draw.Span{Text: p.short() + " costs " + from + arrow + to, Role: costRole(by)}
	case known && by == 1:
		cost.Text += ", as before"
	}
	pair := func(name, from, to string) draw.Span {
		if from == to {
			return draw.Span{}
		}
		return widget.Plain("  " + name + " " + from + arrow + to)
	}
	price := draw.Span{}
	if p.price() > 0 && p.row != plans.All {
		price = pair("cost", p.cost(was.Totals.Cost), p.cost(now.Totals.Cost))
	}
	tokens := func(c *turns.Course) string { return p.tokens(model.Tokens(c.Totals.TokensPerRequest() + .5)) }
	read := func(c *turns.Course) string {
		if c.Totals.Tokens() > 0 {
			return percent(fromCache(c.Totals))
		}
		return "-"
	}
	failed := pair("failed", strconv.Itoa(was.Totals.Failed), strconv.Itoa(now.Totals.Failed))
	sent, reused := pair("tok/req", tokens(was), tokens(now)), pair("read %", read(was), read(now))
	return draw.FirstThatFits(width,
		[]draw.Span{cost, failed, price, sent, reused}, []draw.Span{cost, failed, price, sent},
		[]draw.Span{cost, failed, price}, []draw.Span{cost, failed}, []draw.Span{cost}, []draw.Span{brief})
}

// noCost says why a course costs nothing, the longest form first.
func (p *View) noCost(c *turns.Course) []string {
	if c.Totals.Failed > 0 {
		return []string{"every request fails, so nothing is sent and there is no cost", "every request fails: no cost", "no cost"}
	}
	return []string{"nothing is sent yet, so there is no cost", "nothing is sent yet", "no cost"}
}

// computing returns the words for a plan that is not computed yet.
func (p *View) computing(f *widget.Frame) string {
	if p.app.Turns().Stopped() {
		return "stopped"
	}
	return "computing" + f.Glyphs().Ellipsis
}

// costs returns what a plan costs before and after a change, against sending everything as end says,
// or the whole cost of the plan that sends everything; "" if there is no cost.
func (p *View) costs(was, now *turns.Course) (from, to, end string) {
	a, before := was.Totals.CostRatio()
	b, after := now.Totals.CostRatio()
	switch {
	case !before || !after:
		return "", "", ""
	case p.row == plans.All:
		return p.cost(was.Totals.Cost), p.cost(now.Totals.Cost), ""
	}
	from, to = moreOrLess(a), moreOrLess(b)
	if from != to && (a < 1) == (b < 1) && a != 1 && b != 1 { // the word once
		from, _, _ = strings.Cut(from, " %")
		from += " %"
	}
	return from, to, than(b) + "sending everything"
}

// change returns by which factor the cost of a plan has changed; 1 if it was 0. The cost is
// relative to sending everything, or in input tokens for the plan that sends everything.
func change(was, now *turns.Course) float64 {
	a, _ := was.Totals.CostRatio()
	b, _ := now.Totals.CostRatio()
	if now.Plan.Strategy == turns.All {
		a, b = was.Totals.Cost, now.Totals.Cost
	}
	if a == 0 {
		return 1
	}
	return b / a
}
