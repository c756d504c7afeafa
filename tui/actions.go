package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate/query"
	"cupelscope/tui/experiment"
)

// The groups of the help.
const (
	moving    = "move"
	turning   = "budget"
	editing   = "items"
	policies  = "policies"
	finding   = "find"
	screening = "screen"
	mapping   = "map"
	windowing = "window"
	plotting  = "curve"
	replaying = "replay"
	tracing   = "trace"
)

// groups is their order there.
var groups = []string{moving, turning, editing, policies, finding, screening, mapping, windowing, plotting, replaying, tracing}

func needsItem(m *Model) string {
	if len(m.chosen) > 0 {
		return ""
	}
	return needsCursor(m)
}

// needsCursor is needsItem for keys that act on the one under the cursor.
func needsCursor(m *Model) string {
	if _, ok := m.selected(); !ok {
		return "no item is selected"
	}
	return ""
}

func needsItemOrRow(m *Model) string {
	if m.overlay == policyOverlay {
		return ""
	}
	return needsItem(m)
}

func needsProfile(m *Model) string {
	if m.exp.Profile(m.side) == nil {
		return "the budgets are still being computed"
	}
	return ""
}

func needsItemAndProfile(m *Model) string {
	if why := needsCursor(m); why != "" {
		return why
	}
	return needsProfile(m)
}

func inItems(m *Model) string {
	if m.reading {
		return "an item is open; esc closes it"
	}
	if m.view != viewItems {
		return "only the Items view does that (1)"
	}
	return ""
}

// allActions is every key of the explorer, in the order of the help. Where
// hints are set, it is also the order in which they are offered, those of the
// view that is shown first.
func allActions() []action {
	return slices.Concat(mainActions(), mapActions(), windowActions(), plotActions(), copyActions())
}

func mainActions() []action {
	return []action{
		{keys: []string{"j", "down"}, pair: "j/k", group: moving, hint: "move", text: "one row down, in the focused pane",
			run: func(m *Model) tea.Cmd { m.moveBy(1); return nil }},
		{keys: []string{"k", "up"}, group: moving, text: "one row up", run: func(m *Model) tea.Cmd { m.moveBy(-1); return nil }},
		{keys: []string{"space"}, in: []view{viewReplay}, group: replaying, hint: "play", text: "in Replay: play the steps one after the other, or stop",
			why: needsSteps, run: (*Model).playOrPause},
		{keys: []string{"+"}, pair: "+/-", in: []view{viewReplay}, group: replaying, hint: "speed", text: "in Replay: play faster", why: needsSteps,
			run: func(m *Model) tea.Cmd { return m.faster(1) }},
		{keys: []string{"-"}, in: []view{viewReplay}, group: replaying, text: "in Replay: play slower", why: needsSteps, run: func(m *Model) tea.Cmd { return m.faster(-1) }},
		{keys: []string{"n"}, pair: "n/N", in: []view{viewReplay}, group: replaying, hint: "next taken",
			text: "in Replay: to the next step that lets an item in or drops one; with a filter: that matches it", why: needsSteps,
			run: func(m *Model) tea.Cmd { return m.nextStep(1) }},
		{keys: []string{"N"}, in: []view{viewReplay}, group: replaying, text: "in Replay: back to such a step", why: needsSteps,
			run: func(m *Model) tea.Cmd { return m.nextStep(-1) }},
		{keys: []string{"l", "right"}, pair: "h/l", group: turning, hint: "knob", text: "the knob one step up", keepsRun: true,
			run: func(m *Model) tea.Cmd { return m.step(1, false) }},
		{keys: []string{"h", "left"}, group: turning, text: "the knob one step down", keepsRun: true,
			run: func(m *Model) tea.Cmd { return m.step(-1, false) }},
		{keys: []string{"L", "shift+right"}, pair: "H/L", group: turning, text: "the knob one big step up", keepsRun: true,
			run: func(m *Model) tea.Cmd { return m.step(1, true) }},
		{keys: []string{"H", "shift+left"}, group: turning, text: "the knob one big step down", keepsRun: true,
			run: func(m *Model) tea.Cmd { return m.step(-1, true) }},
		{keys: []string{"]"}, pair: "[ ]", group: turning, hint: "next change", text: "to the next budget at which anything changes",
			why: needsProfile, run: func(m *Model) tea.Cmd { return m.nextChange(1) }},
		{keys: []string{"["}, group: turning, text: "to the largest smaller budget with another result",
			why: needsProfile, run: func(m *Model) tea.Cmd { return m.nextChange(-1) }},
		{keys: []string{"}"}, pair: "{ }", group: turning, hint: "this item", text: "to where the selected item next enters or leaves",
			why: needsItemAndProfile, run: func(m *Model) tea.Cmd { return m.nextOfItem(1) }},
		{keys: []string{"{"}, group: turning, text: "down to where the selected item is otherwise",
			why: needsItemAndProfile, run: func(m *Model) tea.Cmd { return m.nextOfItem(-1) }},
		{keys: []string{"="}, group: turning, hint: "fit", text: "to where the item stays in; again: where it is first in",
			why: needsItemAndProfile, run: (*Model).fit},
		{keys: []string{"enter"}, in: []view{viewTrace}, group: tracing, hint: "look into", text: "in Trace: to the items behind a number, or the knob that changes it",
			why: needsLead, run: (*Model).follow},
		{keys: []string{"enter"}, group: moving, hint: "open", onKnobs: "type", text: "read the selected item; on a knob: type a value", run: (*Model).enter},
		{keys: []string{"tab", "shift+tab"}, group: moving, hint: "knobs", onKnobs: "table", text: "between the table and the knobs", run: func(m *Model) tea.Cmd {
			m.focus = 1 - m.focus
			return nil
		}},
		{keys: []string{"space"}, group: editing, hint: "pin", text: "pin the item, or release it; all that are chosen", why: needsItem, run: (*Model).pin},
		{keys: []string{"x"}, group: editing, hint: "exclude", text: "take the item out, or back in; all that are chosen", why: needsItemOrRow, run: (*Model).exclude},
		{keys: []string{"e"}, group: editing, text: "edit tokens and hint of the item, or of all that are chosen", why: needsItem, run: (*Model).openEdit},
		{keys: []string{"v"}, group: editing, text: "choose the item, or let go of it: keys act on all that are chosen", why: needsCursor, run: (*Model).choose},
		{keys: []string{"V"}, group: editing, text: "choose all items that the table shows, or none", why: inItems, run: (*Model).chooseShown},
		{keys: []string{"c"}, group: policies, hint: "slicer", text: "the next slicer for the side being edited", run: func(m *Model) tea.Cmd {
			return m.stepKnob(experiment.Slicer, 1)
		}},
		{keys: []string{"C"}, group: policies, text: "the next preset for the side being edited", run: func(m *Model) tea.Cmd {
			return m.stepKnob(experiment.Preset, 1)
		}},
		{keys: []string{"A"}, group: policies, text: "show and edit policy A", run: func(m *Model) tea.Cmd { return m.edit(experiment.A) }},
		{keys: []string{"B"}, group: policies, text: "show and edit policy B", run: func(m *Model) tea.Cmd { return m.edit(experiment.B) }},
		{keys: []string{"m"}, group: policies, text: "store policy A as B", run: (*Model).storeAsB},
		{keys: []string{"X"}, group: policies, text: "swap A and B", run: (*Model).swap},
		{keys: []string{"d"}, group: policies, text: "in Compare: only the differences, or all", why: func(m *Model) string {
			if m.view != viewCompare {
				return "only Compare (2) has differences to show"
			}
			return ""
		}, run: func(m *Model) tea.Cmd { m.compare.OnlyDifferent = !m.compare.OnlyDifferent; return nil }},
		{keys: []string{"u"}, group: editing, text: "undo the last change", why: func(m *Model) string {
			if !m.exp.CanUndo() {
				return "nothing to undo"
			}
			return ""
		}, run: func(m *Model) tea.Cmd { m.exp.Undo(); return nil }},
		{keys: []string{"ctrl+r"}, group: editing, text: "redo what was undone", why: func(m *Model) string {
			if !m.exp.CanRedo() {
				return "nothing to redo"
			}
			return ""
		}, run: func(m *Model) tea.Cmd { m.exp.Redo(); return nil }},
		{keys: []string{"backspace"}, group: turning, text: "the knob back to where it was at the start", run: (*Model).resetKnob},
		{keys: []string{"/"}, group: finding, hint: "filter", text: "show some items only: kind:tool is:risk tok>500 \"text\"", why: filters, run: (*Model).openFilter},
		{keys: []string{"f"}, group: finding, text: "jump to an item by some letters of its first line, or its number", run: (*Model).openJump},
		{keys: []string{"n"}, group: finding, text: "next item that the filter shows", why: needsFilter, run: func(m *Model) tea.Cmd { m.pane().Move(1); return nil }},
		{keys: []string{"N"}, group: finding, text: "previous item that the filter shows", why: needsFilter, run: func(m *Model) tea.Cmd { m.pane().Move(-1); return nil }},
		{keys: []string{"s"}, group: finding, hint: "sort", text: "sort by the next column", why: inItems, run: func(m *Model) tea.Cmd { m.items.SortNext(); return nil }},
		{keys: []string{"S"}, group: finding, text: "reverse the order", why: inItems, run: func(m *Model) tea.Cmd { m.items.Reverse(); return nil }},
		showing(viewItems, "the Items view: every item, in and out"),
		showing(viewCompare, "the Compare view: A and B side by side"),
		showing(viewMap, "the Map view: all items by all budgets"),
		showing(viewWindow, "the Window view: what the model will read"),
		showing(viewReplay, "the Replay view: what the slicer does, step by step"),
		showing(viewTrace, "the Trace view: the room as a calculation, stages, reasons, quotas"),
		showing(viewCurve, "the Curve view: what every budget gives, under A and B"),
		{keys: []string{"z"}, group: screening, text: "a wide strip, or all columns", why: inItems, run: func(m *Model) tea.Cmd { m.items.Wide = !m.items.Wide; return nil }},
		{keys: []string{"g", "home"}, pair: "g/G", group: moving, text: "to the first row", run: func(m *Model) tea.Cmd { m.toEnd(-1); return nil }},
		{keys: []string{"G", "end"}, group: moving, text: "to the last row", run: func(m *Model) tea.Cmd { m.toEnd(1); return nil }},
		{keys: []string{"pgdown", "ctrl+f"}, group: moving, text: "a page down", run: func(m *Model) tea.Cmd { m.page(1); return nil }},
		{keys: []string{"pgup", "ctrl+b"}, group: moving, text: "a page up", run: func(m *Model) tea.Cmd { m.page(-1); return nil }},
		{keys: []string{"i"}, group: screening, text: "how loading went: what was skipped, assumed, estimated", run: func(m *Model) tea.Cmd {
			m.overlay, m.scroll = reportOverlay, 0
			return nil
		}},
		{keys: []string{"T"}, group: screening, text: "stop counting tokens, or count on", why: needsCounting, run: (*Model).toggleCount},
		{keys: []string{"r"}, group: screening, text: "load the sources again: edits stay with their items", why: needsReopen, run: (*Model).reload},
		{keys: []string{"w"}, group: screening, text: "write the scenario to a file, edits included", why: func(m *Model) string {
			if m.session.Save == nil {
				return "this session cannot be written"
			}
			return ""
		}, run: (*Model).openSave},
		{keys: []string{"Y"}, group: screening, text: "copy the command line that opens this screen again", why: func(m *Model) string {
			if m.session.CommandLine == nil {
				return "this session came from no command line"
			}
			return ""
		}, run: (*Model).copyCommandLine},
		{keys: []string{"p"}, group: policies, hint: "policy", text: "edit the policy: scorers, weights, quotas", run: (*Model).openEditor},
		{keys: []string{"W"}, group: policies, text: "write the policy being edited as Cupel's JSON", why: needsFiles, run: (*Model).openSavePolicy},
		{keys: []string{"O"}, group: policies, text: "open a policy file or a preset for the side being edited", why: needsFiles, run: (*Model).openLoadPolicy},
		{keys: []string{"o"}, group: screening, text: "open another source: a conversation, an item set, a scenario", why: func(m *Model) string {
			if m.opts.OpenOther == nil {
				return "this session opens nothing else"
			}
			return ""
		}, run: (*Model).openOther},
		{keys: []string{"esc"}, group: screening, text: "close, let go of what is chosen, clear the filter, stop counting, dismiss the advice; never quits", run: (*Model).escape},
		{keys: []string{"ctrl+z"}, group: screening, text: "suspend the program", run: func(m *Model) tea.Cmd { return tea.Suspend }},
		{keys: []string{"?"}, group: screening, text: "this list; typing searches it", run: (*Model).openHelp},
		{keys: []string{"q", "ctrl+c"}, group: screening, hint: "quit", text: "quit; asks if there are unsaved changes", run: (*Model).askQuit},
	}
}

// showing is the action that shows a view.
func showing(v view, text string) action {
	key := string(rune('1' + v))
	return action{keys: []string{key}, group: screening, text: text, run: func(m *Model) tea.Cmd { m.show(v); return nil }}
}

func needsFiles(m *Model) string {
	if m.session.SavePolicy == nil {
		return "this session has no files"
	}
	return ""
}

func needsFilter(m *Model) string {
	if m.filter.IsZero() {
		return "there is no filter; / sets one"
	}
	return filters(m)
}

// The cursor keys move in what is on top.
func (m *Model) moveBy(by int) {
	switch {
	case m.overlay == reportOverlay:
		m.scroll = max(0, m.scroll+by)
	case m.overlay == policyOverlay:
		m.editor.Move(by)
	case m.focus == onKnobs:
		m.knobs.Move(by)
	case m.reading:
		m.reader.Move(by)
	default:
		m.pane().Move(by)
	}
}

func (m *Model) page(dir int) {
	switch {
	case m.overlay == reportOverlay:
		m.scroll = max(0, m.scroll+dir*10)
	case m.overlay == policyOverlay:
		m.editor.Move(dir * 10)
	case m.focus == onKnobs:
		m.knobs.Move(dir * 10)
	case m.reading:
		m.reader.Page(dir)
	default:
		m.pane().Page(dir)
	}
}

func (m *Model) toEnd(dir int) {
	switch {
	case m.overlay == reportOverlay:
		m.scroll = max(0, dir*(1<<20))
	case m.overlay == policyOverlay:
		m.editor.Move(dir * 10_000)
	case m.focus == onKnobs:
		m.knobs.Move(dir * 1000)
	case m.reading && dir < 0:
		m.reader.Top()
	case m.reading:
		m.reader.Bottom()
	case dir < 0:
		m.pane().Top()
	default:
		m.pane().Bottom()
	}
}

// show changes the view, taking the selected item along where it can.
func (m *Model) show(v view) {
	i, ok := m.selected()
	if v != m.view {
		m.pause()
		m.cancelJob(m.view)
	}
	m.view, m.reading, m.overlay, m.back = v, false, noOverlay, model.Option[view]{}
	m.refresh()
	if ok {
		m.pane().Select(i)
	}
}

func (m *Model) edit(s experiment.Side) tea.Cmd {
	m.side = s
	m.exp.Watch(s)
	return nil
}

func (m *Model) enter() tea.Cmd {
	if m.overlay == policyOverlay || m.focus == onKnobs {
		return m.typeValue()
	}
	i, ok := m.selected()
	if !ok {
		m.message = "enter: no item is selected"
		return nil
	}
	if m.reading {
		m.message = "the item is open already; esc closes it"
		return nil
	}
	m.reader.Open(i)
	m.reading, m.focus = true, onTable
	return nil
}

func (m *Model) escape() tea.Cmd {
	switch {
	case m.overlay != noOverlay:
		m.overlay = noOverlay
	case m.load.running:
		m.stopLoading()
	case m.focus == onKnobs:
		m.focus = onTable
	case m.reading:
		m.reading = false
	case m.play.on:
		m.pause()
	case m.back.Set:
		m.jumpBack()
	case m.view == viewWindow && m.window.Finding() != "":
		m.window.Find("")
	case len(m.chosen) > 0:
		clear(m.chosen)
		m.inOrder = nil
		m.message = "nothing is chosen any more"
	case !m.filter.IsZero():
		m.setFilter(query.Query{})
	case m.count.running:
		m.stopCount()
	case m.stopWork():
	case len(m.notices) > 0:
		m.notices = m.notices[1:]
	default:
		m.message = "nothing to close; q quits"
	}
	return nil
}

func (m *Model) askQuit() tea.Cmd {
	if m.quitting || m.session.Save == nil || !m.unsaved() {
		return m.quit()
	}
	m.quitting = true
	m.message = "There are unsaved changes: q again quits without them, w writes a scenario, any other key stays"
	return nil
}

func (m *Model) unsaved() bool { return !m.exp.Setup().Equal(m.saved) }

func (m *Model) quit() tea.Cmd {
	m.stop()
	return tea.Quit
}

// hintOf names an item for a message.
func hintOf(i int) string { return fmt.Sprintf("#%d", i) }
