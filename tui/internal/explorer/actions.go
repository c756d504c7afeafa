package explorer

import (
	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/screen"
)

// The groups of the help.
const (
	moving    = "move"
	turning   = "budget"
	editing   = "items"
	policies  = "policies"
	finding   = "find"
	screening = "screen"
)

// groups lists them in the order of the help. The groups of the views follow.
var groups = []string{moving, turning, editing, policies, finding, screening}

// needsItem returns why there is no item that keys could act on, or "".
func (m *Model) needsItem() string {
	if len(m.selection.chosen) > 0 {
		return m.whyNoItem()
	}
	return m.needsCursor()
}

// unless returns a function that returns why unless the condition holds.
func unless(holds func() bool, why string) func() string {
	return func() string {
		if holds() {
			return ""
		}
		return why
	}
}

// mainActions returns the keys that work everywhere, in the order of the help and of
// the hints.
func (m *Model) mainActions() []screen.Action {
	move := func(move func(c screen.Cursor)) func() tea.Cmd {
		return screen.Do(func() {
			if c := m.cursor(); c != nil {
				move(c)
				m.sayKnob()
			}
		})
	}
	turn := func(name, label, hint, text string, dir int, big bool, keys ...string) screen.Action {
		a := m.turnAction(dir, big)
		a.Name, a.Label, a.Hint, a.Text, a.Keys = name, label, hint, text, keys
		return a
	}
	// worded is the Plan of an action with a Run of its own: only the words of its preview.
	worded := func(words func() string) func() (screen.Change, error) {
		return func() (screen.Change, error) { return screen.Change{Words: words()}, nil }
	}
	names := worded(func() string { return namesOf(m.targets()) })
	all := []screen.Action{
		{Name: "move.down", Keys: []string{"j", "down"}, Label: "j/k", Group: moving, Hint: "move", Text: "one row down, in the focused pane", Run: move(func(c screen.Cursor) { c.Move(1) })},
		{Name: "move.up", Keys: []string{"k", "up"}, Group: moving, Text: "one row up", Run: move(func(c screen.Cursor) { c.Move(-1) })},
		turn("knob.up", "h/l", "knob", "the knob one step up", 1, false, "l", "right"),
		turn("knob.down", "", "", "the knob one step down", -1, false, "h", "left"),
		turn("knob.far up", "H/L", "", "the knob one big step up", 1, true, "L", "shift+right"),
		turn("knob.far down", "", "", "the knob one big step down", -1, true, "H", "shift+left"),
	}
	all = append(all, m.budgetActions()...)
	all = append(all, []screen.Action{
		{Name: "open", Keys: []string{"enter"}, Group: moving, Hint: "open", HintNow: func() string { hint, _ := m.fold(); return hint }, Text: "read the selected item; on a knob: type a value, or just begin with a digit", Words: "show text content why", Plan: names, Why: m.whyUnread, Run: m.enter},
		{Name: "focus", Keys: []string{"tab", "shift+tab"}, Group: moving, Hint: "knobs", Text: "between the table and the knobs; with a number in focus, strips and the map are over its values", Run: screen.Do(func() { m.changeFocus(); m.sayKnob() })},
		{Name: "knob.axis", Keys: []string{"a"}, Group: turning, Text: "draw strips and the map over the number in focus, in place of budgets: ] [ move it; esc goes back to budgets",
			Words: "over weight recency quota sweep", Why: m.needsNumber, Run: screen.Do(m.toAxis)},
		{Name: "item.pin", Keys: []string{"space"}, Group: editing, Hint: "pin", Text: "pin the item or release it; acts on all chosen items",
			Words: "keep always never force lock", Plan: m.planOf(m.pin)},
		{Name: "item.exclude", Keys: []string{"x"}, Group: editing, Hint: "exclude", Text: "exclude the item or restore it; acts on all chosen items",
			Words: "drop remove delete leave out include", Plan: m.planOf(m.exclude)},
		{Name: "item.edit", Keys: []string{"e"}, Group: editing, Text: "edit tokens and hint of the item, or of all chosen items", Words: "change size count", Plan: names, Why: m.needsItem, Run: m.openEdit},
		{Name: "item.needed", Keys: []string{"*"}, Group: editing, Hint: "needed", Text: "mark the item as needed, or no longer; acts on all chosen items; " + m.viewKey(screen.Curve) + " then finds a budget that holds them",
			Words: "important label relevant must recall enough nothing falls out safe budget", Plan: m.planOf(m.need)},
		{Name: "item.choose", Keys: []string{"v"}, Group: editing, Text: "choose the item, or no longer; keys act on all chosen items",
			Words: "select several mark", Why: m.needsCursor, Run: screen.Do(m.chooseSelected)},
		{Name: "policy.edit", Keys: []string{"p"}, Group: policies, Hint: "policy", Text: "edit the policy: scorers, weights, quotas",
			Words: "scorer weight recency kind tag share limit percent at most least require cap count settings options", Run: screen.Do(func() { m.openEditor("") })},
		{Name: "policy.slicer", Keys: []string{"c"}, Group: policies, Hint: "slicer", Text: "the next slicer for the policy that is shown; if A becomes like B, B takes the other slicer",
			Words: "algorithm greedy knapsack stream", Plan: m.stepKnob(experiment.Slicer)},
		{Name: "policy.pairs", Keys: []string{"&"}, Group: policies, Text: "select tool calls with their results, or each by itself (not Cupel's)",
			Words: "pairs together split", Plan: m.keepPairs},
		{Name: "policy.preset", Keys: []string{"C"}, Group: policies, Text: "the next preset for the policy that is shown", Plan: m.stepKnob(experiment.Preset)},
		{Name: "policy.A", Keys: []string{"A"}, Group: policies, Text: "show and edit policy A; in Replay: its steps alone", HintNow: m.alone(experiment.A), Run: screen.Do(func() { m.editSide(experiment.A) })},
		{Name: "policy.B", Keys: []string{"B"}, Group: policies, Text: "show and edit policy B; in Replay: its steps alone", HintNow: m.alone(experiment.B), Run: screen.Do(func() { m.editSide(experiment.B) })},
		{Name: "policy.store", Keys: []string{"m"}, Group: policies, Text: "give B the policy of A", Words: "copy", Plan: m.storeAsB},
		{Name: "policy.swap", Keys: []string{"X"}, Group: policies, Hint: "swap", Text: "swap A and B; if they are the same policy, B takes the other slicer", Words: "exchange greedy knapsack", Plan: m.swap},
		// Package experiment keeps the history, see Experiment.Undo.
		{Name: "undo", Keys: []string{"u"}, Group: editing, Text: "undo the last change", Words: "revert back history everything all reset",
			Why: unless(func() bool { return m.exp.CanUndo() }, "nothing to undo"), Plan: worded(func() string { return m.exp.Undoes() }), Run: screen.Do(func() { m.exp.Undo() })},
		{Name: "redo", Keys: []string{"ctrl+r"}, Group: editing, Text: "redo what was undone", Words: "again repeat",
			Why: unless(func() bool { return m.exp.CanRedo() }, "nothing to redo"), Plan: worded(func() string { return m.exp.Redoes() }), Run: screen.Do(func() { m.exp.Redo() })},
		{Name: "knob.reset", Keys: []string{"backspace"}, Group: turning, Text: "reset the knob to its value at the start", Words: "set back default over", Plan: m.resetKnob},
		{Name: "filter", Keys: []string{"/"}, Group: finding, Hint: "filter", Text: "filter the items: kind:tool is:risk tok>500 \"text\"", Words: "search find hide show only", Why: m.whyNoFilter, Run: m.openFilter},
		{Name: "filter.out", Keys: []string{"!"}, Group: finding, Text: "in Items: only those that are out, each with its reason, or all items again",
			Words: "what falls out is left dropped missing show filter", Run: screen.Do(m.showOut)},
		{Name: "query", Keys: []string{"Q"}, Group: finding, Hint: "query", Text: "score items that have no relevance by a question, while you type it", Words: "ask question relevance", Run: m.openQuery},
		{Name: "jump", Keys: []string{"f"}, Group: finding, Text: "jump to an item by some letters of its first line, or its number", Words: "find go to",
			Run: screen.Do(func() { m.open(overlay.NewJump(m.screenApp(), m.exp.Items())) })},
		{Name: "filter.next", Keys: []string{"n"}, Group: finding, Text: "next item that the filter shows", Why: m.needsFilter, Try: func() string { return m.nextShown(1, "last") }},
		{Name: "filter.back", Keys: []string{"N"}, Group: finding, Text: "previous item that the filter shows", Why: m.needsFilter, Try: func() string { return m.nextShown(-1, "first") }},
	}...)
	for v := range m.views {
		all = append(all, m.showAction(v))
	}
	return append(all, []screen.Action{
		{Name: "move.top", Keys: []string{"g", "home"}, Label: "g/G", Group: moving, Text: "to the first row", Run: move(screen.Cursor.Top)},
		{Name: "move.bottom", Keys: []string{"G", "end"}, Group: moving, Text: "to the last row", Run: move(screen.Cursor.Bottom)},
		{Name: "move.page down", Keys: []string{"pgdown", "ctrl+f"}, Group: moving, Text: "a page down", Run: move(func(c screen.Cursor) { c.Page(1) })},
		{Name: "move.page up", Keys: []string{"pgup", "ctrl+b"}, Group: moving, Text: "a page up", Run: move(func(c screen.Cursor) { c.Page(-1) })},
		{Name: "report", Keys: []string{"i"}, Group: screening, Text: "how loading went: what was skipped, assumed or estimated, and all notes",
			Words: "warnings errors skipped damaged format", Run: screen.Do(func() { m.openReport() })},
		{Name: "count", Keys: []string{"T"}, Group: screening, Text: "stop counting tokens, or continue",
			Why: func() string { return m.count.idle(m.workspace, m.exp.Whole().Estimates()) }, Run: m.toggleCount},
		{Name: "reload", Keys: []string{"r"}, Group: screening, Text: "load the sources again; edits stay with their items", Words: "reload refresh",
			Why: unless(func() bool { return m.workspace.Reopen != nil }, "nothing to read again: this did not come from a file"),
			Run: func() tea.Cmd { return m.startLoad(m.workspace.Name, m.workspace.Reopen, m.reloaded) }},
		{Name: "follow", Keys: []string{"F"}, Group: screening, Text: "follow the source as it grows: what is appended is read once a second; press again to stop", Words: "file watch tail live", Why: m.whyNoFollow, Run: m.toggleFollow},
		{Name: "save", Keys: []string{"w"}, Group: screening, Text: "save: write the scenario to a file, edits included", Words: "keep session store as", Run: m.openSave},
		{Name: "policy.write", Keys: []string{"W"}, Group: policies, Text: "write the policy that is shown to a file", Words: "json", Run: m.openSavePolicy},
		{Name: "policy.open", Keys: []string{"O"}, Group: policies, Text: "load a policy from a file or a preset, in place of the one that is shown", Words: "open take", Run: m.openLoadPolicy},
		{Name: "source.open", Keys: []string{"o"}, Group: screening, Text: "open another source: a run of this file, a session of an agent on this machine, a file or a folder", Words: "load import file session runs agent claude codex", Run: m.openSource},
		{Name: "tour", Keys: []string{"t"}, Group: screening, Text: "start the tour (on the fixture agent)", Words: "learn tutorial introduction get started", Why: m.whyNoTour, Run: screen.Do(m.beginTour)},
		{Name: "close", Keys: []string{"esc"}, Group: screening, Text: "close, clear the selection, end the tour, dismiss the notice, clear the filter, stop counting; never quits", Run: screen.Do(m.escape)},
		{Name: "suspend", Keys: []string{"ctrl+z"}, Group: screening, Text: "suspend the program", Run: m.suspend},
		{Name: "help", Keys: []string{"?", "f1"}, Group: screening, Text: "the keys of what is shown, then what you may want to do, marks, all other keys and words", Words: "help glyphs symbols shortcuts", Run: screen.Do(m.openHelp)},
		{Name: "palette", Keys: []string{":", "ctrl+p"}, Group: screening, Text: "type what you want to do, and see what it changes before enter", Words: "palette", Run: screen.Do(func() { m.openPalette("Commands  say what you want", nil) })},
		{Name: "quit", Keys: []string{"q", "ctrl+c"}, Group: screening, Hint: "quit", Text: "quit; asks if there are unsaved changes", Words: "exit leave close", Run: m.askQuit},
		{Name: "copy", Keys: []string{"y"}, Group: screening, Hint: "copy", Text: "copy the item, the window's text, the report", Words: "clipboard", Why: m.needsResult, Run: m.openMenu("copy", "", m.copies)},
		{Name: "copy.line", Keys: []string{"Y"}, Group: screening, Text: "copy the command line that opens this screen again; with --html it writes a page, with --shot a picture", Words: "share link reopen screenshot image", Run: m.copyCommandLine},
		{Name: "export", Keys: []string{"E"}, Group: screening, Hint: "export", Text: "export the report, the window's text, a chat for OpenAI or Anthropic", Words: "write save print file json csv", Why: m.needsResult, Run: m.openMenu("export", "; then it asks for a file", m.exports)},
	}...)
}

// showAction returns the action that shows a view.
func (m *Model) showAction(v int) screen.Action {
	spec := m.specOf(m.views[v])
	return screen.Action{Name: "view." + spec.Name, Keys: []string{m.viewKey(spec.Name)}, Group: screening, Text: "the " + spec.Name + " view: " + spec.Text, Words: spec.Words, Run: screen.Do(func() {
		switch {
		case v != m.shown || !m.viewOnTop():
			m.show(v)
		case !m.told():
			m.messages.refuse(spec.Name + " is shown already")
		}
	})}
}
