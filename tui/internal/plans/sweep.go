package plans

import (
	"context"
	"reflect"

	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/work"
)

// sweep holds what each of many plans costs: the watermark at each low mark, or the plan of
// an agent at each pair of a map.
type sweep struct {
	want, have *sweeping      // the sweep that the setup needs, and the one that totals come from
	totals     []turns.Totals // one for each of have.plans
	err        error
}

// sweeping is the input of a sweep, and the key of its Job.
type sweeping struct {
	of    *question // has the session and the budget
	plans []turns.Plan
	all   *question // the plan that sends everything
	by    turns.Billing
}

// arrange replaces the wanted sweep if its input has changed: of has the session and the
// budget.
func (s *sweep) arrange(p *Runs, of *question, plans []turns.Plan) {
	all := p.rows[All].want
	if w := s.want; w != nil && w.by == p.Billing() && w.all == all && w.of.session == of.session &&
		reflect.DeepEqual(w.of.budget.Fields(), of.budget.Fields()) && reflect.DeepEqual(w.plans, plans) {
		return
	}
	s.want = &sweeping{of: of, plans: plans, all: all, by: p.Billing()}
}

// job returns the Job of the sweep, or false if it is not shown, is done already, or
// the course of All is not known yet.
func (s *sweep) job(p *Runs, shown bool) (work.Job, bool) {
	w, all := s.want, p.rows[All].course
	if !shown || w == nil || s.have == w || all == nil {
		return work.Job{}, false
	}
	return work.Job{Key: w, CanWait: true, Run: work.Pass(func(ctx context.Context) ([]turns.Totals, error) {
		return turns.Sweep(ctx, w.of.session.Session, w.plans, w.of.budget, w.by, all, turns.Options{MaxItems: maxItems})
	}, func(totals []turns.Totals, err error) {
		s.have, s.totals, s.err = w, totals, err
	})}, true
}

// Sweep returns the totals of the watermark at each low mark of turns.SweepLows; nil
// before the first sweep is done. Old reports that totals and error belong to an earlier
// setup.
func (p *Runs) Sweep() (totals []turns.Totals, old bool, err error) {
	return p.sweep.totals, p.sweep.have != p.sweep.want, p.sweep.err
}

// Map returns what the plan of the agent costs at each pair of values of Wanted.Axes, in the
// order of turns.MapPlans; see Sweep. totals is nil while only the totals of other axes are known.
func (p *Runs) Map() (plans []turns.Plan, totals []turns.Totals, old bool, err error) {
	if p.mapped.want == nil {
		return nil, nil, false, nil
	}
	plans, totals = p.mapped.want.plans, p.mapped.totals
	if len(totals) != len(plans) || !reflect.DeepEqual(plans, p.mapped.have.plans) {
		totals = nil
	}
	return plans, totals, p.mapped.have != p.mapped.want, p.mapped.err
}
