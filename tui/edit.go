package tui

import (
	"errors"
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate/query"
	"cupelscope/tui/experiment"
)

// apply makes a change, or says why there is none.
func (m *Model) apply(next experiment.Setup, label experiment.Label, merge experiment.KnobID) {
	if next.Equal(m.exp.Setup()) {
		m.message = label.Name + " is that already"
		return
	}
	if err := m.exp.Apply(next, label, merge); err != nil {
		m.message = err.Error()
	}
}

// turned applies what a knob gave, labelled with the knob's values.
func (m *Model) turned(k experiment.Knob, next experiment.Setup, err error, merge experiment.KnobID) {
	if err != nil {
		m.message = err.Error()
		return
	}
	m.apply(next, experiment.Label{Name: k.Label, From: k.Value, To: m.valueIn(k.ID, next)}, merge)
}

// valueIn is how the knob would show its value in another setup.
func (m *Model) valueIn(id experiment.KnobID, s experiment.Setup) string {
	for _, k := range m.exp.KnobsFor(s, m.side, m.original) {
		if k.ID == id {
			return k.Value
		}
	}
	return ""
}

func (m *Model) step(dir int, big bool) tea.Cmd {
	k, ok := m.knobs.Current()
	if !ok {
		return nil
	}
	next, err := k.Step(dir, big)
	m.turned(k, next, err, k.ID)
	return nil
}

func (m *Model) stepKnob(id experiment.KnobID, dir int) tea.Cmd {
	if k, ok := m.knobs.Find(id); ok {
		next, err := k.Step(dir, false)
		m.turned(k, next, err, "")
	}
	return nil
}

func (m *Model) resetKnob() tea.Cmd {
	if k, ok := m.knobs.Current(); ok {
		m.turned(k, k.Reset(), nil, "")
	}
	return nil
}

// typeValue asks for a value of the knob under the cursor.
func (m *Model) typeValue() tea.Cmd {
	k, ok := m.knobs.Current()
	if !ok {
		return nil
	}
	return m.open(&prompt{
		label: k.Label + " (" + k.Value + "):",
		help:  k.Help + "; enter sets it, esc cancels",
		typed: func(text string) error {
			if text == "" {
				return nil
			}
			_, err := k.Parse(text)
			return err
		},
		done: func(text string) (tea.Cmd, error) {
			next, err := k.Parse(text)
			if err != nil {
				return nil, err
			}
			m.turned(k, next, nil, "")
			return nil, nil
		},
	}, "")
}

// toBudget moves maxTokens.
func (m *Model) toBudget(b model.Tokens) {
	now := m.exp.Setup()
	m.apply(now.WithMax(b), experiment.Label{Name: string(experiment.MaxTokens), From: now.Budget.MaxTokens.String(), To: b.String()}, "")
}

func (m *Model) nextChange(dir int) tea.Cmd {
	p := m.exp.Profile(m.side)
	if dir > 0 {
		if c, ok := p.Next(m.budget()); ok {
			m.toBudget(c.At)
		} else {
			m.message = "]: nothing changes above, up to the axis end at " + p.Axis().End().String()
		}
		return nil
	}
	if c, ok := p.Prev(m.budget()); ok {
		m.toBudget(c.At)
	} else {
		m.message = "[: nothing changes below"
	}
	return nil
}

func (m *Model) nextOfItem(dir int) tea.Cmd {
	i, _ := m.selected()
	p := m.exp.Profile(m.side)
	if dir > 0 {
		if b, ok := p.NextFor(i, m.budget()); ok {
			m.toBudget(b)
		} else {
			m.message = fmt.Sprintf("}: %s neither enters nor leaves above, up to the axis end at %v", hintOf(i), p.Axis().End())
		}
		return nil
	}
	if b, ok := p.PrevFor(i, m.budget()); ok {
		m.toBudget(b)
	} else {
		m.message = fmt.Sprintf("{: %s is the same at all smaller budgets", hintOf(i))
	}
	return nil
}

// fit goes to where the selected item stays in, or, if that is where we are,
// to where it is first in.
func (m *Model) fit() tea.Cmd {
	i, _ := m.selected()
	s := m.exp.Profile(m.side).Summary(i)
	switch {
	case !s.First.Set:
		m.message = fmt.Sprintf("=: %s is in at no budget up to the axis end", hintOf(i))
	case s.Stays.Set && m.budget() != s.Stays.Value:
		m.toBudget(s.Stays.Value)
	case m.budget() != s.First.Value:
		m.toBudget(s.First.Value)
	default:
		m.message = fmt.Sprintf("=: %s is first in here and stays in", hintOf(i))
	}
	return nil
}

func (m *Model) pin() tea.Cmd {
	i, _ := m.selected()
	name := "pin " + hintOf(i)
	if m.exp.Items().Pinned(i) {
		name = "release " + hintOf(i)
	}
	m.apply(m.exp.Setup().TogglePin(m.session.Items, i), experiment.Label{Name: name}, "")
	return nil
}

func (m *Model) exclude() tea.Cmd {
	i, _ := m.selected()
	name := "exclude " + hintOf(i)
	if m.exp.Items().Excluded(i) {
		name = "take back " + hintOf(i)
	}
	m.apply(m.exp.Setup().ToggleExcluded(i), experiment.Label{Name: name}, "")
	return nil
}

func (m *Model) storeAsB() tea.Cmd {
	now := m.exp.Setup()
	m.apply(now.WithPolicy(experiment.B, now.Policy[experiment.A].Clone()), experiment.Label{Name: "A stored as B"}, "")
	return nil
}

func (m *Model) swap() tea.Cmd {
	now := m.exp.Setup()
	next := now.WithPolicy(experiment.A, now.Policy[experiment.B]).WithPolicy(experiment.B, now.Policy[experiment.A])
	m.apply(next, experiment.Label{Name: "A and B swapped"}, "")
	return nil
}

// openFilter asks for a query; the table follows every key.
func (m *Model) openFilter() tea.Cmd {
	before, _ := query.Parse(m.items.FilterText())
	set := func(text string) error {
		q, err := query.Parse(text)
		if err == nil {
			m.items.Filter(q)
		}
		return err
	}
	return m.open(&prompt{
		label:  "filter:",
		help:   `#12  kind:tool  is:in|out|risk|pinned|dup  tok>500  first<32k  stays<32k  score>=.5  "text"  -not`,
		typed:  set,
		done:   func(text string) (tea.Cmd, error) { return nil, set(text) },
		cancel: func() { m.items.Filter(before) },
	}, m.items.FilterText())
}

func (m *Model) clearFilter() { m.items.Filter(query.Query{}) }

// openSave asks where to write the scenario. A file that is there already and
// did not come from this session is overwritten only when asked twice.
func (m *Model) openSave() tea.Cmd {
	path := m.session.SavePath
	if path == "" {
		path = "scenario.json"
	}
	confirmed := ""
	return m.open(&prompt{
		label: "write scenario to:",
		help:  "a JSON file that cupelscope opens again; enter writes, esc cancels",
		typed: func(string) error { return nil },
		done: func(text string) (tea.Cmd, error) {
			if text == "" {
				return nil, errors.New("type the name of a file")
			}
			if _, err := os.Stat(text); err == nil && text != m.session.SavePath && confirmed != text {
				confirmed = text
				return nil, fmt.Errorf("%s exists; enter again overwrites it", text)
			}
			sc, err := m.session.scenario(m.exp)
			if err != nil {
				return nil, fmt.Errorf("not written: %w", err)
			}
			if err := m.session.Save(text, sc); err != nil {
				return nil, fmt.Errorf("not written: %w", err)
			}
			m.session.SavePath, m.saved = text, m.exp.Setup()
			m.message = "written to " + text
			return nil, nil
		},
	}, path)
}
