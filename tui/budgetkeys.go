package tui

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/tui/experiment"
)

// The keys that move maxTokens: ] and [ to the next budget at which anything
// changes, } and { to where an item enters or leaves, = to where it stays in.
// A duplicate is in where the item is that it repeats. Each returns the message to show,
// or "".

// toBudget sets maxTokens as a change of its own; slideTo sets it as part of one long
// change.
func (s *sessionState) toBudget(b model.Tokens) string { return s.moveBudget(b, "") }

func (s *sessionState) slideTo(b model.Tokens) string { return s.moveBudget(b, experiment.MaxTokens) }

func (s *sessionState) moveBudget(b model.Tokens, merge experiment.KnobID) string {
	return s.apply(s.exp.Setup().WithMax(b), experiment.Label{Name: string(experiment.MaxTokens), From: s.budget().String(), To: b.String()}, merge)
}

func (s *sessionState) nextChange(dir int) string {
	p := s.exp.Profile(s.side)
	next, none := p.Next, "]: nothing changes above, up to the axis end at "+p.Axis().End().String()
	if dir < 0 {
		next, none = p.Prev, "[: nothing changes below"
	}
	if c, ok := next(s.budget()); ok {
		return s.toBudget(c.At)
	}
	return none
}

// stands returns the item that stands for item i, which is the one that i repeats if it
// is a duplicate, and what to call it.
func (s *sessionState) stands(i int) (item int, name string) {
	name = hintOf(i)
	o := s.exp.Result(s.side)
	if o == nil || i >= len(o.Report.Codes) {
		return i, name
	}
	if item = o.Report.Survivor(i); item != i {
		name = fmt.Sprintf("#%d, which %s repeats,", item, name)
	}
	return item, name
}

func (s *sessionState) nextOfItem(item, dir int) string {
	p := s.exp.Profile(s.side)
	item, name := s.stands(item)
	next, none := p.NextFor, fmt.Sprintf("}: %s neither enters nor leaves above, up to the axis end at %v", name, p.Axis().End())
	if dir < 0 {
		next, none = p.PrevFor, fmt.Sprintf("{: %s is the same at all smaller budgets", name)
	}
	if b, ok := next(item, s.budget()); ok {
		return s.toBudget(b)
	}
	return none
}

// fit goes to the least budget from which the items stay in. A single item that is
// already there goes to the budget at which it is first in.
func (s *sessionState) fit(items []int) string {
	if len(items) > 1 {
		return s.fitAll(items)
	}
	i, name := s.stands(items[0])
	at := s.exp.Profile(s.side).Summary(i)
	switch {
	case s.exp.Items().Excluded(i):
		return fmt.Sprintf("=: %s is excluded: x restores it", name)
	case s.exp.Items().Pinned(i) && at.FirstIn.Set && s.budget() >= at.FirstIn.Value:
		return fmt.Sprintf("=: %s is pinned, so it is in here and at every larger budget", name)
	case !at.FirstIn.Set:
		return fmt.Sprintf("=: %s is in at no budget up to the axis end", name)
	case at.StaysFrom.Set && s.budget() != at.StaysFrom.Value:
		return s.toBudget(at.StaysFrom.Value)
	case s.budget() != at.FirstIn.Value:
		return s.toBudget(at.FirstIn.Value)
	}
	return fmt.Sprintf("=: %s is first in here and stays in", name)
}

// fitAll goes to the least budget from which all of the items stay in.
func (s *sessionState) fitAll(items []int) string {
	p := s.exp.Profile(s.side)
	var least model.Tokens
	for _, i := range items {
		i, name := s.stands(i)
		b, ok := p.StaysFrom(i)
		if !ok {
			return fmt.Sprintf("=: %s does not stay in up to the axis end at %v", name, p.Axis().End())
		}
		least = max(least, b)
	}
	if s.budget() == least {
		return "=: all of them stay in from here on"
	}
	return s.toBudget(least)
}
