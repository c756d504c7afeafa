package tui

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/pipeline/slicer"
	"cupelscope/tui/experiment"
	"cupelscope/tui/widget"
)

// progress is how far a computation is, in thousandths. It is written where
// the work runs, and read when the screen is drawn.
type progress struct{ done atomic.Int64 }

// under is a context whose computations tell p how far they are.
func (p *progress) under(ctx context.Context) context.Context {
	return slicer.WithProgress(ctx, func(done, total int64) {
		if total > 0 {
			p.done.Store(done * 1000 / total)
		}
	})
}

// percent is how far the lane's work is; -1 where there is none.
func (l *lane) percent() int {
	if !l.running || l.progress == nil {
		return -1
	}
	return int(l.progress.done.Load() / 10)
}

// progressEvery is how often the screen tells how far work is.
const progressEvery = 150 * time.Millisecond

// progressMsg says that it is time to look how far work is.
type progressMsg struct{}

// running reports whether there is work in the background.
func (m *Model) running() bool {
	running := m.load.running || m.count.running
	for s := range m.profiles {
		running = running || m.profiles[s].running
	}
	for _, j := range m.jobs {
		running = running || j.running
	}
	return running
}

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
		Sides: [2]int{m.profiles[experiment.A].percent(), m.profiles[experiment.B].percent()},
		Best:  m.lane(&m.best).percent(),
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
	case m.lane(&m.best).running && m.best.Stop():
		m.cancelJob(&m.best)
		m.message = "stopped: how far off the best possible is known only as at most (≤), until items or scores change"
		return true
	}
	return false
}
