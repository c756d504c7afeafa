package explorer

import (
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// tour is a tour of six steps through the fixture agent: what falls out, why, what brings
// it back, greedy or knapsack, cutting what does not fit, and saving. The user takes a step by doing what it says.
type tour struct {
	on     bool
	step   int
	item   int          // the item that fell out
	budget model.Tokens // maxTokens when the step began
}

// tourRule is the rule that the tour asks for: at the budget that it has led to, eight more
// items of the fixture come in with it, and none leaves.
const tourRule = "shrink * 100"

// The steps of the tour.
const (
	tourLoss = iota
	tourWhy
	tourBack
	tourCompare
	tourCut
	tourSave
	tourSteps
)

// noTour returns why there is no tour, or "" if there is one.
func (m *Model) noTour() string {
	switch {
	case !m.session.Tour:
		return "the tour needs the fixture agent: cupelscope --tour"
	case m.exp.Result(m.side) == nil:
		return m.needsResult()
	}
	return ""
}

// beginTour shows the items and takes the first step. The tour leads on from whatever is
// being tried, and changes nothing itself.
func (m *Model) beginTour() {
	m.closeAll()
	m.show(m.viewNamed(screen.Items))
	m.focus = onTable
	m.tour = tour{on: true, budget: m.budget()}
}

// tourSpeaks returns what to do next, for the line of advice.
func (m *Model) tourSpeaks() string {
	item := hintOf(m.tour.item)
	say := ""
	switch m.tour.step {
	case tourLoss:
		next := m.keys.named("budget.next")
		say = "press " + next.Keys[0] + " until an item leaves although the budget grows"
		if next.Idle() != "" {
			say = "press " + m.keyOf("budget.back") + ": a smaller budget, and an item leaves"
		}
		if i, n, ok := m.nextLoss(); ok {
			say = fmt.Sprintf("press %s %s: #%d leaves although the budget grows", next.Keys[0], times(n), i)
		}
	case tourWhy:
		say = item + " fell out. Press " + m.keyOf("open") + " to read why"
	case tourBack:
		say = m.tourBack()
	case tourCompare:
		a, b := m.exp.Setup().Policy[experiment.A], m.exp.Setup().Policy[experiment.B]
		say = fmt.Sprintf("%s is in again. Press %s: %s or %s, and why", item, m.keyOf("view."+screen.Compare), widget.SlicerName(a), widget.SlicerName(b))
	case tourCut:
		say = "cut what does not fit: press " + m.keyOf("palette") + ", type " + tourRule + ", enter"
		if try := m.keys.named("compare.try"); m.shown == m.viewNamed(screen.Compare) && try != nil && try.Idle() == "" {
			say += ". " + try.Keys[0] + " tries what is said here"
		}
	case tourSave:
		say = "keep what you tried: press " + m.keyOf("save") + ", name a file, enter"
	}
	return fmt.Sprintf("Tour %d of %d: %s", m.tour.step+1, tourSteps, say)
}

// tourBack returns how the item that fell out comes in again.
func (m *Model) tourBack() string {
	item := hintOf(m.tour.item)
	if m.reading() {
		return "the first lines say why " + item + " is out. Press " + m.keyOf("close")
	}
	if i, ok := m.selected(); !ok || i != m.tour.item {
		return "put the cursor on " + item + ": " + m.keyOf("jump") + ", " + strings.TrimPrefix(item, "#") + ", enter"
	}
	p := m.exp.Profile(m.side)
	switch {
	case m.exp.Items().Excluded(m.tour.item):
		return "press " + m.keyOf("item.exclude") + ": " + item + " is excluded by you"
	case p == nil:
		return "computing the budgets"
	}
	if b, ok := p.NextFor(m.tour.item, m.budget()); ok {
		key := m.keyOf("item.next")
		if stop, _ := p.NextSizeFor(m.tour.item, m.budget()); stop != b { // a note comes or goes before
			key += " again and again"
		}
		return fmt.Sprintf("press %s: %v tokens bring %s back", key, b, item)
	}
	if b, ok := p.PrevFor(m.tour.item, m.budget()); ok {
		return fmt.Sprintf("press %s: %v tokens have %s in", m.keyOf("item.back"), b, item)
	}
	return "no budget brings " + item + " back: " + m.keyOf("item.pin") + " pins it"
}

// takeTour goes on to the next step once what it asks for is done.
func (m *Model) takeTour() {
	if m.touring && m.noTour() == "" {
		m.touring = false
		m.beginTour()
	}
	t := &m.tour
	if !t.on {
		return
	}
	o := m.exp.Outcome(m.side)
	if state, _ := m.exp.State(m.side); state != experiment.Current || o == nil {
		return
	}
	in := t.item < o.Items.Len() && o.Report.In(t.item)
	switch im, _ := m.exp.Impact(); t.step {
	case tourLoss:
		if m.budget() == t.budget || im.Pending || len(im.Out) == 0 {
			return
		}
		t.item = int(im.Out[0])
		m.selectItem(t.item)
	case tourWhy:
		if in { // it was pinned, or has come back
			t.step, t.budget = tourLoss, m.budget()
			return
		}
		if !m.reading() {
			return
		}
	case tourBack:
		if m.reading() || !in {
			return
		}
	case tourCompare:
		if !in {
			t.step = tourBack
			return
		}
		if !m.viewOnTop() || m.shown != m.viewNamed(screen.Compare) {
			return
		}
	case tourCut:
		switch {
		case o.Policy.SizesFit() != nil: // it takes whole items only
		case !m.viewOnTop() || !o.Items.HasSizes():
			return
		default:
			m.show(m.viewNamed(screen.Items))
		}
	case tourSave:
		if m.unsaved() || m.typing() {
			return
		}
		t.on = false
		m.messages.say("That was the tour: " + m.keyOf("help") + " lists every key, " + m.keyOf("palette") + " does what you type. " + m.messages.line)
		return
	}
	t.step, t.budget = t.step+1, m.budget()
	m.takeTour()
}

// leaveTour ends the tour. It returns false if there is none.
func (m *Model) leaveTour() bool {
	was := m.tour.on
	m.tour = (tour{})
	if was {
		m.messages.say("the tour is over")
	}
	return was
}

// typing reports whether the user is typing a line.
func (s *screens) typing() bool { return s.specOf(s.top()).Key != nil }
