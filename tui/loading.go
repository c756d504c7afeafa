package tui

import (
	"context"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
)

// loadedMsg is what the load lane answers.
type loadedMsg struct {
	generation int
	session    *Session
	err        error
	again      bool // the same sources
}

// startLoad loads in the background. Another source that is being loaded is
// given up.
func (m *Model) startLoad(source string, again bool, open func(context.Context) (*Session, error)) tea.Cmd {
	m.load.Cancel()
	ctx, generation := m.load.Begin(m.ctx)
	far := new(atomic.Pointer[itemset.Progress])
	m.load.source, m.load.far = source, far
	m.tellLoading()
	return tea.Batch(m.watch(), func() tea.Msg {
		s, err := open(itemset.WithProgress(ctx, func(p itemset.Progress) { far.Store(&p) }))
		return loadedMsg{generation, s, err, again}
	})
}

// stopLoading gives up what is being loaded; what is shown stays.
func (m *Model) stopLoading() {
	m.load.Drop()
	m.message = "stopped: nothing was loaded"
}

// tellLoading says on the message line how far loading is, in place of nothing
// or of what it said before.
func (m *Model) tellLoading() {
	if !m.load.Running() || m.exp == nil || m.message != "" && m.message != m.load.said {
		return
	}
	m.load.said = m.waiting.Spin() + " loading " + plain.Line(m.load.source, 40) + m.theme.Glyphs.Ellipsis
	if far := m.load.words(); far != "" {
		m.load.said += " " + far
	}
	m.load.said += "; esc stops that"
	m.message = m.load.said
}
