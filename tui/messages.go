package tui

import (
	"fmt"
	"slices"

	"cupelscope/tui/theme"
)

// messages are what the program tells the user in words.
type messages struct {
	line     string   // answers the last key
	notices  []notice // the first is shown, until esc
	untrue   bool     // what lessons say does not hold now: they are not shown
	quitting bool     // q was answered by a question
}

// notice is advice or a warning.
type notice struct {
	text   string
	lesson bool // what to try; else a warning
	tour   bool // t leads on from it
}

// say answers the last key, and answer where there is something to say.
func (m *messages) say(text string) { m.line = text }

func (m *messages) answer(text string) {
	if text != "" {
		m.line = text
	}
}

// clear forgets the answer to the key before.
func (m *messages) clear() { m.line, m.quitting = "", false }

func (m *messages) warn(text string) { m.notices = append(m.notices, notice{text: text}) }

// retract forgets a warning that is no longer true.
func (m *messages) retract(text string) {
	m.notices = slices.DeleteFunc(m.notices, func(n notice) bool { return n.text == text })
}

func (m *messages) teach(text string, tour bool) {
	m.notices = append(m.notices, notice{text, true, tour})
}

// first is the notice that is shown, -1 if there is none.
func (m *messages) first() int {
	return slices.IndexFunc(m.notices, func(n notice) bool { return !n.lesson || !m.untrue })
}

// dismiss takes the notice away that is shown; false: there is none.
func (m *messages) dismiss() bool {
	i := m.first()
	if i >= 0 {
		m.notices = slices.Delete(m.notices, i, i+1)
	}
	return i >= 0
}

// notice is the one that is shown, with a hint of what takes it away; "" if
// there is none. Tour says that t leads on from it here.
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
