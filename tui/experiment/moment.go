package experiment

import (
	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/turns"
)

// Moment is an earlier request of the conversation, shown in place of its end. Outcomes
// are then computed from the items that had come before that request, and decay measures
// ages from its time. Setup and history do not include the moment: an edit applies to
// the whole conversation.
type Moment struct {
	Request turns.Request
	// Items is how many items of the experiment had come. It is -1 if items were
	// removed since or stand elsewhere; outcomes then stay those of the end.
	Items      int
	Number, Of int // the number of the request, from 1, and how many there are
}

// At shows a moment. Both sides are then pending, unless it was shown already.
func (e *Experiment) At(m Moment) { e.look(model.Some(m)) }

// ToEnd shows the end of the conversation again, with all items.
func (e *Experiment) ToEnd() { e.look(model.Option[Moment]{}) }

// Moment returns the moment that is shown, or false if the end is.
func (e *Experiment) Moment() (Moment, bool) { return e.moment.Value, e.moment.Set }

func (e *Experiment) look(m model.Option[Moment]) {
	if e.moment == m {
		return
	}
	e.moment = m
	e.items, e.pairs = itemsAt(e.whole, m), pairsAt(e.linked, m)
	e.sides = [2]side{{pending: true}, {pending: true}} // what is known is of other items
	e.impact = Impact{Side: e.watched}
}

// itemsAt returns those of all items that had come at a moment.
func itemsAt(whole *model.Set, m model.Option[Moment]) *model.Set {
	if !m.Set || m.Value.Items < 0 {
		return whole
	}
	return whole.First(min(m.Value.Items, whole.Len()))
}

// pairsAt returns the pairs of which both items had come at a moment.
func pairsAt(all simulate.Pairs, m model.Option[Moment]) simulate.Pairs {
	if !m.Set || m.Value.Items < 0 {
		return all
	}
	return all.First(m.Value.Items)
}

// policyAt returns the policy to use at a moment: decay measures ages from its time.
func policyAt(p model.Policy, m model.Option[Moment]) model.Policy {
	if !m.Set || m.Value.Items < 0 {
		return p
	}
	return turns.PolicyAt(p, m.Value.Request)
}
