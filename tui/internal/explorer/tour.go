package explorer

import (
	"fmt"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// tour is a tour through the fixture agent: what falls out, why, what brings it back, greedy or
// knapsack, cutting what does not fit, the other views, and saving. The user takes a step by
// doing what it says; a step that was done stays done.
type tour struct {
	on     bool
	step   int
	item   int             // the item that fell out
	budget model.Tokens    // maxTokens when the tour began
	seen   map[string]bool // the views that were shown since
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
	tourMap
	tourCurve
	tourReplay
	tourTurns
	tourSave
	tourSteps
)

// tourViews are the views that steps lead to, and what is seen there.
var tourViews = map[int]struct{ name, says string }{
	tourCompare: {screen.Compare, ""}, // it names the slicers
	tourMap:     {screen.Map, "each item over all budgets"},
	tourCurve:   {screen.Curve, "what each budget is worth"},
	tourReplay:  {screen.Replay, "how the slicer chooses; d: A and B"},
	tourTurns:   {screen.Turns, "what each request costs"},
}

// whyNoTour returns why there is no tour, or "" if there is one.
func (m *Model) whyNoTour() string {
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
	m.tour = tour{on: true, budget: m.budget(), seen: map[string]bool{}}
}

// tourSpeaks returns what to do next, for the line of advice.
func (m *Model) tourSpeaks() string {
	item := itemName(m.tour.item)
	say, view := "", tourViews[m.tour.step]
	if view.name != "" {
		say = "press " + m.keyOf("view."+view.name) + ": " + view.says
	}
	switch m.tour.step {
	case tourLoss:
		next := m.keys.named("budget.next")
		say = "press " + next.Keys[0] + " until an item leaves: more budget, and less is in"
		if next.Idle() != "" {
			say = "press " + m.keyOf("budget.back") + ": a smaller budget, and an item leaves"
		}
		if i, n, ok := m.nextLoss(); ok {
			say = fmt.Sprintf("press %s%s: more budget, #%d leaves", next.Keys[0], times(n), i)
		}
	case tourWhy:
		say = item + " fell out. Press " + m.keyOf("open") + ": why"
	case tourBack:
		say = m.tourBack()
	case tourCompare:
		a, b := m.exp.Setup().Policy[experiment.A], m.exp.Setup().Policy[experiment.B]
		say += fmt.Sprintf("%s or %s", widget.SlicerName(a), widget.SlicerName(b))
		if o := m.exp.Outcome(m.side); m.tour.item < o.Items.Len() && o.Report.In(m.tour.item) {
			say = item + " is in again. P" + say[1:]
		}
	case tourCut:
		say = m.tourCuts()
	case tourSave:
		say = "keep what you tried: press " + m.keyOf("save") + ", name a file, enter"
	}
	return fmt.Sprintf("Tour %d of %d: %s", m.tour.step+1, tourSteps, say)
}

// tourCuts returns how items come in cut.
func (m *Model) tourCuts() string {
	if m.exp.Items().HasSizes() {
		return fmt.Sprintf("nothing has to be cut at %v: press %s", m.budget(), m.keyOf("budget.back"))
	}
	return "cut what does not fit: press " + m.keyOf("palette") + ", type " + tourRule + ", enter"
}

// tourBack returns how the item that fell out comes in again.
func (m *Model) tourBack() string {
	item := itemName(m.tour.item)
	if m.reading() {
		return "the top line says why " + item + " is out. Press " + m.keyOf("close") + " to go on"
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
	if m.touring && m.whyNoTour() == "" {
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
	if m.viewOnTop() {
		t.seen[m.specOf(m.view()).Name] = true
	}
	if !m.tourDone(o) {
		return
	}
	switch t.step {
	case tourLoss:
		im, _ := m.exp.Impact()
		t.item = int(im.Out[0])
		m.selectItem(t.item)
	case tourCut:
		if o.Items.HasSizes() { // the rows say what was cut
			m.show(m.viewNamed(screen.Items))
		}
	case tourSave:
		t.on = false
		m.messages.say("That was the tour: " + m.keyOf("help") + " lists every key, " + m.keyOf("palette") + " does what you type. " + m.messages.line)
		return
	}
	t.step++
	m.takeTour()
}

// tourDone reports whether what the step asks for is done, or can no longer be. O is the current
// outcome.
func (m *Model) tourDone(o *experiment.Outcome) bool {
	t := &m.tour
	in := t.item < o.Items.Len() && o.Report.In(t.item)
	switch t.step {
	case tourLoss:
		im, _ := m.exp.Impact()
		return m.budget() != t.budget && !im.Pending && len(im.Out) > 0
	case tourWhy:
		return in || m.reading()
	case tourBack:
		return in && !m.reading()
	case tourCut:
		cut := func(i int32) bool { return o.Report.Size(int(i)) > 0 }
		return o.Policy.SizesFit() != nil || m.viewOnTop() && slices.ContainsFunc(o.Report.Included, cut)
	case tourSave:
		return !m.unsaved() && !m.typing()
	}
	return t.seen[tourViews[t.step].name]
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
