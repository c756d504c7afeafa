package turns

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// drawBeside says, below the plans, what an agent does to have the plan that is drawn, why the
// agent's plan sends everything if it does and, beside the rows of text below the bars, what these
// mean.
func (p *View) drawBeside(f *widget.Frame, r draw.Rect, parts rows) {
	y, end := p.totals.Y+p.totals.H+1, r.Y+parts.bars
	if why := p.idle(); p.row != plans.Rule && why != nil && p.listed[len(p.listed)-1] == plans.Rule {
		at := y - 1 // below its row or, where that has no bar, in place of the bar
		if c, _, _ := p.app.Turns().Course(plans.Rule); p.pitch > 1 && unfit(c.Totals) != nil {
			at--
		}
		if at < end {
			f.Text(r.X+1, at, r.W-1, why[len(why)-1], theme.Dim)
		}
		y = max(y, at+2)
	}
	for _, how := range p.howTo(p.row) {
		if lines := draw.Paragraph(r.W, draw.Span{Text: how, Role: theme.Dim}); len(lines) <= end-y+1 {
			y = min(y, end-len(lines)) // without a blank line above where there is no room
			y += f.Lines(draw.Rect{X: r.X, Y: y, W: r.W, H: len(lines)}, lines)
			break
		}
	}
	for _, lines := range p.beside(r.W) {
		if y++; y+min(len(lines), minBesideLines) < end {
			f.Lines(draw.Rect{X: r.X, Y: y, W: r.W, H: min(len(lines), end-1-y)}, lines)
			y += len(lines)
		}
	}
	unit, _, _ := strings.Cut(p.unit(), ",")
	_, mean := parts.names("", 0, false, false, p.tooShort(), unit)
	if r.W+2 >= fullTotals {
		mean[0] += "   cached: of these"
	}
	for k, text := range mean {
		if y := r.Y + parts.bars + k; r.Y+parts.bars+k > p.totals.Y+p.totals.H && y < r.Y+r.H {
			f.Text(r.X, y, r.W, text, theme.Dim)
		}
	}
}

// tooShort returns why no prompt of the plan that is drawn is read from the cache; "" if one is, or
// if it is long enough.
func (p *View) tooShort() string {
	c, _, _ := p.app.Turns().Course(p.row)
	cache := p.app.Turns().Cache()
	switch {
	case c == nil || c.Totals.Tokens() == 0 || slices.ContainsFunc(c.Bills, func(b turns.Bill) bool { return b.Tokens() >= cache.Minimum }):
		return ""
	case cache.Minimum > model.MaxTokens:
		return "there is no cache"
	}
	return "too short to read"
}

// minBesideLines is how many lines of a part of the details tell something without the others.
const minBesideLines = 5

// beside returns the parts of the details that need no other results, the most telling first.
func (p *View) beside(width int) [][][]draw.Span {
	c, _, _ := p.app.Turns().Course(p.row)
	if c == nil {
		return nil
	}
	return [][][]draw.Span{p.made(c, width), p.dearest(c, width), p.more(width)}
}

// details is the overlay that says of the plan that is drawn what its cost is made of, what it
// costs at other budgets, how sure that is, and what else is known of the request under the cursor.
type details struct {
	widget.Scroller
	of *View
}

// Spec says that the details cover the main area.
func (d *details) Spec() screen.Spec {
	return screen.Spec{Place: screen.Over, Cursor: d, PlansWanted: d.of.plansWanted, Hints: func() []screen.Hint {
		return []screen.Hint{{Key: "j/k", Text: "scroll"}, {Key: "esc", Text: "close"}, {Key: "?", Text: "all keys"}}
	}}
}

// Draw draws the details over r, from the line that they are scrolled to.
func (d *details) Draw(f *widget.Frame, r draw.Rect, _, _ bool) {
	in := f.Overlay(r, "What "+d.of.called(d.of.row)+" does and costs  esc closes")
	lines := d.of.details(in.W - 2)
	first := d.Show(in.H, len(lines))
	f.Lines(draw.Rect{X: in.X + 1, Y: in.Y, W: in.W - 2, H: in.H}, lines[first:])
	f.OverlayRows(r, in, first, first+in.H, len(lines))
}

// details returns the lines of the details.
func (p *View) details(width int) (lines [][]draw.Span) {
	part := func(more [][]draw.Span) {
		if len(more) > 0 && len(lines) > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, more...)
	}
	c, _, _ := p.app.Turns().Course(p.row)
	part(draw.Paragraph(width, widget.Plain(p.howTo(p.row)[0])))
	part(p.made(c, min(width, 60)))
	part(p.averages(c, width))
	var notes [][]draw.Span
	for _, note := range p.notes() {
		notes = append(notes, draw.Paragraph(width, note)...)
	}
	part(notes)
	part(p.more(width))
	if c != nil {
		part(p.dearest(c, width))
	}
	return lines
}

// averages returns how much a request of a course sends and reads on average.
func (p *View) averages(c *turns.Course, width int) [][]draw.Span {
	now, _, _ := p.app.Turns().Course(p.now())
	if c == nil || now == nil || c.Totals.Tokens() == 0 {
		return nil
	}
	text := "A request sends " + p.tokens(model.Tokens(c.Totals.TokensPerRequest()+.5)) + " tokens on average"
	if p.row != p.now() && now.Totals.Tokens() > 0 {
		ratio := c.Totals.TokensPerRequest() / now.Totals.TokensPerRequest()
		text += ", " + plain.Compared(ratio, p.side.String())
	}
	if c.Totals.Read > 0 {
		text += "; " + plain.Percent(fromCache(c.Totals)) + " of that is read from the cache"
	}
	return draw.Paragraph(width, widget.Plain(text))
}

// made returns what the cost of a course is made of: a line for each price, and their sum. It is
// empty without a cost.
func (p *View) made(c *turns.Course, width int) (lines [][]draw.Span) {
	if c == nil || c.Totals.Cost == 0 {
		return nil
	}
	t, cache := c.Totals, p.app.Turns().Cache()
	left := t.Cost
	var costs []float64
	var names, hows []string
	add := func(name, how string, cost float64) {
		names, hows, costs = append(names, name), append(hows, how), append(costs, cost)
	}
	for _, part := range [...]struct {
		name   string
		tokens model.Tokens
		price  float64
	}{{"written", t.Written, cache.Write}, {"read", t.Read, cache.Read}, {"not cached", t.Plain, 1}} {
		if part.tokens > 0 {
			cost := float64(part.tokens) * part.price
			add(part.name, p.tokens(part.tokens)+" tok at "+priceText(part.price), cost)
			left -= cost
		}
	}
	if t.SummaryCost > 0 {
		add("summaries", plain.Thousands(t.Summaries)+" written", t.SummaryCost)
		left -= t.SummaryCost
	}
	if left >= .5 {
		add("long prompts", "more a token", left)
	}
	whole := p.called(p.row) + ", whole session"
	if p.price() == 0 {
		costs = widget.AddUp(t.Cost, costs)
	}
	add(widget.Fitting(width-12, whole+", "+plain.Count(t.Requests, "request")+" sent", whole), "", t.Cost)
	for k, name := range names {
		lines = append(lines, []draw.Span{{Text: name, Role: theme.Dim}, {Text: draw.PadLeft(hows[k]+draw.PadLeft(p.cost(costs[k]), 12), width-draw.Width(name)), Role: theme.Plain}})
	}
	lines[len(lines)-1][1].Role = theme.Strong
	return lines
}

// maxDearest bounds how many requests are listed.
const maxDearest = 20

// minBroke and minItem are the least widths, in cells, in which the list of the requests that cost most
// names the item that breaks a prefix, and says more of it.
const minBroke, minItem = 9, 16

// dearest lists the requests that cost most, with what breaks their prefix, after a head.
func (p *View) dearest(c *turns.Course, width int) [][]draw.Span {
	history, _ := p.app.Turns().History()
	var sent []int
	for t := range c.Bills {
		if !history.Requests()[t].IsNow() && c.Windows[t].Err == nil {
			sent = append(sent, t)
		}
	}
	slices.SortStableFunc(sent, func(a, b int) int { return cmp.Compare(c.Bills[b].Cost, c.Bills[a].Cost) })
	if len(sent) == 0 || c.Totals.Cost == 0 {
		return nil
	}
	heads, room := "request   tokens      cost  of all    kept", width-44
	if room >= minBroke {
		heads += "  broken by"
	}
	lines := [][]draw.Span{{{Text: heads, Role: theme.Dim}}}
	for _, t := range sent[:min(maxDearest, len(sent))] {
		change := c.Changes[t]
		kept, why := "", ""
		if !change.First {
			kept = plain.Percent(change.Surviving())
		}
		if change.Cause != turns.NoBreak {
			why = causeSign(change.Cause) + history.Name(t, change.Item)
			if change.Item >= 0 && room >= minItem {
				it := history.Items().Loaded(int(change.Item))
				why += " " + widget.KindName(it.Kind) + " " + it.Headline(160)
			}
		}
		if room < minBroke {
			why = ""
		}
		role := theme.Plain
		if t == p.current() {
			role = theme.Focus
		}
		lines = append(lines, []draw.Span{
			{Text: draw.PadLeft(strconv.Itoa(t+1), 7) + draw.PadLeft(p.tokens(c.Bills[t].Tokens()), 9) + draw.PadLeft(p.cost(c.Bills[t].Cost), 10) + draw.PadLeft(plain.Percent(c.Bills[t].Cost/c.Totals.Cost), 8) + draw.PadLeft(kept, 8), Role: role},
			{Text: "  " + plain.Line(why, max(0, room)), Role: theme.Loss},
		})
	}
	return lines
}

// notes returns paragraphs about the totals, the most important first: which requests fail or do
// not fit, what the figures mean, and how well the cache model agrees with what was recorded.
func (p *View) notes() []draw.Span {
	t := p.app.Turns()
	cache := t.Cache()
	var all []draw.Span
	add := func(text string, role theme.Role) { all = append(all, draw.Span{Text: text, Role: role}) }
	for r := range plans.Rows {
		if c, _, _ := t.Course(r); c != nil && c.Totals.Failed > 0 {
			add(p.called(r)+": "+plain.Count(c.Totals.Failed, "request")+widget.Verb(c.Totals.Failed, " fails", " fail")+" and cost nothing", theme.Error)
		}
	}
	if recalls := p.recalls(); recalls != "" {
		add(recalls, theme.Plain)
	}
	history, _ := t.History()
	sent, _, _ := t.Course(plans.All)
	if history != nil && sent != nil {
		if forecast, ok := history.Forecast(sent, t.Billing().Cache); ok {
			add(sayForecast(forecast), theme.Plain)
		}
	}
	if text := p.overCaches(history); text != "" {
		add(text, theme.Plain)
	}
	if price := p.price(); price > 0 {
		add("Costs are in dollars, estimated, at "+priceText(price)+" per million input tokens", theme.Dim)
	}
	if p.rule().Strategy == turns.Summarise {
		add("A token of a summary costs "+priceText(t.Billing().Output)+" input tokens to write", theme.Dim)
	}
	add(sayFixed(t.Billing().Fixed), theme.Dim)
	add(sayCache(cache), theme.Dim)
	if p.price() == 0 {
		add("Costs are in input tokens, estimated; P sets their price", theme.Dim)
	}
	return all
}

// compared returns the plan whose cost is compared with the cost of the policy that is edited: the
// plan that is drawn, or else the cheapest that fits; nil without one.
func (p *View) compared() (plans.Row, *turns.Course) {
	t, row := p.app.Turns(), p.row
	c, old, _ := t.Course(row)
	if c == nil || row == p.now() || unfit(c.Totals) != nil {
		row, c, _ = p.best()
		_, old, _ = t.Course(row)
	}
	if c == nil || row == p.now() {
		return row, nil
	}
	if _, ok := p.ratio(c.Totals, old); !ok {
		return row, nil
	}
	return row, c
}

// overCaches returns how the cost of the compared plan and the cost of the edited policy compare
// over all caches to choose from; "" without both.
func (p *View) overCaches(history *experiment.Requests) string {
	t := p.app.Turns()
	row, c := p.compared()
	all, _, _ := t.Course(plans.All)
	now, _, _ := t.Course(p.now())
	if history == nil || all == nil || c == nil {
		return ""
	}
	var ratios []float64
	by := t.Billing()
	for _, by.Cache = range t.Caches() {
		sent := history.Bill(all.Plan, all.Windows, all.Changes, 0, by, nil)
		cost := func(c *turns.Course) float64 {
			return history.Bill(c.Plan, c.Windows, c.Changes, 0, by, sent).Totals.Cost
		}
		ratios = append(ratios, cost(c)/cost(now))
	}
	low, high := slices.Min(ratios), slices.Max(ratios)
	return "Whichever cache $ sets, even none, " + p.called(row) + " costs " + sayRange(low, high, p.side.String())
}

// sayRange returns how a cost compares with the cost of another plan, between two ratios: "37 % to
// 46 % less than A", "4.7 % less to 12 % more than A", "as much as A".
func sayRange(low, high float64, than string) string {
	if high <= 1 { // the smaller difference first
		low, high = high, low
	}
	from, to := plain.Compared(low, ""), plain.Compared(high, "")
	word := to[strings.LastIndex(to, " "):]
	switch {
	case from == to:
		return plain.Compared(high, than)
	case low == 1:
		return "up to " + plain.Compared(high, than)
	}
	return strings.TrimSuffix(from, word) + " to " + plain.Compared(high, than)
}

// recalls returns how much of what is needed and had come the requests of each plan have, on
// average; "" where nothing is labelled.
func (p *View) recalls() string {
	text := ""
	for r := range plans.Rows {
		c, _, _ := p.app.Turns().Course(r)
		if c == nil {
			continue
		}
		if recall, ok := c.Totals.Recall(); ok {
			text += ", " + p.called(r) + " " + plain.Percent(recall)
		}
	}
	if text == "" {
		return ""
	}
	return "Recall of what is needed, a request on average: " + text[2:]
}

// sayCache returns the limits of a cache model as text.
func sayCache(c turns.Cache) string {
	if c.Minimum > model.MaxTokens {
		return "Without a cache."
	}
	s := "A prompt is cached from " + c.Minimum.String() + " tokens on"
	if c.Step > 1 {
		s += ", in steps of " + c.Step.String()
	}
	if c.Unverified != "" {
		s += " (" + c.Unverified + " unverified)"
	}
	return s + "; how long the cache lives is not modelled"
}

// sayFixed returns as text what every prompt begins with.
func sayFixed(f turns.Fixed) string {
	how := "as recorded"
	switch f.From {
	case turns.FixedUnknown:
		return "Tokens that the log does not hold, such as those of a system prompt: 0; b sets them"
	case turns.FixedGiven:
		how = "as you said"
	}
	return "Tokens that the log does not hold (system prompt, tools): " + f.Tokens.String() + ", " + how + "; b sets them"
}

// sayForecast returns as text how the cache model compares with what the provider recorded.
func sayForecast(f turns.Forecast) string {
	return "recorded for " + plain.Count(f.Requests, "request") + ": " + plain.Percent(f.Recorded) + " read from the cache; the model, fitted to that record, says " +
		plain.Percent(f.Predicted) + ", " + strconv.Itoa(points(f.Error())) + " points off" + sayCostError(f)
}

// sayCostError returns how far the predicted cost is off, to follow a sentence.
func sayCostError(f turns.Forecast) string {
	by, ok := f.CostError()
	if !ok {
		return ""
	}
	side := "above"
	if by < 0 {
		side = "below"
	}
	return "; its cost is " + plain.Percent(max(by, -by)) + " " + side + " the recorded one"
}

// points returns the absolute difference of two shares in percentage points, rounded.
func points(d float64) int { return int(max(d, -d)*100 + .5) }
