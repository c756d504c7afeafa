package tui

import (
	"fmt"

	"cupelscope/tui/theme"
)

// messages are what the program tells the user in words.
type messages struct {
	line     string   // answers the last key
	notices  []notice // the first is shown, until esc
	quitting bool     // q was answered by a question
}

// notice is advice or a warning.
type notice struct {
	text   string
	lesson bool // what to try; else a warning
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

func (m *messages) teach(text string) { m.notices = append(m.notices, notice{text, true}) }

// dismiss takes the first notice away; false: there is none.
func (m *messages) dismiss() bool {
	if len(m.notices) == 0 {
		return false
	}
	m.notices = m.notices[1:]
	return true
}

// notice is the one that is shown, with a hint of what takes it away; "" if
// there is none.
func (m *messages) notice() (text string, role theme.Role, hint string) {
	if len(m.notices) == 0 {
		return "", theme.Plain, ""
	}
	hint = "esc"
	if more := len(m.notices) - 1; more > 0 {
		hint = fmt.Sprintf("esc, %d more", more)
	}
	if n := m.notices[0]; !n.lesson {
		return n.text, theme.Warn, hint
	}
	return "Try: " + m.notices[0].text, theme.Focus, hint
}
