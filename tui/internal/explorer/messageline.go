package explorer

import (
	"slices"
)

// The line below the view has an answer, which goes with the next key, or says what the newest change did,
// which stays until the next change. It stays in another view too, which forgets what a change before the
// newest did: there it would be taken for the newest. The key of the view that is shown leaves the
// line as it is.

// again reports whether a key asks for the view that is shown, while the line below it says something.
func (m *Model) again(key string) bool {
	a := m.keys.find(&m.screens, key)
	return a != nil && m.viewOnTop() && a.Name == "view."+m.spec().Name && m.told() && !m.messages.quitting
}

// told reports whether the line below the view says something.
func (m *Model) told() bool {
	im, changed := m.exp.Impact()
	return m.messages.intro != nil || m.messages.line != "" || changed && !im.Silent()
}

// messages holds the texts that the program shows to the user.
type messages struct {
	line     string   // answers the last key
	refused  bool     // line says why nothing was done
	progress string   // the line that shows how far work has come
	notices  []string // warnings: the first is shown, until esc
	warnings []string // every warning that is still true, for the load report
	quitting bool     // q was answered by a question
	touched  bool     // a key was pressed
	intro    []string // what is opened, until the first key, in forms from long to short
	// introKeys are the ways to go on from the introduction.
	introKeys []string
}

// say sets the message line, which answers the last key.
func (m *messages) say(text string) { m.line, m.refused = text, false }

// refuse is say for what was asked for and is not done, or not yet.
func (m *messages) refuse(why string) { m.line, m.refused = why, true }

// tell shows how far work has come, unless the line shows another message.
func (m *messages) tell(text string) {
	if m.line == "" || m.line == m.progress {
		m.say(text)
		m.progress = text
	}
}

// endProgress empties the line if it shows how far work has come.
func (m *messages) endProgress() {
	if m.line == m.progress {
		m.clear()
	}
}

// clear empties the message line.
func (m *messages) clear() { m.line, m.quitting = "", false }

// warn adds a warning after all notices. The load report keeps it after esc.
func (m *messages) warn(text string) {
	m.point(text)
	m.warnings = append(m.warnings, text)
}

// point adds a warning that the load report has in other words.
func (m *messages) point(text string) { m.notices = append(m.notices, text) }

// announce is like warn, but the text is shown before all others.
func (m *messages) announce(text string) {
	m.notices = slices.Insert(m.notices, 0, text)
	m.warnings = append(m.warnings, text)
}

// retract forgets a warning that is no longer true.
func (m *messages) retract(text string) {
	m.notices = slices.DeleteFunc(m.notices, func(s string) bool { return s == text })
	m.warnings = slices.DeleteFunc(m.warnings, func(s string) bool { return s == text })
}

// replace puts the notice by in place of text, if text is not dismissed yet; by "" removes it.
func (m *messages) replace(text, by string) {
	if i := slices.Index(m.notices, text); i >= 0 {
		m.notices[i] = by
	}
	m.notices = slices.DeleteFunc(m.notices, func(s string) bool { return s == "" })
}

// dismiss removes the notice that is shown. It returns false if there is none.
func (m *messages) dismiss() bool {
	there := len(m.notices) > 0
	m.notices = m.notices[min(1, len(m.notices)):]
	return there
}

// notice returns the text of the notice that is shown, and the keys that work on it; the
// text is "" if there is none.
func (m *messages) notice() (text, hint string) {
	switch n := len(m.notices); n {
	case 0:
		return "", ""
	case 1:
		return m.notices[0], "i more, esc hides" // the report of loading tells all warnings
	default:
		return m.notices[0], "i all, esc next"
	}
}
