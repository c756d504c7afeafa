package curve

import (
	"errors"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// New returns the view. It calls app for what the program does.
func New(app screen.App) *View { return &View{app: app} }

// Reset forgets everything that belongs to the previous session.
func (p *View) Reset() { *p = *New(p.app) }

// Spec returns the name of the view and how it is shown.
func (p *View) Spec() screen.Spec {
	return screen.Spec{
		Name: screen.Curve, Text: "what every budget gives, under A and B",
		Words: "plot chart graph falls worse enough best", Whole: true, Bare: true, Dense: true, NoItem: true, Best: true,
		Actions: p.actions(), Hinted: []string{"curve.column up", "curve.enough", "curve.next fall", "item.next", "curve.measure", "curve.zoom in", "curve.open"},
		Worker: p, Fit: p.Fit, Zoom: p.Zoom, DropStale: p.DropStale,
	}
}

// actions returns the keys of the view. The cursor along the budgets is maxTokens.
func (p *View) actions() []screen.Action {
	to := func(name, label, hint, text string, where func() (model.Tokens, string), say func(model.Tokens) string, key string) screen.Action {
		a := screen.Action{Name: "curve." + name, Keys: []string{key}, Label: label, Hint: hint, Text: "in the curve: budget to " + text}
		a.Plan = func() (screen.Change, error) {
			b, why := where()
			if why != "" {
				return screen.Change{}, errors.New(key + ": " + why)
			}
			c := screen.ToBudget(p.app.Experiment().Setup(), b)
			c.Say = func() string { return say(b) }
			return c, nil
		}
		a.Run = screen.Do(func() { p.app.Make(a.Plan()) }) // without a Why: the key is hinted even where there is nothing to go to
		return a
	}
	fall := func(name, label, hint, text string, dir int, key string) screen.Action {
		a := to(name, label, hint, text, func() (model.Tokens, string) { return p.nextFall(dir) }, func(b model.Tokens) string { return widget.FallText(p.tracks[p.app.Side()].profile, p.app.Side(), b) }, key)
		a.Run = screen.Do(func() {
			p.marksFalls = true
			p.app.Make(a.Plan())
		})
		return a
	}
	enough := to("enough", "", "wanted share", "the wanted share, the knob wanted %, of the value of the largest, kept from there on; with recall drawn, to all that is needed", p.plenty, func(model.Tokens) string { return "" }, "=")
	enough.HintNow = func() string {
		setup := p.app.Experiment().Setup()
		spared, _ := setup.Spared(setup.Budget.MaxTokens)
		switch b, why := p.held(); {
		case p.measure != byRecall:
			return p.wanted(setup, " value")
		case why == "" && b == spared:
			return "slack to spare"
		default:
			return "all needed"
		}
	}
	return append(screen.Columns(p.app, "curve", "in the curve", p.Step), []screen.Action{
		{Name: "curve.measure", Keys: []string{"j", "down"}, Label: "j/k", Hint: "measure", HintNow: func() string { return ((p.measure + 1) % measures).String() }, Text: "in the curve: draw the next of value, how far that is " + plain.BelowBest + ", items, share of the room filled, recall of what is needed", Run: screen.Do(func() { p.Move(1) })},
		{Name: "curve.measure back", Keys: []string{"k", "up"}, Text: "in the curve: draw the previous one", Run: screen.Do(func() { p.Move(-1) })},
		fall("next fall", "n/N", "worse", "the next fall, of the items or the value, or of the recall where that is drawn; rows below mark them all", 1, "n"),
		fall("fall back", "", "", "the fall before", -1, "N"),
		{Name: "curve.zoom in", Keys: []string{"+"}, Label: "+ -", Hint: "zoom", Text: "in the curve: half as many budgets, around the budget", Try: func() string { return p.Zoom(true) }},
		{Name: "curve.zoom out", Keys: []string{"-"}, Text: "in the curve: twice as many budgets", Try: func() string { return p.Zoom(false) }},
		{Name: "curve.pan up", Keys: []string{">"}, Label: "< >", Hint: "pan", Text: "in the curve: larger budgets, the budget stays", Try: func() string { return p.Pan(1) }},
		{Name: "curve.pan down", Keys: []string{"<"}, Text: "in the curve: smaller budgets, the budget stays", Try: func() string { return p.Pan(-1) }},
		{Name: "curve.all", Keys: []string{"z"}, Hint: "all", Text: "in the curve: all budgets", Try: p.Whole},
		{Name: "curve.all too", Keys: []string{"0"}, Text: "in the curve: the same as z", Try: p.Whole},
		{Name: "curve.axis", Keys: []string{"a"}, Hint: "axis", Text: "in the curve: columns of equal size, or growing with the budget", Run: screen.Do(p.Even)},
		enough,
		{Name: "curve.open", Keys: []string{"enter"}, Text: "in the curve: to Items, at this budget", Hint: "to Items", Run: screen.Do(func() { p.app.Show(screen.Items) })},
	}...)
}

// plenty returns the budget from which the wanted share is kept, of the value or, where recall is
// drawn, of what is needed; or why there is none.
func (p *View) plenty() (b model.Tokens, why string) {
	if p.measure == byRecall {
		return p.held()
	}
	c, why := p.edited()
	if c == nil {
		return 0, why
	}
	setup := p.app.Experiment().Setup()
	enough := p.tracks[p.app.Side()].enough(setup.Wanted / 100)
	switch {
	case !enough.ok:
		return 0, "no budget up to the ceiling gives any value"
	case enough.stays == setup.Budget.MaxTokens:
		return 0, "from here on " + p.app.Side().String() + " keeps " + widget.Share(setup.Wanted) + " or more of the value that it has at " + c.all.Budget.String()
	}
	return max(1, enough.stays), ""
}
