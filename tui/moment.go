package tui

import (
	"strconv"

	"cupelscope/model/plain"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
)

// lookAt shows an earlier moment of the conversation in all views.
func (m *Model) lookAt(at experiment.Moment) { m.moveTo(func() { m.exp.At(at) }) }

// startAt shows the moment of the request with that number, which Start.Check has
// validated, or a message that says why it cannot.
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

// toEnd shows the end of the conversation again, with all items.
func (m *Model) toEnd() { m.moveTo(m.exp.ToEnd) }

// atMoment reports whether an earlier moment is shown in place of the end.
func (s *sessionState) atMoment() bool {
	_, ok := s.exp.Moment()
	return ok
}

// moveTo calls change, which sets the moment, and then makes views and selection forget
// the items that had not come by then.
func (m *Model) moveTo(change func()) {
	change()
	m.forgetItems(func(i int) (int, bool) { return i, i < m.exp.Items().Len() })
}

// forgetItems makes the views forget all items, and the selection those that are gone.
// Index returns where an item is now, or false if it is gone.
func (m *Model) forgetItems(index func(item int) (int, bool)) {
	m.leave()
	for _, v := range m.views {
		if f, ok := v.(screen.Forgetter); ok {
			f.Forget()
		}
	}
	m.selection = m.selection.carry(index)
}
