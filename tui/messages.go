package tui

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/tui/internal/theme"
)

// messages holds the texts that the program shows to the user.
type messages struct {
	line     string   // answers the last key
	spelled  bool     // line may take the row of the hints too
	notices  []notice // the first is shown, until esc
	told     []string // every warning that is true still, for the load report
	quitting bool     // q was answered by a question
}

// notice is advice or a warning.
type notice struct {
	text   string
	lesson *lesson // what to try; nil for a warning
	tour   bool    // t leads on from it
}

// lesson is how far the user has followed a lesson.
type lesson struct {
	keys     string       // that it asks to press
	left     string       // those that are still to be pressed; it is done after the last
	from, at model.Tokens // maxTokens where it begins, and after the keys that were pressed
	moved    bool         // one of the keys was pressed just now
	done     bool         // all keys have been pressed
	hidden   bool         // it is not true now
}

// say sets the message line, which answers the last key.
func (m *messages) say(text string) { m.line, m.spelled = text, false }

// spell is like say for a text that counts to its end, such as a path: it takes the row of
// the hints too if it needs that.
func (m *messages) spell(text string) { m.line, m.spelled = text, true }

// answer is like say, but keeps the line as it is if text is "".
func (m *messages) answer(text string) {
	if text != "" {
		m.say(text)
	}
}

// clear empties the message line.
func (m *messages) clear() { m.line, m.quitting = "", false }

// warn adds a warning after all notices. The load report keeps it after esc.
func (m *messages) warn(text string) {
	m.point(text)
	m.told = append(m.told, text)
}

// point adds a warning that the load report tells in other words.
func (m *messages) point(text string) { m.notices = append(m.notices, notice{text: text}) }

// announce is like warn, but the text is shown before all others.
func (m *messages) announce(text string) {
	m.notices = slices.Insert(m.notices, 0, notice{text: text})
	m.told = append(m.told, text)
}

// retract forgets a warning that is no longer true.
func (m *messages) retract(text string) {
	m.notices = slices.DeleteFunc(m.notices, func(n notice) bool { return n.text == text })
	m.told = slices.DeleteFunc(m.told, func(s string) bool { return s == text })
}

// teach adds a lesson that is true at a budget, and the keys that it asks for.
func (m *messages) teach(text, keys string, at model.Tokens, tour bool) {
	m.notices = append(m.notices, notice{text: text, lesson: &lesson{keys: keys, left: keys, from: at, at: at}, tour: tour})
}

// pressed takes a key off what lessons ask for, and removes those that were done
// before it.
func (m *messages) pressed(key string) {
	m.notices = slices.DeleteFunc(m.notices, func(n notice) bool { return n.lesson != nil && n.lesson.done })
	for _, n := range m.notices {
		if n.lesson == nil || n.lesson.hidden || n.lesson.left == "" {
			continue
		}
		if rest, asked := strings.CutPrefix(n.lesson.left, key); asked {
			n.lesson.left, n.lesson.done, n.lesson.moved = rest, rest == "", true
		}
	}
}

// arrangeLessons hides the lessons that are not true at a budget. Holds says whether
// nothing but the budget has changed since they were taught. A lesson that was followed to
// its end is shown in every view, because its last key may have led there.
func (m *messages) arrangeLessons(budget model.Tokens, holds, items bool) {
	for _, n := range m.notices {
		l := n.lesson
		switch {
		case l == nil:
			continue
		case l.moved:
			l.at, l.moved = budget, false
		case budget == l.from && !l.done:
			l.at, l.left = budget, l.keys
		}
		l.hidden = !holds || budget != l.at || !items && !l.done
	}
}

// shows reports whether the notice is true now.
func (n notice) shows() bool { return n.lesson == nil || !n.lesson.hidden }

// first returns the index of the notice that is shown, or -1 if there is none.
func (m *messages) first() int { return slices.IndexFunc(m.notices, notice.shows) }

// dismiss removes the notice that is shown. It returns false if there is none.
func (m *messages) dismiss() bool {
	i := m.first()
	if i >= 0 {
		m.notices = slices.Delete(m.notices, i, i+1)
	}
	return i >= 0
}

// notice returns the text of the notice that is shown, its role and the keys that work on
// it; the text is "" if there is none.
func (m *messages) notice() (text string, role theme.Role, hint string) {
	i := m.first()
	if i < 0 {
		return "", theme.Plain, ""
	}
	hint = "esc"
	if m.notices[i].tour {
		hint = "t tour, esc"
	}
	more := 0
	for _, n := range m.notices[i+1:] {
		if n.shows() {
			more++
		}
	}
	if more > 0 {
		hint = fmt.Sprintf("esc, %d more", more)
	}
	if n := m.notices[i]; n.lesson == nil {
		return n.text, theme.Warn, "i, " + hint // the report of loading tells all warnings
	}
	return "Try: " + m.notices[i].text, theme.Focus, hint
}
