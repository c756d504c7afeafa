package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate"
	"cupelscope/tui/experiment"
	"cupelscope/tui/work"
)

// outcomes keeps the outcomes of both sides of an experiment up to date.
type outcomes struct {
	pool  *work.Pool
	now   func() time.Time // for the run times that are shown
	exp   *experiment.Experiment
	shown experiment.Side
	later bool // long work for the other side waits
	both  bool // the reasons of the other side are on the screen too
	sides [2]*sideWork
}

// sideWork is the work for the outcome of one side.
type sideWork struct {
	*outcomes
	side  experiment.Side
	asked *experiment.Request // the request that is being computed
}

// outcome is the result of that work.
type outcome struct {
	*experiment.Outcome
	took time.Duration
}

func newOutcomes(pool *work.Pool, now func() time.Time) *outcomes {
	o := &outcomes{pool: pool, now: now}
	o.sides = [2]*sideWork{{outcomes: o, side: experiment.A}, {outcomes: o, side: experiment.B}}
	return o
}

// settle updates the outcomes of both sides after a change, the one that is shown first:
// at once if that is predicted to be quick, else in its lane. Later says that long work
// for the other side has to wait, and both that its reasons are needed as well. It also
// returns how many microseconds are left for more work at once.
func (o *outcomes) settle(exp *experiment.Experiment, shown experiment.Side, later, both bool) (tea.Cmd, int) {
	o.exp, o.shown, o.later, o.both = exp, shown, later, both
	first, left := o.pool.Do(o.sides[shown], work.Inline)
	second, left := o.pool.Do(o.sides[shown.Other()], left)
	return tea.Batch(first, second), left
}

// percent returns the progress of each side in percent, or -1 if it is not computed now.
func (o *outcomes) percent() [2]int {
	return [2]int{o.pool.Percent(o.sides[experiment.A]), o.pool.Percent(o.sides[experiment.B])}
}

// explaining names the work on the reasons of an outcome.
type explaining struct{ of *experiment.Outcome }

// Job returns the work for the outcome that the side needs, and after that for its
// reasons. The side that is not shown waits while the other computes a ranking that both
// can use.
func (w *sideWork) Job() (work.Job, bool) {
	q, pending := w.exp.Request(w.side)
	if !pending {
		of, wanted := w.exp.Unexplained(w.side)
		if !wanted || w.side != w.shown && !w.both {
			return work.Job{}, false
		}
		return work.Job{Key: explaining{of}, Cost: of.StepsCost(), Run: func(ctx context.Context) (any, error) { return of.Explain(ctx) }}, true
	}
	now := w.now
	q.Now = now
	if other := w.sides[w.side.Other()]; w.side != w.shown && q.RanksAlike() && w.pool.Running(other) && !w.pool.Running(w) {
		return work.Job{}, false
	}
	if w.later && w.side != w.shown && q.Cost() > work.Inline {
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

// Done stores an outcome, or its reasons.
func (w *sideWork) Done(key, result any, err error) {
	if k, ok := key.(explaining); ok {
		reasons, _ := result.(*simulate.Reasons)
		w.exp.Explained(w.side, k.of, reasons)
		return
	}
	w.asked = nil // it may keep large results alive
	if o, ok := result.(outcome); ok && err == nil {
		w.exp.Accept(w.side, o.Outcome, o.took)
	}
}
