package experiment

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/model/plain"
)

// Recount replaces estimated token counts by better ones. This is not a change by the
// user, so it cannot be undone; Impact says what it did.
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
	e.was, e.changed = model.Option[Setup]{}, [2]bool{true, true}
	label := "counted " + plain.Count(len(counts), "item")
	switch {
	case more > 0:
		label += fmt.Sprintf(", %v tok more than estimated", more)
	case more < 0:
		label += fmt.Sprintf(", %v tok fewer than estimated", -more)
	}
	e.begin(label)
	for s := range e.impacts {
		e.impacts[s].Counted = true
	}
	return nil
}

// Replace replaces the loaded items, sets a setup that fits the new ones, and shows the
// end of the conversation. The history stays: carry adapts the edits and labels of its
// setups to the new items, as it was done for next.
//
// If the source has only grown, index returns where an earlier item is now, or false if it was
// removed since; removed items then keep their edits if it is known where the log has them,
// and Impact says what the new items did. index is nil for a source that was replaced. Replace
// returns how many of the items removed now keep their edits.
func (e *Experiment) Replace(items *model.Set, next Setup, carry func(Setup) Setup, index func(i int) (int, bool)) (int, error) {
	loaded, err := items.With(model.Edits{})
	if err != nil {
		return 0, err
	}
	with, err := loaded.With(next.Edits)
	if err != nil {
		return 0, err
	}
	stay := func(setup, before Setup) Setup { return setup }
	if index != nil {
		removed := func(i int) bool { _, stays := index(i); return !stays }
		stay = func(setup, before Setup) Setup { return withRemoved(setup, before, e.log, removed) }
	}
	was, there, earlier := e.setup, e.loaded.Len(), e.moment.Set
	before := [2]*Outcome{e.Result(A), e.Result(B)}
	e.loaded, e.setup = loaded, stay(next, was)
	e.now = edition{loaded, with, e.setup.Edits}
	e.moment = model.Option[Moment]{} // of other items
	_ = e.show()                      // at the end nothing can fail
	e.eachInHistory(func(s *Setup) { *s = stay(carry(Numbers{}.shown(*s)), *s) })
	e.sides = [2]side{{pending: true}, {pending: true}} // what is known is of other items
	e.forgetImpacts()
	e.was, e.changed = model.Option[Setup]{}, [2]bool{true, true}
	if index == nil || earlier { // what was shown is nothing to compare with
		e.changes++
		e.growth = growth{}
	} else {
		e.grown = grown{before, index}
		arrived, removed := grownBy(there, items.Len(), index)
		e.begin(growthLabel(arrived, removed))
		e.growth.grow(before, was.Budget.MaxTokens, arrived, items.Len(), e.changes, index)
	}
	return removedEdits(e.setup) - removedEdits(was), nil
}

// grownBy returns how many items a source that had before and has after has gained and lost.
func grownBy(before, after int, index func(i int) (int, bool)) (arrived, removed int) {
	for i := range before {
		if _, stays := index(i); !stays {
			removed++
		}
	}
	return after - before + removed, removed
}

// growthLabel returns how a source has grown: "3 items arrived", "1 item arrived, 2 removed".
func growthLabel(arrived, removed int) string {
	label := plain.Count(arrived, "item") + " arrived"
	if removed > 0 {
		label += ", " + plain.Thousands(removed) + " removed"
	}
	return label
}

// ExtendAxis moves the ceiling to end in every setup, also of the history,
// that has it at from. It is for a ceiling that was derived from token counts and not
// chosen by the user.
func (e *Experiment) ExtendAxis(from, end model.Tokens) {
	extend := func(s *Setup) {
		if s.Ceiling == from {
			s.Ceiling = end
		}
	}
	extend(&e.setup)
	e.eachInHistory(extend)
	e.shown = e.numbers.shown(e.setup)
	e.sides[A].pending, e.sides[B].pending = true, true
}
