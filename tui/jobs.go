package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
)

// job is the lane of a screen's work, and what it works on.
type job struct {
	lane
	key any
}

// lane is the lane of a screen, or of what screens share.
func (m *Model) lane(w screen.Worker) *job {
	if m.jobs[w] == nil {
		m.jobs[w] = new(job)
	}
	return m.jobs[w]
}

// jobMsg is what a job answers.
type jobMsg struct {
	worker     screen.Worker
	generation int
	key        any
	result     any
	err        error
}

// work does what is needed for what is shown: at once where it is predicted to take at most
// left microseconds, else in its lane. The screen goes first, and leaves the half.
func (m *Model) work(left int) tea.Cmd {
	m.whatIf.Arrange(m.asked())
	m.best.Arrange(m.measured())
	cmds := []tea.Cmd{m.rest()}
	for _, s := range append([]screen.Screen{m.view()}, m.stack...) {
		if w, ok := s.(screen.Worker); ok {
			cmds = append(cmds, m.workOf(w, left/2))
		}
	}
	return tea.Batch(append(cmds, m.workOf(&m.whatIf, left/4), m.workOf(&m.best, left/4))...)
}

func (m *Model) workOf(w screen.Worker, left int) tea.Cmd {
	for {
		want, needed := w.Job()
		j := m.lane(w)
		switch {
		case !needed:
			m.cancelJob(w)
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
				return jobMsg{worker: w, generation: generation}
			}
			return jobMsg{w, generation, want.Key, result, err}
		}
	}
}

// cancelJob ends a screen's work; its lane is free when that has stopped.
func (m *Model) cancelJob(s any) {
	w, ok := s.(screen.Worker)
	if !ok {
		return
	}
	if j := m.lane(w); j.running {
		j.cancel()
	}
}

func (m *Model) jobDone(msg jobMsg) tea.Cmd {
	if !m.lane(msg.worker).end(msg.generation) || m.exp == nil {
		return nil
	}
	if msg.key != nil {
		msg.worker.Done(msg.key, msg.result, msg.err)
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
	if !waits || question == m.resting || m.playing() {
		return nil
	}
	m.resting = question
	return m.after(restAfter, restMsg{question})
}

// playing reports whether the cursor moves on by itself.
func (m *Model) playing() bool {
	p, ok := m.view().(screen.Player)
	return ok && p.Playing()
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
	case m.reading():
		i, _ := m.selected()
		return m.exp.Outcome(m.side), []int{i}, true
	case m.view().Spec().Bare || len(m.chosen) > askedAtMost:
		return nil, nil, false
	}
	return m.exp.Outcome(m.side), m.targets(), false
}

// measured is which outcomes the screen measures against the best possible,
// and whether that is what one looks at. It is never that of an older setup.
func (m *Model) measured() (patient bool, a, b *experiment.Outcome) {
	patient = m.view().Spec().Best
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
