package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/pane"
	"cupelscope/tui/panes"
)

// action is one thing a key does. Keys, hints and help all come from the same
// table, so that none can say what another does not do.
type action struct {
	keys  []string // as Bubble Tea names them; the first is shown
	pair  string   // how the hint shows the key with its opposite: "j/k"
	group string
	hint  string // a word or two for the hint line; "" keeps it out
	// onKnobs is the hint while the knobs have the focus, where it is another.
	onKnobs string
	text    string // a sentence for the help
	// in names the views whose table the key works in, before what it does
	// elsewhere; nil: it works everywhere.
	in []view
	// why says why the action does nothing now; "" if it does.
	why func(m *Model) string
	run func(m *Model) tea.Cmd
	// keepsRun: a run of steps of one knob goes on through it.
	keepsRun bool
}

// label is the key as the hint line shows it.
func (a *action) label() string {
	if a.pair != "" {
		return a.pair
	}
	return a.keys[0]
}

// keymap is the table of actions, and the way from a key to its action.
type keymap struct {
	actions []action
	byKey   map[string]*action
	inView  [views]map[string]*action // before byKey
}

func newKeymap() keymap {
	k := keymap{actions: allActions(), byKey: make(map[string]*action)}
	for v := range k.inView {
		k.inView[v] = make(map[string]*action)
	}
	for i := range k.actions {
		a := &k.actions[i]
		for _, name := range a.keys {
			if a.in == nil {
				k.byKey[name] = a
			}
			for _, v := range a.in {
				k.inView[v][name] = a
			}
		}
	}
	return k
}

// find is the action of a key as things are; nil if it has none.
func (m *Model) find(name string) *action {
	if m.inTable() {
		if a := m.keys.inView[m.view][name]; a != nil {
			return a
		}
	}
	return m.keys.byKey[name]
}

// inTable reports whether keys go to the view that is shown.
func (m *Model) inTable() bool {
	return m.overlay == noOverlay && !m.reading && m.focus == onTable
}

// idle says why an action does nothing now; "" if it does.
func (m *Model) idle(a *action) string {
	if a.in != nil && !(m.inTable() && slices.Contains(a.in, m.view)) {
		names := make([]string, len(a.in))
		for i, v := range a.in {
			names[i] = fmt.Sprintf("%s (%d)", specs[v].name, v+1)
		}
		return "only in " + strings.Join(names, " and ")
	}
	if a.why != nil {
		return a.why(m)
	}
	return ""
}

// key routes a key press: to the prompt, the overlay, or the table of actions.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	if m.exp == nil {
		if name == "q" || name == "ctrl+c" || name == "esc" {
			return m.quit()
		}
		if name == "ctrl+z" {
			return tea.Suspend
		}
		return nil
	}
	if m.prompt != nil {
		return m.promptKey(msg)
	}
	if m.menu != nil {
		return m.menuKey(msg)
	}
	switch m.overlay {
	case helpOverlay:
		return m.helpKey(msg)
	case jumpOverlay:
		return m.jumpKey(msg)
	}
	m.message = ""
	wasQuitting := m.quitting
	m.quitting = false
	a := m.find(name)
	if a == nil {
		m.message = fmt.Sprintf("%s does nothing; ? lists what every key does", keyName(name))
		m.exp.EndRun()
		return nil
	}
	m.quitting = wasQuitting && (name == "q" || name == "ctrl+c")
	return m.do(a)
}

// do runs an action, or says why it does nothing.
func (m *Model) do(a *action) tea.Cmd {
	if !a.keepsRun {
		m.exp.EndRun()
	}
	if why := m.idle(a); why != "" {
		m.message = keyName(a.keys[0]) + ": " + why
		return nil
	}
	if a.group == moving && a.in == nil {
		m.pause() // whoever moves the cursor wants it to stay
	}
	return tea.Batch(a.run(m), m.settle())
}

// keyName names a key for a message; what a terminal sends as a key may be
// anything, so only what is short and printable is repeated.
func keyName(s string) string {
	if len(s) > 12 || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "that key"
	}
	return s
}

func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if m.prompt != nil {
		return m.typed(m.prompt.input.Paste(msg.Content))
	}
	if m.overlay == helpOverlay {
		m.help.Paste(msg.Content)
		return nil
	}
	if m.overlay == jumpOverlay {
		m.jump.Paste(msg.Content)
		return m.seek()
	}
	m.message = "nothing is being typed here: / filters, enter on a knob types a value"
	return nil
}

// helpKey is a key while the help is open: it types, moves, runs or closes.
func (m *Model) helpKey(msg tea.KeyPressMsg) tea.Cmd {
	switch name := msg.String(); name {
	case "esc", "ctrl+c":
		m.overlay = noOverlay
	case "up", "ctrl+p":
		m.help.Move(-1)
	case "down", "ctrl+n":
		m.help.Move(1)
	case "pgup":
		m.help.Move(-10)
	case "pgdown":
		m.help.Move(10)
	case "enter":
		return m.runHelp()
	default:
		m.help.Key(msg)
	}
	return nil
}

// runHelp does what the line under the help's cursor says.
func (m *Model) runHelp() tea.Cmd {
	i, ok := m.help.Selected()
	if !ok {
		return nil
	}
	m.overlay = noOverlay
	return m.do(m.helped[i])
}

// openHelp lists all keys by group: first those of the view that is shown, then
// those that work everywhere, then those of other views.
func (m *Model) openHelp() tea.Cmd {
	m.helped = m.helped[:0]
	for i := range m.keys.actions {
		m.helped = append(m.helped, &m.keys.actions[i])
	}
	rank := func(a *action) int {
		if slices.Contains(a.in, m.view) {
			return -1
		}
		return slices.Index(groups, a.group)
	}
	slices.SortStableFunc(m.helped, func(a, b *action) int { return cmp.Compare(rank(a), rank(b)) })
	entries := make([]panes.HelpEntry, len(m.helped))
	for i, a := range m.helped {
		entries[i] = panes.HelpEntry{Keys: strings.Join(a.keys, " "), Group: a.group, Text: a.text, Why: m.idle(a)}
	}
	m.help.Open(entries)
	m.overlay = helpOverlay
	return nil
}

// hints are the keys worth showing now; "? all" is last and always there.
func (m *Model) hints() []pane.Hint {
	if m.overlay == jumpOverlay {
		return []pane.Hint{{Key: "up/down", Text: "move"}, {Key: "enter", Text: "go there"}, {Key: "esc", Text: "close"}}
	}
	if m.overlay == helpOverlay {
		return []pane.Hint{{Key: "up/down", Text: "move"}, {Key: "enter", Text: "run it"}, {Key: "esc", Text: "close"}}
	}
	if m.overlay == reportOverlay {
		return []pane.Hint{{Key: "j/k", Text: "scroll"}, {Key: "esc", Text: "close"}, {Key: "?", Text: "all keys"}}
	}
	if m.overlay == policyOverlay {
		return []pane.Hint{{Key: "j/k", Text: "move"}, {Key: "h/l", Text: "turn"}, {Key: "enter", Text: "type"}, {Key: "esc", Text: "close"},
			{Key: "backspace", Text: "unset"}, {Key: "x", Text: "remove"}, {Key: "u", Text: "undo"}, {Key: "W", Text: "write"}, {Key: "O", Text: "open"}, {Key: "?", Text: "all keys"}}
	}
	if m.reading {
		return []pane.Hint{{Key: "j/k", Text: "scroll"}, {Key: "esc", Text: "back"}, {Key: "h/l", Text: "knob"},
			{Key: "=", Text: "fit the item"}, {Key: "?", Text: "all keys"}}
	}
	var own, hints []pane.Hint
	for i := range m.keys.actions {
		a := &m.keys.actions[i]
		if a.hint == "" || m.idle(a) != "" || m.find(a.keys[0]) != a {
			continue
		}
		text := a.hint
		if m.focus == onKnobs && a.onKnobs != "" {
			text = a.onKnobs
		}
		if hint := (pane.Hint{Key: a.label(), Text: text}); a.in != nil {
			own = append(own, hint)
		} else {
			hints = append(hints, hint)
		}
	}
	hints = append(own, hints...)
	return append(hints, pane.Hint{Key: "?", Text: "all keys"})
}
