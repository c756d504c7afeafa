package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/screen"
)

// gather lists what all keys do: first what works everywhere, then what views do.
func (m *Model) gather() keyTable {
	var all keyTable
	for _, a := range m.mainActions() {
		all = append(all, bound{a, everywhere})
	}
	for v := range m.views {
		for _, a := range m.views[v].Actions() {
			if a.Group == "" {
				a.Group = strings.ToLower(m.views[v].Spec().Name)
			}
			all = append(all, bound{a, v})
		}
	}
	return all
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
	if t, ok := m.top().(screen.Typist); ok {
		return tea.Batch(t.Key(msg), m.settle())
	}
	wasQuitting := m.messages.quitting
	m.messages.clear()
	a := m.keys.find(&m.screens, name)
	if a == nil {
		why := m.keys.elsewhere(&m.screens, name)
		if m.messages.say(keyName(name) + ": " + why); why == "" {
			m.messages.say(keyName(name) + " does nothing; ? lists what every key does")
		}
		m.exp.EndRun()
		return nil
	}
	m.messages.quitting = wasQuitting && (name == "q" || name == "ctrl+c")
	return m.do(a)
}

// do runs an action, or says why it does nothing.
func (m *Model) do(a *bound) tea.Cmd {
	if !a.KeepsRun {
		m.exp.EndRun()
	}
	if why := m.keys.idle(&m.screens, a); why != "" {
		m.messages.say(keyName(a.Keys()[0]) + ": " + why)
		return nil
	}
	return tea.Batch(a.Run(), m.settle())
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
	if t, ok := m.top().(screen.Typist); ok && m.exp != nil {
		return tea.Batch(t.Paste(msg.Content), m.settle())
	}
	m.messages.say("nothing is being typed here: / filters, enter on a knob types a value")
	return nil
}

// hints are the keys worth showing now.
func (m *Model) hints() []screen.Hint {
	if h, ok := m.top().(screen.Hinter); ok {
		return h.Hints()
	}
	return screen.HintsOf(keyMap{m})
}

// keyMap is the table of keys as the help of Bubbles asks for it.
type keyMap struct{ *Model }

// ShortHelp is the keys worth showing now, what keeps its place last: "? all".
func (m keyMap) ShortHelp() []key.Binding {
	var own, main, later []key.Binding
	for i := range m.keys {
		a := &m.keys[i]
		if a.Hint == "" || m.keys.idle(&m.screens, a) != "" || m.keys.find(&m.screens, a.Keys()[0]) != a {
			continue
		}
		text := a.Hint
		if m.focus == onKnobs && a.OnKnobs != "" {
			text = a.OnKnobs
		}
		hint := screen.Bind(a.Label(), text, a.Keys()...)
		switch {
		case a.Later:
			later = append(later, hint)
		case a.view == everywhere:
			main = append(main, hint)
		default:
			own = append(own, hint)
		}
	}
	return slices.Concat(own, main, later, []key.Binding{screen.Bind("?", "all keys", "?")})
}

// FullHelp is all keys, a column a group; those that do nothing now are disabled.
func (m keyMap) FullHelp() [][]key.Binding {
	var columns [][]key.Binding
	column := map[string]int{}
	for i := range m.keys {
		a := &m.keys[i]
		k, seen := column[a.Group]
		if !seen {
			k, columns = len(columns), append(columns, nil)
			column[a.Group] = k
		}
		b := a.Binding
		b.SetEnabled(m.keys.idle(&m.screens, a) == "")
		columns[k] = append(columns[k], b)
	}
	return columns
}
