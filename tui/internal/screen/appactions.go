package screen

import (
	"errors"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
)

// Columns returns the actions of the keys that move maxTokens along the columns of a view,
// named after it. Where is the name of the axis in the help. Step returns the budget that is
// by columns above b, or below it if by is negative.
func Columns(app App, view, where string, step func(b model.Tokens, by int) model.Tokens) []Action {
	move := func(name, text string, by int, keys ...string) Action {
		return Action{Name: view + "." + name, Keys: keys, Text: where + ": budget " + text, KeepsRun: true, Plan: func() (Change, error) {
			now := app.Experiment().Setup()
			return SlideTo(now, step(now.Budget.MaxTokens, by), by)
		}}
	}
	up, down := move("column up", "one column up", 1, "l", "right"), move("column down", "one column down", -1, "h", "left")
	for _, a := range [...]*Action{&up, &down} { // at an end, the other one still has the hint
		a.Label, a.Hint = "h/l", "budget"
	}
	return []Action{up, down, move("far up", "ten columns up", 10, "L", "shift+right"), move("far down", "ten columns down", -10, "H", "shift+left")}
}

// SlideTo returns the change of a setup that sets maxTokens to b, the result of a step up
// (dir 1) or down (-1), as part of one long change. The error says why b is maxTokens
// already.
func SlideTo(now experiment.Setup, b model.Tokens, dir int) (Change, error) {
	c := ToBudget(now, b)
	c.Merge = experiment.MaxTokens
	switch {
	case b != now.Budget.MaxTokens:
		return c, nil
	case dir > 0:
		return c, errors.New("the axis ends at " + now.End().String() + "; the knob ceiling moves it")
	}
	return c, errors.New("the budget is 1 at least")
}
