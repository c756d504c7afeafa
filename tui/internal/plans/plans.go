// Package plans computes, in the background, what each plan sends at the requests of
// the conversation on the screen: which items a request carries, how much of its
// prompt the next request can reuse, and what it costs with a prompt cache.
package plans

import (
	"cmp"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/simulate/turns"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/work"
)

// Row is one of the plans that the Turns view compares.
type Row int

const (
	A          Row = iota // the policy of side A, which selects anew at every request
	B                     // the policy of side B, likewise
	All                   // sends everything; the costs of the others are relative to it
	Sliding               // the newest items until one does not fit
	SlidingCut            // the same, cut only when the window is full, as deep as the watermark
	Watermark             // the policy of the side that is shown, applied only when the window is full
	Rule                  // the plan of an agent, Setup.Plan
	Rows                  // the number of rows
)

// Cutting returns the plans that cut a full window to the low mark.
func Cutting() []Row { return []Row{Watermark, SlidingCut} }

// PlanName returns the plan of the agent as turns.ParsePlan reads it: what the user typed, else
// the first preset. The first is a service of Anthropic, so a conversation with a model of
// another provider gets the first preset that a framework offers.
func (p *Runs) PlanName(setup experiment.Setup) string {
	presets, of := turns.Presets(), 0
	if p.model != "" && !strings.Contains(strings.ToLower(p.model), "claude") {
		of = slices.IndexFunc(presets, func(preset turns.Preset) bool { return !strings.HasPrefix(preset.Name, "anthropic") })
	}
	return cmp.Or(setup.Plan, presets[of].Name)
}

// RowOf returns the row of a side's policy.
func RowOf(s experiment.Side) Row { return Row(s) }

// Runs holds what the plans do over the requests of a conversation. It is a
// work.Worker: the windows and the sweep are computed as a Job, and SetCache prices
// windows that are known at once. The zero Runs has no conversation and no cache;
// New sets the defaults.
type Runs struct {
	cache  turns.Cache
	own    bool        // the conversation's model chose the cache, and SetCache no other
	model  string      // of the conversation; "": not known
	fixed  turns.Fixed // as the user gave it; FixedUnknown: the record may tell
	low    float64     // percent of the room to which a full window is cut
	wanted Wanted

	setup   experiment.Setup
	side    experiment.Side         // the side whose policy the watermark uses
	of      experiment.Conversation // the conversation that history was cut from, or will be
	history *experiment.Requests
	cutErr  error // why the conversation cannot be cut into requests
	cuts    int   // conversations so far

	compacted compacted
	cut       bool  // history and cutErr belong to of
	fault     error // why no plan can be computed now: the budget is not valid

	changes int                            // of the experiment, when prior was set
	was     model.Option[experiment.Setup] // before the newest change; unset if that was of the items
	stopped bool                           // by the user, until something changes
	rows    [Rows]row
	prior   [Rows]row   // the same plans before the newest change
	sweeps  [Rows]sweep // of the plans that cut a full window: SlidingCut and Watermark
	mapped  sweep       // the map of Rule
}

// Wanted says which results the screen shows: these come first. The zero Wanted needs none.
type Wanted struct {
	Courses bool // the courses of the plans are shown
	Row     Row  // the plan to compute first after All
	Map     bool // the map of the agent's plan over Axes is shown
	Sweep   bool // a sweep is shown
	Axes    [2]turns.Axis
}

// row is the state of one plan.
type row struct {
	want    *question // the computation that the setup needs; nil if there are no requests
	have    *question // the computation that the results below come from; nil if none is done
	windows []turns.Window
	changes []turns.Change
	course  *turns.Course // the windows with their costs; nil until they and the windows of All are known
	err     error         // why the computation failed
}

// New returns Runs with the default cache and the default low mark of the watermark,
// turns.DefaultLow percent.
func New() Runs { return Runs{cache: turns.Caches()[0], own: true, low: turns.DefaultLow} }

// Cache returns the cache model that costs are estimated with.
func (p *Runs) Cache() turns.Cache { return p.cache }

// SetCache sets the cache model and prices all known windows with it at once. The
// sweep follows with the next Arrange.
func (p *Runs) SetCache(c turns.Cache) {
	p.cache, p.own = c, false
	p.bill()
}

// SetModel chooses the cache of the model of the conversation, or the first preset if its
// prices are not known, unless SetCache has chosen another.
func (p *Runs) SetModel(name string) {
	p.model = name
	if p.own {
		p.cache = p.Caches()[0]
		p.bill()
	}
}

// Caches returns the caches to choose from: the cache of the conversation's model, if its
// prices are known, and the presets.
func (p *Runs) Caches() []turns.Cache {
	all := turns.Caches()
	if c, ok := turns.CacheOfModel(p.model); ok {
		return append([]turns.Cache{c}, all...)
	}
	return all
}

// OwnCache reports whether the conversation's model chose the cache.
func (p *Runs) OwnCache() bool { return p.own }

// setFixed sets the tokens that every prompt begins with; if unset, they come from the
// record. Known windows are priced with it at once.
func (p *Runs) setFixed(t model.Option[model.Tokens]) {
	fixed := turns.Fixed{}
	if t.Set {
		fixed = turns.Fixed{Tokens: t.Value, From: turns.FixedGiven}
	}
	if fixed != p.fixed {
		p.fixed = fixed
		p.bill()
	}
}

// Billing returns what costs are estimated by, with the fixed part of the record once
// that is known.
func (p *Runs) Billing() turns.Billing {
	by := turns.Billing{Cache: p.cache, Fixed: p.fixed, Output: turns.DefaultOutput}
	if all := &p.rows[All]; by.Fixed.From == turns.FixedUnknown && all.windows != nil {
		by.Fixed = all.have.history.FixedPart(all.windows)
	}
	return by
}

// bill prices all windows that are known.
func (p *Runs) bill() {
	by := p.Billing()
	bill(&p.rows, by)
	bill(&p.prior, by)
}

// Forget drops the conversation, all results and what Want has set. The cache model, the
// fixed part that was given and the low mark stay.
func (p *Runs) Forget() {
	*p = Runs{cache: p.cache, own: p.own, model: p.model, fixed: p.fixed, low: p.low}
}

// Low returns the low mark: the percentage of the room to which a full window is cut.
func (p *Runs) Low() float64 { return p.low }

// SetLow sets the low mark, in percent. It is not validated here, and takes effect with
// the next Arrange.
func (p *Runs) SetLow(low float64) { p.low = low }

// Want sets which results are needed. It takes effect with the next Arrange or Job.
func (p *Runs) Want(at Wanted) { p.wanted = at }

// History returns the conversation cut into requests. It is nil without an error until
// that is done, and nil with an error if it cannot be done.
func (p *Runs) History() (*experiment.Requests, error) { return p.history, p.cutErr }

// Requests returns the number of requests; 0 while they are not known.
func (p *Runs) Requests() int {
	if p.history == nil {
		return 0
	}
	return len(p.history.Requests())
}

// Course returns the newest course of a row, or nil if there is none for the requests
// of now, or the budget is not valid. Old reports that it belongs to an earlier setup. The
// error says why the current setup has no course; an old course may come with it.
func (p *Runs) Course(r Row) (course *turns.Course, old bool, err error) {
	row := &p.rows[r]
	switch {
	case p.fault != nil:
		return nil, false, p.fault
	case row.course == nil || len(row.course.Windows) != p.Requests():
		return nil, false, row.err
	}
	return row.course, row.have != row.want || !p.cut, row.err
}

// Before returns the course of a row before the newest change of the experiment, under
// the same cache. It is nil while that is not known, and for good if it had none or the
// items were others that no view of the requests has shown.
func (p *Runs) Before(r Row) *turns.Course {
	if row := &p.prior[r]; row.have == row.want {
		return row.course
	}
	return nil
}

// Part returns the window of one request, counted from 0, without its items. It comes from the
// computation that the current setup needs, which may still be running; nil if it is not known yet.
func (p *Runs) Part(r Row, request int) *turns.Window {
	if q := p.rows[r].want; q != nil && request < len(q.parts) {
		return q.parts[request].Load()
	}
	return nil
}

// cutting is the key of the Job that cuts a conversation into requests.
type cutting struct{ number int }

// Job returns what to compute next, or false if nothing is needed: first the requests, then the
// plans, one by one, the map or the sweep, the compactions, and the sweeps that the headline tells of.
// What is drawn comes first and does not wait until keys rest: All, because it is quick and all costs
// are relative to it, the row on the screen, and the policy that the others are compared with.
func (p *Runs) Job() (work.Job, bool) {
	switch {
	case !p.wanted.Courses:
		return work.Job{}, false
	case !p.cut:
		return work.Job{Key: cutting{p.cuts}, Run: work.Pass(p.of.Requests, p.takeRequests)}, true
	case p.history == nil || p.fault != nil || p.stopped:
		return work.Job{}, false
	}
	rows, drawn := &p.rows, p.wanted.Row
	job, ok := p.follow(false, &rows[All], &rows[drawn], &rows[RowOf(p.side)], &p.prior[All], &p.prior[drawn])
	if !ok && p.wanted.Map {
		job, ok = p.mapped.job(p, false)
	}
	for _, row := range Cutting() {
		if !ok && p.wanted.Sweep {
			job, ok = p.sweeps[row].job(p, false)
		}
	}
	if !ok {
		job, ok = p.follow(true, &rows[A], &rows[B], &rows[Sliding], &rows[SlidingCut], &rows[Watermark], &rows[Rule])
	}
	if !ok {
		job, ok = p.compacted.job(p)
	}
	for _, row := range Cutting() {
		if !ok {
			job, ok = p.sweeps[row].job(p, true)
		}
	}
	return job, ok
}

// follow returns the Job of the first row that is not known, or false if all are.
func (p *Runs) follow(canWait bool, rows ...*row) (work.Job, bool) {
	for _, row := range rows {
		if q := row.want; q != nil && row.have != q {
			return work.Job{Key: q, CanWait: canWait, Run: work.Pass(q.follow, func(f followed, err error) { p.takeCourse(q, f, err) })}, true
		}
	}
	return work.Job{}, false
}

// Stop ends the computation of the plans, until something changes that they depend on.
// What is known stays. It returns false if nothing is left to compute.
func (p *Runs) Stop() bool {
	job, is := p.Job()
	if _, cuts := job.Key.(cutting); !is || cuts {
		return false
	}
	p.stopped = true
	return true
}

// Stopped reports whether Stop ended the computation.
func (p *Runs) Stopped() bool { return p.stopped }

// takeRequests takes the requests of the conversation.
func (p *Runs) takeRequests(history *experiment.Requests, err error) {
	p.cut, p.cutErr, p.history = true, err, history
	p.ask(&p.prior)
}

// takeCourse takes the windows of a question for every row that still wants them.
func (p *Runs) takeCourse(q *question, f followed, err error) {
	for _, rows := range [...]*[Rows]row{&p.rows, &p.prior} {
		for r := range rows {
			if row := &rows[r]; row.want == q {
				row.have, row.err, row.windows, row.changes = q, err, f.windows, f.changes
				if err != nil {
					row.course = nil
				}
			}
		}
		bill(rows, p.Billing())
	}
	if q == p.rows[All].want { // the trigger of the agent's plan counts the fixed part
		p.ask(&p.prior)
	}
}

// bill prices the windows of All, and of every row that is known for the same requests.
// It does nothing while All is not known.
func bill(rows *[Rows]row, by turns.Billing) {
	all := &rows[All]
	if all.have == nil || all.windows == nil {
		return
	}
	price := func(r *row, against *turns.Course) {
		r.course = r.have.history.Bill(r.have.plan, r.windows, r.changes, r.have.budget.TargetTokens(), by, against)
	}
	price(all, nil)
	for k := range rows {
		if r := &rows[k]; Row(k) != All && r.windows != nil && r.have.history == all.have.history {
			price(r, all.course)
		}
	}
}
