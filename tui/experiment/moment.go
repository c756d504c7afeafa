package experiment

import (
	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/simulate/turns"
)

// Moment is a request of a conversation that is looked at in place of its end:
// outcomes are then of what had come before it, under policies whose decay
// measures ages from then. Setup and history do not know of it: an edit is one
// of the whole conversation.
type Moment struct {
	Request turns.Request
	// Items is how many had come, of those of the experiment; -1: outcomes stay
	// those of the end, because some that had come went since.
	Items      int
	Number, Of int // of the request among all, from 1
}

// At looks at a moment.
func (e *Experiment) At(m Moment) { e.look(model.Some(m)) }

// ToEnd looks at the end again, where all items are there.
func (e *Experiment) ToEnd() { e.look(model.Option[Moment]{}) }

// Moment is the moment that is looked at; false: the end.
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

// itemsAt is what of all items had come.
func itemsAt(whole *model.Set, m model.Option[Moment]) *model.Set {
	if !m.Set || m.Value.Items < 0 {
		return whole
	}
	return whole.First(min(m.Value.Items, whole.Len()))
}

// pairsAt is those of which both items had come.
func pairsAt(all simulate.Pairs, m model.Option[Moment]) simulate.Pairs {
	if !m.Set || m.Value.Items < 0 {
		return all
	}
	return all.First(m.Value.Items)
}

// policyAt is a policy as it is at the moment.
func policyAt(p model.Policy, m model.Option[Moment]) model.Policy {
	if !m.Set || m.Value.Items < 0 {
		return p
	}
	return turns.PolicyAt(p, m.Value.Request)
}
