package explorer

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/tui/internal/work"
)

// counting is the lane that counts the tokens of items with estimates.
type counting struct {
	work.Lane
	progress tokens.Progress
	all      bool // everything that can be counted has been counted
}

// countMsg is the progress of counting; next waits for the following message.
type countMsg struct {
	generation int
	progress   tokens.Progress
	done       bool
	err        error
	next       tea.Cmd
}

// start counts in the background. The counter runs inside the first command and
// hands its batches to a channel that following commands read, so that no
// goroutine is started besides the goroutines of Bubble Tea.
func (c *counting) start(parent context.Context, count func(ctx context.Context, emit func(tokens.Progress)) error) tea.Cmd {
	ctx, generation := c.Begin(parent)
	c.progress = tokens.Progress{BytesAll: 1} // nothing yet
	batches := make(chan tokens.Progress, 1)
	result := make(chan error, 1)
	run := func() tea.Msg {
		err := count(ctx, func(p tokens.Progress) {
			select {
			case before := <-batches: // nobody has read it: one batch carries both, and counting never waits
				p.Recounts = append(before.Recounts, p.Recounts...)
			default:
			}
			batches <- p
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
	return tea.Batch(run, next)
}

// take handles a message. It returns false if the message is stale.
func (c *counting) take(msg countMsg) bool {
	switch {
	case c.Stale(msg.generation):
		return false
	case msg.done:
		c.End(msg.generation)
		c.all = c.all || msg.err == nil
	default:
		c.progress = msg.progress
	}
	return true
}

// forget stops counting, because the items have been replaced.
func (c *counting) forget() {
	c.Drop()
	c.all = false
}

// idle returns why there is nothing to count in a session with that many estimates left,
// or "" if there is something.
func (c *counting) idle(s *Session, estimates int) string {
	switch {
	case s.Count == nil:
		return "nothing to count: all counts are exact"
	case c.all && estimates > 0:
		return "all that can be counted is counted; the other estimates have an encoding that is not built in, or are no text"
	case c.all:
		return "everything is counted"
	}
	return ""
}

// startCount counts the session's estimates, if there are any.
func (m *Model) startCount() tea.Cmd {
	if m.session.Count == nil {
		return nil
	}
	return tea.Batch(m.count.start(m.ctx, m.session.Count), m.watch())
}

// counted takes over the counts that have arrived.
func (m *Model) counted(msg countMsg) tea.Cmd {
	if m.exp == nil || !m.count.take(msg) {
		return nil
	}
	if msg.done && msg.err != nil && m.ctx.Err() == nil {
		m.messages.warn("counting stopped: " + msg.err.Error() + "; the estimates stay, T counts again")
	}
	if msg.done {
		return m.settle() // work may have waited for the count
	}
	if len(msg.progress.Recounts) == 0 {
		return msg.next
	}
	if err := m.exp.Recount(msg.progress.Recounts); err != nil {
		m.messages.warn("counting: " + err.Error())
	}
	m.best.Forget()
	m.extendAxis()
	return tea.Batch(m.settle(), msg.next)
}

// toggleCount stops counting, or starts it again.
func (m *Model) toggleCount() tea.Cmd {
	if m.count.Running() {
		m.stopCount()
		return nil
	}
	return m.startCount()
}

// stopCount stops counting at once. Counts that are not known by then stay estimates.
func (m *Model) stopCount() {
	m.count.Drop()
	m.messages.say("counting stopped: " + plain.Count(m.exp.Whole().Estimates(), "estimate") + " left as they are; T counts on")
	m.refresh()
}
