package tui

import (
	"slices"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/experiment"
	"cupelscope/tui/screen"
	"cupelscope/tui/widget"
)

// Methods that change the experiment. Each returns the message to show, or "" for none.

// change carries out what an action plans.
func (s *sessionState) change(c screen.Change) string { return s.apply(c.To(), c.Label, c.Merge) }

// apply makes a change. It returns why there is nothing to change or why it failed, or "".
func (s *sessionState) apply(next experiment.Setup, label experiment.Label, merge experiment.KnobID) string {
	now := s.exp.Setup()
	if next.Equal(now) {
		return label.Name + ": already set, nothing to change"
	}
	if next.Gap > 0 && next.Gap == now.Gap && next.Budget.MaxTokens != now.Budget.MaxTokens {
		label.To += " (target " + next.Budget.Target().String() + ")"
	}
	next.AxisEnd = s.reach(next)
	if err := s.exp.Apply(next, label, merge); err != nil {
		return err.Error()
	}
	return ""
}

// reach returns the axis end for the setup next. If a policy changes, the axis reaches at
// least to where that selects all items; otherwise an item could seem to be never in only
// because a knapsack charges whole buckets. An end that the user set stays.
func (s *sessionState) reach(next experiment.Setup) model.Tokens {
	now, end := s.exp.Setup(), next.AxisEnd
	if next.AxisAsked {
		return end
	}
	b, err := model.NewBudget(next.Budget)
	if err != nil {
		return end
	}
	for side := range next.Policy {
		if next.Policy[side].Same(now.Policy[side]) {
			continue
		}
		end = max(end, simulate.AxisEnd(s.exp.Whole(), next.Policy[side], b))
	}
	return end
}

// pin pins the items, or releases them if all are pinned.
func (s *sessionState) pin(items []int) string {
	name, some := "release ", slices.ContainsFunc(items, func(i int) bool { return !s.exp.Items().Pinned(i) })
	if some {
		name = "pin "
	}
	return s.apply(s.exp.Setup().WithPinned(s.exp.Items(), items, some), experiment.Label{Name: name + namesOf(items)}, "")
}

// exclude takes the items out, or back in if all are out.
func (s *sessionState) exclude(items []int) string {
	name, some := "restore ", slices.ContainsFunc(items, func(i int) bool { return !s.exp.Items().Excluded(i) })
	if some {
		name = "exclude "
	}
	return s.apply(s.exp.Setup().WithExcluded(items, some), experiment.Label{Name: name + namesOf(items)}, "")
}

// need marks the items as needed, or as not needed if all are.
func (s *sessionState) need(items []int) string {
	now := s.exp.Setup()
	name, some := "not needed ", slices.ContainsFunc(items, func(i int) bool { return now.Labels.Grades[i] == 0 })
	if some {
		name = "needed "
	}
	return s.apply(now.WithNeeded(s.exp.Labels(s.session.Labels), items, some), experiment.Label{Name: name + namesOf(items)}, "")
}

func (s *sessionState) storeAsB() string {
	now := s.exp.Setup()
	if now.Policy[experiment.A].Same(now.Policy[experiment.B]) {
		return "A and B are the same policy already"
	}
	return s.apply(now.WithPolicy(experiment.B, now.Policy[experiment.A].Clone()), experiment.Label{Name: "A stored as B (was " + widget.SlicerName(now.Policy[experiment.B]) + ")"}, "")
}

func (s *sessionState) swap() string {
	now := s.exp.Setup()
	if now.Policy[experiment.A].Same(now.Policy[experiment.B]) {
		return "A and B are the same policy: nothing to swap"
	}
	next := now.WithPolicy(experiment.A, now.Policy[experiment.B]).WithPolicy(experiment.B, now.Policy[experiment.A])
	return s.apply(next, experiment.Label{Name: "A and B swapped"}, "")
}
