package tui

import (
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/experiment"
	"cupelscope/tui/widget"
)

// What a key would do now, as the palette tells it beside the key.

// foresight is what a key would do, as far as that is known without new work. Next
// returns the setup that it leads to; nil if it changes nothing.
type foresight struct {
	text string
	next func() (experiment.Setup, error)
}

// foresee says what a key of the view that is shown, or one that works everywhere, would do
// now. It is empty for keys of which that cannot be said in a few words.
func (m *Model) foresee(a *bound) foresight {
	if a.view != everywhere && a.view != m.shown || a.Idle() != "" {
		return foresight{}
	}
	if a.Plan != nil {
		change, _ := a.Plan()
		return foresight{change.Effect(), func() (experiment.Setup, error) { return change.To(), nil }}
	}
	items, now := m.targets(), m.exp.Setup()
	leads := func(to experiment.Setup, text string) foresight {
		return foresight{text, func() (experiment.Setup, error) { return to, nil }}
	}
	if a.view != everywhere {
		if a.Leads != nil {
			if to, words := a.Leads(); words != "" {
				return leads(to, words)
			}
		}
		return foresight{}
	}
	switch key := a.Keys[0]; key {
	case "space", "x", "*":
		if len(items) > 0 {
			return m.foreseeEdit(key, items)
		}
	case "l", "h", "L", "H", "backspace", "c", "C":
		return m.foreseeKnob(key)
	case "u":
		if label, ok := m.exp.Undoes(); ok {
			return foresight{text: label}
		}
	case "ctrl+r":
		if label, ok := m.exp.Redoes(); ok {
			return foresight{text: label}
		}
	case "m", "X":
		a, b := now.Policy[experiment.A], now.Policy[experiment.A]
		if key == "X" {
			a = now.Policy[experiment.B]
		}
		return foresight{text: "A " + widget.SlicerName(a) + ", B " + widget.SlicerName(b)}
	case "enter", "e":
		if len(items) > 0 {
			return foresight{text: namesOf(items)}
		}
	}
	return foresight{}
}

// foreseeEdit returns what pinning, excluding or marking the items does.
func (m *Model) foreseeEdit(key string, items []int) foresight {
	now, does := m.exp.Setup(), m.hintFor(key, items)
	var tokens model.Tokens
	for _, i := range items {
		tokens += m.exp.Items().Tokens(i)
	}
	text := fmt.Sprintf("%s, %v tok", namesOf(items), tokens)
	switch key {
	case "space":
		return foresight{text + m.whatIf.Others(true, items), func() (experiment.Setup, error) {
			return now.WithPinned(m.session.Items, items, does == "pin"), nil
		}}
	case "x":
		return foresight{text + m.whatIf.Others(false, items), func() (experiment.Setup, error) {
			return now.WithExcluded(items, does == "exclude"), nil
		}}
	}
	return foresight{text: text}
}

// foreseeKnob returns what a key does that turns a knob.
func (m *Model) foreseeKnob(key string) foresight {
	k, ok := m.knob()
	switch key {
	case "c":
		k, ok = m.knobs.Find(experiment.Slicer)
	case "C":
		k, ok = m.knobs.Find(experiment.Preset)
	}
	if !ok || k.Excluded != "" || !k.Typed {
		return foresight{}
	}
	next := func() (experiment.Setup, error) { return k.Reset(), nil }
	if key != "backspace" {
		dir := 1
		if key == "h" || key == "H" {
			dir = -1
		}
		next = func() (experiment.Setup, error) { return k.Step(dir, key == "L" || key == "H") }
	}
	to, err := next()
	if err != nil || to.Equal(m.exp.Setup()) {
		return foresight{}
	}
	return foresight{plain.Line(strings.TrimSpace(k.Label), 24) + " " + k.Value + " → " + m.valueIn(k.ID, to), next}
}
