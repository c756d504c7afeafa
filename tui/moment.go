package tui

import (
	"strconv"

	"cupelscope/model/plain"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
)

// lookAt shows what had come before a request, in all views.
func (m *Model) lookAt(at experiment.Moment) { m.moveTo(func() { m.exp.At(at) }) }

// startAt looks at the request of that number, which was checked, or says why not.
func (m *Model) startAt(number string) {
	requests, err := m.exp.Conversation().Requests(m.ctx)
	if err != nil {
		m.messages.say("--request " + number + ": " + err.Error())
		return
	}
	n, _ := strconv.Atoi(number)
	if all := requests.Session.Requests(); n > len(all) {
		m.messages.say("--request " + number + ": there are " + plain.Count(len(all), "request") + ", numbered from 1")
	} else if r := all[n-1]; !r.IsNow() {
		m.lookAt(requests.Moment(n - 1))
	}
}

// toEnd shows all items again.
func (m *Model) toEnd() { m.moveTo(m.exp.ToEnd) }

// atMoment reports whether a request is looked at in place of the end.
func (s *sessionState) atMoment() bool {
	_, ok := s.exp.Moment()
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
