package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate/query"
	"cupelscope/tui/experiment"
)

// follow goes where the row of the trace leads: to the items behind a number,
// or to the knob that changes it.
func (m *Model) follow() tea.Cmd {
	lead := m.trace.Lead()
	switch {
	case lead.Filter != "":
		q, err := query.Parse(lead.Filter)
		if err != nil {
			m.message = err.Error()
			return nil
		}
		m.setFilter(q)
		m.show(viewItems)
		m.message = "the items behind it; esc clears the filter, 6 goes back"
	case lead.Knob == experiment.Quotas:
		return m.openEditor()
	case lead.Knob != "":
		m.knobs.Select(lead.Knob)
		m.focus = onKnobs
		m.message = "h and l turn it, enter types a value, esc goes back"
	}
	return nil
}

func needsLead(m *Model) string {
	lead := m.trace.Lead()
	if _, ok := m.knobs.Find(lead.Knob); lead.Knob != "" && lead.Knob != experiment.Quotas && !ok {
		return "no knob changes that"
	}
	if lead.Filter == "" && lead.Knob == "" {
		return "this row leads nowhere"
	}
	return ""
}
