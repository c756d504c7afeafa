package tui

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate/query"
	"cupelscope/tui/experiment"
	"cupelscope/tui/overlay/reader"
	"cupelscope/tui/screen"
)

// Which view is shown, and what esc and enter do.

// show changes the view, taking the selected item along where it can.
func (m *Model) show(v int) {
	i, ok := m.selected()
	if v != m.shown {
		m.leave()
		m.cancelJob(m.view())
	}
	m.closeAll()
	m.shown, m.back = v, model.Option[int]{}
	m.refresh()
	if ok {
		m.view().Select(i)
	}
}

// leave tells the view that keys go elsewhere now.
func (m *Model) leave() {
	if l, ok := m.view().(screen.Leaver); ok {
		l.Leave()
	}
}

// visit is show with a way back.
func (m *Model) visit(v int) {
	i, had := m.selected()
	from := m.shown
	m.show(v)
	if j, shown := m.selected(); had && (!shown || i != j) {
		m.message = hintOf(i) + " is hidden by the filter; esc clears it"
	}
	m.back = model.Some(from)
}

// goBack returns to the view that was left, as it was left.
func (m *Model) goBack() {
	m.leave()
	m.cancelJob(m.view())
	m.shown, m.back = m.back.Value, model.Option[int]{}
	m.refresh()
}

func (m *Model) edit(s experiment.Side) {
	m.side = s
	m.exp.Watch(s)
}

// goTo selects an item: in the view that is shown, else in Items. A filter that
// hides it there is cleared.
func (m *Model) goTo(item int) {
	m.closeAll()
	m.focus = onTable
	m.refresh()
	if m.view().Select(item) {
		return
	}
	m.show(0)
	if !m.view().Select(item) {
		m.setFilter(query.Query{})
		m.refresh()
		m.view().Select(item)
		m.message = hintOf(item) + " was hidden by the filter, which is cleared"
	}
}

// enter types a value of the knob that keys turn, or reads the selected item.
func (m *Model) enter() tea.Cmd {
	if _, knobs := m.top().(screen.Knobbed); knobs || m.focus == onKnobs {
		return m.typeValue()
	}
	switch i, ok := m.selected(); {
	case !ok:
		m.message = "enter: no item is selected"
	case m.reading():
		m.message = "the item is open already; esc closes it"
	default:
		m.open(reader.New(&m.whatIf, i))
		m.focus = onTable
	}
	return nil
}

// escape takes back what is there on top, one thing a key.
func (m *Model) escape() {
	over, is := m.over()
	switch {
	case is:
		m.close(over)
	case m.load.Running():
		m.stopLoading()
	case m.focus == onKnobs:
		m.focus = onTable
	case m.reading():
		m.closeAll()
	case m.back.Set:
		m.goBack()
	case m.escapeView():
	case len(m.chosen) > 0:
		clear(m.chosen)
		m.inOrder = nil
		m.message = "nothing is chosen any more"
	case !m.filter.IsZero():
		m.setFilter(query.Query{})
	case m.count.Running():
		m.stopCount()
	case m.stopWork():
	case len(m.notices) > 0:
		m.notices = m.notices[1:]
	default:
		m.message = "nothing to close; q quits"
	}
}

// escapeView has the view take back what it alone shows.
func (m *Model) escapeView() bool {
	e, ok := m.view().(screen.Escaper)
	return ok && e.Escape()
}

func (m *Model) changeFocus() {
	m.leave()
	m.focus = 1 - m.focus
}
