package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/panes"
)

// worker is a pane with work of its own that may take longer than a frame. The
// work goes on while the pane is shown, one job at a time; what is superseded
// is cancelled.
type worker interface {
	// Job is the work that is needed now; false: all that is shown is there.
	Job() (panes.Job, bool)
	// Done takes what came of a job; err is no cancellation.
	Done(key, result any, err error)
}

// job is the lane of a pane's work, and what it works on.
type job struct {
	lane
	key any
}

// jobMsg is what a job answers.
type jobMsg struct {
	view       view
	generation int
	key        any
	result     any
	err        error
}

// work does what the pane that is shown needs: at once where it is predicted
// to take at most left microseconds, else in its lane.
func (m *Model) work(left int) tea.Cmd {
	w, ok := m.pane().(worker)
	if !ok {
		return nil
	}
	for {
		want, needed := w.Job()
		j := &m.jobs[m.view]
		switch {
		case !needed:
			m.cancelJob(m.view)
			return nil
		case j.running && j.key == want.Key:
			return nil
		case j.running:
			j.cancel() // that it has stopped starts the next one
			return nil
		case want.Cost <= left:
			left -= want.Cost
			result, err := want.Run(m.ctx)
			if m.ctx.Err() != nil {
				return nil
			}
			w.Done(want.Key, result, err)
			continue // there may be more
		}
		ctx, generation := j.begin(m.ctx)
		j.key = want.Key
		v := m.view
		return func() tea.Msg {
			result, err := want.Run(ctx)
			if ctx.Err() != nil {
				return jobMsg{view: v, generation: generation}
			}
			return jobMsg{v, generation, want.Key, result, err}
		}
	}
}

// cancelJob ends a pane's work; its lane is free when that has stopped.
func (m *Model) cancelJob(v view) {
	if m.jobs[v].running {
		m.jobs[v].cancel()
	}
}

func (m *Model) jobDone(msg jobMsg) tea.Cmd {
	if !m.jobs[msg.view].end(msg.generation) || m.exp == nil {
		return nil
	}
	if msg.key != nil {
		if w, ok := m.views[msg.view].(worker); ok {
			w.Done(msg.key, msg.result, msg.err)
		}
	}
	return m.settle()
}
