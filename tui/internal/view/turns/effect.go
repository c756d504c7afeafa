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
	arrow := " " + string(f.Glyphs().Arrow) + " "
	was := t.Before(p.told)
	im, _ := p.app.Experiment().Impact()
	known := was != nil && im.Change == p.app.Experiment().Changes()
	name, head := short(p.told), ""
	if row := plans.RowOf(im.Side); known && p.told == p.now() && row != p.told { // the change was of the other policy alone
		if other, old, err := t.Course(row); err == nil && !old && other != nil && t.Before(row) != nil {
			name, head, now, was = im.Side.String(), name+" is as before; ", other, t.Before(row)
		}
	}
	if !known {
		was = now
	}
	if _, sent := now.Totals.CostRatio(); !sent {
		return say(widget.Fitting(width, p.noCost(now)...), theme.Dim)
	}
	if now.Totals.Failed == 0 && now.Totals.Over > 0 {
		return say(name+": "+widget.Fitting(width-2-len(name), unfit(now.Totals)...), theme.Warn)
	}
	before := p.app.Experiment().Before()
	from, to := p.cost(was.Totals.Cost), p.cost(now.Totals.Cost)
	cost := draw.Span{Text: name + " costs " + p.withUnit(now.Totals.Cost), Role: theme.Plain}
	brief, by := cost, draw.Span{}
	switch same := was.Totals.Failed == now.Totals.Failed && was.Totals.Cost > 0; {
	case from != to && was.Totals.Over == 0:
		cost.Text = name + " costs " + from + arrow + to
		brief = cost
		if same {
			ratio := now.Totals.Cost / was.Totals.Cost
			cost.Role, by = costRole(ratio), draw.Span{Text: ", " + plain.Compared(ratio, ""), Role: costRole(ratio)}
		}
	case known && same && from == to && !(before.Set && before.Value.Price != p.app.Experiment().Setup().Price):
		cost.Text += ", as before"
	}
	pair := func(name, from, to string) draw.Span {
		if from == to {
			return draw.Span{}
		}
		return widget.Plain("  " + name + " " + from + arrow + to)
	}
	tokens := func(c *turns.Course) string { return p.tokens(model.Tokens(c.Totals.TokensPerRequest() + .5)) }
	read := func(c *turns.Course) string {
		if c.Totals.Tokens() > 0 {
			return percent(fromCache(c.Totals))
		}
		return "-"
	}
	came, went := draw.Span{}, draw.Span{}
	if name == im.Side.String() && p.told == p.now() && known && !im.Pending {
		came, went = count("  +", im.In, " in", theme.Gain), count("  "+theme.Minus, im.Out, " out", theme.Loss)
	}
	cost.Text = head + cost.Text
	failed := pair("failed", strconv.Itoa(was.Totals.Failed), strconv.Itoa(now.Totals.Failed))
	sent, reused := pair("tok/req", tokens(was), tokens(now)), pair("read %", read(was), read(now))
	return draw.FirstThatFits(width,
		[]draw.Span{cost, by, failed, came, went, sent, reused}, []draw.Span{cost, by, failed, came, went, sent},
		[]draw.Span{cost, by, failed, came, went}, []draw.Span{cost, by, failed}, []draw.Span{cost, by}, []draw.Span{brief})
}

// count says how many items came in or went out; nothing for none.
func count(sign string, items []int32, word string, role theme.Role) draw.Span {
	if len(items) == 0 {
		return draw.Span{}
	}
	return draw.Span{Text: sign + plain.Thousands(len(items)) + word, Role: role}
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
