package turns

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/export"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// notCupel ends the names of policies that are not Cupel's.
const notCupel = " (not Cupel's)"

// name returns the name of a row.
func (p *View) name(r plans.Row) string { return p.named(r, p.app.Turns().Low()) }

// named returns the name of a row if a full window is cut to low percent.
func (p *View) named(r plans.Row, low float64) string {
	switch r {
	case plans.A, plans.B:
		s := experiment.Side(r)
		name := widget.PolicyName(s, p.app.Experiment().Setup().Policy[s])
		if p.app.Experiment().Items().HasSizes() {
			name += " + cuts" + notCupel
		}
		return name
	case plans.All:
		return "send everything"
	case plans.Sliding:
		return "sliding window"
	case plans.SlidingCut:
		return "sliding cut " + widget.Share(low)
	case plans.Rule:
		name, _, _ := strings.Cut(p.rule().Name, ":")
		return name
	}
	return "watermark " + widget.Share(low)
}

// rule returns the plan of the agent.
func (p *View) rule() turns.Plan {
	plan, _ := turns.ParsePlan(p.app.Turns().PlanName(p.app.Experiment().Setup())) // it was checked when it was typed
	return plan
}

// role returns the colour of the name of a row.
func role(r plans.Row) theme.Role {
	if r <= plans.B {
		return widget.SideRole(experiment.Side(r))
	}
	return theme.Plain
}

// drawTotals draws the plans with their totals, as many as fit into r, and with bars below their
// rows if there is room for these too. Headed says that their columns have names above them.
func (p *View) drawTotals(f *widget.Frame, r draw.Rect, headed bool) {
	p.pitch = 1
	if r.H > minBarsHeight {
		p.pitch = 2
	}
	shown := min(r.H, int(plans.Rows))
	p.listed = p.list(shown)
	p.totals = draw.Rect{X: r.X, Y: r.Y, W: r.W, H: shown * p.pitch}
	for k, row := range p.listed {
		line := p.totals.Row(k * p.pitch)
		p.totalsOf(f, line, row, headed)
		f.CursorRow(line, row == p.row, true)
	}
}

// list returns so many plans around the plan that is drawn: the cheapest is among them if there
// is room for two.
func (p *View) list(shown int) []plans.Row {
	p.top = widget.Scroll(p.top, int(p.row), shown, int(plans.Rows))
	var rows []plans.Row
	for k := range shown {
		rows = append(rows, plans.Row(p.top+k))
	}
	best, least, equal, _ := p.leastCost() // also while it is old: rows keep their places
	if least == nil || equal || shown < 2 || slices.Contains(rows, best) {
		return rows
	}
	if first, last := rows[0], rows[shown-1]; p.row-first > last-p.row {
		rows = rows[1:]
	} else {
		rows = rows[:shown-1]
	}
	rows = append(rows, best)
	slices.Sort(rows)
	return rows
}

// totalsOf draws the row of a plan with its totals. Without a name above it the cost has its unit.
func (p *View) totalsOf(f *widget.Frame, r draw.Rect, row plans.Row, headed bool) {
	c, old, err := p.app.Turns().Course(row)
	if old {
		defer f.Mark(r, theme.Old)
	}
	name, sent, read, cost, against := p.widths(r.W, headed)
	called := p.name(row)
	if draw.Width(called) > name { // the preset matters least
		called, _, _ = strings.Cut(called, " · ")
	}
	f.Text(r.X+1, r.Y, name, plain.Line(called, name), role(row))
	x, end := r.X+2+name, r.X+r.W-1
	switch {
	case c == nil && err != nil:
		f.Right(end-against, r.Y, against, "none", theme.Plain)
		return
	case c == nil:
		f.Right(end-against, r.Y, against, string(f.Glyphs().Ellipsis), theme.Plain)
		return
	}
	t := c.Totals
	if no := unfit(t); no != nil { // it cannot be sent, so what it costs is no answer
		x = r.X + 2 + draw.Width(called)
		f.Right(x, r.Y, end-x, widget.Fitting(end-x-1, no...), theme.Warn)
		return
	}
	says, tone, priced := "-", theme.Plain, p.cost(t.Cost)
	if ratio, ok := p.ratio(t, old); ok && row != p.now() {
		says, tone = plain.Compared(ratio, ""), costRole(ratio)
	}
	if !headed && p.price() == 0 {
		priced += " tok"
	}
	f.Right(end-against, r.Y, against, widget.Fitting(against-1, says, strings.TrimSuffix(says, " more")), tone)
	f.Right(end-against-cost, r.Y, cost, priced, theme.Plain)
	if p.leads(t) {
		f.Set(end-against, r.Y, f.Glyphs().Better, theme.Gain)
	}
	if t.Tokens() > 0 {
		f.Right(end-against-cost-read, r.Y, read, plain.Percent(fromCache(t)), theme.Dim)
	}
	if share, ok := p.share(t); ok {
		f.Right(end-against-cost-read-sent, r.Y, sent, plain.Percent(share), theme.Dim)
	}
	bar := draw.Rect{X: x, Y: r.Y, W: end - against - cost - read - sent - x - 1, H: 1}
	if p.pitch > 1 {
		bar = draw.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: 1}
	}
	if bar.W >= barWidth {
		p.totalsBar(f, bar, t.Cost)
	}
}

// leads reports whether a plan costs what the headline says is the least.
func (p *View) leads(t turns.Totals) bool {
	best, least, known := p.best()
	if !known {
		return false
	}
	_, _, totals := p.cheapest(best, least)
	return t.Cost == totals.Cost
}

// fromCache returns which share of the tokens that are sent is read from the cache: what is paid
// for. They must not be 0.
func fromCache(t turns.Totals) float64 { return float64(t.Read) / float64(t.Tokens()) }

// unfit returns how many requests of a plan fail or do not fit, the longest form first; nil if all
// are sent.
func unfit(t turns.Totals) []string {
	all := plain.Thousands(t.Requests + t.Failed)
	say := func(n int, one, more string) []string {
		of := plain.Thousands(n) + " of " + all
		return []string{of + " requests " + widget.Verb(n, one, more), of + " " + widget.Verb(n, one, more), one}
	}
	switch {
	case t.Failed > 0:
		return say(t.Failed, "fails", "fail")
	case t.Over > 0:
		return say(t.Over, "does not fit", "do not fit")
	}
	return nil
}

// cost writes a cost, which is in input tokens: in dollars if their price is known.
func (p *View) cost(tokens float64) string {
	if price := p.price(); price > 0 {
		return p.about() + "$" + money(turns.Price(tokens, price))
	}
	return p.about() + whole(tokens, 10_000_000)
}

// unit returns what a cost counts.
func (p *View) unit() string {
	price := p.app.Experiment().Setup().Price
	switch {
	case price > 0:
		return "in dollars, " + priceText(price) + " per 1M tokens"
	case p.price() > 0:
		return "in dollars"
	}
	return "in input tokens"
}

// withUnit writes a cost with its unit.
func (p *View) withUnit(tokens float64) string {
	if p.price() > 0 {
		return p.cost(tokens)
	}
	return p.cost(tokens) + " input tok"
}

// about marks what rests on token counts while any is an estimate.
func (p *View) about() string { return export.Mark(p.app.Experiment().Items(), false) }

// tokens writes a number of tokens with that mark.
func (p *View) tokens(t model.Tokens) string { return p.about() + t.String() }

// whole writes a number of tokens, rounded, as "34.7M" from a limit on.
func whole(tokens, limit float64) string {
	if tokens >= limit {
		return model.Tokens(tokens + .5).Short()
	}
	return model.Tokens(tokens + .5).String()
}

// money writes an amount of money with two decimals, or four below 1.
func money(v float64) string {
	switch {
	case v >= 10_000:
		return whole(v, 10_000_000)
	case v >= 1:
		return widget.Value(v)
	case v > 0 && v < .0001:
		return "<0.0001"
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// costRole returns the colour of a cost relative to another: the colour of a loss above 1, the colour of
// a gain below.
func costRole(ratio float64) theme.Role {
	switch {
	case ratio > 1:
		return theme.Loss
	case ratio < 1:
		return theme.Gain
	}
	return theme.Plain
}

// mostCost returns the largest cost of the plans that fit.
func (p *View) mostCost() (most float64) {
	for row := range plans.Rows {
		if c, _, _ := p.app.Turns().Course(row); c != nil && unfit(c.Totals) == nil {
			most = max(most, c.Totals.Cost)
		}
	}
	return most
}

// minBarsHeight is the least height, in cells, of plans with bars below their rows and a blank line.
const minBarsHeight = 2*int(plans.Rows) + 1

// fullTotals is the least width, in cells, of a table of plans with what they read, and barWidth
// the width of a bar.
const fullTotals, barWidth = 69, 8

// widths returns the widths of the columns of the table of plans, without bars that stand between
// them. Headed says that the columns have names.
func (p *View) widths(width int, headed bool) (name, sent, read, cost, against int) {
	switch {
	case !headed && width < fullTotals:
		return 16, 0, 0, 13, 13
	case !headed:
		return 22, 0, 0, 13, 13
	case width < fullTotals:
		return 18, 6, 0, 11, 12
	case p.pitch == 1 && width < fullTotals+2*barWidth:
		return 22, 6, 0, 16, 13
	}
	return 22, 6, 8, 16, 13
}

// totalsHead draws the names of the columns of the table of plans, and returns how many cells of r
// they take.
func (p *View) totalsHead(f *widget.Frame, r draw.Rect) int {
	_, sent, read, cost, against := p.widths(r.W, true)
	head := widget.Fitting(cost-2, "est. cost, tok", "cost, tok")
	if p.price() > 0 {
		head = widget.Fitting(cost-2, "est. cost, $", "cost, $")
	}
	text := draw.PadLeft(head, cost) + draw.PadLeft("against "+p.side.String(), against)
	if read > 0 {
		text = draw.PadLeft("cached", read) + text
	}
	text = strings.TrimLeft(draw.PadLeft("tokens sent", sent)+text, " ")
	f.Right(r.X, r.Y, r.W-1, text, theme.Dim)
	return draw.Width(text) + 1
}

// totalsBar draws the bar of a plan, up to what the policy that is edited costs in one tone, and
// from there on in the tone of a loss.
func (p *View) totalsBar(f *widget.Frame, r draw.Rect, cost float64) {
	glyph := f.Glyphs().Strip[4]
	if p.pitch > 1 && f.Glyphs().Spark { // nearer to its own row
		glyph = '▀'
	}
	most := max(1, cost, p.mostCost())
	cells := func(cost float64) int { return int(cost/most*float64(r.W-1) + .5) }
	now, long := r.W, cells(cost)
	if c, _, _ := p.app.Turns().Course(p.now()); c != nil && c.Totals.Failed == 0 {
		now = cells(c.Totals.Cost)
	}
	f.Fill(draw.Rect{X: r.X, Y: r.Y, W: long, H: 1}, glyph, theme.BarAbove)
	if long > now {
		f.Fill(draw.Rect{X: r.X + now, Y: r.Y, W: long - now, H: 1}, glyph, theme.BarBeyond)
	}
}

// price returns the price of a million input tokens in dollars: the user's, else the model's, also
// with another cache; 0 where neither is known.
func (p *View) price() float64 {
	return cmp.Or(p.app.Experiment().Setup().Price, p.ownPrice())
}

// ownPrice returns the price that the cache has, else the conversation's model; 0 if none is known.
func (p *View) ownPrice() float64 {
	return cmp.Or(p.app.Turns().Cache().Input, p.app.Turns().Caches()[0].Input)
}
