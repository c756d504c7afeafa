package tui

import (
	"fmt"
	"maps"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
)

// Several items can be chosen, in any view. Keys that act on an item then act
// on all of them.

// targets are the items that keys act on, ascending: those chosen, else the
// selected one. Read only.
func (m *Model) targets() []int {
	if len(m.chosen) > 0 {
		if m.inOrder == nil {
			m.inOrder = slices.Sorted(maps.Keys(m.chosen))
		}
		return m.inOrder
	}
	if i, ok := m.selected(); ok {
		return []int{i}
	}
	return nil
}

// choose adds the selected item to those chosen, or takes it away, and goes on
// to the next.
func (m *Model) choose() {
	i, _ := m.selected()
	m.inOrder = nil
	if m.chosen[i] {
		delete(m.chosen, i)
	} else {
		m.chosen[i] = true
	}
	switch p, pages := m.view().(screen.Pager); {
	case m.reading():
	case pages: // its lines are not items
		p.Item(1)
	default:
		m.view().Move(1)
	}
	m.tellChosen()
}

// chooseAll chooses items, or none if all are chosen.
func (m *Model) chooseAll(items []int32) {
	m.inOrder = nil
	all := len(items) > 0
	for _, i := range items {
		all = all && m.chosen[int(i)]
	}
	for _, i := range items {
		if all {
			delete(m.chosen, int(i))
		} else {
			m.chosen[int(i)] = true
		}
	}
	m.tellChosen()
}

func (m *Model) tellChosen() {
	if len(m.chosen) == 0 {
		m.message = "no item is chosen; keys act on the one under the cursor"
		return
	}
	var tokens model.Tokens
	for i := range m.chosen {
		tokens += m.exp.Items().Tokens(i)
	}
	m.message = fmt.Sprintf("%s chosen, %v tokens: space pins, x excludes, e edits, = fits them all; esc lets go", plain.Count(len(m.chosen), "item"), tokens)
}

// namesOf names items for a label: "#12", "#3 #5 #8", "17 items".
func namesOf(items []int) string {
	if len(items) > 4 {
		return plain.Count(len(items), "item")
	}
	s := ""
	for k, i := range items {
		if k > 0 {
			s += " "
		}
		s += hintOf(i)
	}
	return s
}

// pin pins the items, or releases them if all are pinned.
func (m *Model) pin() {
	items := m.targets()
	all := true
	for _, i := range items {
		all = all && m.exp.Items().Pinned(i)
	}
	name := "pin "
	if all {
		name = "release "
	}
	next := m.exp.Setup().WithPinned(m.session.Items, items, !all)
	m.apply(next, experiment.Label{Name: name + namesOf(items)}, "")
}

// exclude takes the items out, or back in if all are out.
func (m *Model) exclude() {
	items := m.targets()
	all := true
	for _, i := range items {
		all = all && m.exp.Items().Excluded(i)
	}
	name := "exclude "
	if all {
		name = "take back "
	}
	next := m.exp.Setup().WithExcluded(items, !all)
	m.apply(next, experiment.Label{Name: name + namesOf(items)}, "")
}

// fitAll goes to the least budget from which all chosen items stay in.
func (m *Model) fitAll(items []int) {
	p := m.exp.Profile(m.side)
	var least model.Tokens
	for _, i := range items {
		b, ok := p.Stays(i)
		if !ok {
			m.message = fmt.Sprintf("=: %s does not stay in up to the axis end at %v", hintOf(i), p.Axis().End())
			return
		}
		least = max(least, b)
	}
	if m.budget() == least {
		m.message = "=: all of them stay in from here on"
		return
	}
	m.toBudget(least)
}
