package experiment

import (
	"cupelscope/model"
	"cupelscope/simulate/turns"
)

// Moment is an earlier request of the conversation, shown in place of its end. Outcomes
// are then computed from the items that were there before that request, those that were
// removed since included, and decay measures ages from its time. History does not
// include the moment: an edit applies to the whole conversation.
type Moment struct {
	Request    turns.Request
	Number, Of int   // the number of the request, from 1, and how many there are
	past       *past // nil: nothing was removed, so the items are the first ones of the end
}

// Removed returns how many of the items that are shown at the moment were removed since.
func (m Moment) Removed() int {
	if m.past == nil {
		return 0
	}
	n := 0
	for _, key := range m.past.numbers.keys {
		if key < 0 {
			n++
		}
	}
	return n
}

// HasRemoved reports whether items were removed from the conversation at any time, so
// that the numbers of items at the moment can be others than at the end.
func (m Moment) HasRemoved() bool { return m.past != nil }

// At shows a moment. Both sides are then pending, unless it was shown already. The error
// says why the edits do not fit the items of the moment; the experiment then stays as it
// was.
func (e *Experiment) At(m Moment) error { return e.setMoment(model.Some(m)) }

// ToEnd shows the end of the conversation again, with all items.
func (e *Experiment) ToEnd() { _ = e.setMoment(model.Option[Moment]{}) } // the edits fit: they were applied there

// Moment returns the moment that is shown, or false if the end is.
func (e *Experiment) Moment() (Moment, bool) { return e.moment.Value, e.moment.Set }

// Renumber sets the number of the request that is shown, from 1, and how many requests
// there are. Edits change both, because a request with nothing to send is none.
func (e *Experiment) Renumber(number, of int) { e.moment.Value.Number, e.moment.Value.Of = number, of }
func (e *Experiment) Numbers() Numbers        { return e.numbers }

func (e *Experiment) setMoment(m model.Option[Moment]) error {
	now := e.moment
	if now.Set == m.Set && now.Value.Number == m.Value.Number && now.Value.Of == m.Value.Of && now.Value.Request == m.Value.Request {
		return nil
	}
	e.moment = m
	if err := e.show(); err != nil {
		e.moment = now
		return err
	}
	e.sides = [2]side{{pending: true}, {pending: true}} // what is known is of other items
	e.forgetImpacts()
	return nil
}

// show sets the items and the setup to those at the moment.
func (e *Experiment) show() error {
	items, err := itemsAt(e.loaded, e.now.whole, e.setup.Edits, e.moment)
	if err != nil {
		return err
	}
	e.items, e.pairs, e.numbers = items, len(items.Pairs()), Numbers{}
	e.uncounted = len(items.UncountedSizes()) > 0
	if past := e.moment.Value.past; past != nil {
		e.numbers = past.numbers
	}
	e.shown = e.numbers.shown(e.setup)
	return nil
}

// itemsAt returns the items at a moment. Whole has the items of the end with their edits, and
// loaded without; edits are by key. The error says which edit does not fit.
func itemsAt(loaded, whole *model.Set, edits model.Edits, m model.Option[Moment]) (*model.Set, error) {
	past := m.Value.past
	switch {
	case !m.Set:
		return whole, nil
	case past == nil:
		return whole.First(min(m.Value.Request.Before, whole.Len())), nil
	}
	set, err := past.set(loaded, edits)
	if err != nil {
		return nil, err
	}
	return set.Subset(past.items), nil
}

// edited returns loaded with edits, by key, without the edits of removed items. The error
// says which edit does not fit.
func edited(loaded *model.Set, edits model.Edits) (*model.Set, error) {
	return loaded.With(Numbers{}.shown(Setup{Edits: edits}).Edits)
}

// policyAt returns the policy to use at a moment: decay measures ages from its time.
func policyAt(p model.Policy, m model.Option[Moment]) model.Policy {
	if !m.Set {
		return p
	}
	return turns.PolicyAt(p, m.Value.Request)
}
