package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/screen"
	"cupelscope/tui/view/budgetmap"
)

// mapView is the map, where the cursor along the budgets is maxTokens.
type mapView struct {
	*budgetmap.View
	app screen.App
}

func newMap(app screen.App) screen.View { return mapView{new(budgetmap.View), app} }

func (v mapView) Spec() screen.Spec {
	return screen.Spec{Name: "Map", Text: "all items by all budgets", Whole: true, Bare: true}
}

func (v mapView) Reset() { *v.View = budgetmap.View{} }

func (v mapView) Actions() []screen.Action {
	// turn is a key that changes what is shown, or says why it does not.
	turn := func(label, hint, text string, do func() string, keys ...string) screen.Action {
		return screen.Action{Binding: screen.Bind(label, text, keys...), Hint: hint, Run: func() tea.Cmd {
			if why := do(); why != "" {
				v.app.Say(keys[0] + ": " + why)
			}
			return nil
		}}
	}
	step := func(label, hint, text string, dir int, big bool, keys ...string) screen.Action {
		return screen.Action{Binding: screen.Bind(label, text, keys...), Hint: hint, KeepsRun: true,
			Run: screen.Do(func() { screen.SlideTo(v.app, v.Step(v.app.Experiment().Setup().Budget.MaxTokens, dir, big), dir) })}
	}
	always := func(do func()) func() string { return func() string { do(); return "" } }
	return []screen.Action{
		step("h/l", "budget", "in the map: maxTokens one column up", 1, false, "l", "right"),
		step("", "", "in the map: maxTokens one column down", -1, false, "h", "left"),
		step("", "", "in the map: maxTokens ten columns up", 1, true, "L", "shift+right"),
		step("", "", "in the map: maxTokens ten columns down", -1, true, "H", "shift+left"),
		turn("+ -", "zoom", "show half as many budgets, around maxTokens", func() string { return v.Zoom(true) }, "+"),
		turn("", "", "show twice as many budgets", func() string { return v.Zoom(false) }, "-"),
		turn("( )", "rows", "twice as many items a line, up to all on the screen", func() string { return v.Gather(true) }, ")"),
		turn("", "", "half as many items a line, down to one with its name", func() string { return v.Gather(false) }, "("),
		turn("< >", "pan", "show larger budgets, maxTokens stays", func() string { return v.Pan(1) }, ">"),
		turn("", "", "show smaller budgets, maxTokens stays", func() string { return v.Pan(-1) }, "<"),
		turn("", "all", "all budgets, one item a line", always(v.Whole), "z", "0"),
		turn("", "axis", "columns of as many budgets each, or growing with the budget", always(v.Even), "a"),
		turn("", "sort", "order the map by first in, stays from, score or input", always(v.SortNext), "s"),
		turn("", "", "reverse the order of the map", always(v.Reverse), "S"),
		{Binding: screen.Bind("", "show the item under the cursor in Items, at this budget", "enter"), Hint: "to Items",
			Why: func() string {
				if _, ok := v.Selected(); !ok {
					return "no item is selected"
				}
				return ""
			},
			Run: screen.Do(func() { v.app.Show(screen.Items) })},
	}
}
