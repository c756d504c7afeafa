package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
	"cupelscope/tui/widget"
)

// progressEvery is how often the screen tells how far work is.
const progressEvery = 150 * time.Millisecond

// progressMsg says that it is time to look how far work is.
type progressMsg struct{}

// running reports whether there is work in the background.
func (m *Model) running() bool { return m.load.Running() || m.count.Running() || m.pool.Busy() }

// watch has the screen drawn now and then while anything is computed that the
// screen waits for.
func (m *Model) watch() tea.Cmd {
	if m.watching || !m.running() {
		return nil
	}
	m.watching = true
	return m.after(progressEvery, progressMsg{})
}

// computing is how far work in the background is.
func (m *Model) computing() widget.Computing {
	return widget.Computing{
		Sides: [2]int{m.pool.Percent(m.sides[experiment.A]), m.pool.Percent(m.sides[experiment.B])},
		Best:  m.pool.Percent(&m.best),
	}
}

// stopWork stops the long work that can be done without, and says what of the
// rest is running; false: there is none.
func (m *Model) stopWork() bool {
	state, _ := m.exp.State(m.side)
	switch {
	case state == experiment.Pending && m.exp.CanUndo():
		m.message = "the change is still being computed; u takes it back, and stops that"
		return true
	case state == experiment.Pending:
		m.message = "the result is being computed; another slicer (c) or a larger bucket stops that"
		return true
	case m.pool.Running(&m.best) && m.best.Stop():
		m.pool.Cancel(&m.best)
		m.message = "stopped: how far off the best possible is known only as at most (≤), until items or scores change"
		return true
	}
	return false
}
