package explorer

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/work"
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
	why   [2]*reasonsWork
}

// sideWork is the work for the outcome of one side.
type sideWork struct {
	*outcomes
	side  experiment.Side
	asked *experiment.Request // the request that is being computed
}

// reasonsWork is the work for the reasons of the outcome of one side. It has a lane of its
// own, so that the next outcome does not wait for it to stop.
type reasonsWork struct {
	*outcomes
	side experiment.Side
}

func newOutcomes(pool *work.Pool, now func() time.Time) *outcomes {
	o := &outcomes{pool: pool, now: now}
	o.sides = [2]*sideWork{{outcomes: o, side: experiment.A}, {outcomes: o, side: experiment.B}}
	o.why = [2]*reasonsWork{{o, experiment.A}, {o, experiment.B}}
	return o
}

// settle updates the outcomes of both sides after a change, the side that is shown first.
// Later says that long work for the other side has to wait, and both that its reasons are
// needed as well.
func (o *outcomes) settle(exp *experiment.Experiment, shown experiment.Side, later, both bool) tea.Cmd {
	o.exp, o.shown, o.later, o.both = exp, shown, later, both
	if other := o.sides[shown.Other()]; other.asked != nil { // what it computes in vain takes no processor from the side that is shown
		if q, pending := other.request(); !pending || !q.Same(*other.asked) {
			o.pool.Cancel(other)
		}
	}
	var cmds []tea.Cmd
	for _, side := range [...]experiment.Side{shown, shown.Other()} {
		do := o.pool.Do
		if side != shown && !both {
			do = o.pool.Glance
		}
		cmds = append(cmds, do(o.sides[side]), do(o.why[side]))
	}
	return tea.Batch(cmds...)
}

// percent returns the progress of each side in percent, or -1 if it is not computed now.
func (o *outcomes) percent() [2]int {
	return [2]int{o.pool.Percent(o.sides[experiment.A]), o.pool.Percent(o.sides[experiment.B])}
}

// request returns the work that the side needs; false if it is up to date.
func (w *sideWork) request() (experiment.Request, bool) {
	q, pending := w.exp.Request(w.side)
	q.Now, q.AtBudget = w.now, w.both && q.Halves()
	return q, pending
}

// Job returns the work for the outcome that the side needs. The side that is not shown
// waits while the other computes a ranking that both can use.
func (w *sideWork) Job() (work.Job, bool) {
	q, pending := w.request()
	if !pending {
		return work.Job{}, false
	}
	if other := w.sides[w.side.Other()]; w.side != w.shown && q.RanksAlike() && w.pool.Running(other) && !w.pool.Running(w) {
		return work.Job{}, false
	}
	if w.later && w.side != w.shown && w.pool.Slow(w) {
		return work.Job{}, false
	}
	if w.asked == nil || !q.Same(*w.asked) {
		w.asked = &q
	}
	_, state := w.exp.Answer(w.side)
	waited := (w.side == w.shown || w.both) && state != experiment.Current
	return work.Job{Key: w.asked, CanWait: !waited, Long: state == experiment.Current, Run: work.Pass(q.Run, func(o *experiment.Outcome, err error) {
		w.asked = nil // it may keep large results alive
		if err == nil {
			w.exp.Accept(w.side, o)
		}
	})}, true
}

// Job returns the work for the reasons of an outcome that is shown.
func (w *reasonsWork) Job() (work.Job, bool) {
	of, wanted := w.exp.Unexplained(w.side)
	if !wanted || w.side != w.shown && !w.both {
		return work.Job{}, false
	}
	return work.Job{Key: of, Run: work.Pass(of.Explain, func(reasons *simulate.Reasons, _ error) { w.exp.Explained(w.side, of, reasons) })}, true
}
