package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/work"
)

// work does what is needed for what is shown: at once where it is predicted to take at most
// left microseconds, else in its lane. The screens go first, and leave the half.
func (m *Model) work(left int) tea.Cmd {
	m.whatIf.Arrange(m.asked())
	m.best.Arrange(m.measured())
	cmds := []tea.Cmd{m.rest()}
	do := func(s any, left int) {
		if w, ok := s.(work.Worker); ok {
			cmd, _ := m.pool.Do(w, left)
			cmds = append(cmds, cmd)
		}
	}
	do(m.view(), left/2)
	for _, s := range m.stack {
		do(s, left/2)
	}
	do(&m.whatIf, left/4)
	do(&m.best, left/4)
	return tea.Batch(cmds...)
}

// cancelJob ends a screen's work.
func (m *Model) cancelJob(s screen.Screen) {
	if w, ok := s.(work.Worker); ok {
		m.pool.Cancel(w)
	}
}

// answered takes what came of work in the background.
func (m *Model) answered(a work.Answer) tea.Cmd {
	if !m.pool.Take(a) || m.exp == nil {
		return nil
	}
	return tea.Batch(m.settle(), m.pointOut())
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
	return m.work(work.Inline)
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
