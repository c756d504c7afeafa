package tui

import (
	"cmp"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/experiment"
	"cupelscope/tui/overlay/jump"
	"cupelscope/tui/screen"
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

func (m *Model) needsItem() string {
	if len(m.selection.chosen) > 0 {
		return m.namesNone()
	}
	return m.needsCursor()
}

func (m *Model) needsItemAndProfile() string { return cmp.Or(m.needsCursor(), m.needsProfile()) }

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
	// act returns a key that starts nothing in the background.
	act := func(group, label, hint, text string, run func(), keys ...string) screen.Action {
		return screen.Action{Binding: screen.Bind(label, text, keys...), Group: group, Hint: hint, Run: screen.Do(run)}
	}
	// cmd returns a key that may start work in the background.
	cmd := func(group, hint, text string, run func() tea.Cmd, keys ...string) screen.Action {
		return screen.Action{Binding: screen.Bind("", text, keys...), Group: group, Hint: hint, Run: run}
	}
	why := func(a screen.Action, why func() string) screen.Action { a.Why = why; return a }
	turn := func(a screen.Action) screen.Action { a.KeepsRun = true; return a }
	move := func(move func(c screen.Cursor)) func() {
		return func() {
			if c, ok := m.cursor(); ok {
				move(c)
			}
		}
	}
	// tell shows what do returns on the message line.
	tell := func(do func() string) func() { return func() { m.messages.answer(do()) } }
	ofItems := func(do func(items []int) string) func() {
		return tell(func() string { return do(m.targets()) })
	}
	ofItem := func(dir int) func() {
		return tell(func() string {
			i, _ := m.selected()
			return m.nextOfItem(i, dir)
		})
	}
	needsFiles := unless(func() bool { return m.session.SavePolicy != nil }, "this session has no files")
	all := []screen.Action{
		act(moving, "j/k", "move", "one row down, in the focused pane", move(func(c screen.Cursor) { c.Move(1) }), "j", "down"),
		act(moving, "", "", "one row up", move(func(c screen.Cursor) { c.Move(-1) }), "k", "up"),
		turn(act(turning, "h/l", "knob", "the knob one step up", tell(func() string { return m.turnCurrent(1, false) }), "l", "right")),
		turn(act(turning, "", "", "the knob one step down", tell(func() string { return m.turnCurrent(-1, false) }), "h", "left")),
		turn(act(turning, "H/L", "", "the knob one big step up", tell(func() string { return m.turnCurrent(1, true) }), "L", "shift+right")),
		turn(act(turning, "", "", "the knob one big step down", tell(func() string { return m.turnCurrent(-1, true) }), "H", "shift+left")),
		why(act(turning, "[ ]", "next change", "to the next budget at which anything changes", tell(func() string { return m.nextChange(1) }), "]"), m.needsProfile),
		why(act(turning, "", "", "to the next lower budget with another result", tell(func() string { return m.nextChange(-1) }), "["), m.needsProfile),
		why(act(turning, "{ }", "this item", "to where the selected item next enters or leaves", ofItem(1), "}"), m.needsItemAndProfile),
		why(act(turning, "", "", "down to where the selected item next enters or leaves", ofItem(-1), "{"), m.needsItemAndProfile),
		why(act(turning, "", "until it stays", "to where the item stays in; again: where it is first in", ofItems(m.fit), "="), m.needsItemAndProfile),
		cmd(moving, "open", "read the selected item; on a knob: type a value", m.enter, "enter"),
		act(moving, "", "knobs", "between the table and the knobs", m.changeFocus, "tab", "shift+tab"),
		why(act(editing, "", "pin", "pin the item or release it; acts on all chosen items", ofItems(m.pin), "space"), m.needsItem),
		why(act(editing, "", "exclude", "exclude the item or restore it; acts on all chosen items", ofItems(m.exclude), "x"), m.needsItem),
		why(cmd(editing, "", "edit tokens and hint of the item, or of all chosen items", m.openEdit, "e"), m.needsItem),
		why(act(editing, "", "needed", "mark the item as needed, or no longer; all that are chosen: recall is the share of these that is in", ofItems(m.need), "*"), m.needsItem),
		why(act(editing, "", "", "choose the item or drop it from the choice; keys act on all chosen items", m.chooseSelected, "v"), m.needsCursor),
		act(policies, "", "slicer", "the next slicer for the side being edited", tell(func() string { return m.stepKnob(experiment.Slicer, 1) }), "c"),
		act(policies, "", "", "the next preset for the side being edited", tell(func() string { return m.stepKnob(experiment.Preset, 1) }), "C"),
		act(policies, "", "", "show and edit policy A", func() { m.editSide(experiment.A) }, "A"),
		act(policies, "", "", "show and edit policy B", func() { m.editSide(experiment.B) }, "B"),
		act(policies, "", "", "store policy A as B", tell(m.storeAsB), "m"),
		act(policies, "", "swap", "swap A and B", tell(m.swap), "X"),
	}
	all = append(all, m.undoKeys()...)
	all = append(all,
		act(turning, "", "", "set the knob back to its value at the start", tell(m.resetKnob), "backspace"),
		why(cmd(finding, "filter", "show some items only: kind:tool is:risk tok>500 \"text\"", m.openFilter, "/"), m.filters),
		cmd(finding, "query", "score the items without relevance by a question, while you type it", m.openQuery, "Q"),
		act(finding, "", "", "jump to an item by some letters of its first line, or its number", func() { m.open(jump.New(m.screenApp(), m.exp.Items())) }, "f"),
		why(act(finding, "", "", "next item that the filter shows", func() { m.view().Move(1) }, "n"), m.needsFilter),
		why(act(finding, "", "", "previous item that the filter shows", func() { m.view().Move(-1) }, "N"), m.needsFilter),
	)
	for v := range m.views {
		all = append(all, m.showAction(v))
	}
	return append(all,
		act(moving, "g/G", "", "to the first row", move(screen.Cursor.Top), "g", "home"),
		act(moving, "", "", "to the last row", move(screen.Cursor.Bottom), "G", "end"),
		act(moving, "", "", "a page down", move(func(c screen.Cursor) { c.Page(1) }), "pgdown", "ctrl+f"),
		act(moving, "", "", "a page up", move(func(c screen.Cursor) { c.Page(-1) }), "pgup", "ctrl+b"),
		act(screening, "", "", "how loading went: what was skipped, assumed or estimated, and all notes", func() { m.openReport() }, "i"),
		why(cmd(screening, "", "stop counting tokens, or continue", m.toggleCount, "T"), func() string { return m.count.idle(m.session, m.exp.Whole().Estimates()) }),
		why(cmd(screening, "", "load the sources again; edits stay with their items", func() tea.Cmd { return m.startLoad(m.session.Name, true, m.session.Reopen) }, "r"),
			unless(func() bool { return m.session.Reopen != nil }, "nothing to read again: this did not come from a file")),
		why(cmd(screening, "", "follow the source as it grows: what is appended is read once a second; press again to stop", m.toggleFollow, "F"), m.noFollow),
		why(cmd(screening, "", "save: write the scenario to a file, edits included", m.openSave, "w"),
			unless(func() bool { return m.session.Save != nil }, "this session cannot be written")),
		why(cmd(screening, "", "copy the command line that opens this screen again", m.copyCommandLine, "Y"),
			unless(func() bool { return m.session.CommandLine != nil }, "this session came from no command line")),
		act(policies, "", "policy", "edit the policy: scorers, weights, quotas", func() { m.openEditor("") }, "p"),
		why(cmd(policies, "", "write the policy being edited as Cupel's JSON", m.openSavePolicy, "W"), needsFiles),
		why(cmd(policies, "", "open a policy file or a preset for the side being edited", m.openLoadPolicy, "O"), needsFiles),
		why(cmd(screening, "", "open another source: a conversation, an item set, a scenario", m.openOther, "o"),
			unless(func() bool { return m.opts.OpenOther != nil }, "this session opens nothing else")),
		act(screening, "", "", "close, clear the selection, end the tour, dismiss the advice, clear the filter, stop counting; never quits", m.escape, "esc"),
		cmd(screening, "", "suspend the program", func() tea.Cmd { return tea.Suspend }, "ctrl+z"),
		why(act(screening, "", "", "start the tour of five steps (on the fixture agent)", m.beginTour, "t"), m.noTour),
		act(screening, "", "", "all keys and commands, and the legend; typing searches them", m.openHelp, "?"),
		act(screening, "", "palette", "type what you want to do, and see what it changes before enter", m.openCommands, ":", "ctrl+p"),
		cmd(screening, "quit", "quit; asks if there are unsaved changes", m.askQuit, "q", "ctrl+c"),
		why(act(screening, "", "copy", "copy the item, the window's text, the report", m.openCopies, "y"), m.needsResult),
		why(act(screening, "", "export", "export the report, the window's text, a chat for OpenAI or Anthropic", m.openExports, "E"), func() string {
			if m.session.SaveFile == nil {
				return "this session has no files"
			}
			return m.needsResult()
		}),
	)
}

// showAction returns the action that shows a view.
func (m *Model) showAction(v int) screen.Action {
	spec := m.views[v].Spec()
	return screen.Action{Binding: screen.Bind("", "the "+spec.Name+" view: "+spec.Text, strconv.Itoa(v+1)), Group: screening, Run: screen.Do(func() {
		if v == m.shown && m.viewOnTop() {
			m.messages.say(spec.Name + " is shown already")
			return
		}
		m.show(v)
	})}
}
