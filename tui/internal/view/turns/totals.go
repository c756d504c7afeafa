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

// ours ends the names of plans that are not Cupel's.
const ours = " (ours)"

// name returns the name of a row.
func (p *View) name(r plans.Row) string {
	switch r {
	case plans.A, plans.B:
		s := experiment.Side(r)
		name := widget.PolicyName(s, p.app.Experiment().Setup().Policy[s])
		if p.app.Experiment().Items().HasSizes() {
			name += " + cuts" + ours
		}
		return name
	case plans.All:
		return "send everything"
	case plans.Sliding:
		return "sliding window"
	case plans.Rule:
		name, _, _ := strings.Cut(p.rule().Name, ":")
		return name
	}
	return "watermark " + widget.Share(p.app.Turns().Low()) + ours
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

// drawTotals draws the plans with their totals, as many as fit into r, and below them what
// else stands beside the requests if beside is true. Without room for a head, the costs say
// what they are.
func (p *View) drawTotals(f *widget.Frame, r draw.Rect, beside bool) {
	head := 0
	if r.H > int(plans.Rows) {
		head = 1
		p.totalsRow(f, r.Row(0), totals{tokens: "tok/req", kept: "kept %", cost: p.costHead(), ratio: "vs all"}, theme.Dim)
	}
	shown := min(r.H-head, int(plans.Rows))
	p.listed = p.list(shown)
	p.totals = draw.Rect{X: r.X, Y: r.Y + head, W: r.W, H: shown}
	for k, row := range p.listed {
		line := p.totals.Row(k)
		p.totalsOf(f, line, row, head == 0)
		if row == p.row {
			f.Cursor(line.X, line.Y, true)
			f.Mark(line, theme.Selected)
		}
	}
	if used := head + shown + 1; beside && r.H > used {
		p.drawBeside(f, draw.Rect{X: r.X + 1, Y: r.Y + used, W: r.W - 2, H: r.H - used})
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
	best, _, known := p.best()
	if !known || shown < 2 || slices.Contains(rows, best) {
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

// totalsOf draws the row of a plan with its totals. Alone says that no head is above it.
func (p *View) totalsOf(f *widget.Frame, r draw.Rect, row plans.Row, alone bool) {
	c, old, err := p.app.Turns().Course(row)
	switch {
	case c == nil && err != nil:
		p.totalsRow(f, r, totals{name: p.name(row), ratio: "none", alone: alone}, role(row))
		return
	case c == nil:
		p.totalsRow(f, r, totals{name: p.name(row), ratio: string(f.Glyphs().Ellipsis), alone: alone}, role(row))
		return
	}
	t := c.Totals
	kept, ratio := "-", "-"
	if share, ok := t.SurvivingPrefix(); ok {
		kept = percent(share)
	}
	x, ok := t.CostRatio()
	if ok {
		ratio = ratioText(x)
	}
	name, cost := p.name(row), p.cost(t.Cost)
	if alone {
		if p.price() == 0 {
			cost += " tok"
		}
		ratio += " vs all"
	}
	line := totals{name: name, tokens: p.about() + whole(t.TokensPerRequest(), 1_000_000), kept: kept, cost: cost, ratio: ratio, bar: p.ofDearest(t.Cost), over: t.Over, alone: alone}
	if best, _, known := p.best(); known && best == row {
		line.note = "cheapest"
	}
	if ok && row != plans.All {
		line.ratioRole = costRole(x)
	}
	p.totalsRow(f, r, line, role(row))
	if old {
		f.Mark(r, theme.Old)
	}
}

// cost writes a cost, which is in input tokens: as money if their price is known, and in dollars
// if it is the price of the model.
func (p *View) cost(tokens float64) string {
	price := p.price()
	switch {
	case price <= 0:
		return p.about() + whole(tokens, 10_000_000)
	case p.app.Experiment().Setup().Price > 0:
		return p.about() + money(turns.Price(tokens, price))
	}
	return p.about() + "$" + money(turns.Price(tokens, price))
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

// costHead returns the heading for costs.
func (p *View) costHead() string {
	if p.price() > 0 {
		return "price"
	}
	return "cost tok"
}

// money writes an amount of money with two decimals, or four below 1.
func money(v float64) string {
	switch {
	case v >= 10_000:
		return whole(v, 10_000_000)
	case v >= 1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v > 0 && v < .0001:
		return "<0.0001"
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

func ratioText(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// costRole returns the colour of a cost relative to sending everything: the colour of a loss
// above 1, the colour of a gain below.
func costRole(ratio float64) theme.Role {
	switch {
	case ratio > 1:
		return theme.Loss
	case ratio < 1:
		return theme.Gain
	}
	return theme.Plain
}

// ofDearest returns a cost as a share of the largest of all plans.
func (p *View) ofDearest(cost float64) float64 {
	most := cost
	for row := range plans.Rows {
		if c, _, _ := p.app.Turns().Course(row); c != nil {
			most = max(most, c.Totals.Cost)
		}
	}
	if most <= 0 {
		return 0
	}
	return cost / most
}

// totals is what a row of the table of plans says. Bar is the length of its bar, 0 to 1.
// Alone says that no head is above it: then it has the costs only, in words.
type totals struct {
	name, tokens, kept, cost, ratio string
	ratioRole                       theme.Role
	bar                             float64
	over                            int    // requests that do not fit, said in place of the bar
	note                            string // stands after the bar where there is room
	alone                           bool
}

// plansName is the most that the name of a plan takes of a row, in cells.
const plansName = 24

// The widths of the last columns of the table of plans.
const costWidth, ratioWidth = 10, 8

// fullTotals is the least width, in cells, of a table of plans with tokens and kept beside
// the costs and their bars.
const fullTotals = 70

// totalsRow draws a row of the table of plans.
func (p *View) totalsRow(f *widget.Frame, r draw.Rect, row totals, role theme.Role) {
	number := theme.Plain
	if row.name == "" {
		number = theme.Dim
	}
	columns := []struct {
		text  string
		width int
		role  theme.Role
	}{{row.tokens, 8, number}, {row.kept, 7, number}, {row.cost, costWidth, number}, {row.ratio, ratioWidth, cmp.Or(row.ratioRole, number)}}
	switch {
	case row.alone:
		columns = columns[2:]
		columns[0].width, columns[1].width = 13, 13
	case r.W < fullTotals:
		columns = columns[2:]
	}
	x := r.X + r.W - 1
	for _, c := range columns {
		x -= c.width
	}
	name := min(plansName, max(22, (x-r.X)/2))
	bar := x - r.X - name - 2
	text := row.name
	if draw.Width(text) >= name { // the preset matters least
		text, _, _ = strings.Cut(text, " · ")
	}
	f.Text(r.X+1, r.Y, name-1, plain.Line(text, name-1), role)
	if over := plain.Thousands(row.over); row.over > 0 {
		f.Text(r.X+1+name, r.Y, bar, widget.Fitting(bar, over+" do not fit", over+" over"), theme.Warn)
		row.bar = 0
	}
	long := int(row.bar*float64(bar) + .5)
	for k := range long {
		f.Set(r.X+1+name+k, r.Y, f.Glyphs().Strip[4], theme.BarAbove)
	}
	if left := bar - long - 1; draw.Width(row.note) <= left {
		f.Text(r.X+2+name+long, r.Y, left, row.note, theme.Gain)
	}
	for _, c := range columns {
		f.Right(x, r.Y, c.width, c.text, c.role)
		x += c.width
	}
}

// price returns the price of a million input tokens: the user's, else the model's
// in dollars; 0 where neither is known.
func (p *View) price() float64 {
	return cmp.Or(p.app.Experiment().Setup().Price, p.app.Turns().Billing().Input)
}
