package tui

import tea "charm.land/bubbletea/v2"

// mapActions is what keys do in the map, where the cursor along the budgets is
// maxTokens.
func mapActions() []action {
	inMap := []view{viewMap}
	// turn is a key that changes what is shown, or says why it does not.
	turn := func(keys []string, pair, hint, text string, do func(m *Model) string) action {
		return action{keys: keys, pair: pair, group: mapping, hint: hint, text: text, in: inMap, run: func(m *Model) tea.Cmd {
			if why := do(m); why != "" {
				m.message = keys[0] + ": " + why
			}
			return nil
		}}
	}
	step := func(keys []string, pair, hint, text string, dir int, big bool) action {
		return action{keys: keys, pair: pair, group: mapping, hint: hint, text: text, in: inMap, keepsRun: true,
			run: func(m *Model) tea.Cmd { return m.mapStep(dir, big) }}
	}
	always := func(do func(m *Model)) func(m *Model) string {
		return func(m *Model) string { do(m); return "" }
	}
	return []action{
		step([]string{"l", "right"}, "h/l", "budget", "in the map: maxTokens one column up", 1, false),
		step([]string{"h", "left"}, "", "", "in the map: maxTokens one column down", -1, false),
		step([]string{"L", "shift+right"}, "", "", "in the map: maxTokens ten columns up", 1, true),
		step([]string{"H", "shift+left"}, "", "", "in the map: maxTokens ten columns down", -1, true),
		turn([]string{"+"}, "+ -", "zoom", "show half as many budgets, around maxTokens", func(m *Model) string { return m.mapped.Zoom(true) }),
		turn([]string{"-"}, "", "", "show twice as many budgets", func(m *Model) string { return m.mapped.Zoom(false) }),
		turn([]string{")"}, "( )", "rows", "twice as many items a line, up to all on the screen", func(m *Model) string { return m.mapped.Gather(true) }),
		turn([]string{"("}, "", "", "half as many items a line, down to one with its name", func(m *Model) string { return m.mapped.Gather(false) }),
		turn([]string{">"}, "< >", "pan", "show larger budgets, maxTokens stays", func(m *Model) string { return m.mapped.Pan(1) }),
		turn([]string{"<"}, "", "", "show smaller budgets, maxTokens stays", func(m *Model) string { return m.mapped.Pan(-1) }),
		turn([]string{"z", "0"}, "", "all", "all budgets, one item a line", always(func(m *Model) { m.mapped.Whole() })),
		turn([]string{"a"}, "", "axis", "columns of as many budgets each, or growing with the budget", always(func(m *Model) { m.mapped.Even() })),
		turn([]string{"s"}, "", "sort", "order the map by first in, stays from, score or input", always(func(m *Model) { m.mapped.SortNext() })),
		turn([]string{"S"}, "", "", "reverse the order of the map", always(func(m *Model) { m.mapped.Reverse() })),
		{keys: []string{"enter"}, group: mapping, hint: "to Items", text: "show the item under the cursor in Items, at this budget", in: inMap, why: needsItem,
			run: func(m *Model) tea.Cmd { m.show(viewItems); return nil }},
	}
}

// mapStep moves maxTokens by columns of the map.
func (m *Model) mapStep(dir int, big bool) tea.Cmd {
	return m.toColumn(m.mapped.Step(m.budget(), dir, big), dir)
}
