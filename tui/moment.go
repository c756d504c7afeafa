package tui

import (
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
)

// lookAt shows what had come before a request, in all views.
func (m *Model) lookAt(at experiment.Moment) { m.moveTo(func() { m.exp.At(at) }) }

// toEnd shows all items again.
func (m *Model) toEnd() { m.moveTo(m.exp.ToEnd) }

// atMoment reports whether a request is looked at in place of the end.
func (m *Model) atMoment() bool {
	_, ok := m.exp.Moment()
	return ok
}

// moveTo changes the moment. Items that have not come by then are forgotten by all
// that names them.
func (m *Model) moveTo(change func()) {
	change()
	m.forgetItems(func(i int) (int, bool) { return i, i < m.exp.Items().Len() })
}

// forgetItems has all that names items forget them, but for those that are still
// there, by index: where an item is now.
func (m *Model) forgetItems(index func(item int) (int, bool)) {
	m.leave()
	for _, v := range m.views {
		if f, ok := v.(screen.Forgetter); ok {
			f.Forget()
		}
	}
	m.selection = m.selection.carry(index)
}
