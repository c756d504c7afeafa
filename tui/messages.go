package tui

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/tui/theme"
)

// messages holds the texts that the program shows to the user.
type messages struct {
	line     string   // answers the last key
	notices  []notice // the first is shown, until esc
	untrue   bool     // what lessons say does not hold now: they are not shown
	quitting bool     // q was answered by a question
}

// notice is advice or a warning.
type notice struct {
	text   string
	lesson bool   // what to try; else a warning
	keys   string // of a lesson: what it still asks to press; it is done after the last
	done   bool   // it has been pressed
	tour   bool   // t leads on from it
}

// say sets the message line, which answers the last key.
func (m *messages) say(text string) { m.line = text }

// answer is like say, but keeps the line as it is if text is "".
func (m *messages) answer(text string) {
	if text != "" {
		m.line = text
	}
}

// clear empties the message line.
func (m *messages) clear() { m.line, m.quitting = "", false }

func (m *messages) warn(text string) { m.notices = append(m.notices, notice{text: text}) }

// announce is like warn, but the text is shown before all others.
func (m *messages) announce(text string) {
	m.notices = slices.Insert(m.notices, 0, notice{text: text})
}

// retract forgets a warning that is no longer true.
func (m *messages) retract(text string) {
	m.notices = slices.DeleteFunc(m.notices, func(n notice) bool { return n.text == text })
}

// teach adds a lesson, and the keys that it asks for.
func (m *messages) teach(text, keys string, tour bool) {
	m.notices = append(m.notices, notice{text: text, lesson: true, keys: keys, tour: tour})
}

// pressed takes a key off what lessons ask for, and removes those that were done
// before it.
func (m *messages) pressed(key string) {
	m.notices = slices.DeleteFunc(m.notices, func(n notice) bool { return n.done })
	for i := range m.notices {
		n := &m.notices[i]
		if rest, asked := strings.CutPrefix(n.keys, key); asked && n.keys != "" {
			n.keys, n.done = rest, rest == ""
		}
	}
}

// first returns the index of the notice that is shown, or -1 if there is none.
func (m *messages) first() int {
	return slices.IndexFunc(m.notices, func(n notice) bool { return !n.lesson || !m.untrue })
}

// dismiss removes the notice that is shown. It returns false if there is none.
func (m *messages) dismiss() bool {
	i := m.first()
	if i >= 0 {
		m.notices = slices.Delete(m.notices, i, i+1)
	}
	return i >= 0
}

// notice returns the text of the notice that is shown, its role and the keys that work on
// it; the text is "" if there is none. Tour says that the key t can start the tour.
func (m *messages) notice(tour bool) (text string, role theme.Role, hint string) {
	i := m.first()
	if i < 0 {
		return "", theme.Plain, ""
	}
	hint = "esc"
	if m.notices[i].tour && tour {
		hint = "t tour, esc"
	}
	if more := len(m.notices) - 1; more > 0 {
		hint = fmt.Sprintf("esc, %d more", more)
	}
	if n := m.notices[i]; !n.lesson {
		return n.text, theme.Warn, hint
	}
	return "Try: " + m.notices[i].text, theme.Focus, hint
}
