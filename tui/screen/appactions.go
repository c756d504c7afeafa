package screen

import (
	"cupelscope/model"
	"cupelscope/tui/experiment"
)

// Turn returns an action that calls do. If do returns a reason why it did nothing, the
// message line shows that after the first key.
func Turn(app App, label, hint, text string, do func() string, keys ...string) Action {
	return Action{Keys: keys, Label: label, Text: text, Hint: hint, Run: Do(func() {
		if why := do(); why != "" {
			app.Say(keys[0] + ": " + why)
		}
	})}
}

// Always returns a function for Turn that calls do and never gives a reason.
func Always(do func()) func() string { return func() string { do(); return "" } }

// Columns returns the actions of the keys that move maxTokens along the columns of a view.
// Where is the name of the axis in the help. Step returns the budget that is one column
// from b in direction dir, or ten columns if big.
func Columns(app App, where string, step func(b model.Tokens, dir int, big bool) model.Tokens) []Action {
	move := func(label, hint, text string, dir int, big bool, keys ...string) Action {
		to := func() model.Tokens { return step(app.Experiment().Setup().Budget.MaxTokens, dir, big) }
		return Action{Keys: keys, Label: label, Text: where + ": maxTokens " + text, Hint: hint, KeepsRun: true,
			Leads: func() (experiment.Setup, string) { return LeadsTo(app, to()) }, Run: Do(func() { SlideTo(app, to(), dir) })}
	}
	return []Action{
		move("h/l", "budget", "one column up", 1, false, "l", "right"),
		move("", "", "one column down", -1, false, "h", "left"),
		move("", "", "ten columns up", 1, true, "L", "shift+right"),
		move("", "", "ten columns down", -1, true, "H", "shift+left"),
	}
}

// LeadsTo returns what Action.Leads says of an action that sets maxTokens to b.
func LeadsTo(app App, b model.Tokens) (to experiment.Setup, words string) {
	now := app.Experiment().Setup()
	if was := now.Budget.MaxTokens; was != b {
		words = experiment.Label{Name: string(experiment.MaxTokens), From: was.String(), To: b.String()}.String()
	}
	return now.WithMax(b), words
}

// SlideTo sets maxTokens to b, the result of a step up (dir 1) or down (-1). If maxTokens
// does not change, the message line says why.
func SlideTo(app App, b model.Tokens, dir int) {
	switch {
	case app.Slide(b):
	case dir > 0:
		app.Say("the axis ends at " + app.Experiment().Setup().End().String() + "; the knob axis end moves it")
	default:
		app.Say("maxTokens is 1 at least")
	}
}

// KnobList is a list of knobs that can be clicked.
type KnobList interface {
	Knobbed
	// Hit returns the index of the knob at a cell and the step that a click there
	// makes: -1, 1 or 0; false if there is no knob.
	Hit(x, y int) (knob, step int, ok bool)
	// To moves the cursor to a knob.
	To(knob int)
}

// ClickKnob handles a click: it moves the cursor to the knob at a cell and, if the cell is
// one of the arrows around its value, turns it by a step.
func ClickKnob(app App, list KnobList, x, y int) {
	knob, step, ok := list.Hit(x, y)
	if !ok {
		return
	}
	list.To(knob)
	if k, ok := list.Current(); ok && step != 0 {
		app.Turn(k, step, false)
	}
}
