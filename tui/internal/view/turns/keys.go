package turns

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/plans"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// New returns the view. It calls app for everything outside itself.
func New(app screen.App) *View { return &View{app: app, shown: -1, cell: -1, grid: gridAt(0)} }

// Reset returns the view to its first state, for a new session.
func (p *View) Reset() { *p = *New(p.app) }

// Spec returns the name of the view and how to show it.
func (p *View) Spec() screen.Spec {
	return screen.Spec{
		Name: screen.Turns, Text: "what a conversation costs, and the cheapest plan",
		Words: "policy requests prompt cache included cost price tokens cheaper expensive prefix session", Whole: true, Bare: true, Dense: true, NoItem: true,
		Actions: p.actions(), Hinted: []string{"turns.next", "turns.next plan", "turns.cheapest", "turns.details", "turns.sweep", "turns.agent", "turns.map", "turns.next break", "turns.cache", "turns.price", "turns.open"},
		Zoom: p.Zoom, Effect: p.Effect, Escape: p.Escape, PlansWanted: p.plansWanted,
	}
}

// actions returns the keys of the view. Keys that move the cursor along the requests
// change the moment that all views show.
func (p *View) actions() []screen.Action {
	step := func(by int) func() string {
		return func() string {
			switch {
			case p.mapped:
				return p.moveCell(0, by)
			case p.sweep:
				return p.stepLow(by)
			}
			return p.goTo(p.current() + by)
		}
	}
	all := []screen.Action{
		{Name: "turns.next", Keys: []string{"l", "right"}, Label: "h/l", Hint: "request", HintNow: p.moves, Text: "the next request: all views then show what had come before it; in the sweep, cut less deep; in the map, the next cell", Try: step(1)},
		{Name: "turns.back", Keys: []string{"h", "left"}, Text: "the previous request; in the sweep, cut deeper; in the map, the previous cell", Try: step(-1)},
		{Name: "turns.far on", Keys: []string{"L", "shift+right"}, Text: "ten requests forward", Try: step(10)},
		{Name: "turns.far back", Keys: []string{"H", "shift+left"}, Text: "ten requests back", Try: step(-10)},
		{Name: "turns.next break", Keys: []string{"n"}, Label: "n/N", Hint: "break", Text: "to the next request that breaks the prompt's prefix, or fails", Try: func() string { return p.nextBreak(1) }},
		{Name: "turns.break back", Keys: []string{"N"}, Text: "to the previous one that does", Try: func() string { return p.nextBreak(-1) }},
		{Name: "turns.next plan", Keys: []string{"j", "down"}, Label: "j/k", Hint: "plan", HintNow: p.inMap("row"), Text: "the next plan: A, B, send everything, sliding window, the same with a deeper cut, watermark, the plan of an agent; in the map, the next row", Run: screen.Do(func() { p.Move(1) })},
		{Name: "turns.plan back", Keys: []string{"k", "up"}, Text: "the previous plan; in the map, the previous row", Run: screen.Do(func() { p.Move(-1) })},
		{Name: "turns.details", Keys: []string{"D"}, Hint: "details", Text: "details of the plan that is drawn: its tokens and prices, other budgets, how sure the estimate is, the most expensive requests", Run: screen.Do(func() { p.app.Open(&details{of: p}) })},
		{Name: "turns.cache", Keys: []string{"$"}, Hint: "cache", Text: "the next cache model, as with --cache: prices of tokens read and written; how long a prefix lives and how far back a provider looks is not modelled", Run: screen.Do(p.nextCache)},
		{Name: "turns.price", Keys: []string{"P"}, Text: "the price of a million input tokens in dollars, as with --price: costs are then in dollars", Hint: "price", Run: p.askPrice},
		{Name: "turns.fixed part", Keys: []string{"b"}, Text: "the tokens outside the log, as with --fixed-prefix: those of a system prompt and tools, with which every prompt begins", Hint: "fixed part", Run: p.askFixed},
		{Name: "turns.cheapest", Keys: []string{"="}, Hint: "cheapest", Text: "draw the plan that costs least of those that fit, at its cheapest cut", Words: "cheaper cheapest least cost", Try: func() string { p.seeks = true; return p.seek() }},
		{Name: "turns.sweep", Keys: []string{"s"}, Hint: "cuts", HintNow: p.inSweep, Text: "the sweep of cuts: what the watermark or the sliding window costs by how far it cuts, 30 to 100 % of the room, or the requests again", Words: "cheaper cheapest least cost", Run: screen.Do(p.toggleSweep)},
		{Name: "turns.agent", Keys: []string{"a"}, Hint: "agent plan", Text: "the plan of an agent, as with --plan: what it does when its window is full", Run: p.askPlan},
		{Name: "turns.map", Keys: []string{"d"}, Hint: "map", HintNow: p.inMap("requests"), Text: "what the agent's plan costs over two of its keys, or the requests again", Run: screen.Do(p.toggleMap)},
		{Name: "turns.map side", Keys: []string{"("}, Text: "in the map: the next key down the side", Try: func() string { return p.nextAxis(0) }},
		{Name: "turns.map top", Keys: []string{")"}, Text: "in the map: the next key along the top", Try: func() string { return p.nextAxis(1) }},
		{Name: "turns.zoom in", Keys: []string{"+"}, Label: "+ -", Hint: "zoom", Text: "wider columns, around the cursor", Try: func() string { return p.Zoom(true) }},
		{Name: "turns.zoom out", Keys: []string{"-"}, Text: "narrower columns, then several requests a column", Try: func() string { return p.Zoom(false) }},
		{Name: "turns.pan on", Keys: []string{">"}, Label: "< >", Hint: "pan", Text: "later requests, the cursor stays", Try: func() string { return p.Pan(1) }},
		{Name: "turns.pan back", Keys: []string{"<"}, Text: "earlier requests, the cursor stays", Try: func() string { return p.Pan(-1) }},
		{Name: "turns.all", Keys: []string{"z"}, Hint: "all", Text: "all requests", Try: p.Whole},
		{Name: "turns.all too", Keys: []string{"0"}, Text: "the same as z", Try: p.Whole},
		{Name: "turns.open", Keys: []string{"enter"}, Text: "to Items, at this request and the item that breaks the prefix; at a recorded compaction, what came again after it; in the map, take this cell as the agent's plan", Hint: "Items at this request", HintNow: p.opens, Run: p.enter},
	}
	for i := range all {
		switch all[i].Name {
		case "turns.next break", "turns.break back":
			all[i].Why = p.noBreaks
		case "turns.next plan", "turns.plan back":
			all[i].Why = p.noPlans
		case "turns.cheapest": // it waits for the requests
		default:
			all[i].Why = p.noRequests
		}
	}
	return all
}

// noRequests returns that there is no request to act on, or "" if there is one.
func (p *View) noRequests() string {
	if p.count() == 0 {
		return "there are no requests"
	}
	return ""
}

// noBreaks returns why no break can be gone to, or "".
func (p *View) noBreaks() string {
	if p.mapped {
		return "the map shows no request; d leads back to them"
	}
	return p.noPlans()
}

// noPlans returns why no other plan can be drawn, or "".
func (p *View) noPlans() string {
	if p.sweep {
		return "the sweep shows one plan; s leads back to the requests"
	}
	return p.noRequests()
}

// seek draws the plan that costs least, once that is known, if it was asked for. It returns why it
// does not, or "".
func (p *View) seek() string {
	best, least, equal, computed := p.leastCost()
	for _, of := range plans.Cutting() {
		cuts, _, old, err := p.app.Turns().Sweep(of)
		computed = computed && (err != nil || !old && cuts != nil)
	}
	if !p.seeks || !computed {
		return ""
	}
	p.seeks = false
	if least == nil || equal {
		return "no plan costs less than the others"
	}
	row, low, _ := p.cheapest(best, least)
	if p.row == row && low == p.app.Turns().Low() && !p.sweep && !p.mapped {
		return "the cheapest plan is drawn already"
	}
	p.row, p.sweep, p.mapped = row, false, false
	if was := p.app.Turns().Low(); low != was {
		p.app.Say("sliding cut and watermark now cut to " + widget.Share(low) + ", not " + widget.Share(was))
	}
	p.app.Turns().SetLow(low)
	return ""
}

// nextCache estimates costs with the next cache; the first follows the last.
func (p *View) nextCache() {
	all := p.app.Turns().Caches()
	at := slices.IndexFunc(all, func(c turns.Cache) bool { return c.Name == p.app.Turns().Cache().Name })
	next := all[(at+1)%len(all)]
	p.app.Turns().SetCache(next)
	if p.compact {
		p.app.Say("costs are estimated with " + cacheName(next))
	}
}

// askPrice asks for the price of a million input tokens.
func (p *View) askPrice() tea.Cmd {
	now := p.app.Experiment().Setup()
	before := ""
	if now.Price > 0 {
		before = priceText(now.Price)
	}
	empty := "costs are in input tokens"
	if own := p.ownPrice(); own > 0 {
		empty = "the price of the model, $" + priceText(own)
	}
	return p.ask("dollars for a million input tokens:", "as 3 or 2.5; empty: "+empty, before, SetPrice)
}

// SetPrice sets the price of a million input tokens in dollars, as it is typed; "": the model's, if known.
func SetPrice(text string, next *experiment.Setup) (label experiment.Label, err error) {
	was := next.Price
	next.Price = 0
	if text != "" {
		next.Price, err = turns.ParsePrice(text)
	}
	return experiment.Label{Name: "price", From: dollarsText(was, ""), To: dollarsText(next.Price, " per 1M tokens")}, err
}

// ask asks for a number of the setup, which set reads into it; before is offered.
func (p *View) ask(label, help, before string, set func(text string, next *experiment.Setup) (experiment.Label, error)) tea.Cmd {
	return p.app.Ask(screen.Question{Label: label, Help: help, Text: before, Offered: true, Plan: func(text string) (screen.Change, error) {
		next := p.app.Experiment().Setup()
		label, err := set(strings.TrimSpace(text), &next)
		return screen.To(next, label), err
	}})
}

// askFixed asks for the tokens that every prompt begins with.
func (p *View) askFixed() tea.Cmd {
	now := p.app.Experiment().Setup()
	say := func(f model.Option[model.Tokens]) string {
		if !f.Set {
			return "as recorded"
		}
		return f.Value.String()
	}
	before := ""
	if now.Fixed.Set {
		before = now.Fixed.Value.String()
	}
	const label, help = "tokens that the log does not hold (system prompt, tools):", "every prompt begins with them; empty: what recorded usage tells, else 0"
	return p.ask(label, help, before, func(text string, next *experiment.Setup) (label experiment.Label, err error) {
		if next.Fixed = (model.Option[model.Tokens]{Set: text != ""}); next.Fixed.Set {
			next.Fixed.Value, err = model.ParseTokens(text)
		}
		return experiment.Label{Name: "fixed part of a prompt", From: say(now.Fixed), To: say(next.Fixed)}, err
	})
}

// priceText returns a price with all its digits.
func priceText(price float64) string { return strconv.FormatFloat(price, 'f', -1, 64) }

// dollarsText returns a price with what it is for, "none" for 0.
func dollarsText(price float64, per string) string {
	if price == 0 {
		return "none"
	}
	return "$" + priceText(price) + per
}

// opens returns what enter leads to where that is not the request.
func (p *View) opens() string {
	if one, ok := p.app.Turns().Compaction(p.current()); ok && len(one.Again) > 0 && !p.mapped {
		return "what came again"
	}
	return ""
}

// enter takes the cell of the map, lists what came again after a recorded compaction, or
// shows the view Items at the moment of the request.
func (p *View) enter() tea.Cmd {
	if p.mapped {
		p.takeCell()
		return nil
	}
	if one, ok := p.app.Turns().Compaction(p.current()); ok && len(one.Again) > 0 {
		list, wait := overlay.NewListing(p.app, p.cameAgain(one))
		p.app.Open(list)
		return wait
	}
	p.showItems()
	return nil
}

// showItems shows the view Items at the moment of the request, with the item selected that
// breaks the prefix, if one does.
func (p *View) showItems() {
	item, t := int32(-1), p.current()
	c, _, _ := p.app.Turns().Course(p.row)
	known := c != nil && t >= 0
	if known && c.Changes[t].Cause != turns.NoBreak {
		item = c.Changes[t].Item
	}
	p.showItem(item)
	if known && p.row > plans.B {
		w, plan := c.Windows[t], p.called(p.row)
		if p.row == plans.All {
			plan = "the plan to " + plan
		}
		p.app.Say("this is what " + p.side.String() + " selects; " + plan + " would send " + plain.Count(len(w.Items), "item") + ", " + p.tokens(w.Tokens) + " tok")
	}
}

// showItem shows the view Items at the moment of the request, with an item of the session
// selected, if it is there.
func (p *View) showItem(item int32) {
	history, _ := p.app.Turns().History()
	at, ok := 0, false
	if item >= 0 {
		at, ok = history.ItemAt(p.current(), item)
	}
	p.app.Visit(screen.Items)
	if ok && at < p.app.Experiment().Items().Len() {
		p.app.GoTo(at)
	}
}

// cameAgain is the list of what came again after a compaction. Enter leads to the item, at
// the request that first has it.
func (p *View) cameAgain(c plans.Compaction) overlay.ListQuestion {
	history, _ := p.app.Turns().History()
	const here = "here"
	rows := []overlay.ListRow{{Key: here, Cells: []string{strconv.Itoa(c.Request + 1), "", "", "", "this request, in Items"}, Found: "this request items"}}
	for k, a := range c.Again {
		name, line := history.Name(a.Request, a.Item), history.Items().Loaded(int(a.Item)).Headline(200)
		rows = append(rows, overlay.ListRow{
			Key:   strconv.Itoa(k),
			Cells: []string{strconv.Itoa(a.Request + 1), name, a.Sign, a.Tokens.String(), plain.Line(line, 200)},
			Found: strings.ToLower(name + " " + a.Sign + " " + line),
		})
	}
	listed := false
	return overlay.ListQuestion{
		Title: "What came again after the compaction",
		Columns: []overlay.ListColumn{
			{Heading: "request", Width: 7, Right: true}, {Heading: "item", Width: 7}, {Heading: "sign", Width: 10},
			{Heading: "tok", Width: 7, Right: true}, {Heading: "text"},
		},
		Next: func() (overlay.ListState, bool) {
			more := !listed
			listed = true
			return overlay.ListState{Rows: rows, Note: "signs, not proofs, within the next " + strconv.Itoa(turns.WithinRequests) + " requests", Done: true}, more
		},
		Open: func(key string) (tea.Cmd, error) {
			if key == here {
				p.showItems()
				return nil, nil
			}
			k, err := strconv.Atoi(key)
			if err == nil {
				p.goTo(c.Again[k].Request)
				p.showItem(c.Again[k].Item)
			}
			return nil, err
		},
	}
}

// stepLow sets the low mark to the mark that is by steps further in the
// sweep. It returns why it cannot, or "".
func (p *View) stepLow(by int) string {
	lows := turns.SweepLows()
	at := slices.IndexFunc(lows, func(low float64) bool { return low >= p.app.Turns().Low() })
	next := min(max(0, at+by), len(lows)-1)
	if next == at {
		return "the sweep goes from 30 to 100 %"
	}
	p.app.Turns().SetLow(lows[next])
	p.row = p.swept
	return ""
}
