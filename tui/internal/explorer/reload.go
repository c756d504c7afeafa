package explorer

import (
	"reflect"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
)

// replace replaces the session by a session that was loaded again. Edits stay with their items.
// Knobs that the user has changed stay; the others take the values of the file. It returns
// how the items were carried over. On an error nothing changes.
func (s *workspaceState) replace(by *Workspace) (model.Carried, error) {
	next, file, loaded := s.exp.EndSetup(), by.setup(), s.workspace.Items
	edits, carried := model.CarryEdits(loaded, by.Items, next.Edits)
	labels := carried.Labels(next.Labels, by.Labels)
	if next.SameEdits(s.original) {
		edits = file.Edits
	}
	if next.Labels.Equal(s.original.Labels) {
		labels = file.Labels
	}
	next = keepChanged(next, s.original, file)
	next.Edits, next.Labels = edits, labels
	carry, was := carryOver(loaded, by), s.original
	_, err := s.exp.Replace(by.Items, next, func(at experiment.Setup) experiment.Setup { return keepChanged(carry(at), was, file) }, nil)
	if err == nil {
		s.exp.NameAnew(carried.Index)
		s.workspace, s.original, s.saved = by, file, file
		s.exp.Tell(by.Told, by.Log, by.Sizer)
	}
	return carried, err
}

// carryOver returns a function that carries the edits and labels of a setup over from the
// items of a set to the items of a session.
func carryOver(from *model.Set, to *Workspace) func(experiment.Setup) experiment.Setup {
	return func(s experiment.Setup) experiment.Setup {
		edits, carried := model.CarryEdits(from, to.Items, s.Edits)
		s.Edits, s.Labels = edits, carried.Labels(s.Labels, to.Labels)
		return s
	}
}

// keepChanged returns the setup now, with the values of file for everything that the user has
// not changed since was.
func keepChanged(now, was, file experiment.Setup) experiment.Setup {
	for s := range now.Policy {
		if reflect.DeepEqual(now.Policy[s], was.Policy[s]) {
			now.Policy[s] = file.Policy[s]
		}
	}
	if reflect.DeepEqual(now.Budget, was.Budget) && now.Gap == was.Gap {
		now.Budget, now.Gap = file.Budget, file.Gap
	}
	if !now.SlackGuessed && now.Slack == was.Slack {
		now.Slack = file.Slack
	}
	if now.Ceiling == was.Ceiling {
		now.Ceiling, now.CeilingAsked = file.Ceiling, file.CeilingAsked
	}
	return now.WithMax(now.Budget.MaxTokens)
}
