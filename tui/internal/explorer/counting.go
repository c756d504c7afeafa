package explorer

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model/plain"
	"cupelscope/model/tokens"
	"cupelscope/tui/internal/work"
)

// counting is the lane that counts the tokens of items with estimates. The command writes its
// counts, which are taken with each look at how far it is.
type counting struct {
	work.Lane
	tally   *tally
	percent int  // how far it was at the last look
	all     bool // everything that can be counted has been counted
}

// tally is how far a count is, with the counts that were not taken yet.
type tally struct {
	sync.Mutex
	tokens.Progress
}

func (t *tally) add(p tokens.Progress) {
	t.Lock()
	defer t.Unlock()
	p.Recounts = append(t.Recounts, p.Recounts...)
	t.Progress = p
}

func (t *tally) take() tokens.Progress {
	t.Lock()
	defer t.Unlock()
	p := t.Progress
	t.Recounts = nil
	return p
}

// forget stops counting, because the items have been replaced.
func (c *counting) forget() {
	c.Drop()
	c.all = false
}

// idle returns why there is nothing to count in a session with that many estimates left,
// or "" if there is something.
func (c *counting) idle(s *Workspace, estimates int) string {
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
	count, so := m.workspace.Count, &tally{Progress: tokens.Progress{BytesAll: 1}} // nothing yet
	if count == nil {
		return nil
	}
	m.count.tally, m.count.percent = so, 0
	cmd := m.count.Run(m.ctx, func(ctx context.Context) work.Then {
		err := count(ctx, so.add)
		return func() tea.Cmd {
			m.takeCounts()
			m.count.all = m.count.all || err == nil
			if err != nil && m.ctx.Err() == nil {
				m.messages.warn("counting stopped: " + err.Error() + "; the estimates stay, T counts again")
			}
			return nil // Update settles: work may have waited for the count
		}
	})
	return tea.Batch(cmd, m.watch())
}

// takeCounts takes the counts that have arrived. It returns false if there are none.
func (m *Model) takeCounts() bool {
	p := m.count.tally.take()
	m.count.percent = p.Percent()
	if len(p.Recounts) == 0 {
		return false
	}
	if err := m.exp.Recount(p.Recounts); err != nil {
		m.messages.warn("counting: " + err.Error())
	}
	m.best.Forget()
	m.extendAxis()
	return true
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
