package tui

import (
	"reflect"

	"cupelscope/model"
	"cupelscope/tui/experiment"
)

// replace takes what the sources give now. Edits stay with their items; what the
// user has turned stays, what not follows the file. It returns where the items
// are now. On an error all stays as it was.
func (s *sessionState) replace(by *Session) (model.Carried, error) {
	next, file, loaded := s.exp.Setup(), by.setup(), s.session.Items
	edits, carried := model.CarryEdits(loaded, by.Items, next.Edits)
	labels := carried.Labels(next.Labels, by.Labels)
	if next.SameEdits(s.original) {
		edits = file.Edits
	}
	if next.Labels.Equal(s.original.Labels) {
		labels = file.Labels
	}
	next = follow(next, s.original, file)
	next.Edits, next.Labels = edits, labels
	err := s.exp.Replace(by.Items, next, carryOver(loaded, by))
	if err == nil {
		s.session, s.original, s.saved = by, file, file
		s.exp.Link(by.Pairs)
		s.exp.Tell(by.Told, by.Log)
	}
	return carried, err
}

// carryOver carries the edits and labels of setups from one set to that of a session.
func carryOver(from *model.Set, to *Session) func(experiment.Setup) experiment.Setup {
	return func(s experiment.Setup) experiment.Setup {
		edits, carried := model.CarryEdits(from, to.Items, s.Edits)
		s.Edits, s.Labels = edits, carried.Labels(s.Labels, to.Labels)
		return s
	}
}

// follow is the setup with everything that the user has not changed as the
// file has it now.
func follow(now, was, file experiment.Setup) experiment.Setup {
	for s := range now.Policy {
		if reflect.DeepEqual(now.Policy[s], was.Policy[s]) {
			now.Policy[s] = file.Policy[s]
		}
	}
	if reflect.DeepEqual(now.Budget, was.Budget) && now.Gap == was.Gap {
		now.Budget, now.Gap = file.Budget, file.Gap
	}
	if now.Slack == was.Slack {
		now.Slack = file.Slack
	}
	if now.AxisEnd == was.AxisEnd {
		now.AxisEnd = file.AxisEnd
	}
	return now
}
