package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/overlay/help"
	"cupelscope/tui/screen"
)

// gather lists what all keys do: first what works everywhere, then what views do.
func (m *Model) gather() []bound {
	var all []bound
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

// of is what a key does in a view, or everywhere; nil if nothing.
func (m *Model) of(view int, name string) *bound {
	for i := range m.keys {
		if a := &m.keys[i]; a.view == view && slices.Contains(a.Keys(), name) {
			return a
		}
	}
	return nil
}

// find is what a key does as things are; nil if nothing. The view's own keys
// come first, unless keys go to the knobs.
func (m *Model) find(name string) *bound {
	var own *bound
	if m.viewOnTop() {
		own = m.of(m.shown, name)
	} else if a, ok := m.top().(screen.Actor); ok {
		for _, a := range a.Actions() {
			if slices.Contains(a.Keys(), name) {
				return &bound{a, everywhere}
			}
		}
	}
	if own != nil && m.focus == onTable {
		return own
	}
	if a := m.of(everywhere, name); a != nil {
		return a
	}
	return own
}

// inTable reports whether keys go to the view that is shown.
func (m *Model) inTable() bool { return m.viewOnTop() && m.focus == onTable }

// elsewhere says where a key does something that does nothing here; "" if it
// does nowhere.
func (m *Model) elsewhere(name string) string {
	var names []string
	for v := range m.views {
		switch {
		case m.of(v, name) == nil:
		case v == m.shown && m.reading():
			return "an item is open; esc closes it"
		default:
			names = append(names, fmt.Sprintf("%s (%d)", m.views[v].Spec().Name, v+1))
		}
	}
	if names == nil {
		return ""
	}
	return "only in " + strings.Join(names, " and ")
}

// idle says why an action does nothing now; "" if it does.
func (m *Model) idle(a *bound) string {
	if a.view != everywhere && (a.view != m.shown || !m.viewOnTop()) {
		return m.elsewhere(a.Keys()[0])
	}
	return a.Idle()
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
	m.message = ""
	wasQuitting := m.quitting
	m.quitting = false
	a := m.find(name)
	if a == nil {
		why := m.elsewhere(name)
		if m.message = keyName(name) + ": " + why; why == "" {
			m.message = keyName(name) + " does nothing; ? lists what every key does"
		}
		m.exp.EndRun()
		return nil
	}
	m.quitting = wasQuitting && (name == "q" || name == "ctrl+c")
	return m.do(a)
}

// do runs an action, or says why it does nothing.
func (m *Model) do(a *bound) tea.Cmd {
	if !a.KeepsRun {
		m.exp.EndRun()
	}
	if why := m.idle(a); why != "" {
		m.message = keyName(a.Keys()[0]) + ": " + why
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
	m.message = "nothing is being typed here: / filters, enter on a knob types a value"
	return nil
}

// ordered is all keys by group: first those of the view that is shown, then
// those that work everywhere, then those of other views.
func (m *Model) ordered() []*bound {
	all := make([]*bound, len(m.keys))
	for i := range m.keys {
		all[i] = &m.keys[i]
	}
	rank := func(a *bound) int {
		switch a.view {
		case m.shown:
			return -1
		case everywhere:
			return slices.Index(groups, a.Group)
		}
		return len(groups) + a.view
	}
	slices.SortStableFunc(all, func(a, b *bound) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}

// openHelp lists all keys.
func (m *Model) openHelp() {
	var entries []help.Entry
	for _, a := range m.ordered() {
		entries = append(entries, help.Entry{Keys: strings.Join(a.Keys(), " "), Group: a.Group, Text: a.Text(), Why: m.idle(a), Run: func() tea.Cmd { return m.do(a) }})
	}
	m.open(help.New(app{m}, entries))
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
		if a.Hint == "" || m.idle(a) != "" || m.find(a.Keys()[0]) != a {
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
		b.SetEnabled(m.idle(a) == "")
		columns[k] = append(columns[k], b)
	}
	return columns
}
