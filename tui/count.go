package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/simulate"
	"cupelscope/tui/experiment"
)

// countMsg is how far counting is; next waits for the one after.
type countMsg struct {
	generation int
	progress   tokens.Progress
	done       bool
	err        error
	next       tea.Cmd
}

// startCount counts in the background. The counter runs inside the first
// command and hands its batches to a channel that following commands read, so
// that no goroutine is started besides those of Bubble Tea.
func (m *Model) startCount() tea.Cmd {
	ctx, generation := m.count.Begin(m.ctx)
	count := m.session.Count
	m.progress = tokens.Progress{BytesAll: 1} // nothing yet
	batches := make(chan tokens.Progress, 1)
	result := make(chan error, 1)
	run := func() tea.Msg {
		err := count(ctx, func(p tokens.Progress) {
			select {
			case batches <- p:
			case <-ctx.Done():
			}
		})
		result <- err
		close(batches)
		return nil
	}
	var next tea.Cmd
	next = func() tea.Msg {
		p, more := <-batches
		if !more {
			return countMsg{generation: generation, done: true, err: <-result}
		}
		return countMsg{generation: generation, progress: p, next: next}
	}
	return tea.Batch(run, next, m.watch())
}

func (m *Model) counted(msg countMsg) tea.Cmd {
	if m.count.Stale(msg.generation) || m.exp == nil {
		return nil
	}
	if msg.done {
		m.count.End(msg.generation)
		switch {
		case msg.err == nil:
			m.allCounted = true
		case m.ctx.Err() == nil:
			m.notices = append(m.notices, notice{"counting stopped: " + msg.err.Error() + "; the estimates stay, T counts again", noticeWarn})
		}
		m.refresh()
		return nil
	}
	m.progress = msg.progress
	if len(msg.progress.Recounts) == 0 {
		return msg.next
	}
	if err := m.exp.Recount(msg.progress.Recounts); err != nil {
		m.notices = append(m.notices, notice{"counting: " + err.Error(), noticeWarn})
	}
	m.extendAxis()
	return tea.Batch(m.settle(), msg.next)
}

// toggleCount stops counting, or begins it again.
func (m *Model) toggleCount() tea.Cmd {
	if m.count.Running() {
		m.stopCount()
		return nil
	}
	return m.startCount()
}

// stopCount stops counting at once: what was not counted stays an estimate.
func (m *Model) stopCount() {
	m.count.Drop()
	m.message = "counting stopped: " + plain.Count(m.exp.Items().Estimates(), "estimate") + " left as they are; T counts on"
	m.refresh()
}

// needsCounting says why there is nothing to count.
func (m *Model) needsCounting() string {
	switch {
	case m.session.Count == nil:
		return "no count is an estimate of a text"
	case m.allCounted && m.exp.Items().Estimates() > 0:
		return "all that can be counted is counted; what is still an estimate has no public encoding, or is no text"
	case m.allCounted:
		return "all is counted"
	}
	return ""
}

// extendAxis moves the axis end that was chosen from estimates to where all
// items fit by better counts; it never draws it in.
func (m *Model) extendAxis() {
	if m.session.AxisAsked {
		return
	}
	from := m.original.AxisEnd
	b, err := model.NewBudget(m.original.Budget)
	if err != nil {
		return
	}
	end, err := simulate.AxisEnd(m.exp.Items(), m.original.Policy[experiment.A], b)
	if err != nil || end <= from {
		return
	}
	m.exp.ExtendAxis(from, end)
	m.original.AxisEnd = end
	if m.saved.AxisEnd == from {
		m.saved.AxisEnd = end
	}
}
