package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// carryOut makes a change that was planned, unless err says why there is none. It shows the
// message and the view that the change asks for.
func (m *Model) carryOut(c screen.Change, err error) {
	if err == nil && c.Begin != nil {
		c.Begin()
		return
	}
	if err == nil {
		err = m.apply(c)
	}
	if c.Show != "" {
		m.show(m.viewNamed(c.Show))
	}
	switch {
	case err != nil:
		m.messages.refuse(err.Error())
	case c.Say != nil:
		m.messages.say(cmp.Or(c.Say(), m.messages.line))
	}
}

// apply makes a change. The error says why there is nothing to change or why it failed.
func (s *workspaceState) apply(c screen.Change) error {
	now, next := s.exp.Setup(), c.To()
	switch {
	case !next.Equal(now):
	case c.Show != "": // the view is shown all the same
		return nil
	default:
		return alreadySet(c.Label.Name)
	}
	if next.Gap > 0 && next.Gap == now.Gap && next.Budget.MaxTokens != now.Budget.MaxTokens {
		c.Label.To += " (target " + next.Budget.Target().String() + ")"
	}
	next.Ceiling = s.reach(next)
	return s.exp.Apply(next, c.Label, c.Merge)
}

// alreadySet returns why a change of that name changes nothing.
func alreadySet(name string) error {
	return screen.Idle{Why: name + ": " + setAlready + ", nothing to change", Brief: setAlready}
}

const setAlready = "already set"

// withReason returns a command with why its plan does nothing now.
func (s *workspaceState) withReason(c palette.Command) palette.Command {
	switch change, err := c.Plan(); {
	case err != nil:
		c.Why = err.Error()
	case change.To().Equal(s.exp.Setup()):
		c.Why, c.Done = setAlready, true
	}
	return c
}

// reach returns the ceiling for the setup next. If a policy changes, the axis reaches at
// least to the budget at which the new policy selects all items; otherwise an item could seem
// to be never in only because a knapsack charges whole buckets. A ceiling that the user set stays.
func (s *workspaceState) reach(next experiment.Setup) model.Tokens {
	now, end := s.exp.Setup(), next.Ceiling
	if next.CeilingAsked {
		return end
	}
	b, err := model.NewBudget(next.Budget)
	if err != nil {
		return end
	}
	for side := range next.Policy {
		if !next.Policy[side].Same(now.Policy[side]) {
			end = max(end, simulate.Ceiling(s.exp.Whole(), next.Policy[side], b))
		}
	}
	return end
}

// flip is an action that sets a mark, such as pinned, on all items that keys act on, or clears
// it if all of them have it.
type flip struct {
	sets, clears string // the names of the two actions, in a word or two
	has          func(i int) bool
	with         func(items []int, set bool) experiment.Setup
	others       func(items []int) string // what other items do, if that is known
}

func (m *Model) pin() flip {
	return flip{"pin", "release", func(i int) bool { return m.exp.Items().Pinned(i) },
		func(items []int, set bool) experiment.Setup {
			return m.exp.Setup().WithPinned(m.exp.Items(), items, set)
		},
		func(items []int) string { return m.whatIf.Others(true, items) }}
}

func (m *Model) exclude() flip {
	return flip{"exclude", "restore", func(i int) bool { return m.exp.Items().Excluded(i) },
		func(items []int, set bool) experiment.Setup { return m.exp.Setup().WithExcluded(items, set) },
		func(items []int) string { return m.whatIf.Others(false, items) }}
}

func (m *Model) need() flip {
	return flip{"needed", "not needed", func(i int) bool { return m.exp.Setup().Labels.Needs(i) },
		func(items []int, set bool) experiment.Setup {
			return m.exp.Setup().WithNeeded(m.exp.Labels(m.workspace.Labels), items, set)
		},
		func([]int) string { return "" }}
}

// planOf returns the plan of a flip.
func (m *Model) planOf(f func() flip) func() (screen.Change, error) {
	return func() (screen.Change, error) {
		if why := m.needsItem(); why != "" {
			return screen.Change{}, errors.New(why)
		}
		items, f := m.targets(), f()
		set := slices.ContainsFunc(items, func(i int) bool { return !f.has(i) })
		does := f.clears
		if set {
			does = f.sets
		}
		var tokens model.Tokens
		for _, i := range items {
			tokens += m.exp.Items().Tokens(i)
		}
		return screen.Change{
			To:    func() experiment.Setup { return f.with(items, set) },
			Label: experiment.Label{Name: does + " " + namesOf(items)},
			Hint:  does,
			Words: fmt.Sprintf("%s, %v tok", namesOf(items), tokens) + f.others(items),
		}, nil
	}
}

func (s *workspaceState) storeAsB() (screen.Change, error) {
	now := s.exp.Setup()
	a, b := now.Policy[experiment.A], now.Policy[experiment.B]
	if a.Same(b) {
		return screen.Change{}, screen.Idle{Why: "A and B are the same policy already"}
	}
	c := screen.To(now.WithPolicy(experiment.B, a.Clone()), experiment.Label{Name: "A copied to B (was " + widget.SlicerName(b) + ")"})
	c.Words = slicersOf(a, a)
	return c, nil
}

// swap exchanges A and B. Where they are the same policy, B takes the other slicer.
func (s *workspaceState) swap() (screen.Change, error) {
	now := s.exp.Setup()
	a, b := now.Policy[experiment.A], now.Policy[experiment.B]
	if a.Same(b) {
		other := experiment.OtherSlicer(b)
		c := screen.To(now.WithPolicy(experiment.B, other), experiment.Label{Name: "slicer of B", From: widget.SlicerName(b), To: widget.SlicerName(other)})
		c.Hint, c.Words = "B "+string(other.Slicer), slicersOf(a, other)
		return c, nil
	}
	c := screen.To(now.WithPolicy(experiment.A, b).WithPolicy(experiment.B, a), experiment.Label{Name: "A and B swapped"})
	c.Words = slicersOf(b, a)
	return c, nil
}

func slicersOf(a, b model.Policy) string {
	return "A " + widget.SlicerName(a) + ", B " + widget.SlicerName(b)
}

// wayIn returns the change of a way that brings an item in.
func (s *workspaceState) wayIn(w pane.Way) (screen.Change, error) {
	if w.Edit != nil {
		return screen.To(w.Edit.Do(s.exp.Setup()), w.Edit.Label), nil
	}
	if !w.Number.Set {
		return s.toBudget(model.Tokens(w.To)), nil
	}
	return s.toValue(w.Knob, w.Number.Value.Text(w.To))
}
