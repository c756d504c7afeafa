package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/widget/input"
)

// This file has the keys that turn knobs: h and l, enter to type a value, backspace.

// turn turns a knob by a step. It returns the message to show, or "".
func (s *sessionState) turn(k experiment.Knob, dir int, big bool) string {
	if k.Excluded != "" {
		return k.Excluded
	}
	next, err := k.Step(dir, big)
	return s.turned(k, next, err, k.ID)
}

// turned applies the setup that a knob returned, labelled with the knob's values.
func (s *sessionState) turned(k experiment.Knob, next experiment.Setup, err error, merge experiment.KnobID) string {
	if err != nil {
		return err.Error()
	}
	label := experiment.Label{Name: strings.TrimSpace(k.Label)}
	if k.Value != "" { // a row that adds a scorer has no value
		label.From, label.To = k.Value, s.valueIn(k.ID, next)
	}
	return s.apply(next, label, merge)
}

// valueIn returns the value that a knob would show in another setup. The knob may be one
// of the policy editor, because keys turn those while the editor is open.
func (s *sessionState) valueIn(id experiment.KnobID, in experiment.Setup) string {
	for _, knobs := range [...]func(experiment.Setup, experiment.Side, experiment.Setup) []experiment.Knob{s.exp.KnobsFor, s.exp.PolicyKnobsFor} {
		for _, k := range knobs(in, s.side, s.original) {
			if k.ID == id {
				return k.Value
			}
		}
	}
	return ""
}

func (m *Model) turnCurrent(dir int, big bool) string {
	if opened := m.knobs.Opened(); m.unfold(dir > 0) {
		switch {
		case opened && dir > 0:
			return "the knobs at their default are shown already"
		case !opened && dir < 0:
			return "the knobs at their default are folded already"
		}
		return ""
	}
	if k, ok := m.knob(); ok {
		return m.turn(k, dir, big)
	}
	return ""
}

func (m *Model) stepKnob(id experiment.KnobID, dir int) string {
	if k, ok := m.knobs.Find(id); ok {
		next, err := k.Step(dir, false)
		return m.turned(k, next, err, "")
	}
	return ""
}

// unfold shows or folds the knobs at their default if the cursor is on their row. It
// returns false if it is not.
func (m *Model) unfold(open bool) bool {
	if _, own := m.at(screen.Over).(screen.Knobbed); own || !m.knobs.Folding(m.knobs.Cursor()) {
		return false
	}
	m.knobs.Open(open)
	return true
}

func (m *Model) resetKnob() string {
	if k, ok := m.knob(); ok {
		start := k.Reset()
		switch now := start.Equal(m.exp.Setup()); {
		case now && k.Column != "":
			return k.Label + " is not set"
		case now && k.Section != "":
			return strings.TrimSpace(k.Label) + ": there is nothing to set back"
		case now:
			return k.Label + ": already at its start value"
		}
		return m.turned(k, start, nil, "")
	}
	return "these knobs are at their default"
}

// typeValue asks for a value of the knob that keys turn, with text typed already.
func (m *Model) typeValue(text string) tea.Cmd {
	if m.unfold(!m.knobs.Opened()) {
		return nil
	}
	k, ok := m.knob()
	switch {
	case !ok:
		return nil
	case k.Excluded != "":
		m.messages.say(k.Excluded)
		return nil
	case !k.Typed:
		m.toKnob(k.ID)
		return nil
	}
	name := strings.TrimSpace(k.Label)
	if k.Value != "" {
		name += " (" + k.Value + ")"
	}
	return m.ask(screen.Question{
		Label: name + ":",
		Text:  text,
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
			m.messages.answer(m.turned(k, next, nil, ""))
			return nil, nil
		},
		Suggest: input.Words(k.Choices...),
	})
}

// toKnob moves the cursor to a knob, in the policy editor for quotas and scorers.
func (m *Model) toKnob(id experiment.KnobID) {
	if id == experiment.Quotas || id == experiment.Scorers {
		m.openEditor(id)
		return
	}
	m.knobs.Select(id)
	m.focus = onKnobs
	m.messages.say("h and l turn it, enter types a value, esc goes back")
}
