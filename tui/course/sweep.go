package course

import (
	"context"

	"cupelscope/simulate/turns"
	"cupelscope/tui/work"
)

// sweep is what the watermark costs by how far it cuts.
type sweep struct {
	want, have *sweeping
	totals     []turns.Totals // by turns.SweepLows
	err        error
}

// sweeping is a sweep to be made.
type sweeping struct {
	of    *question // the watermark
	all   *question
	cache turns.Cache
}

func (s *sweep) arrange(t *Turns) {
	mark := t.rows[Watermark].want
	if s.want != nil && s.want.cache == t.cache && s.want.all == t.rows[All].want && s.want.of.session == mark.session &&
		(s.want.of == mark || s.want.of.alike(mark)) {
		return
	}
	s.want = &sweeping{of: mark, all: t.rows[All].want, cache: t.cache}
}

// alike reports whether two watermarks differ in how far they cut at most.
func (q *question) alike(o *question) bool {
	a, b := *q, *o
	a.plan.Low = b.plan.Low
	return a.same(&b)
}

// job makes the sweep where it is looked at, once everything is known.
func (s *sweep) job(t *Turns) (work.Job, bool) {
	w, all := s.want, t.rows[All].course
	if !t.look.Sweep || w == nil || s.have == w || all == nil {
		return work.Job{}, false
	}
	lows := turns.SweepLows()
	cost := len(lows) * 2 * t.of.PlanCost(w.of.plan, len(w.of.parts), w.of.budget.MaxTokens())
	return work.Job{Key: w, Cost: cost, Run: func(ctx context.Context) (any, error) {
		return turns.Sweep(ctx, w.of.session.Session, w.of.plan, lows, w.of.budget, w.cache, all)
	}}, true
}

func (s *sweep) done(key *sweeping, result any, err error) {
	if key != s.want {
		return
	}
	s.have, s.err = key, err
	s.totals, _ = result.([]turns.Totals)
}

// Sweep is the totals of the watermark by the marks of turns.SweepLows; nil before
// the first. Old says that they are not of the current setup.
func (t *Turns) Sweep() (totals []turns.Totals, old bool, err error) {
	return t.sweep.totals, t.sweep.have != t.sweep.want, t.sweep.err
}
