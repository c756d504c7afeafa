package plans

import (
	"context"
	"reflect"

	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/work"
)

// sweep holds what each of many plans costs: one that cuts a full window at each low mark, or the plan of
// an agent at each pair of a map.
type sweep struct {
	want, have *sweeping      // the sweep that the setup needs, and the sweep that totals come from
	totals     []turns.Totals // one for each of have.plans
	now        *turns.Course  // of the policy that is edited, at the setup of totals
	err        error
}

// sweeping is the input of a sweep, and the key of its Job.
type sweeping struct {
	of    *question // has the history and the budget
	plans []turns.Plan
	all   *question // the plan that sends everything
	now   *question // the policy that is edited
	by    turns.Billing
}

// arrange replaces the wanted sweep if its input has changed: of has the history and the
// budget.
func (s *sweep) arrange(p *Runs, of *question, plans []turns.Plan) {
	all, now := p.rows[All].want, p.rows[RowOf(p.side)].want
	if w := s.want; w != nil && w.by == p.Billing() && w.all == all && w.now == now && w.of.history == of.history &&
		reflect.DeepEqual(w.of.budget.Fields(), of.budget.Fields()) && reflect.DeepEqual(w.plans, plans) {
		return
	}
	s.want = &sweeping{of: of, plans: plans, all: all, now: now, by: p.Billing()}
}

// job returns the Job of the sweep, or false if it is done already, or the course of All is
// not known yet.
func (s *sweep) job(p *Runs, canWait bool) (work.Job, bool) {
	w, all := s.want, p.rows[All].course
	if w == nil || s.have == w || all == nil {
		return work.Job{}, false
	}
	return work.Job{Key: w, CanWait: canWait, Run: work.Pass(func(ctx context.Context) ([]turns.Totals, error) {
		return turns.Sweep(ctx, w.of.history.History, w.plans, w.of.budget, w.by, all, turns.Options{MaxItems: maxItems})
	}, func(totals []turns.Totals, err error) {
		s.have, s.totals, s.now, s.err = w, totals, p.rows[RowOf(p.side)].course, err
	})}, true
}

// answer returns the totals and the course that they are compared with; nil as long as none are
// known. Old reports that they belong to an earlier setup.
func (s *sweep) answer() (totals []turns.Totals, now *turns.Course, old bool, err error) {
	if s.have == s.want {
		return s.totals, s.now, false, s.err
	}
	return s.totals, s.now, s.totals != nil, nil
}

// Sweep returns the answer for a row of Cutting at each low mark of turns.SweepLows.
func (p *Runs) Sweep(of Row) (totals []turns.Totals, now *turns.Course, old bool, err error) {
	return p.sweeps[of].answer()
}

// Map returns the answer for the plan of the agent at each pair of values of Wanted.Axes, in the
// order of turns.MapPlans; without totals while only totals of other axes are known.
func (p *Runs) Map() (plans []turns.Plan, totals []turns.Totals, now *turns.Course, old bool, err error) {
	if m := &p.mapped; m.want != nil {
		if plans = m.want.plans; m.have != nil && reflect.DeepEqual(plans, m.have.plans) {
			totals, now, old, err = m.answer()
		}
	}
	return plans, totals, now, old, err
}
