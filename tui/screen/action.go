package screen

import (
	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
)

// Action is what a key does. The keys, the hints and the help are all made from the same
// actions, so that they cannot disagree.
type Action struct {
	// Binding holds the keys. Its help is the label that hints show, such as "j/k",
	// and a sentence.
	key.Binding
	Group string // the group in the help; "" is the one named after the view
	Hint  string // a word or two for the hint line; "" shows no hint
	// HintNow returns the hint in place of Hint; "" or nil: Hint.
	HintNow func() string
	// Why returns why the action does nothing now, or "" if it does. It may be nil.
	Why func() string
	Run func() tea.Cmd
	// Leads returns the setup that the action would lead to now, and the change in a few
	// words; "" if it would change nothing. It may be nil: that is not known.
	Leads func() (to experiment.Setup, words string)
	// KeepsRun says that steps of one knob before and after the action still merge
	// into one change.
	KeepsRun bool
}

// Bind returns a binding of keys, named as in Bubble Tea. Text is the sentence for the
// help. Label is how hints show the keys; "" is the first key. It panics if label is ""
// and there are no keys.
func Bind(label, text string, keys ...string) key.Binding {
	if label == "" {
		label = keys[0]
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, text))
}

// Do returns an Action.Run that calls run and starts no command.
func Do(run func()) func() tea.Cmd { return func() tea.Cmd { run(); return nil } }

// Text returns the sentence for the help.
func (a *Action) Text() string { return a.Help().Desc }

// Label returns the keys as hints show them.
func (a *Action) Label() string { return a.Help().Key }

// Idle returns why the action does nothing now, or "" if it does.
func (a *Action) Idle() string {
	if a.Why == nil {
		return ""
	}
	return a.Why()
}

// Hint is a key and what it does, in a word or two.
type Hint struct{ Key, Text string }

// HintsOf returns the hints of a map of keys, without those of disabled bindings.
func HintsOf(keys help.KeyMap) []Hint {
	var all []Hint
	for _, b := range keys.ShortHelp() {
		if b.Enabled() {
			all = append(all, Hint{Key: b.Help().Key, Text: b.Help().Desc})
		}
	}
	return all
}
