package curve

import (
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
	return append(screen.Columns(p.app, "in the curve", p.Step),
		turn("j/k", "measure", "draw the next of value, items, share of the room filled, recall of what is needed", screen.Always(func() { p.Move(1) }), "j", "down"),
		turn("", "", "draw the previous one", screen.Always(func() { p.Move(-1) }), "k", "up"),
		turn("n/N", "next fall", "maxTokens to the next larger budget at which the items or the value fall, or the recall where that is drawn", func() string { return p.toFall(1) }, "n"),
		turn("", "", "maxTokens to the next smaller such budget", func() string { return p.toFall(-1) }, "N"),
		turn("+ -", "zoom", "half as many budgets, around maxTokens", func() string { return p.Zoom(true) }, "+"),
		turn("", "", "twice as many budgets", func() string { return p.Zoom(false) }, "-"),
		turn("< >", "pan", "larger budgets, maxTokens stays", func() string { return p.Pan(1) }, ">"),
		turn("", "", "smaller budgets, maxTokens stays", func() string { return p.Pan(-1) }, "<"),
		turn("", "all", "all budgets", p.Whole, "z"),
		turn("", "", "the same as z", p.Whole, "0"),
		turn("", "axis", "columns of equal size, or growing with the budget", screen.Always(p.Even), "a"),
		turn("", "95 % of value", "maxTokens to the budget from which on it gives 95 % or more of the value of the largest; with recall drawn, to where the wanted share is held", p.toEnough, "="),
		screen.Action{Binding: screen.Bind("", "in the curve: to Items, at this budget", "enter"), Hint: "to Items", Run: screen.Do(func() { p.app.Show(screen.Items) })},
	)
}

// toEnough moves maxTokens to the budget from which nearly all of the value is
// kept, or says why it cannot.
func (p *View) toEnough() string {
	if p.measure == byRecall {
		return p.toHold()
	}
	b, ok := p.Enough(p.app.Side())
	switch {
	case !ok:
		return "no budget gives any value yet"
	case b == p.app.Experiment().Setup().Budget.MaxTokens:
		return "this is the budget from which on 95 % or more of the value is reached"
	}
	p.app.ToBudget(b)
	return ""
}
