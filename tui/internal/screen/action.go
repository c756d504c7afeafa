package screen

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
)

// Action is what keys do: a row of the one table that routing, hints, the palette and
// KEYS.md are made from, so that they cannot disagree.
type Action struct {
	// Name is what hints, the tour and tests call the action, such as "budget.next" or
	// "map.zoom in". It stays when its keys change.
	Name  string
	Keys  []string
	Label string // how hints show the keys, such as "j/k"; "" is the first key
	Group string // the group in the help; "" is the group named after the view
	Text  string // the sentence of the help
	Hint  string // a word or two for the hint line; "" shows no hint
	Words string // what people type to find it and Text does not say
	// HintNow returns the hint in place of Hint; "" or nil: Hint.
	HintNow func() string
	// Plan returns what the action would do to the setup now; the error says why it does
	// nothing. It is cheap: every frame may ask. Plan is nil for an action that does
	// something else.
	Plan func() (Change, error)
	// Run does more than Plan describes, and is then called in its place. Try is
	// like Run, and returns why it did nothing, or "".
	Run func() tea.Cmd
	Try func() string
	// Why returns why Run does nothing now, or "" if it does. It may be nil.
	Why func() string
	// KeepsRun says that steps of one knob before and after the action still merge
	// into one change.
	KeepsRun bool
}

// Do returns an Action.Run that calls run and starts no command.
func Do(run func()) func() tea.Cmd { return func() tea.Cmd { run(); return nil } }

// KeyLabel returns the keys as hints show them.
func (a *Action) KeyLabel() string { return cmp.Or(a.Label, a.Keys[0]) }

// Planned reports whether Plan describes all that the action does.
func (a *Action) Planned() bool { return a.Run == nil && a.Try == nil }

// Idle returns why the action does nothing now, or "" if it does.
func (a *Action) Idle() string {
	if a.Planned() {
		if _, err := a.Plan(); err != nil {
			return err.Error()
		}
		return ""
	}
	if a.Why == nil {
		return ""
	}
	return a.Why()
}

// Hint is a key and what it does, in a word or two.
type Hint struct{ Key, Text string }
