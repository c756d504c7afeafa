package explorer

import (
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// tour is a tour through the fixture agent: what falls out, why, what brings it back, greedy or
// knapsack, the other views, what keeps an item in, and saving. The user takes a step by
// doing what it says; a step that was done stays done.
type tour struct {
	on     bool
	step   int
	item   int             // the item that fell out
	budget model.Tokens    // maxTokens when the tour began
	aimed  bool            // the item that is to fall out is selected, or was
	seen   map[string]bool // the views that were shown since
}

// readStep is the step that the opened item belongs to.
const readStep = 2

// tourStep is a step of the tour. Its functions are called while there is a result.
type tourStep struct {
	name  string                                       // a word or two, beside its number where there is room
	view  string                                       // that it leads to, which does it; "": none
	says  func(m *Model) string                        // what to do next
	done  func(m *Model, o *experiment.Outcome) bool   // that is done, or can no longer be; nil: the view does it
	then  func(m *Model, o *experiment.Outcome)        // follows once it is done; nil: nothing
	shows func(m *Model, o *experiment.Outcome) string // what is to be seen once it is done; "": nothing
}

func tourSteps() []tourStep {
	sees := func(view, what, shows string) tourStep {
		return tourStep{name: "to " + view, view: view, says: func(m *Model) string { return "press " + m.keyOf("view."+view) + ": " + what },
			shows: func(*Model, *experiment.Outcome) string { return shows }}
	}
	inOr := func(out string) func(m *Model, o *experiment.Outcome) string {
		return func(m *Model, o *experiment.Outcome) string {
			if m.tour.isIn(o) {
				return itemName(m.tour.item) + " is in again"
			}
			return itemName(m.tour.item) + out
		}
	}
	compare := sees(screen.Compare, "greedy or knapsack", "")
	compare.shows = (*Model).tourWinner
	return []tourStep{
		{name: "what falls out", says: (*Model).tourLoss, done: func(m *Model, _ *experiment.Outcome) bool {
			im, _ := m.exp.Impact()
			return m.budget() != m.tour.budget && !im.Pending && len(im.Out) > 0
		}, then: func(m *Model, _ *experiment.Outcome) {
			im, _ := m.exp.Impact()
			m.tour.item = int(im.Out[0])
			m.selectItem(m.tour.item)
		}, shows: inOr(" fell out")},
		{name: "why it is out", says: (*Model).tourWhy, done: func(m *Model, _ *experiment.Outcome) bool { return m.reading() && m.tourCursor() == "" }},
		{name: "what brings it back", says: (*Model).tourBack, done: func(m *Model, o *experiment.Outcome) bool { return m.tour.isIn(o) && !m.reading() }, shows: inOr(" is out again")},
		compare,
		sees(screen.Map, "each item over all budgets", "a row is an item, filled where it is in"),
		sees(screen.Curve, "what each budget is worth", "the higher a curve, the more value"),
		sees(screen.Replay, "how the slicer chooses; d: A and B", "what the slicer took and left, step by step"),
		sees(screen.Turns, "what each request costs", "a column is a request, and what a cache makes of it"),
		{name: "to pin it", says: func(m *Model) string { return m.tourOnItem("item.pin", "is in at every budget") },
			done:  func(m *Model, o *experiment.Outcome) bool { return o.Items.Pinned(m.tour.item) },
			shows: func(m *Model, _ *experiment.Outcome) string { return itemName(m.tour.item) + " is " + plain.Pinned }},
		{name: "to mark it as needed", says: func(m *Model) string { return m.tourOnItem("item.needed", "is needed, and line 1 says if it is in") },
			done:  func(m *Model, _ *experiment.Outcome) bool { return m.exp.Setup().Labels.NeededCount() > 0 },
			shows: func(*Model, *experiment.Outcome) string { return "line 1 says how much of what is needed is in" }},
		{name: "to save", says: func(m *Model) string { return "keep what you tried: press " + m.keyOf("save") + ", name a file, enter" },
			done: func(m *Model, _ *experiment.Outcome) bool { return !m.unsaved() && !m.typing() },
			then: func(m *Model, _ *experiment.Outcome) {
				m.messages.say("That was the tour: " + m.keyOf("help") + " lists every key, " + m.keyOf("palette") + " does what you type. " + m.messages.line)
			}},
	}
}

// whyNoTour returns why there is no tour, or "" if there is one.
func (m *Model) whyNoTour() string {
	switch {
	case !m.workspace.Tour:
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

// tourSpeaks returns what is to be seen on what the last step led to, and what to do next, for
// the lines of advice.
func (m *Model) tourSpeaks() (seen, next string) {
	all, t := tourSteps(), &m.tour
	reads := m.reading() && t.step == readStep
	next = all[t.step].says(m)
	if away := !m.viewOnTop() || m.typing(); away && !reads && !(m.typing() && t.step == len(all)-1) {
		next = m.keyOf("close") + " goes back. Then " + next
	} else if t.step > 0 && !reads {
		last := all[t.step-1]
		if o := m.exp.Outcome(m.side); o != nil && last.shows != nil && (last.view == "" || last.view == m.spec().Name) {
			seen = last.shows(m, o)
		}
	}
	return seen, fmt.Sprintf("Tour %d of %d: %s", t.step+1, len(all), next)
}

// minNamedStep is the least width of the screen at which the tour names its steps.
const minNamedStep = 100

// tourLines returns what the tour says in lines of the screen, with the name of the step and what
// is to be seen where these have room.
func (m *Model) tourLines(hint string) []string {
	seen, next := m.tourSpeaks()
	head, does, _ := strings.Cut(next, ": ")
	fits := func(text string) bool { return draw.Width(text) <= m.width-draw.Width(hint)-4 }
	named := head + ", " + tourSteps()[m.tour.step].name + ": "
	whole := named + does
	if seen != "" {
		whole = named + capital(seen) + ". " + capital(does)
	}
	if m.width >= minNamedStep && fits(whole) {
		return []string{whole}
	}
	seen, does = head+": "+capital(seen)+".", capital(does)
	key, _, _ := strings.Cut(does, ": ")
	whole = seen + " " + does
	switch {
	case seen == head+": .":
	case fits(whole):
		return []string{whole}
	case fits(seen) && m.height >= compactHeight:
		return []string{seen, does}
	case fits(seen + " " + key):
		return []string{seen + " " + key}
	}
	return pane.NoticeLines(m.theme.Glyphs, next, m.width, noticeRows, hint)
}

// tourWinner returns which side is worth more, and where the reason stands.
func (m *Model) tourWinner(*experiment.Outcome) string {
	var lead widget.Lead
	lead.Ask(m.exp)
	side, wins := lead.Winner()
	if !wins {
		return "the line below compares A and B"
	}
	return widget.Ahead(side, lead.Of[side].Report.Value, lead.Of[side.Other()].Report.Value) + ", and the line below says why"
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

// tourOnItem returns how a key is pressed on the item that fell out, which then is as it says.
func (m *Model) tourOnItem(key, is string) string {
	item := itemName(m.tour.item)
	if m.spec().Name != screen.Items {
		return "press " + m.keyOf("view."+screen.Items) + ": back to the items"
	}
	if on := m.tourCursor(); on != "" {
		return on
	}
	return fmt.Sprintf("press %s: %s %s", m.keyOf(key), item, is)
}

// tourCursor returns how the cursor comes to the item that fell out; "" where it is.
func (m *Model) tourCursor() string {
	item := itemName(m.tour.item)
	if i, ok := m.selected(); ok && i == m.tour.item {
		return ""
	}
	return "put the cursor on " + item + ": " + m.keyOf("jump") + ", " + strings.TrimPrefix(item, "#") + ", enter"
}

// tourWhy returns how the reason of the item that fell out is read, or its budgets once it is in again.
func (m *Model) tourWhy() string {
	if on := m.tourCursor(); on != "" {
		return on
	}
	what := ": why"
	if o := m.exp.Outcome(m.side); o != nil && m.tour.isIn(o) {
		what = ": where " + itemName(m.tour.item) + " is in"
	}
	return "press " + m.keyOf("open") + what
}

// tourBack returns how the item that fell out comes in again.
func (m *Model) tourBack() string {
	item := itemName(m.tour.item)
	if m.reading() {
		what := "why " + item + " is out"
		if o := m.exp.Outcome(m.side); o != nil && m.tour.isIn(o) {
			what = "where " + item + " is in"
		}
		return "the top line says " + what + ". Press " + m.keyOf("close") + " to go on"
	}
	if on := m.tourCursor(); on != "" {
		return on
	}
	p := m.exp.Profile(m.side)
	switch {
	case m.exp.Items().Excluded(m.tour.item):
		return "press " + m.keyOf("item.exclude") + ": " + item + " is " + widget.NeverIn(m.exp.Items(), m.tour.item)
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
	if !t.aimed {
		if i, _, ok := m.nextLoss(); ok {
			t.aimed = true
			m.selectItem(i)
		}
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
	t.aimed = true
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
