package explorer

import (
	tea "charm.land/bubbletea/v2"
)

func (m *Model) askQuit() tea.Cmd {
	switch {
	case m.messages.quitting:
		return m.quit()
	case m.unsaved():
		m.messages.refuse("unsaved changes: q quits without them, w saves, any other key stays")
	case m.writing != "":
		m.messages.refuse(m.writing + " is still being written: q quits without it, any other key stays")
	default:
		return m.quit()
	}
	m.messages.quitting = true
	return nil
}

func (m *Model) quit() tea.Cmd {
	m.stop()
	m.load.Drop() // that it was stopped is no error
	return tea.Quit
}
