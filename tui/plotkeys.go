package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/screen"
	"cupelscope/tui/view/curve"
)

// curveView is the curves at full size, where the cursor along the budgets is
// maxTokens.
type curveView struct {
	*curve.View
	app screen.App
}

func newCurve(app screen.App) screen.View { return curveView{new(curve.View), app} }

func (v curveView) Spec() screen.Spec {
	return screen.Spec{Name: "Curve", Text: "what every budget gives, under A and B", Whole: true, Bare: true, Best: true}
}

func (v curveView) Reset() { *v.View = curve.View{} }

func (v curveView) Actions() []screen.Action {
	turn := func(label, hint, text string, do func() string, keys ...string) screen.Action {
		return screen.Action{Binding: screen.Bind(label, "in the curve: "+text, keys...), Hint: hint, Run: func() tea.Cmd {
			if why := do(); why != "" {
				v.app.Say(keys[0] + ": " + why)
			}
			return nil
		}}
	}
	step := func(label, hint, text string, dir int, big bool, keys ...string) screen.Action {
		return screen.Action{Binding: screen.Bind(label, "in the curve: "+text, keys...), Hint: hint, KeepsRun: true,
			Run: screen.Do(func() { screen.SlideTo(v.app, v.Step(v.app.Experiment().Setup().Budget.MaxTokens, dir, big), dir) })}
	}
	always := func(do func()) func() string { return func() string { do(); return "" } }
	return []screen.Action{
		step("h/l", "budget", "maxTokens one column up", 1, false, "l", "right"),
		step("", "", "maxTokens one column down", -1, false, "h", "left"),
		step("", "", "maxTokens ten columns up", 1, true, "L", "shift+right"),
		step("", "", "maxTokens ten columns down", -1, true, "H", "shift+left"),
		turn("j/k", "value, items, filled", "draw the next of value, items, share of the room filled", always(func() { v.Move(1) }), "j", "down"),
		turn("", "", "draw the one before", always(func() { v.Move(-1) }), "k", "up"),
		turn("+ -", "zoom", "half as many budgets, around maxTokens", func() string { return v.Zoom(true) }, "+"),
		turn("", "", "twice as many budgets", func() string { return v.Zoom(false) }, "-"),
		turn("< >", "pan", "larger budgets, maxTokens stays", func() string { return v.Pan(1) }, ">"),
		turn("", "", "smaller budgets, maxTokens stays", func() string { return v.Pan(-1) }, "<"),
		turn("", "all", "all budgets", always(v.Whole), "z", "0"),
		turn("", "axis", "columns of as many budgets each, or growing with the budget", always(v.Even), "a"),
		turn("", "enough", "maxTokens to where 95 % of the value that the largest budget gives begins", v.toEnough, "="),
		{Binding: screen.Bind("", "in the curve: to Items, at this budget", "enter"), Hint: "to Items", Run: screen.Do(func() { v.app.Show(screen.Items) })},
	}
}

// toEnough moves maxTokens to where nearly all of the value begins, or says why
// it does not.
func (v curveView) toEnough() string {
	b, ok := v.Enough(v.app.Side())
	switch {
	case !ok:
		return "no budget gives any value yet"
	case b == v.app.Experiment().Setup().Budget.MaxTokens:
		return "95 % of the value begins here"
	}
	v.app.ToBudget(b)
	return ""
}
