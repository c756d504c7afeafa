// Package course works out, in the background, what plans do over the requests of
// the conversation that is explored: what each request carries, how much of the
// prompt survives to the next, and what a prompt cache bills for it.
package course

import (
	"context"
	"reflect"
	"sync/atomic"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/turns"
	"cupelscope/tui/experiment"
	"cupelscope/tui/work"
)

// Row is one of the plans that are set beside each other.
type Row int

const (
	A Row = iota // the policies of both sides, chosen anew at every request
	B
	All       // the baseline that costs are set against
	Sliding   // the newest items until one does not fit
	Watermark // the policy of the side that is shown, cut only when it is full
	Rows
)

// RowOf is the row of a side's policy.
func RowOf(s experiment.Side) Row { return Row(s) }

// Turns is the plans over the requests of a conversation. The zero Turns knows
// none. What depends on the cache alone is made at once; the rest is a Job.
type Turns struct {
	cache turns.Cache
	low   float64 // percent of the room to which the watermark cuts
	look  Look

	setup   experiment.Setup
	side    experiment.Side         // whose policy the watermark follows
	of      experiment.Conversation // what session is of
	session *experiment.Requests
	cutErr  error // why there are no requests
	cut     bool  // of is up to date with the experiment
	fault   error // why no plan can be followed now

	rows  [Rows]row
	sweep sweep
}

// Look is what is looked at. The zero Look is nothing.
type Look struct {
	Courses bool
	Row     Row // to work on first
	First   int // request to begin with
	Sweep   bool
}

// row is what is known of one plan.
type row struct {
	want    *question // what is needed now; nil: nothing
	have    *question // what windows is of; nil: nothing is known
	windows []turns.Window
	changes []turns.Change
	course  *turns.Course // windows billed; nil: nothing is known, or what all costs is not
	err     error
}

// question is a plan to be followed. It is immutable but for what has come of it
// so far.
type question struct {
	session *experiment.Requests
	plan    turns.Plan
	budget  model.Budget
	parts   []atomic.Pointer[turns.Window] // by request
}

func (q *question) same(o *question) bool {
	return q != nil && o != nil && q.session == o.session && reflect.DeepEqual(q.plan, o.plan) && reflect.DeepEqual(q.budget.Fields(), o.budget.Fields())
}

// New works with the default cache and low mark.
func New() Turns { return Turns{cache: turns.Caches()[0], low: turns.DefaultLow} }

// Cache is the prices that costs are estimated with.
func (t *Turns) Cache() turns.Cache { return t.cache }

// SetCache estimates costs with other prices.
func (t *Turns) SetCache(c turns.Cache) {
	t.cache = c
	t.bill()
}

// Forget knows nothing any more; cache and low mark stay.
func (t *Turns) Forget() { *t = Turns{cache: t.cache, low: t.low} }

// Low is the percentage of the room to which the watermark cuts.
func (t *Turns) Low() float64 { return t.low }

// SetLow cuts to another one.
func (t *Turns) SetLow(low float64) { t.low = low }

// Look says what is looked at.
func (t *Turns) Look(at Look) { t.look = at }

// Arrange brings the questions up to date with the experiment.
func (t *Turns) Arrange(exp *experiment.Experiment, side experiment.Side) {
	if !t.look.Courses {
		return
	}
	if now := exp.Conversation(); now.Items != t.of.Items {
		t.of, t.cut = now, false
	}
	t.setup, t.side = exp.Setup(), side
	t.ask()
}

// ask makes the questions of the setup, those that are another than before.
func (t *Turns) ask() {
	if !t.cut || t.session == nil {
		return
	}
	budget, err := model.NewBudget(t.setup.Budget)
	if t.fault = err; err != nil {
		return
	}
	plans := [Rows]turns.Plan{
		A:         {Name: "A", Strategy: turns.Stateless, Policy: t.setup.Policy[experiment.A]},
		B:         {Name: "B", Strategy: turns.Stateless, Policy: t.setup.Policy[experiment.B]},
		All:       {Name: string(turns.All), Strategy: turns.All},
		Sliding:   turns.Baselines(t.low)[0],
		Watermark: {Name: string(turns.Watermark), Strategy: turns.Watermark, Policy: t.setup.Policy[t.side], Low: t.low},
	}
	for k := range t.rows {
		q := &question{session: t.session, plan: plans[k], budget: budget}
		if !q.same(t.rows[k].want) {
			q.parts = make([]atomic.Pointer[turns.Window], len(t.session.Requests()))
			t.rows[k].want = q
		}
	}
	t.sweep.arrange(t)
}

// Session is the requests; nil: they are not known yet, or there are none, and
// the error says why.
func (t *Turns) Session() (*experiment.Requests, error) {
	if t.cutErr != nil {
		return nil, t.cutErr
	}
	return t.session, nil
}

// Requests is how many there are.
func (t *Turns) Requests() int {
	if t.session == nil || t.cutErr != nil {
		return 0
	}
	return len(t.session.Requests())
}

// Course is the newest course of a row, nil before the first. Old says that it is
// not of the current setup. The error says why there is none of that.
func (t *Turns) Course(r Row) (course *turns.Course, old bool, err error) {
	row := &t.rows[r]
	if row.course == nil || len(row.course.Windows) != t.Requests() {
		return nil, false, t.errOf(row)
	}
	return row.course, row.have != row.want || !t.cut || t.fault != nil, t.errOf(row)
}

func (t *Turns) errOf(r *row) error {
	if t.fault != nil {
		return t.fault
	}
	return r.err
}

// Part is the window of a request of a row that is being worked on, if it is known
// already.
func (t *Turns) Part(r Row, request int) (turns.Window, bool) {
	q := t.rows[r].want
	if q == nil || request >= len(q.parts) {
		return turns.Window{}, false
	}
	w := q.parts[request].Load()
	if w == nil {
		return turns.Window{}, false
	}
	return *w, true
}

// cutting names the work of cutting a conversation into requests.
type cutting struct{ items *model.Set }

// Job cuts the conversation, then follows the plans: first what all costs are set
// against, which is quick, then the row on the screen.
func (t *Turns) Job() (work.Job, bool) {
	switch {
	case !t.look.Courses:
		return work.Job{}, false
	case !t.cut:
		of := t.of
		return work.Job{Key: cutting{of.Items}, Cost: of.Cost(), Run: func(ctx context.Context) (any, error) { return of.Requests(ctx) }}, true
	case t.session == nil || t.fault != nil:
		return work.Job{}, false
	}
	for _, r := range [...]Row{All, t.look.Row, A, B, Sliding, Watermark} {
		row := &t.rows[r]
		if q := row.want; q != nil && row.have != q {
			first := t.look.First
			return work.Job{Key: q, Cost: t.of.PlanCost(q.plan, len(q.parts), q.budget.MaxTokens()), Run: func(ctx context.Context) (any, error) {
				return q.follow(ctx, first)
			}}, true
		}
	}
	return t.sweep.job(t)
}

// followed is what came of a question.
type followed struct {
	windows []turns.Window
	changes []turns.Change
}

func (q *question) follow(ctx context.Context, first int) (any, error) {
	tell, done := slicer.ProgressOf(ctx), new(atomic.Int64)
	each := func(request int, w turns.Window) {
		q.parts[request].Store(&w)
		tell(done.Add(1), int64(len(q.parts)))
	}
	inner := slicer.WithProgress(ctx, func(int64, int64) {}) // of single requests
	windows, err := turns.Windows(inner, q.session.Session, q.plan, q.budget, turns.Options{First: first, Each: each})
	if err != nil {
		return nil, err
	}
	return followed{windows, q.session.Compare(windows)}, nil
}

// Done takes what came of a job.
func (t *Turns) Done(key, result any, err error) {
	switch key := key.(type) {
	case cutting:
		if key.items != t.of.Items {
			return
		}
		t.cut, t.cutErr = true, err
		t.session, _ = result.(*experiment.Requests)
		t.ask()
	case *question:
		for r := range t.rows {
			row := &t.rows[r]
			if row.want != key {
				continue
			}
			row.have, row.err = key, err
			f, _ := result.(followed)
			if row.windows, row.changes = f.windows, f.changes; err != nil {
				row.course = nil
			}
		}
		t.bill()
	case *sweeping:
		t.sweep.done(key, result, err)
	}
}

// bill prices all rows that are known for the requests that everything is.
func (t *Turns) bill() {
	all := &t.rows[All]
	if all.have == nil || all.windows == nil {
		return
	}
	price := func(r *row, against *turns.Course) {
		r.course = r.have.session.Bill(r.have.plan, r.windows, r.changes, r.have.budget.TargetTokens(), t.cache, against)
	}
	price(all, nil)
	for k := range t.rows {
		if r := &t.rows[k]; Row(k) != All && r.windows != nil && r.have.session == all.have.session {
			price(r, all.course)
		}
	}
}
