package tui

import (
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/overlay/prompt"
	"cupelscope/tui/screen"
	"cupelscope/tui/work"
)

// The views lie at the bottom, one of them shown; over it lie an item that is
// read, an overlay, a line that is typed. Keys go to the topmost, or to the
// knobs beside the main area.

// placeOf is where a screen is drawn.
func placeOf(s screen.Screen) screen.Place {
	if a, ok := s.(screen.Area); ok {
		return a.Area()
	}
	return screen.Main
}

// open puts a screen on top, in place of one of its kind.
func (m *Model) open(s screen.Screen) {
	if placeOf(s) != screen.Footer {
		m.leave()
	}
	m.closeIf(func(other screen.Screen) bool { return reflect.TypeOf(other) == reflect.TypeOf(s) })
	m.stack = append(m.stack, s)
}

// closeIf closes the screens over the view of which something holds.
func (m *Model) closeIf(holds func(s screen.Screen) bool) {
	m.stack = slices.DeleteFunc(m.stack, func(s screen.Screen) bool {
		if !holds(s) {
			return false
		}
		if w, ok := s.(work.Worker); ok {
			m.pool.Drop(w)
		}
		return true
	})
}

func (m *Model) close(s screen.Screen) {
	m.closeIf(func(other screen.Screen) bool { return other == s })
}

// closeAll leaves the view alone.
func (m *Model) closeAll() { m.closeIf(func(screen.Screen) bool { return true }) }

// top is the topmost screen.
func (m *Model) top() screen.Screen {
	if n := len(m.stack); n > 0 {
		return m.stack[n-1]
	}
	return m.view()
}

// at is the topmost screen of those up to a place: at Main the view, or the item
// that is read.
func (m *Model) at(place screen.Place) screen.Screen {
	for _, s := range slices.Backward(m.stack) {
		if placeOf(s) <= place {
			return s
		}
	}
	return m.view()
}

// viewOnTop reports whether nothing lies over the view but a line that is typed.
func (m *Model) viewOnTop() bool { return m.at(screen.Over) == screen.Screen(m.view()) }

// reading reports whether an item is open.
func (m *Model) reading() bool { return m.at(screen.Main) != screen.Screen(m.view()) }

// over is the overlay over the main area; false if there is none.
func (m *Model) over() (screen.Screen, bool) {
	s := m.at(screen.Over)
	return s, placeOf(s) == screen.Over
}

// cursor is what the keys that move do, if anything: of an overlay, of the knobs
// if they have the focus, else of what is in the main area.
func (m *Model) cursor() (screen.Cursor, bool) {
	c, _ := m.mover()
	cursor, ok := c.(screen.Cursor)
	return cursor, ok
}

// mover is cursor for the wheel, which also moves what takes all keys itself.
func (m *Model) mover() (screen.Mover, bool) {
	s, over := m.over()
	if !over && m.focus == onKnobs {
		return &m.knobs, true
	}
	c, ok := s.(screen.Mover)
	return c, ok
}

// selected is the item that keys act on.
func (m *Model) selected() (int, bool) {
	if s, ok := m.at(screen.Main).(screen.Selecter); ok && m.exp != nil {
		return s.Selected()
	}
	return 0, false
}

// ask asks for a line of text.
func (m *Model) ask(q screen.Question) tea.Cmd {
	m.message = ""
	m.open(prompt.New(app{m}, q))
	return nil
}
