package experiment

import (
	"fmt"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset/record"
	"cupelscope/model/plain"
	"cupelscope/simulate"
)

// Experiment is the state of one session. It is not safe for concurrent use.
type Experiment struct {
	loaded *model.Set // as loaded, counts updated, no edits
	whole  *model.Set // with the edits of the setup
	items  *model.Set // of those, what is there at the moment
	moment model.Option[Moment]
	linked simulate.Pairs
	pairs  simulate.Pairs // of those, what is there at the moment
	told   []record.Turn
	log    *log
	setup  Setup
	sides  [2]side

	undo, redo []change
	impact     Impact
	watched    Side // whose changes the impact line tells
}

// side is what is known of one policy.
type side struct {
	current *Outcome // of the newest setup that was computed
	good    *Outcome // the newest that has a report
	pending bool     // the setup has moved on since current
}

// New starts an experiment. Nothing is computed yet: both sides are pending.
func New(items *model.Set, s Setup) (*Experiment, error) {
	loaded, err := items.With(model.Edits{}) // those of the setup are all that count
	if err != nil {
		return nil, err
	}
	e := &Experiment{loaded: loaded, setup: s}
	if err := e.applyEdits(); err != nil {
		return nil, err
	}
	e.sides[A].pending, e.sides[B].pending = true, true
	return e, nil
}

// Link says which items belong together. It is called before anything is
// computed.
func (e *Experiment) Link(pairs []simulate.Pair) {
	e.linked = simulate.NewPairs(e.loaded.Len(), pairs)
	e.pairs = pairsAt(e.linked, e.moment)
	plain := e.whole == e.loaded
	e.loaded = e.loaded.WithPairs(e.linked.All())
	if e.whole = e.whole.WithPairs(e.linked.All()); plain {
		e.whole = e.loaded
	}
	e.items = itemsAt(e.whole, e.moment)
}

func (e *Experiment) applyEdits() error {
	whole := e.loaded
	if !e.setup.Edits.IsZero() {
		var err error
		if whole, err = e.loaded.With(e.setup.Edits); err != nil {
			return err
		}
	}
	e.whole = whole
	e.items = itemsAt(whole, e.moment)
	return nil
}

// Setup is what the user is trying now.
func (e *Experiment) Setup() Setup { return e.setup }

// Items is what is there at the moment, with the edits applied.
func (e *Experiment) Items() *model.Set { return e.items }

// Whole is all items, with the edits applied.
func (e *Experiment) Whole() *model.Set { return e.whole }

// Outcome is the newest result of a side that has a report, nil before the
// first. Old reports say so: see State.
func (e *Experiment) Outcome(s Side) *Outcome { return e.sides[s].good }

// Profile is the newest profile of a side, which there may be even where the
// current budget has no result; nil before the first.
func (e *Experiment) Profile(s Side) *simulate.Profile {
	if sd := &e.sides[s]; !sd.pending && sd.current != nil && sd.current.Profile != nil {
		return sd.current.Profile
	} else if sd.good != nil {
		return sd.good.Profile
	}
	return nil
}

// Unsettled is what can be told of a side whose setup has no result: the items
// of the newest outcome that has one, with the profile of the setup; false:
// there is no such profile, and that of the outcome is of another setup.
func (e *Experiment) Unsettled(s Side) (*Outcome, bool) {
	sd := &e.sides[s]
	if sd.good == nil || sd.current == nil || sd.current.Profile == nil {
		return sd.good, false
	}
	o := *sd.good
	o.Profile = sd.current.Profile
	return &o, true
}

// State says whether a side's outcome is that of the current setup.
type State int

const (
	Current State = iota
	Pending       // being computed; what Outcome returns is older
	Failed        // the current setup has no result, Err says why
)

// State returns the state of a side, with the error if it failed.
func (e *Experiment) State(s Side) (State, error) {
	switch sd := &e.sides[s]; {
	case sd.pending:
		return Pending, nil
	case sd.current != nil && sd.current.Err != nil:
		return Failed, sd.current.Err
	}
	return Current, nil
}

// Request describes the work that side s needs; false if it is up to date, or
// waits for what a query scores.
func (e *Experiment) Request(s Side) (Request, bool) {
	if !e.sides[s].pending || !e.setup.Edits.Query.Scored() {
		return Request{}, false
	}
	previous := e.sides[s].current
	if previous == nil || previous.Ranking == nil {
		previous = e.sides[s].good
	}
	return Request{Side: s, Setup: e.setup, Moment: e.moment, Items: e.items, Pairs: e.pairs, Previous: previous, Other: e.sides[s.Other()].current}, true
}

// Accept takes the outcome of a request. One that answers an older setup is
// dropped; false says so.
func (e *Experiment) Accept(s Side, o *Outcome, took time.Duration) bool {
	sd := &e.sides[s]
	if !sd.pending || o.Items != e.items || !o.Setup.sameFor(e.setup, s) {
		return false
	}
	before := sd.good
	if sd.current == nil || sd.current.Err != nil {
		before = nil // against nothing there is no difference
	}
	sd.pending, sd.current = false, o
	switch {
	case o.Err == nil:
		sd.good = o
	case sd.good == nil:
		sd.good = o.standIn()
	case !sd.good.Setup.Labels.Equal(o.Setup.Labels): // the rows of the older result are marked anew
		sd.good = sd.good.relabelled(o.Setup.Labels)
	}
	e.measure(s, before, o, took)
	return true
}

// Unexplained is the outcome of a side whose reasons are wanted; false: they
// are there, or the setup has moved on.
func (e *Experiment) Unexplained(s Side) (*Outcome, bool) {
	sd := &e.sides[s]
	return sd.good, sd.good != nil && !sd.pending && !sd.good.explained
}

// Explained takes the reasons of an outcome of side s, nil where there are
// none. Those of an outcome that the side no longer has are dropped.
func (e *Experiment) Explained(s Side, of *Outcome, reasons *simulate.Reasons) {
	sd := &e.sides[s]
	if sd.good != of {
		return
	}
	with := *of
	with.Reasons, with.explained = reasons, true
	if sd.current == of {
		sd.current = &with
	}
	sd.good = &with
}

func (e *Experiment) move(next Setup) error {
	before, items := e.setup, e.items
	e.setup = next
	if !before.SameEdits(next) {
		if err := e.applyEdits(); err != nil {
			e.setup = before
			return err
		}
	}
	for s := range e.sides {
		if e.items != items || !before.sameFor(next, Side(s)) {
			e.sides[s].pending = true
		}
	}
	return nil
}

// Recount replaces estimated token counts by better ones. It is no change of
// the user's and cannot be undone; the impact says what it did.
func (e *Experiment) Recount(counts []model.Recount) error {
	loaded, err := e.loaded.Counted(counts)
	if err != nil {
		return err
	}
	more := loaded.Total() - e.loaded.Total()
	e.loaded = loaded
	if err := e.applyEdits(); err != nil {
		return err
	}
	e.sides[A].pending, e.sides[B].pending = true, true
	label := "counted " + plain.Count(len(counts), "item")
	switch {
	case more > 0:
		label += fmt.Sprintf(", total +%v tok", more)
	case more < 0:
		label += fmt.Sprintf(", total -%v tok", -more)
	}
	e.begin(label)
	return nil
}

// Replace puts other items in the place of those loaded, with a setup that
// fits them, at the end. The history stays, with carry giving its edits and labels
// for the new items.
func (e *Experiment) Replace(items *model.Set, next Setup, carry func(Setup) Setup) error {
	loaded, err := items.With(model.Edits{})
	if err != nil {
		return err
	}
	with, err := loaded.With(next.Edits)
	if err != nil {
		return err
	}
	e.loaded, e.whole, e.items, e.setup = loaded, with, with, next
	e.moment = model.Option[Moment]{} // of other items
	for _, history := range [...][]change{e.undo, e.redo} {
		for i := range history {
			c := &history[i]
			c.before, c.after = carry(c.before), carry(c.after)
		}
	}
	e.sides = [2]side{{pending: true}, {pending: true}} // what is known is of other items
	e.impact = Impact{Side: e.watched}
	return nil
}

// ExtendAxis lets the axis end at end wherever it ended at from, in the history
// too: that was no choice of the user's, and better counts have moved it.
func (e *Experiment) ExtendAxis(from, end model.Tokens) {
	extend := func(s *Setup) {
		if s.AxisEnd == from {
			s.AxisEnd = end
		}
	}
	extend(&e.setup)
	for _, history := range [...][]change{e.undo, e.redo} {
		for i := range history {
			extend(&history[i].before)
			extend(&history[i].after)
		}
	}
	e.sides[A].pending, e.sides[B].pending = true, true
}

// Compare compares the newest reports of both sides; false while one has none.
func (e *Experiment) Compare() (simulate.Comparison, bool) {
	a, b := e.sides[A].good, e.sides[B].good
	if a == nil || b == nil {
		return simulate.Comparison{}, false
	}
	return simulate.Compare(a.Report, b.Report), true
}
