package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate/query"
	"cupelscope/tui/panes"
)

// jumpInline is how many items are searched between two frames; more are
// searched in a lane.
const jumpInline = 5000

func (m *Model) openJump() tea.Cmd {
	m.jump.Open(m.exp.Items())
	m.overlay = jumpOverlay
	return nil
}

// foundMsg is what a search answers.
type foundMsg struct {
	generation int
	search     string
	found      []panes.Found
}

// seek finds what was typed: at once in a small set, else in its lane.
func (m *Model) seek() tea.Cmd {
	set, wanted := m.jump.Want()
	switch {
	case !wanted:
		return nil
	case m.seeking.running:
		m.seeking.cancel() // that it has stopped starts the next one
		return nil
	case set.Len() <= jumpInline:
		m.jump.Take(m.jump.Search(), panes.FindItems(m.ctx, set, m.jump.Search()))
		return nil
	}
	ctx, generation := m.seeking.begin(m.ctx)
	search := m.jump.Search()
	return func() tea.Msg { return foundMsg{generation, search, panes.FindItems(ctx, set, search)} }
}

func (m *Model) sought(msg foundMsg) tea.Cmd {
	if !m.seeking.end(msg.generation) || m.overlay != jumpOverlay {
		return nil
	}
	if msg.found != nil {
		m.jump.Take(msg.search, msg.found)
	}
	return m.seek()
}

// jumpKey is a key while the list is open: it types, moves, goes or closes.
func (m *Model) jumpKey(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); name {
	case "esc", "ctrl+c":
		m.overlay = noOverlay
	case "up", "ctrl+p":
		m.jump.Move(-1)
	case "down", "ctrl+n":
		m.jump.Move(1)
	case "pgup":
		m.jump.Move(-10)
	case "pgdown":
		m.jump.Move(10)
	case "enter":
		return m.runJump()
	default:
		m.jump.Key(msg)
	}
	return m.seek()
}

// runJump selects the item that was found: in this view, else in Items. A
// filter that hides it there is cleared.
func (m *Model) runJump() tea.Cmd {
	i, ok := m.jump.Selected()
	if !ok {
		return nil
	}
	m.overlay, m.reading, m.focus = noOverlay, false, onTable
	m.refresh()
	if m.view().Select(i) {
		return m.settle()
	}
	m.show(0)
	if !m.items().Select(i) {
		m.setFilter(query.Query{})
		m.refresh()
		m.items().Select(i)
		m.message = hintOf(i) + " was hidden by the filter, which is cleared"
	}
	return m.settle()
}
