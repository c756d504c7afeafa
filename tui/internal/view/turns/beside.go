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
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// drawBeside fills what the table of plans leaves beside the requests: what the cost of the
// plan that is drawn is made of, its dearest requests where there is room for three or more,
// and the notes that fit, at the bottom.
func (p *View) drawBeside(f *widget.Frame, r draw.Rect) {
	c, old, _ := p.app.Turns().Course(p.row)
	whole := r
	put := func(lines [][]draw.Span) {
		for k, line := range lines[:min(len(lines), max(0, r.H))] {
			f.Spans(r.X, r.Y+k, r.W, line...)
		}
		r.Y, r.H = r.Y+len(lines), r.H-len(lines)
	}
	made, blank := p.made(c, r.W), 1
	others := p.atOtherBudgets(f, r.W)
	if len(made)+len(others) == 0 {
		blank = 0
	}
	left := r.H - len(made) - len(others) - blank
	var notes [][]draw.Span
	said := p.notes()
	for k, text := range said {
		lines := draw.Paragraph(r.W, text)
		if len(lines) == left+1 && len(made) > 0 && k < len(said)-1 { // the sum stands in the table too
			made, left = made[:len(made)-1], left+1
		}
		if len(lines) <= left {
			notes, left = append(notes, lines...), left-len(lines)
		}
	}
	put(slices.Concat(made, others, make([][]draw.Span, blank)))
	if rows := r.H - len(notes) - 2; c != nil && rows >= 3 { // with its head and a blank line
		put(append(p.dearest(f, c, r.W, rows), nil))
	}
	if old {
		f.Mark(draw.Rect{X: whole.X, Y: whole.Y, W: whole.W, H: r.Y - whole.Y}, theme.Old)
	}
	put(notes)
}

// made says what the cost of a course is made of: a line for each price, and their sum. It is
// empty without a cost.
func (p *View) made(c *turns.Course, width int) (lines [][]draw.Span) {
	if c == nil || c.Totals.Cost == 0 {
		return nil
	}
	t, cache := c.Totals, p.app.Turns().Cache()
	add := func(name, how string, cost float64, role theme.Role) {
		room := width - ratioWidth - draw.Width(name) // the amounts stand below those of the plans
		lines = append(lines, []draw.Span{{Text: name, Role: theme.Dim}, {Text: padLeft(" "+how+padLeft(p.cost(cost), costWidth), room), Role: role}})
	}
	left := t.Cost
	for _, part := range [...]struct {
		name   string
		tokens model.Tokens
		price  float64
	}{{"written", t.Written, cache.Write}, {"read", t.Read, cache.Read}, {"not cached", t.Plain, 1}} {
		if part.tokens > 0 {
			cost := float64(part.tokens) * part.price
			add(part.name, p.tokens(part.tokens)+" tok at "+strconv.FormatFloat(part.price, 'f', -1, 64), cost, theme.Plain)
			left -= cost
		}
	}
	if t.SummaryCost > 0 {
		add("summaries", plain.Thousands(t.Summaries)+" written", t.SummaryCost, theme.Plain)
		left -= t.SummaryCost
	}
	if left >= .5 {
		add("long prompts", "more a token", left, theme.Plain)
	}
	add(p.short()+", "+plain.Count(t.Requests, "request")+" sent", "", t.Cost, theme.Strong)
	return lines
}

// dearest lists the requests that cost most, with what breaks their prefix, after a head.
func (p *View) dearest(f *widget.Frame, c *turns.Course, width, rows int) [][]draw.Span {
	session, _ := p.app.Turns().Session()
	var sent []int
	for t := range c.Bills {
		if !session.Requests()[t].IsNow() && c.Windows[t].Err == nil {
			sent = append(sent, t)
		}
	}
	slices.SortStableFunc(sent, func(a, b int) int { return cmp.Compare(c.Bills[b].Cost, c.Bills[a].Cost) })
	lines := [][]draw.Span{{{Text: "dearest      cost  of all  kept %  broke", Role: theme.Dim}}}
	for _, t := range sent[:min(rows, len(sent))] {
		change := c.Changes[t]
		kept, why := "", ""
		if !change.First {
			kept = percent(change.Surviving())
		}
		if change.Cause != turns.NoBreak {
			it := session.Items().Loaded(int(change.Item))
			why = causeSign(change.Cause) + session.Name(t, change.Item) + " " + widget.KindName(it.Kind) + " " + it.Headline(160)
		}
		role := theme.Plain
		if t == p.current() {
			role = theme.Focus
		}
		lines = append(lines, []draw.Span{
			{Text: padLeft(strconv.Itoa(t+1), 7) + padLeft(p.cost(c.Bills[t].Cost), 10) + padLeft(percent(c.Bills[t].Cost/c.Totals.Cost)+" %", 8) + padLeft(kept, 8), Role: role},
			{Text: "  " + plain.Line(why, max(0, width-35)), Role: theme.Loss},
		})
	}
	return lines
}

func padLeft(text string, width int) string {
	return strings.Repeat(" ", max(0, width-draw.Width(text))) + text
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
			name := p.name(r)
			if r <= plans.B {
				name = experiment.Side(r).String()
			}
			add(name+": "+plain.Count(c.Totals.Failed, "request")+widget.Verb(c.Totals.Failed, " fails", " fail")+" and cost nothing", theme.Error)
		}
	}
	if recalls := p.recalls(); recalls != "" {
		add(recalls, theme.Plain)
	}
	session, _ := t.Session()
	sent, _, _ := t.Course(plans.All)
	if session != nil && sent != nil {
		if forecast, ok := session.Forecast(sent, t.Billing().Cache); ok {
			add(sayForecast(forecast), theme.Plain)
		}
		if one, _, _ := t.Course(plans.RowOf(p.side)); one != nil {
			if low, high, ok := session.Grid(one, sent, t.Billing()).Range(); ok {
				said, _, _ := strings.Cut(turns.SayRange(p.side.String(), low, high), " (")
				add(said, theme.Plain)
			}
		}
	}
	switch price := p.price(); {
	case p.app.Experiment().Setup().Price > 0:
		add("Price estimated, at "+priceText(price)+" per million input tokens", theme.Dim)
	case price > 0:
		add("Price in dollars, estimated, at "+priceText(price)+" per million input tokens of "+cache.Name, theme.Dim)
	}
	if p.rule().Strategy == turns.Summarise {
		add("A token of a summary costs "+strconv.FormatFloat(t.Billing().Output, 'f', -1, 64)+" input tokens to write", theme.Dim)
	}
	if p.row == plans.Watermark {
		add("watermark: "+p.side.String()+"'s policy, cut when full", theme.Dim)
	}
	add(sayFixed(t.Billing().Fixed), theme.Dim)
	add(sayCache(cache), theme.Dim)
	if p.price() == 0 {
		add("Input tokens, estimated; P sets their price", theme.Dim)
	}
	return all
}

// recalls says how much of what is needed and had come the requests of each plan have, on
// average; "" where nothing is labelled.
func (p *View) recalls() string {
	text := ""
	for r := range plans.Rows {
		c, _, _ := p.app.Turns().Course(r)
		if c == nil {
			continue
		}
		if recall, ok := c.Totals.Recall(); ok {
			name := p.name(r)
			if r <= plans.B {
				name = experiment.Side(r).String()
			}
			text += ", " + strings.TrimSuffix(name, ours) + " " + plain.Percent(recall)
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
	s := "Cached from " + c.Minimum.String() + " tokens"
	if c.Step > 1 {
		s = "Cached from " + c.Minimum.String() + " by " + c.Step.String()
	}
	if c.Unverified != "" {
		s += " (" + c.Unverified + " unverified)"
	}
	return s + "; lifetimes not modelled"
}

// sayFixed returns as text what every prompt begins with.
func sayFixed(f turns.Fixed) string {
	how := "as recorded"
	switch f.From {
	case turns.FixedUnknown:
		return "What the log does not hold counts 0: b sets it"
	case turns.FixedGiven:
		how = "as you said"
	}
	return "System prompt and tools: " + f.Tokens.String() + ", " + how + "; b sets them"
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
