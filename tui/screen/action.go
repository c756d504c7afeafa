package screen

import (
	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
)

// Action is one thing a key does. Keys, hints and help all come from the same
// actions, so that none can say what another does not do.
type Action struct {
	// Binding is the keys. Its help is how hints show them, as "j/k", and a
	// sentence.
	key.Binding
	Group string // of the help; "" is that of the view's name
	Hint  string // a word or two for the hint line; "" keeps it out
	// Why says why the action does nothing now; "" or nil if it does.
	Why func() string
	Run func() tea.Cmd
	// KeepsRun: a run of steps of one knob goes on through it.
	KeepsRun bool
}

// Bind makes a binding of keys as Bubble Tea names them. Text is a sentence for
// the help, label how hints show the keys: "" is the first of them.
func Bind(label, text string, keys ...string) key.Binding {
	if label == "" {
		label = keys[0]
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, text))
}

// Do makes a function of one that starts nothing.
func Do(run func()) func() tea.Cmd { return func() tea.Cmd { run(); return nil } }

// Turn is the action of a key that changes what is shown, or says why it does not.
func Turn(app App, label, hint, text string, do func() string, keys ...string) Action {
	return Action{Binding: Bind(label, text, keys...), Hint: hint, Run: Do(func() {
		if why := do(); why != "" {
			app.Say(keys[0] + ": " + why)
		}
	})}
}

// Always is what Turn takes of a key that is never in vain.
func Always(do func()) func() string { return func() string { do(); return "" } }

// Columns are the actions of the keys that move maxTokens along the columns of
// a view, called where: step is the budget a column beside another, or ten.
func Columns(app App, where string, step func(b model.Tokens, dir int, big bool) model.Tokens) []Action {
	move := func(label, hint, text string, dir int, big bool, keys ...string) Action {
		return Action{Binding: Bind(label, where+": maxTokens "+text, keys...), Hint: hint, KeepsRun: true,
			Run: Do(func() { SlideTo(app, step(app.Experiment().Setup().Budget.MaxTokens, dir, big), dir) })}
	}
	return []Action{
		move("h/l", "budget", "one column up", 1, false, "l", "right"),
		move("", "", "one column down", -1, false, "h", "left"),
		move("", "", "ten columns up", 1, true, "L", "shift+right"),
		move("", "", "ten columns down", -1, true, "H", "shift+left"),
	}
}

// Text is the sentence of the help.
func (a *Action) Text() string { return a.Help().Desc }

// Label is the keys as hints show them.
func (a *Action) Label() string { return a.Help().Key }

// Idle says why the action does nothing now; "" if it does.
func (a *Action) Idle() string {
	if a.Why == nil {
		return ""
	}
	return a.Why()
}

// Hint is a key and what it does, in a word or two.
type Hint struct{ Key, Text string }

// HintsOf are the hints of a map of keys, those that do nothing now left out.
func HintsOf(keys help.KeyMap) []Hint {
	var all []Hint
	for _, b := range keys.ShortHelp() {
		if b.Enabled() {
			all = append(all, Hint{Key: b.Help().Key, Text: b.Help().Desc})
		}
	}
	return all
}
