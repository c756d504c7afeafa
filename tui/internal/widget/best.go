package widget

import (
	"context"
	"errors"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/work"
)

// Best holds the best value that any selection could have, for Compare and the curves: first
// an upper bound, and later the exact value. It computes both as a work.Worker. The
// value depends on scores and sizes alone, so all slicers share it, and it is known for
// all budgets of the axis.
type Best struct {
	known   []*optimal // the newest first
	wanted  []*optimal // of what is shown, the side that is edited first
	patient bool       // the view in focus needs it, so long work may start
}

// optimal is what is known for one list of candidates.
type optimal struct {
	input     *slicer.Input // shared by rankings that rank alike
	ranking   *pipeline.Ranking
	upTo      slicer.Target
	bound     *simulate.Bound // nil until it is computed
	plan      *simulate.OptimumPlan
	optimum   *simulate.Optimum
	costly    bool // planning takes long, so it waits for a view that needs it
	abandoned bool // it needs too much memory, or the user stopped it
}

// bestKind is what a value is in relation to the best possible.
type bestKind int

const (
	unbounded    bestKind = iota // nothing is known
	upperBound                   // no selection is worth more
	BestPossible                 // the best possible itself
)

func (k bestKind) String() string { return [...]string{"", "at most", "best possible"}[k] }

// The keys of the pieces of work for a list of candidates, in their order.
type (
	boundKey struct{ of *optimal }
	planKey  struct {
		of      *optimal
		patient bool
	}
	optimumKey struct{ of *optimal }
)

const (
	// keptOptima is how many lists of candidates are remembered: for both
	// sides, and for results that are still shown while newer ones are computed.
	keptOptima = 4
	// quickCells bounds the cells of an optimum that is planned and computed although
	// the view in focus does not need it: some 16 milliseconds of another core each.
	quickCells = 20_000_000
)

// Arrange sets which outcomes are shown; nil is allowed and ignored. Patient says that the
// view in focus shows the best possible value, so that computing it may take long.
func (p *Best) Arrange(patient bool, outs ...*experiment.Outcome) {
	p.patient = patient
	p.wanted = p.wanted[:0]
	current := 0
	for _, o := range outs {
		if o == nil || o.Ranking == nil || o.Profile == nil {
			continue
		}
		current++
		if hasCounts(o) {
			continue
		}
		if at := p.of(o); len(p.wanted) == 0 || p.wanted[0] != at {
			p.wanted = append(p.wanted, at)
		}
	}
	if current == len(outs) && current > 0 { // no result of an older setup is shown
		p.known = slices.Clone(p.wanted)
	}
}

// Forget drops everything: the items have other sizes now, or nothing shows it.
func (p *Best) Forget() { p.known, p.wanted = nil, nil }

// Knows reports whether the newest candidates are of these items.
func (p *Best) Knows(items *model.Set) bool {
	return len(p.known) > 0 && p.known[0].ranking.Items() == items
}

// hasCounts reports whether counts of items are required: these items may cost more than the
// room, and so be worth more than the best possible.
func hasCounts(o *experiment.Outcome) bool { return len(o.Policy.CountQuotas) > 0 }

// of returns what is known for the candidates of an outcome, which then are the newest.
func (p *Best) of(o *experiment.Outcome) *optimal {
	input := o.Ranking.Input()
	upTo, _ := o.Profile.Axis().Target(o.Profile.Axis().End())
	k := slices.IndexFunc(p.known, func(at *optimal) bool { return at.input == input })
	if k >= 0 {
		found := p.known[k]
		copy(p.known[1:], p.known[:k])
		if p.known[0] = found; found.upTo >= upTo {
			return found
		}
	}
	at := &optimal{input: input, ranking: o.Ranking.Unprepared(), upTo: upTo} // without a table
	if k >= 0 {                                                               // the axis reaches further now
		p.known[0] = at
		return at
	}
	p.known = append([]*optimal{at}, p.known[:min(len(p.known), keptOptima-1)]...)
	return at
}

// Job returns the next piece of work. It returns false if everything that is wanted is
// known or takes too long.
func (p *Best) Job() (work.Job, bool) {
	for _, at := range p.wanted {
		ranking, upTo := at.ranking, at.upTo
		switch {
		case at.bound == nil:
			return work.Job{Key: boundKey{at}, CanWait: !p.patient, Run: func(context.Context) func() {
				bound := simulate.NewBound(ranking, upTo)
				return func() { at.bound = bound }
			}}, true
		case at.optimum != nil || at.abandoned:
		case at.plan == nil && at.costly && !p.patient:
		case at.plan == nil:
			var limits simulate.PlanLimits
			if !p.patient {
				limits.Cells = quickCells
			}
			return work.Job{Key: planKey{at, p.patient}, CanWait: !p.patient, Run: work.Pass(func(ctx context.Context) (*simulate.OptimumPlan, error) {
				return simulate.PlanOptimum(ctx, ranking, upTo, limits)
			}, at.planned)}, true
		case p.patient || at.plan.Cells() <= quickCells:
			return work.Job{Key: optimumKey{at}, CanWait: !p.patient, Run: work.Pass(at.plan.Compute, func(optimum *simulate.Optimum, err error) {
				at.optimum, at.plan, at.abandoned = optimum, nil, err != nil
			})}, true
		}
	}
	return work.Job{}, false
}

// planned takes the plan of the optimum, or why there is none.
func (at *optimal) planned(plan *simulate.OptimumPlan, err error) {
	at.plan, at.costly = plan, errors.Is(err, simulate.ErrCostly)
	at.abandoned = err != nil && !at.costly
}

// Stop gives up the values that are wanted but not known yet. It returns false if there are
// none.
func (p *Best) Stop() bool {
	stopped := false
	for _, at := range p.wanted {
		if at.optimum == nil && !at.abandoned {
			at.abandoned, stopped = true, true
		}
	}
	return stopped
}

// Of returns the best value for an outcome's candidates as a function of the effective
// target, and whether that is exact or a bound. The function is nil if nothing is known, as for a nil Best.
func (p *Best) Of(o *experiment.Outcome) (func(slicer.Target) float64, bestKind) {
	if p == nil || o == nil || o.Profile == nil || hasCounts(o) {
		return nil, unbounded
	}
	switch at := p.of(o); {
	case at.optimum != nil:
		return at.optimum.At, BestPossible
	case at.bound != nil:
		return at.bound.At, upperBound
	}
	return nil, unbounded
}
