package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
	"cupelscope/tui/widget"
)

// worker is a pane with work of its own that may take longer than a frame. The
// work goes on while the pane is shown, one job at a time; what is superseded
// is cancelled.
type worker interface {
	// Job is the work that is needed now; false: all that is shown is there.
	Job() (widget.Job, bool)
	// Done takes what came of a job; err is no cancellation.
	Done(key, result any, err error)
}

// job is the lane of a pane's work, and what it works on.
type job struct {
	lane
	key any
}

// jobs is the work of every view's pane, and what views share.
type jobs [views + 2]job

// The places of what views share: what is said of the selected item, and the
// best possible value.
const (
	beside = views + iota
	bests
)

// jobMsg is what a job answers.
type jobMsg struct {
	view       view // or what views share
	generation int
	key        any
	result     any
	err        error
}

// work does what is needed for what is shown: at once where it is predicted to take at most
// left microseconds, else in its lane. The pane goes first, and leaves the half.
func (m *Model) work(left int) tea.Cmd {
	m.whatIf.Arrange(m.asked())
	m.best.Arrange(m.measured())
	return tea.Batch(m.rest(), m.workOf(m.view, left/2), m.workOf(beside, left/4), m.workOf(bests, left/4))
}

// worker is whose work a lane does; nil: nobody's.
func (m *Model) worker(v view) worker {
	switch v {
	case beside:
		return &m.whatIf
	case bests:
		return &m.best
	}
	w, _ := m.views[v].(worker)
	return w
}

func (m *Model) workOf(v view, left int) tea.Cmd {
	w := m.worker(v)
	if w == nil {
		return nil
	}
	for {
		want, needed := w.Job()
		j := &m.jobs[v]
		switch {
		case !needed:
			m.cancelJob(v)
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
		if w := m.worker(msg.view); w != nil {
			w.Done(msg.key, msg.result, msg.err)
		}
	}
	return m.settle()
}

// restAfter is how long the cursor stays on an item before what costs more than
// passing it is worked out.
const restAfter = 150 * time.Millisecond

// restMsg says that the cursor may have stayed where a question was asked.
type restMsg struct{ question int }

// rest waits for the cursor to stay, where a question is put off until then.
func (m *Model) rest() tea.Cmd {
	question, waits := m.whatIf.Waits()
	if !waits || question == m.resting || m.play.on {
		return nil
	}
	m.resting = question
	return m.after(restAfter, restMsg{question})
}

func (m *Model) rested(msg restMsg) tea.Cmd {
	m.whatIf.Rest(msg.question)
	return m.work(inlineCost)
}

// askedAtMost is how many chosen items what-if is asked of together: more are
// sorted and named at every key.
const askedAtMost = 2000

// asked is what what-if is asked of now: the item that is open, else those that
// keys act on, in the result of the side that is shown, if that is of the
// current setup.
func (m *Model) asked() (out *experiment.Outcome, items []int, patient bool) {
	state, _ := m.exp.State(m.side)
	switch {
	case state != experiment.Current:
		return nil, nil, false
	case m.reading:
		return m.exp.Outcome(m.side), []int{m.reader.Item()}, true
	case specs[m.view].bare || len(m.chosen) > askedAtMost:
		return nil, nil, false
	}
	return m.exp.Outcome(m.side), m.targets(), false
}

// measured is which outcomes the screen measures against the best possible,
// and whether that is what one looks at. It is never that of an older setup.
func (m *Model) measured() (patient bool, a, b *experiment.Outcome) {
	patient = m.view == viewCompare || m.view == viewCurve
	if !patient && Arrange(m.width, m.height, Showing{}).Curve.Empty() {
		return false, nil, nil
	}
	current := func(s experiment.Side) *experiment.Outcome {
		if state, _ := m.exp.State(s); state == experiment.Pending {
			return nil
		}
		return m.exp.Outcome(s)
	}
	return patient, current(m.side), current(m.side.Other())
}
