package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
)

// Work that may take longer than a frame runs in a lane: one command at a time
// in each, so that two large tables never coexist. A newer request cancels the
// running one and starts when that has stopped. Commands capture immutable
// values only; what comes back names its lane's generation, and an answer to
// an older one is dropped.
type lane struct {
	generation int
	running    bool
	cancel     context.CancelFunc
	progress   *progress // of the newest command
}

// begin makes the context and the generation of a new command.
func (l *lane) begin(parent context.Context) (context.Context, int) {
	ctx, cancel := context.WithCancel(parent)
	l.generation++
	l.running, l.cancel, l.progress = true, cancel, new(progress)
	return l.progress.under(ctx), l.generation
}

// end records that the command of a generation came back; false: it was not
// the newest.
func (l *lane) end(generation int) bool {
	if generation != l.generation {
		return false
	}
	l.cancel()
	l.running = false
	return true
}

// inlineCost is how much work, in microseconds, Update does itself before it
// hands the rest to lanes. It leaves the other half of a 60th of a second for
// drawing.
const inlineCost = 6000

// outcomeMsg is what a profile lane answers.
type outcomeMsg struct {
	side       experiment.Side
	generation int
	outcome    *experiment.Outcome // nil: cancelled
	took       time.Duration
}

// settle brings both sides up to date after a change: at once where that is
// predicted to be quick, the side that is shown first, else in its lane.
func (m *Model) settle() tea.Cmd {
	if m.exp == nil || m.ctx.Err() != nil {
		return nil
	}
	var cmds []tea.Cmd
	left, working := inlineCost, false
	for _, side := range [...]experiment.Side{m.side, m.side.Other()} {
		q, pending := m.exp.Request(side)
		q.Now = m.now
		if !pending {
			continue
		}
		l := &m.profiles[side]
		if l.running {
			if !q.Same(m.requests[side]) {
				l.cancel() // that it has stopped starts the next one
			}
			working = true
			continue
		}
		if cost := q.Cost(); cost <= left {
			left -= cost
			start := m.now()
			if o, err := q.Run(m.ctx); err == nil {
				m.exp.Accept(side, o, m.now().Sub(start))
			}
			continue
		}
		if working && q.RanksAlike() {
			continue // the other side's ranking will do for this one too
		}
		working = true
		ctx, generation := l.begin(m.ctx)
		m.requests[side] = q
		now := m.now
		cmds = append(cmds, func() tea.Msg {
			start := now()
			o, err := q.Run(ctx)
			if err != nil {
				o = nil
			}
			return outcomeMsg{side, generation, o, now().Sub(start)}
		})
	}
	m.refresh()
	return tea.Batch(append(cmds, m.work(left), m.watch())...)
}

func (m *Model) outcome(msg outcomeMsg) tea.Cmd {
	if !m.profiles[msg.side].end(msg.generation) || m.exp == nil {
		return nil
	}
	if msg.outcome != nil {
		m.exp.Accept(msg.side, msg.outcome, msg.took)
	}
	return tea.Batch(m.settle(), m.pointOut())
}
