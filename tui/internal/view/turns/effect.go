package turns

import (
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// Effect returns what the newest change did to the plan that was drawn then: its cost, the
// tokens that it sends and the prefix that survives, before and after.
func (p *View) Effect(f *widget.Frame, width int) []draw.Span {
	t := p.app.Turns()
	now, old, err := t.Course(p.told)
	say := func(text string, role theme.Role) []draw.Span { return []draw.Span{{Text: text, Role: role}} }
	switch {
	case p.unsent(f):
		return say("no result", theme.Error)
	case err != nil:
		return say("no cost: "+plain.Line(err.Error(), max(0, width-9)), theme.Error)
	case t.Requests() == 0:
		return say("no requests, no cost", theme.Dim)
	case now == nil || old:
		return say(short(p.told)+" "+p.computing(f), theme.Warn)
	}
	c := p.newest(now)
	if _, sent := c.now.Totals.CostRatio(); !sent {
		return say(widget.Fitting(width, p.noCost(c.now)...), theme.Dim)
	}
	if c.now.Totals.Failed == 0 && c.now.Totals.Over > 0 {
		return say(c.name+": "+widget.Fitting(width-2-len(c.name), unfit(c.now.Totals)...), theme.Warn)
	}
	arrow := " " + string(f.Glyphs().Arrow) + " "
	cost, by := p.costs(&c, arrow)
	brief := draw.Span{Text: cost.Text}
	cost.Text = c.head + cost.Text
	pair := func(name, from, to string) draw.Span {
		if from == to {
			return draw.Span{}
		}
		return widget.Plain("  " + name + " " + from + arrow + to)
	}
	tokens := func(c *turns.Course) string { return p.tokens(model.Tokens(c.Totals.TokensPerRequest() + .5)) }
	read := func(c *turns.Course) string {
		if c.Totals.Tokens() > 0 {
			return plain.Percent(fromCache(c.Totals))
		}
		return "-"
	}
	came, went := count("  +", c.in, " in", theme.Gain), count("  "+theme.Minus, c.out, " out", theme.Loss)
	failed := pair("failed", strconv.Itoa(c.was.Totals.Failed), strconv.Itoa(c.now.Totals.Failed))
	sent, reused := pair("tok/req", tokens(c.was), tokens(c.now)), pair("cached", read(c.was), read(c.now))
	all := []draw.Span{cost, by, failed, came, went, sent, reused}
	return draw.FirstThatFits(width, all, all[:6], all[:5], all[:3], all[:2], []draw.Span{brief})
}

// change is what the newest change did to a plan.
type change struct {
	name     string        // of the plan
	head     string        // stands before what is said of it
	now, was *turns.Course // was is now where known is false
	known    bool          // it is known how the plan was before
	in, out  []int32       // items
}

// newest returns the newest change: of the plan that was drawn then, whose course is now, or, where
// the change was of the other policy alone, of that policy.
func (p *View) newest(now *turns.Course) change {
	t := p.app.Turns()
	im, _ := p.app.Experiment().Impact()
	c := change{name: short(p.told), now: now, was: t.Before(p.told)}
	c.known = c.was != nil && im.Change == p.app.Experiment().Changes()
	if !c.known {
		c.was = now
		return c
	}
	if row := plans.RowOf(im.Side); p.told == p.now() && row != p.told {
		if other, old, err := t.Course(row); err == nil && !old && other != nil && t.Before(row) != nil {
			c.name, c.head, c.now, c.was = im.Side.String(), c.name+" is as before; ", other, t.Before(row)
		}
	}
	if c.name == im.Side.String() && p.told == p.now() && !im.Pending {
		c.in, c.out = im.In, im.Out
	}
	return c
}

// costs returns what the plan costs now and cost before, and by how much that is more or less.
func (p *View) costs(c *change, arrow string) (cost, by draw.Span) {
	before := p.app.Experiment().Before()
	from, to := p.cost(c.was.Totals.Cost), p.cost(c.now.Totals.Cost)
	cost.Text = c.name + " costs " + p.withUnit(c.now.Totals.Cost)
	switch same := c.was.Totals.Failed == c.now.Totals.Failed && c.was.Totals.Cost > 0; {
	case before.Set && (c.was.Totals.Cost == 0 || invalid(before.Value.Budget)):
		by = widget.Plain("; before, nothing was sent")
	case from != to && c.was.Totals.Over == 0:
		cost.Text = c.name + " costs " + from + arrow + to
		if same {
			ratio := c.now.Totals.Cost / c.was.Totals.Cost
			cost.Role = costRole(ratio)
			by = draw.Span{Text: ", " + plain.Compared(ratio, ""), Role: cost.Role}
		}
	case c.known && same && from == to && !(before.Set && before.Value.Price != p.app.Experiment().Setup().Price):
		by.Text = ", as before"
	}
	return cost, by
}

// invalid reports whether nothing can run with a budget.
func invalid(b model.BudgetFields) bool {
	_, err := model.NewBudget(b)
	return err != nil
}

// count returns how many items came in or went out; nothing for none.
func count(sign string, items []int32, word string, role theme.Role) draw.Span {
	if len(items) == 0 {
		return draw.Span{}
	}
	return draw.Span{Text: sign + plain.Thousands(len(items)) + word, Role: role}
}

// noCost returns why a course costs nothing, the longest form first.
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
