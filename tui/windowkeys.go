package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/experiment"
)

// windowActions is what keys do in the window, where the cursor is the item at
// the top.
func windowActions() []action {
	inWindow := []view{viewWindow}
	do := func(key, pair, hint, text string, run func(m *Model) tea.Cmd) action {
		return action{keys: []string{key}, pair: pair, group: windowing, hint: hint, text: text, in: inWindow, run: run}
	}
	finds := func(m *Model) string {
		if m.window.Finding() == "" {
			return "nothing is looked for; / finds a text"
		}
		return ""
	}
	find := func(key string, dir int, text string) action {
		return action{keys: []string{key}, group: windowing, text: text, in: inWindow, why: finds,
			run: func(m *Model) tea.Cmd { m.window.FindNext(dir); return nil }}
	}
	return []action{
		do("J", "J/K", "item", "in the window: to the next item", func(m *Model) tea.Cmd { m.window.Item(1); return nil }),
		do("K", "", "", "in the window: to the beginning of the item, then to the one before", func(m *Model) tea.Cmd { m.window.Item(-1); return nil }),
		do("/", "", "find", "in the window: find a text", (*Model).openFind),
		find("n", 1, "in the window: the next place where the text is found"),
		find("N", -1, "in the window: the place before where the text is found"),
		do("enter", "", "to Items", "show the item at the top in Items; esc or 4 leads back", (*Model).jumpOut),
		{keys: []string{"P"}, pair: "P M", group: windowing, hint: "parted", text: "to the next item that is in without its call or result", in: inWindow,
			why: func(m *Model) string { return m.window.Whole() }, run: func(m *Model) tea.Cmd {
				if !m.window.Parted() {
					m.message = "P: this is the only one"
				}
				return nil
			}},
		do("M", "", "", "mend the parted pair at the top in the way that is cheapest in tokens", (*Model).mendPair),
		do("z", "", "plot", "the plot of the placed order: by input, by score, or none", func(m *Model) tea.Cmd { m.window.NextPlot(); return nil }),
	}
}

// openFind asks for a text to look for; the window follows every key.
func (m *Model) openFind() tea.Cmd {
	before := m.window.Finding()
	return m.open(&prompt{
		label:  "find:",
		help:   "a text in the window, a-z and A-Z alike; enter keeps it, then n and N go on",
		typed:  func(text string) error { m.window.Find(text); return nil },
		done:   func(string) (tea.Cmd, error) { return nil, nil },
		cancel: func() { m.window.Find(before) },
	}, before)
}

// jumpOut shows the item at the top in Items, and remembers the way back.
func (m *Model) jumpOut() tea.Cmd {
	i, ok := m.selected()
	if !ok {
		m.message = "enter: nothing is in"
		return nil
	}
	from := m.view
	m.show(viewItems)
	if j, shown := m.selected(); !shown || i != j {
		m.message = hintOf(i) + " is hidden by the filter; esc clears it"
	}
	m.back = model.Some(from)
	return nil
}

// jumpBack returns to the view that was left, as it was left.
func (m *Model) jumpBack() {
	m.pause()
	m.cancelJob(m.view)
	m.view, m.back = m.back.Value, model.Option[view]{}
	m.refresh()
}

// mendPair carries out the cheapest way to have the pair at the top whole.
func (m *Model) mendPair() tea.Cmd {
	i, ok := m.selected()
	o := m.exp.Outcome(m.side)
	if !ok || o == nil {
		m.message = "M: nothing is in"
		return nil
	}
	partner, parted := o.Alone(i)
	w, known := m.window.Cheapest()
	switch {
	case !parted:
		m.message = "M: " + hintOf(i) + " is not parted; P goes to the next that is"
		return nil
	case !known:
		m.message = "M: there is no way yet to have " + hintOf(i) + " and " + hintOf(partner) + " both or neither"
		return nil
	}
	switch now := m.exp.Setup(); w.Way {
	case simulate.ByRaise:
		m.toBudget(w.Budget)
	case simulate.ByPin:
		next := now.WithExcluded([]int{w.Item}, false).WithPinned(m.session.Items, []int{w.Item}, true)
		m.apply(next, experiment.Label{Name: "pin " + hintOf(w.Item)}, "")
	case simulate.ByDrop:
		m.apply(now.WithExcluded([]int{w.Item}, true), experiment.Label{Name: "exclude " + hintOf(w.Item)}, "")
	}
	return nil
}
