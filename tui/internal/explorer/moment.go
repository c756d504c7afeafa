package explorer

import (
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
)

// lookAt shows an earlier moment of the conversation in all views.
func (m *Model) lookAt(at experiment.Moment) {
	m.moveTo(func() {
		if err := m.exp.At(at); err != nil {
			m.messages.refuse("request " + strconv.Itoa(at.Number) + " cannot be shown: " + err.Error())
		}
	})
}

// startAt shows the moment of the request with that number, which Start.Check has
// validated, or a message that says why it cannot.
func (m *Model) startAt(number string) {
	requests, err := m.exp.Conversation().Requests(m.ctx)
	if err != nil {
		m.messages.refuse("--request " + number + ": " + err.Error())
		return
	}
	n, _ := strconv.Atoi(number)
	if all := requests.History.Requests(); n > len(all) {
		m.messages.refuse("--request " + number + ": there are " + plain.Count(len(all), "request") + ", numbered from 1")
	} else if r := all[n-1]; !r.IsNow() {
		m.lookAt(requests.Moment(n - 1))
	}
}

// keepMoment gives the request that is shown the number that it has now. If it is no
// request any more, keepMoment shows the next one, and returns true.
func (m *Model) keepMoment() (moved bool) {
	at, earlier := m.exp.Moment()
	history, _ := m.turns.History()
	if !earlier || history == nil {
		return false
	}
	t, found := history.Find(at)
	switch {
	case found:
		m.exp.Renumber(t+1, len(history.Requests()))
		return false
	case t < 0 || history.Requests()[t].IsNow():
		m.toEnd()
	default:
		m.lookAt(history.Moment(t))
	}
	return true
}

// toEnd shows the end of the conversation again, with all items.
func (m *Model) toEnd() { m.moveTo(m.exp.ToEnd) }

// atMoment reports whether an earlier moment is shown in place of the end.
func (s *workspaceState) atMoment() bool {
	_, ok := s.exp.Moment()
	return ok
}

// atRemoved reports whether the items of an earlier moment are shown that need not be
// there at the end, or that have other numbers there.
func (s *workspaceState) atRemoved() bool {
	at, earlier := s.exp.Moment()
	return earlier && at.HasRemoved()
}

// moveTo calls change, which sets the moment, and then makes views and selection forget
// the items that are not there.
func (m *Model) moveTo(change func()) {
	before := m.exp.Numbers()
	change()
	m.forgetItems(func(i int) (int, bool) {
		i, shown := m.exp.Numbers().From(before, i)
		return i, shown && i < m.exp.Items().Len()
	})
}

// forgetItems makes the views forget all items, and drops from the selection the items that
// are gone. Index returns where an item is now, or false if it is gone.
func (m *Model) forgetItems(index func(item int) (int, bool)) {
	m.leave()
	m.stays() // nothing is kept once the user has moved the cursor
	was := m.kept
	m.kept = model.Option[kept]{}
	m.each(func(spec *screen.Spec) {
		if spec.Forget != nil {
			spec.Forget()
		}
	})
	m.selection = m.selection.carry(index)
	if i, there := index(was.Value.item); was.Set && there {
		m.keep(i)
	}
}
