package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/view/window"
)

// windowView is the text that the model will read, where the cursor is the item
// at the top.
type windowView struct {
	*window.View
	app screen.App
}

func newWindow(app screen.App) screen.View { return windowView{new(window.View), app} }

func (v windowView) Spec() screen.Spec {
	return screen.Spec{Name: "Window", Text: "what the model will read", Bare: true}
}

func (v windowView) Reset() { *v.View = window.View{} }

// Escape ends the search.
func (v windowView) Escape() bool {
	finds := v.Finding() != ""
	v.Find("")
	return finds
}

func (v windowView) Actions() []screen.Action {
	do := func(label, hint, text string, run func(), key string) screen.Action {
		return screen.Action{Binding: screen.Bind(label, text, key), Hint: hint, Run: screen.Do(run)}
	}
	find := func(key string, dir int, text string) screen.Action {
		return screen.Action{Binding: screen.Bind("", text, key), Run: screen.Do(func() { v.FindNext(dir) }),
			Why: func() string {
				if v.Finding() == "" {
					return "nothing is looked for; / finds a text"
				}
				return ""
			}}
	}
	return []screen.Action{
		do("J/K", "item", "in the window: to the next item", func() { v.Item(1) }, "J"),
		do("", "", "in the window: to the beginning of the item, then to the one before", func() { v.Item(-1) }, "K"),
		{Binding: screen.Bind("", "in the window: find a text", "/"), Hint: "find", Run: v.openFind},
		find("n", 1, "in the window: the next place where the text is found"),
		find("N", -1, "in the window: the place before where the text is found"),
		do("", "to Items", "show the item at the top in Items; esc or 4 leads back", v.jumpOut, "enter"),
		{Binding: screen.Bind("P M", "to the next item that is in without its call or result", "P"), Hint: "parted",
			Why: v.Whole, Run: screen.Do(func() {
				if !v.Parted() {
					v.app.Say("P: this is the only one")
				}
			})},
		do("", "", "mend the parted pair at the top in the way that is cheapest in tokens", v.mendPair, "M"),
		do("", "plot", "the plot of the placed order: by input, by score, or none", v.NextPlot, "z"),
	}
}

// openFind asks for a text to look for; the window follows every key.
func (v windowView) openFind() tea.Cmd {
	before := v.Finding()
	return v.app.Ask(screen.Question{
		Label:  "find:",
		Help:   "a text in the window, a-z and A-Z alike; enter keeps it, then n and N go on",
		Text:   before,
		Typed:  func(text string) error { v.Find(text); return nil },
		Done:   func(string) (tea.Cmd, error) { return nil, nil },
		Cancel: func() { v.Find(before) },
	})
}

// jumpOut shows the item at the top in Items; esc leads back.
func (v windowView) jumpOut() {
	if _, ok := v.Selected(); !ok {
		v.app.Say("enter: nothing is in")
		return
	}
	v.app.Visit(screen.Items)
}

// mendPair carries out the cheapest way to have the pair at the top whole.
func (v windowView) mendPair() {
	exp := v.app.Experiment()
	i, ok := v.Selected()
	o := exp.Outcome(v.app.Side())
	if !ok || o == nil {
		v.app.Say("M: nothing is in")
		return
	}
	partner, parted := o.Alone(i)
	w, known := v.Cheapest()
	switch {
	case !parted:
		v.app.Say("M: " + hintOf(i) + " is not parted; P goes to the next that is")
		return
	case !known:
		v.app.Say("M: there is no way yet to have " + hintOf(i) + " and " + hintOf(partner) + " both or neither")
		return
	}
	switch now := exp.Setup(); w.Way {
	case simulate.ByRaise:
		v.app.ToBudget(w.Budget)
	case simulate.ByPin:
		next := now.WithExcluded([]int{w.Item}, false).WithPinned(v.app.Loaded(), []int{w.Item}, true)
		v.app.Apply(next, experiment.Label{Name: "pin " + hintOf(w.Item)}, "")
	case simulate.ByDrop:
		v.app.Apply(now.WithExcluded([]int{w.Item}, true), experiment.Label{Name: "exclude " + hintOf(w.Item)}, "")
	}
}
