package tui

import (
	"context"
	"fmt"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/tui/work"
)

// loading is the lane in which sources are loaded. How far that is, is written
// where it runs, and read when the screen is drawn.
type loading struct {
	work.Lane
	source string // what is being loaded, as given
	far    *atomic.Pointer[itemset.Progress]
	said   string // the message line's words of it
}

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

// percent is how far loading is; -1 where nobody knows how much there is.
func (l *loading) percent() int {
	if l.far == nil {
		return -1
	}
	if p := l.far.Load(); p != nil && p.Files == 0 && p.Size > 0 {
		return int(100 * p.Bytes / p.Size)
	}
	return -1
}

// words say how far loading is; "" before the first byte.
func (l *loading) words() string {
	if l.far == nil {
		return ""
	}
	p := l.far.Load()
	switch {
	case p == nil:
		return ""
	case p.Files > 0:
		return fmt.Sprintf("%s, %v bytes", plain.Count(p.Files, "file"), plain.Thousands(p.Bytes))
	case p.Records > 0:
		return fmt.Sprintf("%v bytes read, %s so far", plain.Thousands(p.Bytes), plain.Count(p.Records, "record"))
	case p.Size > 0:
		return fmt.Sprintf("%v of %v bytes read", plain.Thousands(p.Bytes), plain.Thousands(p.Size))
	}
	return fmt.Sprintf("%v bytes read, at most %v", plain.Thousands(p.Bytes), plain.Thousands(itemset.DefaultMaxBytes))
}
