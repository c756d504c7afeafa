package experiment

import (
	"sync/atomic"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/simulate"
)

// Experiment is the state of one session: the setup, its history and the outcome of each
// side. It is not safe for concurrent use.
type Experiment struct {
	loaded *model.Set // as loaded, counts updated, no edits
	now    edition    // with the edits of the setup
	past   edition    // the one before, which a change may lead back to
	items  *model.Set // at the moment that is shown
	moment model.Option[Moment]
	pairs  int // how many pairs items has
	told   []itemset.MessageFacts
	log    *log
	setup  Setup // its items are named by keys, see match
	shown  Setup // the same with the numbers of items
	sides  [2]side
	tried  *atomic.Pointer[attempt] // the newest, until there is another outcome

	numbers    Numbers // of items
	kindCounts kindCounts
	lists      knobLists // of shown

	sizer     Sizer
	sent      sentTexts // the cuts that were asked for last
	uncounted bool      // items has cuts that are not counted

	undo, redo []change
	impacts    [2]Impact           // the newest of each side
	described  Side                // whose impact Impact returns
	changes    int                 // how many have begun
	was        model.Option[Setup] // see Before
	changed    [2]bool             // whether the newest change concerns the side
	watched    Side                // whose changes the impact line tells
	grown      grown               // zero but after items were appended
	growth     growth              // all that was appended; zero for other items
}

// side holds the outcomes of one policy.
type side struct {
	current  *Outcome      // of the newest setup that was computed
	lastGood *Outcome      // the newest that has a report
	unfilled *model.Report // where current has a ranking and no result: the report of lastGood with that ranking's scores, and nothing in
	replaced *Outcome      // the one before current, which a change may lead back to; nil: there is none
	early    *Outcome      // the newest that was computed at its budget alone, see Answer
	pending  bool          // the setup has moved on since current
	hidden   bool          // it is pending and not requested; see SetHidden
}

// edition is the items of the end with edits, by key.
type edition struct {
	loaded, whole *model.Set
	edits         model.Edits
}

// same reports whether two editions have the same items with the same edits.
func (e edition) same(o edition) bool {
	return e.loaded == o.loaded && e.edits.Equal(o.edits) && e.edits.Query.Scored() == o.edits.Query.Scored()
}

// New returns an experiment with a setup. Nothing is computed yet: both sides are
// pending. The error says why the edits of the setup do not fit the items.
func New(items *model.Set, s Setup) (*Experiment, error) {
	loaded, err := items.With(model.Edits{}) // only the edits of the setup count
	if err != nil {
		return nil, err
	}
	e := &Experiment{loaded: loaded, setup: s, tried: new(atomic.Pointer[attempt])}
	if err := e.applyEdits(); err != nil {
		return nil, err
	}
	e.sides[A].pending, e.sides[B].pending = true, true
	return e, nil
}

func (e *Experiment) applyEdits() error {
	loaded, before, next := e.loaded, e.now, edition{loaded: e.loaded, whole: e.loaded, edits: e.setup.Edits}
	if tried := e.tried.Load(); e.past.same(next) {
		next = e.past
	} else if tried != nil && tried.made.same(next) {
		e.loaded = e.loaded.WithSizeCounts(tried.counts)
		next.loaded, next.whole = e.loaded, tried.made.whole
	} else if !next.edits.IsZero() {
		var err error
		if next.whole, err = edited(e.loaded, next.edits); err != nil {
			return err
		}
	}
	e.now = next
	err := e.show()
	if err != nil {
		e.loaded, e.now = loaded, before
	} else if before.edits.Query.Scored() {
		e.past = before
	}
	return err
}

// Setup returns the current setup, with the numbers of Items. Edits and labels of items
// that are not shown need not be in it; Apply keeps them.
func (e *Experiment) Setup() Setup { return e.shown }

// EndSetup returns the current setup with the numbers of Whole, whatever the moment.
// Edits and labels of items that were removed are not in it.
func (e *Experiment) EndSetup() Setup { return Numbers{}.shown(e.setup) }

// Labels returns labels that have the numbers of Whole with the numbers of Items.
func (e *Experiment) Labels(of model.Labels) model.Labels {
	return e.numbers.shown(Setup{Labels: of}).Labels
}

// Items returns the items that are there at the moment that is shown, with the edits
// applied.
func (e *Experiment) Items() *model.Set { return e.items }

// Whole returns the items of the end, whatever the moment, with the edits applied.
func (e *Experiment) Whole() *model.Set { return e.now.whole }

// Outcome returns the newest outcome of a side that has a report, or nil before the
// first. It may belong to an earlier setup: State says so.
func (e *Experiment) Outcome(s Side) *Outcome { return e.sides[s].lastGood }

// Profile returns the profile of the setup of a side that was computed last, also where that has no
// result at its budget; nil if it has none, and before the first.
func (e *Experiment) Profile(s Side) *simulate.Profile {
	if o := e.sides[s].current; o != nil {
		return o.Profile
	}
	return nil
}

// Result returns the outcome whose report may be shown as a result: the outcome of the current
// setup, or, while that is being computed, of the one before. It returns nil if the setup
// that was computed last has no result, and before the first.
func (e *Experiment) Result(s Side) *Outcome {
	sd := &e.sides[s]
	if sd.current == nil || sd.current.Err != nil {
		return nil
	}
	return sd.lastGood
}

// Listable returns the outcome to list items from, with their scores and what happens to them
// over all budgets. That is Outcome, unless the setup that was computed last has no result:
// then it is a copy of Outcome with the items, the scores, the error and the profile of that setup,
// whose Report has nothing in, or is older if nothing could be scored. Listable returns false if that
// setup has no profile either; the outcome, which may then be nil, has an older profile.
func (e *Experiment) Listable(s Side) (*Outcome, bool) {
	sd := &e.sides[s]
	if sd.lastGood == nil || sd.current == nil || sd.current.Err == nil {
		return sd.lastGood, true
	}
	o := *sd.lastGood
	o.Items, o.Err = sd.current.Items, sd.current.Err
	if sd.unfilled != nil {
		o.Ranking, o.Report = sd.current.Ranking, sd.unfilled
	}
	if sd.current.Profile != nil {
		o.Profile, o.Smallest, o.Settled, o.reach = sd.current.Profile, sd.current.Smallest, sd.current.Settled, sd.current.reach
	}
	return &o, sd.current.Profile != nil
}

// State says whether the outcome of a side belongs to the current setup.
type State int

const (
	Current State = iota
	Pending       // being computed; what Outcome returns is older
	Failed        // the current setup has no result, Err says why
)

// State returns the state of a side; Err has the error if it failed.
func (e *Experiment) State(s Side) State {
	switch {
	case e.sides[s].pending:
		return Pending
	case e.Err(s) != nil:
		return Failed
	}
	return Current
}

// Err returns why the current setup has no result on a side; nil if it has one, or may have.
func (e *Experiment) Err(s Side) error {
	if sd := &e.sides[s]; !sd.pending && sd.current != nil {
		return sd.current.Err
	}
	return nil
}

// Answer is like Outcome and State. But while the profile of a setup is being computed, it
// returns the outcome at the budget if that is known already, as a current one; it has no Profile.
func (e *Experiment) Answer(s Side) (*Outcome, State) {
	if o := e.sides[s].early; o != nil && o.Err == nil && e.fits(s, o) {
		return o, Current
	}
	return e.sides[s].lastGood, e.State(s)
}

// fits reports whether side s waits for an outcome, and o is one of the current setup.
func (e *Experiment) fits(s Side, o *Outcome) bool {
	return e.sides[s].pending && o.Items == e.items && o.Setup.sameFor(e.shown, s)
}

// Request returns the work that side s needs. It returns false if the side is up to date
// or waits for the scores of a query.
func (e *Experiment) Request(s Side) (Request, bool) {
	if !e.sides[s].pending || e.sides[s].hidden || !e.setup.Edits.Query.Scored() {
		return Request{}, false
	}
	previous := e.sides[s].current
	if previous == nil || previous.Ranking == nil {
		previous = e.sides[s].lastGood
	}
	if early := e.sides[s].early; early != nil && e.fits(s, early) {
		previous = early
	}
	return Request{Side: s, Setup: e.shown, Moment: e.moment, Items: e.items, Pairs: e.pairs, Previous: previous, Replaced: e.sides[s].replaced, Other: e.sides[s.Other()].current, tried: e.tried.Load(), Text: e.sizer.Text}, true
}

// SetHidden says whether nothing on the screen shows side s. Then an outcome that holds a large
// table, as a knapsack has, is dropped, and not requested until it is shown again.
func (e *Experiment) SetHidden(s Side, hidden bool) {
	sd := &e.sides[s]
	if sd.hidden = hidden && largeTable(e.shown.Policy[s], e.items, e.shown.End()); !sd.hidden {
		return
	}
	*sd = side{pending: true, hidden: true}
	e.grown.before[s] = nil
	if e.impacts[s].Pending {
		e.impacts[s] = Impact{}
	}
}

// largeTable reports whether the profile of a policy up to end has a table of a megabyte or more.
func largeTable(policy model.Policy, items *model.Set, end model.Tokens) bool {
	return tableBits(policy, items, end) > 8<<20
}

// tableBits is about the size of the table of a policy up to end: a bit for each of the cells that the
// cut of rows leaves where there are many rows.
func tableBits(policy model.Policy, items *model.Set, end model.Tokens) int {
	if !policy.Slicer.InBuckets() {
		return 0
	}
	return int(min(end, items.Total(), 1<<32)) / int(policy.Bucket()) / 2 * min(items.Len(), 2000)
}

// Hidden reports whether side s is not requested because nothing on the screen shows it.
func (e *Experiment) Hidden(s Side) bool { return e.sides[s].hidden }

// Accept takes the outcome of a request. It drops the outcome, and returns false, if that belongs
// to an older setup.
func (e *Experiment) Accept(s Side, o *Outcome) bool {
	sd := &e.sides[s]
	if !e.fits(s, o) {
		return false
	}
	before := sd.lastGood
	if sd.current == nil || sd.current.Err != nil {
		before = nil // nothing to compare with
	}
	if o.early {
		sd.early = o
		if o.Err == nil {
			e.measure(s, before, o)
		}
		return true
	}
	sd.keepReplaced(o)
	e.tried.Store(nil)
	sd.pending, sd.current, sd.early = false, o, nil
	switch {
	case o.Err == nil:
		sd.lastGood = o
	case sd.lastGood == nil:
		sd.lastGood = o.standIn()
	case !sd.lastGood.Setup.Labels.Equal(o.Setup.Labels): // the rows of the older result are marked anew
		sd.lastGood = sd.lastGood.relabelled(o.Setup.Labels)
	}
	if sd.unfilled = nil; o.Err != nil && o.Ranking != nil && sd.lastGood != nil {
		rep := *sd.lastGood.Report
		rep.Scores, rep.Codes, rep.Survivors, rep.Sizes = o.Ranking.Scores(), o.Ranking.Outline(), o.Ranking.Survivors(), nil
		sd.unfilled = &rep
	}
	e.measure(s, before, o)
	return true
}

// keepReplaced keeps the current outcome, now that o takes its place: a change may lead back to
// it. An outcome with a knapsack is not kept, because its table is large.
func (sd *side) keepReplaced(o *Outcome) {
	switch was := sd.current; {
	case was == nil || was.Err != nil || was.Policy.Slicer.InBuckets():
		sd.replaced = nil
	case was.Report != o.Report:
		sd.replaced = was
	}
}

// Unexplained returns the outcome of a side that still needs its reasons. It returns
// false if there is none: they are known, or the setup has changed since.
func (e *Experiment) Unexplained(s Side) (*Outcome, bool) {
	sd := &e.sides[s]
	return sd.lastGood, sd.lastGood != nil && !sd.pending && !sd.lastGood.explained
}

// Explained takes the reasons of an outcome of side s; nil if it has none. They are
// dropped if the side has another outcome by now.
func (e *Experiment) Explained(s Side, of *Outcome, reasons *simulate.Reasons) {
	sd := &e.sides[s]
	if sd.lastGood != of {
		return
	}
	with := *of
	with.Reasons, with.explained = reasons, true
	if sd.current == of {
		sd.current = &with
	}
	sd.lastGood = &with
}

// move makes next, which names items by keys, the setup. On an error nothing changes.
func (e *Experiment) move(next Setup) error {
	before, items, whole := e.setup, e.items, e.now.whole
	e.setup = next
	if !before.SameEdits(next) {
		if err := e.applyEdits(); err != nil {
			e.setup = before
			return err
		}
	}
	e.was = model.Option[Setup]{}
	if e.now.whole == whole {
		e.was = model.Some(before)
	}
	e.shown = e.numbers.shown(next)
	atAxis := before // the axis may follow the policy of the other side: that changes no result
	atAxis.Ceiling = next.Ceiling
	for s := range e.sides {
		e.changed[s] = e.items != items || !atAxis.sameFor(next, Side(s))
		if e.items != items || !before.sameFor(next, Side(s)) {
			e.sides[s].pending = true
		}
	}
	return nil
}
