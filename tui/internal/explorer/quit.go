package explorer

import (
	tea "charm.land/bubbletea/v2"
)

func (m *Model) askQuit() tea.Cmd {
	if m.messages.quitting || !m.unsaved() {
		return m.quit()
	}
	m.messages.quitting = true
	m.messages.refuse("There are unsaved changes: q quits without them, w saves, any other key stays")
	return nil
}

func (m *Model) quit() tea.Cmd {
	m.stop()
	m.load.Drop() // that it was stopped is no error
	return tea.Quit
}
