package curve

import (
	"cupelscope/model"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
)

// New returns the view. It calls app for what the program does.
func New(app screen.App) *View { return &View{app: app} }

// Reset forgets everything that belongs to the previous session.
func (p *View) Reset() { *p = *New(p.app) }

// Spec returns the name of the view and how it is shown.
func (p *View) Spec() screen.Spec {
	return screen.Spec{Name: "Curve", Text: "what every budget gives, under A and B", Whole: true, Bare: true, NoItem: true, Best: true, Keys: []string{"l", "n", "j", "=", "+", "enter"}}
}

// Actions returns the keys of the view. The cursor along the budgets is maxTokens.
func (p *View) Actions() []screen.Action {
	turn := func(label, hint, text string, do func() string, keys ...string) screen.Action {
		return screen.Turn(p.app, label, hint, "in the curve: "+text, do, keys...)
	}
	to := func(label, hint, text string, where func() (model.Tokens, string), then func(model.Tokens), keys ...string) screen.Action {
		a := turn(label, hint, "maxTokens to "+text, func() string {
			b, why := where()
			if why == "" {
				p.app.ToBudget(b)
				then(b)
			}
			return why
		}, keys...)
		a.Leads = func() (experiment.Setup, string) {
			if b, why := where(); why == "" {
				return screen.LeadsTo(p.app, b)
			}
			return experiment.Setup{}, ""
		}
		return a
	}
	fall := func(dir int) func() (model.Tokens, string) {
		return func() (model.Tokens, string) { return p.nextFall(dir) }
	}
	return append(screen.Columns(p.app, "in the curve", p.Step),
		turn("j/k", "measure", "draw the next of value, items, share of the room filled, recall of what is needed", screen.Always(func() { p.Move(1) }), "j", "down"),
		turn("", "", "draw the previous one", screen.Always(func() { p.Move(-1) }), "k", "up"),
		to("n/N", "next fall", "the next larger budget at which the items or the value fall, or the recall where that is drawn", fall(1), p.tellFall, "n"),
		to("", "", "the next smaller such budget", fall(-1), p.tellFall, "N"),
		turn("+ -", "zoom", "half as many budgets, around maxTokens", func() string { return p.Zoom(true) }, "+"),
		turn("", "", "twice as many budgets", func() string { return p.Zoom(false) }, "-"),
		turn("< >", "pan", "larger budgets, maxTokens stays", func() string { return p.Pan(1) }, ">"),
		turn("", "", "smaller budgets, maxTokens stays", func() string { return p.Pan(-1) }, "<"),
		turn("", "all", "all budgets", p.Whole, "z"),
		turn("", "", "the same as z", p.Whole, "0"),
		turn("", "axis", "columns of equal size, or growing with the budget", screen.Always(p.Even), "a"),
		to("", "95 % of value", "the budget from which on it gives 95 % or more of the value of the largest; with recall drawn, to where the wanted share is held", p.plenty, func(model.Tokens) {}, "="),
		screen.Action{Keys: []string{"enter"}, Text: "in the curve: to Items, at this budget", Hint: "to Items", Run: screen.Do(func() { p.app.Show(screen.Items) })},
	)
}

// plenty returns the budget from which nearly all of the value is kept, or the wanted
// recall held where that is drawn, or why there is none.
func (p *View) plenty() (b model.Tokens, why string) {
	if p.measure == byRecall {
		return p.held()
	}
	c, why := p.edited()
	switch {
	case c == nil:
		return 0, why
	case !c.enough.ok:
		return 0, "no budget up to the axis end gives any value"
	case c.enough.stays == p.app.Experiment().Setup().Budget.MaxTokens:
		return 0, "this is the budget from which on 95 % or more of the value is reached"
	}
	return c.enough.stays, ""
}
