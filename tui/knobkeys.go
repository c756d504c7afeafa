package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/widget/input"
)

// The keys that turn knobs: h and l, enter to type a value, backspace.

// turned applies what a knob gave, labelled with the knob's values.
func (m *Model) turned(k experiment.Knob, next experiment.Setup, err error, merge experiment.KnobID) {
	if err != nil {
		m.message = err.Error()
		return
	}
	label := experiment.Label{Name: strings.TrimSpace(k.Label)}
	if k.Value != "" { // a row that adds something has no value
		label.From, label.To = k.Value, m.valueIn(k.ID, next)
	}
	m.apply(next, label, merge)
}

// valueIn is how the knob would show its value in another setup. It is looked
// for among the policy's rows too: keys turn knobs while the editor is open.
func (m *Model) valueIn(id experiment.KnobID, s experiment.Setup) string {
	for _, knobs := range [...]func(experiment.Setup, experiment.Side, experiment.Setup) []experiment.Knob{m.exp.KnobsFor, m.exp.PolicyKnobsFor} {
		for _, k := range knobs(s, m.side, m.original) {
			if k.ID == id {
				return k.Value
			}
		}
	}
	return ""
}

// current is the knob that keys turn: the one of the screen on top, or of the
// knobs.
func (m *Model) current() (experiment.Knob, bool) {
	if k, ok := m.at(screen.Over).(screen.Knobbed); ok {
		return k.Current()
	}
	return m.knobs.Current()
}

// turn turns a knob by a step; turnCurrent the one that keys turn.
func (m *Model) turn(k experiment.Knob, dir int, big bool) {
	next, err := k.Step(dir, big)
	m.turned(k, next, err, k.ID)
}

func (m *Model) turnCurrent(dir int, big bool) {
	if k, ok := m.current(); ok {
		m.turn(k, dir, big)
	}
}

func (m *Model) stepKnob(id experiment.KnobID, dir int) {
	if k, ok := m.knobs.Find(id); ok {
		next, err := k.Step(dir, false)
		m.turned(k, next, err, "")
	}
}

func (m *Model) resetKnob() {
	if k, ok := m.current(); ok {
		m.turned(k, k.Reset(), nil, "")
	}
}

// typeValue asks for a value of the knob under the cursor.
func (m *Model) typeValue() tea.Cmd {
	k, ok := m.current()
	if !ok {
		return nil
	}
	name := strings.TrimSpace(k.Label)
	if k.Value != "" {
		name += " (" + k.Value + ")"
	}
	return m.ask(screen.Question{
		Label: name + ":",
		Help:  k.Help + "; enter sets it, esc cancels",
		Typed: func(text string) error {
			if text == "" {
				return nil
			}
			_, err := k.Parse(text)
			return err
		},
		Done: func(text string) (tea.Cmd, error) {
			next, err := k.Parse(text)
			if err != nil {
				return nil, err
			}
			m.turned(k, next, nil, "")
			return nil, nil
		},
		Suggest: input.Words(k.Choices...),
	})
}

// toKnob puts the keys on a knob: in the policy editor for quotas.
func (m *Model) toKnob(id experiment.KnobID) {
	if id == experiment.Quotas {
		m.openEditor()
		return
	}
	m.knobs.Select(id)
	m.focus = onKnobs
	m.message = "h and l turn it, enter types a value, esc goes back"
}
