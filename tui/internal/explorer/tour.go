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
const tourRule = "shrink all to 100"

// tourStep is a step of the tour. Its functions are called while there is a result.
type tourStep struct {
	view string                                     // that it leads to, which does it; "": none
	says func(m *Model) string                      // what to do next
	done func(m *Model, o *experiment.Outcome) bool // that is done, or can no longer be; nil: the view does it
	then func(m *Model, o *experiment.Outcome)      // follows once it is done; nil: nothing
}

func tourSteps() []tourStep {
	sees := func(view, what string) tourStep {
		return tourStep{view: view, says: func(m *Model) string { return "press " + m.keyOf("view."+view) + ": " + what }}
	}
	return []tourStep{
		{says: (*Model).tourLoss, done: func(m *Model, _ *experiment.Outcome) bool {
			im, _ := m.exp.Impact()
			return m.budget() != m.tour.budget && !im.Pending && len(im.Out) > 0
		}, then: func(m *Model, _ *experiment.Outcome) {
			im, _ := m.exp.Impact()
			m.tour.item = int(im.Out[0])
			m.selectItem(m.tour.item)
		}},
		{says: func(m *Model) string { return itemName(m.tour.item) + " fell out. Press " + m.keyOf("open") + ": why" },
			done: func(m *Model, o *experiment.Outcome) bool { return m.tour.isIn(o) || m.reading() }},
		{says: (*Model).tourBack, done: func(m *Model, o *experiment.Outcome) bool { return m.tour.isIn(o) && !m.reading() }},
		{view: screen.Compare, says: func(m *Model) string {
			press, policy := "press", m.exp.Setup().Policy
			if m.tour.isIn(m.exp.Outcome(m.side)) && !m.reading() {
				press = itemName(m.tour.item) + " is in again. Press"
			}
			return fmt.Sprintf("%s %s: %s or %s", press, m.keyOf("view."+screen.Compare), widget.SlicerName(policy[experiment.A]), widget.SlicerName(policy[experiment.B]))
		}},
		{says: (*Model).tourCuts, done: func(m *Model, o *experiment.Outcome) bool {
			return o.Policy.SizesFit() != nil || m.viewOnTop() && hasCuts(o)
		}, then: func(m *Model, o *experiment.Outcome) {
			if o.Items.HasSizes() { // the rows say what was cut
				m.show(m.viewNamed(screen.Items))
			}
		}},
		{view: screen.Map, says: func(m *Model) string {
			press := "press"
			if hasCuts(m.exp.Outcome(m.side)) && !m.reading() {
				press = string(m.theme.Glyphs.Cut) + " is in, cut. Press"
			}
			return press + " " + m.keyOf("view."+screen.Map) + ": each item over all budgets"
		}},
		sees(screen.Curve, "what each budget is worth"),
		sees(screen.Replay, "how the slicer chooses; d: A and B"),
		sees(screen.Turns, "what each request costs"),
		{says: func(m *Model) string { return "keep what you tried: press " + m.keyOf("save") + ", name a file, enter" },
			done: func(m *Model, _ *experiment.Outcome) bool { return !m.unsaved() && !m.typing() },
			then: func(m *Model, _ *experiment.Outcome) {
				m.messages.say("That was the tour: " + m.keyOf("help") + " lists every key, " + m.keyOf("palette") + " does what you type. " + m.messages.line)
			}},
	}
}

// whyNoTour returns why there is no tour, or "" if there is one.
func (m *Model) whyNoTour() string {
	switch {
	case !m.session.Tour:
		return "the tour needs the fixture agent: cupelscope --tour"
	case m.exp.Result(m.side) == nil && m.exp.Setup().Equal(m.original):
		return m.needsResult()
	}
	return ""
}

// beginTour shows the items of A and takes the first step. The tour begins with the budget, the
// policies and the edits that the sample has: one undo gives back what was tried.
func (m *Model) beginTour() {
	m.closeAll()
	if m.side != experiment.A {
		m.edit(experiment.A)
	}
	if tried := m.exp.Setup(); !tried.Equal(m.original) {
		begin := screen.To(m.original, experiment.Label{Name: "tour from the sample's own budget and knobs"})
		m.carryOut(begin, nil)
	}
	m.show(m.viewNamed(screen.Items))
	m.focus = onTable
	m.tour = tour{on: true, budget: m.budget(), seen: map[string]bool{}}
}

// tourSpeaks returns what to do next, for the line of advice.
func (m *Model) tourSpeaks() string {
	all := tourSteps()
	say, reads := all[m.tour.step].says(m), 2 // the step that the opened item belongs to
	if m.reading() && m.tour.step > reads {
		say = m.keyOf("close") + " closes the item. Then " + say
	}
	return fmt.Sprintf("Tour %d of %d: %s", m.tour.step+1, len(all), say)
}

// hasCuts reports whether an item is in, cut.
func hasCuts(o *experiment.Outcome) bool {
	return slices.ContainsFunc(o.Report.Included, func(i int32) bool { return o.Report.Size(int(i)) > 0 })
}

// isIn reports whether the item that fell out is in.
func (t *tour) isIn(o *experiment.Outcome) bool { return t.item < o.Items.Len() && o.Report.In(t.item) }

// tourLoss returns how an item falls out though there is more budget.
func (m *Model) tourLoss() string {
	next := m.keys.named("budget.next")
	if i, n, ok := m.nextLoss(); ok {
		return fmt.Sprintf("press %s%s: more budget, #%d leaves", next.Keys[0], times(n), i)
	}
	if next.Idle() != "" {
		return "press " + m.keyOf("budget.back") + ": a smaller budget, and an item leaves"
	}
	return "press " + next.Keys[0] + " until an item leaves: more budget, and less is in"
}

// tourCuts returns how items come in cut.
func (m *Model) tourCuts() string {
	if m.exp.Items().HasSizes() {
		return fmt.Sprintf("nothing has to be cut at %v: press %s", m.budget(), m.keyOf("budget.back"))
	}
	return "cut long items: press " + m.keyOf("palette") + ", type " + tourRule + ", enter"
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
	if m.exp.State(m.side) != experiment.Current || o == nil {
		return
	}
	if m.viewOnTop() {
		t.seen[m.specOf(m.view()).Name] = true
	}
	all := tourSteps()
	step := all[t.step]
	done := t.seen[step.view]
	if step.done != nil {
		done = step.done(m, o)
	}
	if !done {
		return
	}
	if step.then != nil {
		step.then(m, o)
	}
	if t.step++; t.step == len(all) {
		t.on = false
		return
	}
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
