package tui

import (
	"reflect"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
)

// reload loads the sources again; until they are there, and if they cannot be
// loaded, what is shown stays.
func (m *Model) reload() tea.Cmd {
	return m.startLoad(m.session.Name, true, m.session.Reopen)
}

// reloaded takes what the sources give now. Edits stay with their items; what
// the user has turned stays, what not follows the file.
func (m *Model) reloaded(msg loadedMsg) tea.Cmd {
	s, err := msg.session, msg.err
	var carried model.Carried
	if err == nil {
		next, file := m.exp.Setup(), s.setup()
		var edits model.Edits
		edits, carried = model.CarryEdits(m.session.Items, s.Items, next.Edits)
		if next.SameEdits(m.original) {
			edits = file.Edits
		}
		next = follow(next, m.original, file)
		next.Edits = edits
		err = m.exp.Replace(s.Items, next, func(e model.Edits) model.Edits {
			e, _ = model.CarryEdits(m.session.Items, s.Items, e)
			return e
		})
		if err == nil {
			m.original, m.saved = file, file
		}
	}
	if err != nil {
		m.message = "not loaded again: " + err.Error()
		return nil
	}
	selected, had := m.selected()
	chosen := m.chosen
	m.interrupt()
	m.leave()
	for _, v := range m.views {
		if f, ok := v.(screen.Forgetter); ok {
			f.Forget()
		}
	}
	m.count.Drop()
	m.allCounted = false
	m.session = s
	m.exp.Link(s.Pairs)
	m.chosen, m.inOrder = map[int]bool{}, nil
	for i := range chosen {
		if j, ok := carried.Index(i); ok {
			m.chosen[j] = true
		}
	}
	m.message = "loaded again: " + carried.String()
	m.closeIf(func(s screen.Screen) bool {
		open, ok := s.(screen.Selecter)
		if !ok {
			return false
		}
		j, there := carried.Index(selected)
		return !there || !open.Select(j)
	})
	cmds := []tea.Cmd{m.settle()}
	if j, ok := carried.Index(selected); had && ok {
		m.items().Select(j)
		m.view().Select(j)
	}
	if s.Count != nil {
		cmds = append(cmds, m.startCount())
	}
	return tea.Batch(cmds...)
}

// follow is the setup with everything that the user has not changed as the
// file has it now.
func follow(now, was, file experiment.Setup) experiment.Setup {
	for s := range now.Policy {
		if reflect.DeepEqual(now.Policy[s], was.Policy[s]) {
			now.Policy[s] = file.Policy[s]
		}
	}
	if reflect.DeepEqual(now.Budget, was.Budget) && now.Gap == was.Gap {
		now.Budget, now.Gap = file.Budget, file.Gap
	}
	if now.Slack == was.Slack {
		now.Slack = file.Slack
	}
	if now.AxisEnd == was.AxisEnd {
		now.AxisEnd = file.AxisEnd
	}
	return now
}
