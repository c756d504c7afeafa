package tui

import "cupelscope/tui/screen"

// undoKeys returns the actions of u and ctrl+r. Package experiment keeps the history, see
// Experiment.Undo.
func (s *sessionState) undoKeys() []screen.Action {
	key := func(name, text, none string, can func() bool, do func()) screen.Action {
		return screen.Action{Binding: screen.Bind("", text, name), Group: editing, Run: screen.Do(do), Why: unless(can, none)}
	}
	return []screen.Action{
		key("u", "undo the last change", "nothing to undo", func() bool { return s.exp.CanUndo() }, func() { s.exp.Undo() }),
		key("ctrl+r", "redo what was undone", "nothing to redo", func() bool { return s.exp.CanRedo() }, func() { s.exp.Redo() }),
	}
}
