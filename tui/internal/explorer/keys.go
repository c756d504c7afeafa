package explorer

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/work"
)

// gather returns the table of all keys: first the keys that work everywhere, then the keys of
// the views.
func (m *Model) gather() keyTable {
	var all keyTable
	add := func(a screen.Action, view int) {
		if a.Plan != nil {
			a.Plan = m.once(a.Plan)
		}
		all = append(all, bound{a, view})
	}
	for _, a := range m.mainActions() {
		add(a, everywhere)
	}
	for v := range m.views {
		spec := m.specOf(m.views[v])
		for _, a := range spec.Actions {
			a.Group = cmp.Or(a.Group, strings.ToLower(spec.Name))
			add(a, v)
		}
	}
	return all
}

// once returns a plan that computes its answer once while a frame is drawn, because hints and
// panes ask for the same.
func (m *Model) once(plan func() (screen.Change, error)) func() (screen.Change, error) {
	frame := 0
	var change screen.Change
	var err error
	return func() (screen.Change, error) {
		if !m.drawing {
			return plan()
		}
		if frame != m.frames {
			frame = m.frames
			change, err = plan()
		}
		return change, err
	}
}

// key routes a key press: to the prompt, the overlay, or the table of actions.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	quits := slices.Contains(m.keys.named("quit").Keys, name)
	// Nothing that a key could change is seen without a session, and on a screen that is too small for one.
	switch small := m.width < minWidth || m.height < minHeight; {
	case m.exp == nil && m.typing():
		return m.chooseFirst(msg)
	case m.exp == nil && (quits || name == "esc"):
		return m.quit()
	case m.exp == nil && m.load.failed != nil && name == m.keyOf("source.open"):
		return m.openSource()
	case name == "ctrl+z" && (m.exp == nil || small):
		return m.suspend()
	case m.exp == nil:
		return nil
	case small && quits:
		return m.askQuit()
	case small && name == "esc":
		m.messages.clear()
		return nil
	case small:
		return nil
	case m.typing():
		m.messages.clear() // it answered the key before
		return tea.Batch(m.specOf(m.top()).Key(msg), m.settle())
	}
	wasQuitting := m.messages.quitting
	if m.again(name) {
		return nil
	}
	m.messages.clear()
	if wasQuitting && !quits && name != m.keyOf("save") {
		m.messages.say("not quitting: the changes are all here") // the key was an answer, and does nothing else
		return nil
	}
	m.messages.touched, m.messages.intro, m.messages.introKeys = true, nil, nil
	if m.interrupt() {
		return m.settle()
	}
	if m.typesNumber(name) {
		return tea.Batch(m.typeValue(name), m.settle())
	}
	a := m.keys.find(&m.screens, name)
	if a == nil {
		m.messages.refuse(keyName(name) + " does nothing; ? lists what every key does")
		if why := m.keys.elsewhere(&m.screens, name); why != "" {
			m.messages.refuse(keyName(name) + ": " + why)
		}
		m.exp.EndRun()
		return nil
	}
	m.messages.quitting = wasQuitting && quits
	return m.do(a)
}

// notSuspended tells why the program was not stopped when it was to be suspended.
func (m *Model) notSuspended(err error) tea.Msg {
	return work.Then(func() tea.Cmd { m.messages.refuse("ctrl+z: " + err.Error()); return nil })
}

var errNoShell = errors.New("no shell is here that could continue the program, so it goes on")

// interrupt stops what the view does by itself, and reports whether it did anything: then
// the key or the click does nothing else.
func (m *Model) interrupt() bool {
	interrupt := m.spec().Interrupt
	if interrupt == nil || !interrupt() {
		return false
	}
	m.messages.say("stopped at " + m.budget().String() + "; " + m.keyOf("undo") + " goes back")
	return true
}

// do runs an action, or shows why it does nothing.
func (m *Model) do(a *bound) tea.Cmd {
	if !a.KeepsRun {
		m.exp.EndRun()
	}
	if why := m.keys.idle(&m.screens, a); why != "" {
		m.messages.refuse(keyName(a.Keys[0]) + ": " + why)
		return nil
	}
	switch {
	case a.Run != nil:
		return tea.Batch(a.Run(), m.settle())
	case a.Try != nil:
		if why := a.Try(); why != "" {
			m.messages.refuse(keyName(a.Keys[0]) + ": " + why)
		}
	default:
		m.carryOut(a.Plan())
	}
	return m.settle()
}

// seen holds what was on the screen when a key was pressed.
type seen struct{ frame, message string }

// unseen shows a message if a key has changed nothing on the screen but the message line,
// which every key clears. A key that started work may still change something, unless it
// only moves.
func (m *Model) unseen(name string, before seen, works bool) {
	if m.typing() || m.messages.line != "" || m.exp == nil || m.messages.intro != nil || m.again(name) {
		return
	}
	m.messages.line, m.dirty = before.message, true
	changed := m.View().Content != before.frame
	m.messages.line, m.dirty = "", before.message != "" // the frame just drawn shows that message
	if changed {
		return
	}
	m.dirty = true
	a := m.keys.find(&m.screens, name)
	if a == nil || works && a.Group != moving {
		return
	}
	why := " does nothing here"
	if a.Group == moving {
		why = ": there is nothing more in that direction"
	}
	m.messages.refuse(keyName(name) + why)
}

// editSide shows and edits a policy, or says that it is being edited already.
func (m *Model) editSide(s experiment.Side) {
	if m.side == s {
		m.messages.refuse(s.String() + " is shown and edited already")
		return
	}
	m.edit(s)
}

// alone returns the hint of the key of a side for a view of one side: "" where that side is shown,
// or both are.
func (m *Model) alone(s experiment.Side) func() string {
	return func() string {
		if m.side == s || m.spec().Pairs() {
			return ""
		}
		return "alone"
	}
}

// keyName returns the name of a key for a message. A terminal may send anything as a key,
// so only short, printable names are repeated.
func keyName(s string) string {
	if len(s) > 12 || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "that key"
	}
	return s
}

// paste hands text from the clipboard to the line that is being typed.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if m.typing() {
		return tea.Batch(m.specOf(m.top()).Paste(msg.Content), m.settle())
	}
	m.messages.refuse("nothing is being typed here: / filters, enter on a knob types a value")
	return nil
}

// hints returns the keys for the hint line. Those that list all others come last.
func (m *Model) hints() []screen.Hint {
	if hints := m.specOf(m.top()).Hints; hints != nil {
		return hints()
	}
	var all []screen.Hint
	add := func(a *bound, text string) { all = append(all, screen.Hint{Key: a.KeyLabel(), Text: text}) }
	for _, o := range m.offers() {
		all = append(all, screen.Hint{Key: m.offeredKey(o.bound), Text: o.text})
	}
	if m.messages.quitting {
		return all
	}
	command := "command"
	if m.width >= roomyHints {
		command = "type a command, as in 12000"
	}
	add(m.keys.named("palette"), command)
	add(m.keys.named("help"), "all keys")
	return all
}

// offeredKey returns the key of an offer as hints show it: of [ and ], no key that leads nowhere.
func (m *Model) offeredKey(a *bound) string {
	other := map[string]string{"budget.next": "budget.back", "budget.back": "budget.next"}[a.Name]
	if other != "" && m.keys.named(other).Idle() != "" {
		return a.Keys[0]
	}
	return a.KeyLabel()
}

// maxHints returns how many keys are offered besides those that list all others: as many as a wide
// screen has room for.
func (m *Model) maxHints() int { return max(6, m.width/16) }

// offer is a key that matters here and now, and what it does in a word or two.
type offer struct {
	*bound
	text string
}

// offers returns the keys that matter now: first those that the situation asks for, then
// the most useful ones of the view.
func (m *Model) offers() []offer {
	var all []offer
	add := func(a *bound, text string) {
		if a == nil || m.drawn.nothing && a.view != everywhere || len(all) == m.maxHints() || m.keys.find(&m.screens, a.Keys[0]) != a || m.keys.idle(&m.screens, a) != "" {
			return
		}
		if text = cmp.Or(text, hintNow(a), a.Hint); text == "" || m.empty() && slices.Contains([]string{"filter.next", "open", "move.down"}, a.Name) {
			return
		}
		if !slices.ContainsFunc(all, func(o offer) bool { return o.KeyLabel() == a.KeyLabel() }) {
			all = append(all, offer{a, text})
		}
	}
	for _, h := range m.suggestions() {
		add(m.keys.named(h.name), h.text)
	}
	if m.messages.quitting {
		return all // no other key does anything
	}
	if m.focus == onTable {
		for _, name := range m.spec().Hinted {
			if m.viewOnTop() {
				add(m.keys.named(name), "")
			}
		}
	}
	for _, own := range [...]bool{true, false} { // the view's own keys, then those that work everywhere
		for i := range m.keys {
			if a := &m.keys[i]; (a.view != everywhere) == own && a.Hint != "" {
				add(a, "")
			}
		}
	}
	return all
}

// empty reports whether a view of items has none to show: nothing matches, or there is no result.
func (m *Model) empty() bool {
	_, selected := m.selected()
	hint, _ := m.fold()
	return m.focus == onTable && !selected && hint == "" && m.whyNoItem() == "" && (m.needsFilter() == "" || m.exp.State(m.side) == experiment.Failed)
}

// roomyHints is the width of the screen, in cells, from which on a hint has an example.
const roomyHints = 120

// suggestion is the name of an action, and what it does now in a word or two; "": its hint.
type suggestion struct{ name, text string }

// suggestions returns the actions that the situation asks for, the most urgent first.
func (m *Model) suggestions() []suggestion {
	switch state := m.exp.State(m.side); {
	case m.messages.quitting:
		return []suggestion{{"quit", "quit without them"}, {"save", "save"}, {"close", "stay"}}
	case state == experiment.Failed:
		return []suggestion{{"budget.next", "to a budget that works"}, {"budget.back", "to a budget that works"}, {"undo", "undo"}, {"focus", "knobs"}}
	case m.focus == onKnobs && m.knobs.Folding(m.knobs.Cursor()):
		open := "show them"
		if m.knobs.Opened() {
			open = "fold them"
		}
		return []suggestion{{"open", open}, {"focus", "table"}}
	case m.focus == onKnobs && m.leadsToEditor():
		return []suggestion{{"open", "change them"}, {"focus", "table"}}
	case m.focus == onKnobs:
		typing := "type"
		if m.typesNumber("0") {
			typing = "or digits: type"
		}
		return []suggestion{{"knob.up", "change"}, {"open", typing}, {"knob.reset", "reset"}, {"focus", "table"}, {"undo", "undo"}}
	case len(m.selection.chosen) > 0:
		return []suggestion{{"item.pin", ""}, {"item.exclude", ""}, {"close", "clear selection"}, {"item.stays", ""}}
	case m.listing() && m.listed.String() == isOut:
		return []suggestion{{"filter.next", "next match"}, {"filter.out", "all items again"}}
	case m.listing():
		return []suggestion{{"filter.next", "next match"}, {"items.moved", ""}}
	case !m.filterHere().IsZero() && m.whyNoFilter() == "":
		return []suggestion{{"filter.next", "next match"}, {"close", "all items again"}}
	}
	if i, ok := m.selected(); ok && m.exp.Items().Excluded(i) {
		return []suggestion{{"item.exclude", ""}}
	}
	if o, _ := m.exp.Listable(m.side); o != nil && m.spec().Name == screen.Items && o.Quality.Recall.Set && o.Quality.Recall.Value < 1 {
		return []suggestion{{"view." + screen.Curve, "a budget for the needed"}}
	}
	return nil
}

// leadsToEditor reports whether the knob under the cursor is a row of what the policy editor changes.
func (m *Model) leadsToEditor() bool {
	k, ok := m.knobs.Current()
	return ok && (k.ID == experiment.Scorers || k.ID == experiment.Quotas)
}

// hintNow returns what an action would do now, or "" if its hint says that.
func hintNow(a *bound) string {
	switch {
	case a.HintNow != nil:
		return a.HintNow()
	case !a.Planned():
		return ""
	}
	change, _ := a.Plan()
	return change.Hint
}
