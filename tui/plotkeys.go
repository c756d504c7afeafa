package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/tui/experiment"
)

// plotActions is what keys do in the curve, where the cursor along the budgets
// is maxTokens.
func plotActions() []action {
	inPlot := []view{viewCurve}
	turn := func(keys []string, pair, hint, text string, do func(m *Model) string) action {
		return action{keys: keys, pair: pair, group: plotting, hint: hint, text: text, in: inPlot, run: func(m *Model) tea.Cmd {
			if why := do(m); why != "" {
				m.message = keys[0] + ": " + why
			}
			return nil
		}}
	}
	step := func(keys []string, pair, hint, text string, dir int, big bool) action {
		return action{keys: keys, pair: pair, group: plotting, hint: hint, text: text, in: inPlot, keepsRun: true,
			run: func(m *Model) tea.Cmd { return m.toColumn(m.plot.Step(m.budget(), dir, big), dir) }}
	}
	always := func(do func(m *Model)) func(m *Model) string {
		return func(m *Model) string { do(m); return "" }
	}
	return []action{
		step([]string{"l", "right"}, "h/l", "budget", "in the curve: maxTokens one column up", 1, false),
		step([]string{"h", "left"}, "", "", "in the curve: maxTokens one column down", -1, false),
		step([]string{"L", "shift+right"}, "", "", "in the curve: maxTokens ten columns up", 1, true),
		step([]string{"H", "shift+left"}, "", "", "in the curve: maxTokens ten columns down", -1, true),
		turn([]string{"j", "down"}, "j/k", "value, items, filled", "in the curve: draw the next of value, items, share of the room filled", always(func(m *Model) { m.plot.Move(1) })),
		turn([]string{"k", "up"}, "", "", "in the curve: draw the one before", always(func(m *Model) { m.plot.Move(-1) })),
		turn([]string{"+"}, "+ -", "zoom", "in the curve: half as many budgets, around maxTokens", func(m *Model) string { return m.plot.Zoom(true) }),
		turn([]string{"-"}, "", "", "in the curve: twice as many budgets", func(m *Model) string { return m.plot.Zoom(false) }),
		turn([]string{">"}, "< >", "pan", "in the curve: larger budgets, maxTokens stays", func(m *Model) string { return m.plot.Pan(1) }),
		turn([]string{"<"}, "", "", "in the curve: smaller budgets, maxTokens stays", func(m *Model) string { return m.plot.Pan(-1) }),
		turn([]string{"z", "0"}, "", "all", "in the curve: all budgets", always(func(m *Model) { m.plot.Whole() })),
		turn([]string{"a"}, "", "axis", "in the curve: columns of as many budgets each, or growing with the budget", always(func(m *Model) { m.plot.Even() })),
		turn([]string{"="}, "", "enough", "in the curve: maxTokens to where 95 % of the value that the largest budget gives begins", (*Model).toEnough),
		{keys: []string{"enter"}, group: plotting, hint: "to Items", text: "in the curve: to Items, at this budget", in: inPlot,
			run: func(m *Model) tea.Cmd { m.show(viewItems); return nil }},
	}
}

// toEnough moves maxTokens to where nearly all of the value begins, or says why
// it does not.
func (m *Model) toEnough() string {
	b, ok := m.plot.Enough(m.side)
	switch {
	case !ok:
		return "no budget gives any value yet"
	case b == m.budget():
		return "95 % of the value begins here"
	}
	m.toBudget(b)
	return ""
}

// toColumn moves maxTokens to where a step along the budgets leads.
func (m *Model) toColumn(b model.Tokens, dir int) tea.Cmd {
	now := m.exp.Setup()
	if b == now.Budget.MaxTokens {
		if dir > 0 {
			m.message = "the axis ends at " + now.End().String() + "; the knob axis end moves it"
		} else {
			m.message = "maxTokens is 1 at least"
		}
		return nil
	}
	label := experiment.Label{Name: string(experiment.MaxTokens), From: now.Budget.MaxTokens.String(), To: b.String()}
	m.apply(now.WithMax(b), label, experiment.MaxTokens)
	return nil
}
