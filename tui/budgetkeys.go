package tui

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/tui/experiment"
)

// The keys that move maxTokens: ] and [ to the next budget at which anything
// changes, } and { to where an item enters or leaves, = to where it stays in.

// toBudget moves maxTokens.
func (m *Model) toBudget(b model.Tokens) {
	now := m.exp.Setup()
	m.apply(now.WithMax(b), experiment.Label{Name: string(experiment.MaxTokens), From: now.Budget.MaxTokens.String(), To: b.String()}, "")
}

func (m *Model) nextChange(dir int) {
	p := m.exp.Profile(m.side)
	if dir > 0 {
		if c, ok := p.Next(m.budget()); ok {
			m.toBudget(c.At)
		} else {
			m.message = "]: nothing changes above, up to the axis end at " + p.Axis().End().String()
		}
		return
	}
	if c, ok := p.Prev(m.budget()); ok {
		m.toBudget(c.At)
	} else {
		m.message = "[: nothing changes below"
	}
}

func (m *Model) nextOfItem(dir int) {
	i, _ := m.selected()
	p := m.exp.Profile(m.side)
	if dir > 0 {
		if b, ok := p.NextFor(i, m.budget()); ok {
			m.toBudget(b)
		} else {
			m.message = fmt.Sprintf("}: %s neither enters nor leaves above, up to the axis end at %v", hintOf(i), p.Axis().End())
		}
		return
	}
	if b, ok := p.PrevFor(i, m.budget()); ok {
		m.toBudget(b)
	} else {
		m.message = fmt.Sprintf("{: %s is the same at all smaller budgets", hintOf(i))
	}
}

// fit goes to where the selected item stays in, or, if that is where we are,
// to where it is first in.
func (m *Model) fit() {
	if len(m.chosen) > 1 {
		m.fitAll(m.targets())
		return
	}
	i := m.targets()[0]
	s := m.exp.Profile(m.side).Summary(i)
	switch {
	case m.exp.Items().Pinned(i) && s.First.Set && m.budget() >= s.First.Value:
		m.message = fmt.Sprintf("=: %s is pinned, so it is in here and at every larger budget", hintOf(i))
	case !s.First.Set:
		m.message = fmt.Sprintf("=: %s is in at no budget up to the axis end", hintOf(i))
	case s.Stays.Set && m.budget() != s.Stays.Value:
		m.toBudget(s.Stays.Value)
	case m.budget() != s.First.Value:
		m.toBudget(s.First.Value)
	default:
		m.message = fmt.Sprintf("=: %s is first in here and stays in", hintOf(i))
	}
}
