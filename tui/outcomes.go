package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
	"cupelscope/tui/work"
)

// sideWork keeps the outcome of a side up to date.
type sideWork struct {
	m     *Model
	side  experiment.Side
	asked *experiment.Request // what it works on
}

// outcome is what came of it.
type outcome struct {
	*experiment.Outcome
	took time.Duration
}

// Job is the outcome that the side needs. The side that is not shown waits while
// the other ranks items in the way that it needs too.
func (w *sideWork) Job() (work.Job, bool) {
	q, pending := w.m.exp.Request(w.side)
	if !pending {
		return work.Job{}, false
	}
	now := w.m.now
	q.Now = now
	pool, other := w.m.pool, w.m.sides[w.side.Other()]
	if w.side != w.m.side && q.RanksAlike() && pool.Running(other) && !pool.Running(w) {
		return work.Job{}, false
	}
	if w.asked == nil || !q.Same(*w.asked) {
		w.asked = &q
	}
	return work.Job{Key: w.asked, Cost: q.Cost(), Run: func(ctx context.Context) (any, error) {
		start := now()
		o, err := q.Run(ctx)
		return outcome{o, now().Sub(start)}, err
	}}, true
}

// Done takes an outcome.
func (w *sideWork) Done(_, result any, err error) {
	if o, ok := result.(outcome); ok && err == nil {
		w.m.exp.Accept(w.side, o.Outcome, o.took)
	}
}

// settle brings both sides up to date after a change: at once where that is
// predicted to be quick, the side that is shown first, else in its lane.
func (m *Model) settle() tea.Cmd {
	if m.exp == nil || m.ctx.Err() != nil {
		return nil
	}
	first, left := m.pool.Do(m.sides[m.side], work.Inline)
	second, left := m.pool.Do(m.sides[m.side.Other()], left)
	m.refresh()
	return tea.Batch(first, second, m.work(left), m.watch())
}
