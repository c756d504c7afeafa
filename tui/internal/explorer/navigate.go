package explorer

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay"
	"cupelscope/tui/internal/screen"
)

// This file changes the view that is shown, and has what esc and enter do.

// show changes the view. The selected item stays selected, on the screen if the new view
// shows it.
func (m *Model) show(v int) {
	i, ok := m.carried()
	if v != m.shown {
		m.depart()
		m.exp.ForgetOlder()
	}
	m.closeAll()
	m.shown, m.kept, m.back = v, model.Option[kept]{}, model.Option[departed]{}
	m.refresh()
	if enter := m.spec().Enter; ok && enter != nil {
		enter(i)
	} else if ok {
		m.view().Select(i)
	}
	if ok {
		m.keep(i)
	}
}

// visit is like show, but esc leads back to the view before.
func (m *Model) visit(v int) {
	i, had := m.selected()
	m.stays() // nothing is kept once the user has moved the cursor
	from := departed{m.shown, m.kept}
	if had { // it is what enter shows
		m.kept = model.Option[kept]{}
	}
	m.show(v)
	if j, shown := m.selected(); had && (!shown || i != j) {
		m.messages.refuse(itemName(i) + " is hidden by the filter; esc goes back, / changes it")
	}
	m.back = model.Some(from)
}

// goBack returns to the view that visit left, in the state in which it was left.
func (m *Model) goBack() {
	m.depart()
	to := m.back.Value
	m.shown, m.kept, m.back = to.view, model.Option[kept]{}, model.Option[departed]{}
	m.refresh()
	if to.kept.Set {
		m.keep(to.kept.Value.item)
	}
}

// goTo selects an item in the view that is shown, or else in Items, where it clears a
// filter that hides the item.
func (m *Model) goTo(item int) {
	m.closeAll()
	m.focus = onTable
	m.refresh()
	if m.selectItem(item) {
		return
	}
	m.show(0)
	if !m.selectItem(item) && m.exp.Outcome(m.side) != nil { // before the first result no item has a row
		m.setFilter(query.Query{})
		m.refresh()
		m.selectItem(item)
		m.messages.say(itemName(item) + " was hidden by the filter, which is cleared")
	}
}

// enter types a value of the knob that keys turn, or reads the selected item.
func (m *Model) enter() tea.Cmd {
	if m.specOf(m.top()).Knob != nil || m.focus == onKnobs {
		return m.typeValue("")
	}
	_, fold := m.fold()
	switch i, ok := m.selected(); {
	case fold != nil:
		fold()
	case !ok:
		m.messages.refuse(cmp.Or(m.noMatch(), "enter reads an item, and the cursor is on none: j and k move it"))
	default:
		m.open(overlay.NewReader(m.screenApp(), &m.whatIf, &m.ways, m.wayIn, i))
		m.focus = onTable
	}
	return nil
}

// whyUnread returns why enter reads no item and types no value, or "".
func (m *Model) whyUnread() string {
	if m.viewOnTop() && m.focus == onTable {
		return m.whyNoItem()
	}
	return ""
}

// fold returns what enter does to the group under the cursor, in a word, and does it; nil if there is none.
func (m *Model) fold() (hint string, fold func()) {
	if !m.viewOnTop() || m.spec().Fold == nil {
		return "", nil
	}
	return m.spec().Fold()
}

// escape closes or clears one thing, the topmost.
func (m *Model) escape() {
	over, is := m.over()
	switch {
	case m.tried.stop():
		m.messages.say("stopped: the values were not all tried")
	case is:
		m.close(over)
	case m.load.Running():
		m.load.Drop()
		m.messages.say("stopped: nothing was loaded")
	case m.tune.Running():
		m.tune.stop()
		m.messages.clear()
		m.tune.tell(&m.messages, m.waiting.Spin())
	case m.focus == onKnobs:
		m.focus = onTable
	case m.reading():
		m.closeAll()
	case m.leaveAxis(): // it says so
	case m.back.Set:
		m.goBack()
	case m.spec().Escape != nil && m.spec().Escape(): // what the view alone shows
	case m.atMoment():
		m.toEnd()
	case len(m.selection.chosen) > 0:
		m.selection = newSelection()
		m.messages.say("selection cleared")
	case m.advised() && (m.leaveTour() || m.messages.dismiss()): // it says so
	case m.listing():
		m.setList(query.Query{})
	case !m.filter.IsZero():
		m.setFilter(query.Query{})
	case m.count.Running():
		m.stopCount()
	default:
		if why := m.stopWork(); why != "" {
			m.messages.refuse(why)
		} else if !m.leaveTour() && !m.messages.dismiss() {
			m.messages.refuse("nothing to close; q quits")
		}
	}
}

// advised reports whether the line of advice shows the tour or a notice. An error, or a
// warning of the result, takes its place.
func (m *Model) advised() bool {
	_, _, hint := m.status()
	return hint != ""
}

// ask asks for a line of text.
func (m *Model) ask(q screen.Question) tea.Cmd {
	return m.openReading(overlay.NewPrompt(m.screenApp(), q))
}

// openReading opens a screen over what is shown, and returns the command that reads what it lists.
func (m *Model) openReading(s screen.Screen, read tea.Cmd) tea.Cmd {
	m.messages.say("")
	m.open(s)
	return read
}

// openFilter opens the prompt for the filter. The views are filtered anew after every key.
func (m *Model) openFilter() tea.Cmd {
	before, listed, help := m.filter, m.listed, `#12  kind:tool  file:a.md  is:in|out|risk|pinned|dup|split  tok>500  firstIn<32k  staysFrom<32k  score>=.5  "text"  -not`
	if m.filterHere().String() != "" {
		help = "typing replaces it, right edits it  " + help
	}
	set := func(text string) error {
		q, err := query.Parse(text)
		if err == nil {
			m.setFilter(q)
		}
		return err
	}
	return m.ask(screen.Question{
		Label: "filter:",
		Help:  help,
		Hint:  m.readAs,
		Typed: set,
		Done: func(text string) (tea.Cmd, error) {
			err := set(text)
			if err == nil {
				m.messages.say(m.readAs(text))
			}
			return nil, err
		},
		Cancel:  func() { m.setFilter(before); m.setList(listed) },
		Suggest: func(text string) []string { return query.Complete(text, m.workspace.Items.Kinds()) },
		Text:    m.filterHere().String(), Offered: true,
	})
}

// readAs returns how the filter reads words that name a kind which the set has; "" without such
// words.
func (m *Model) readAs(text string) string {
	if strings.Contains(text, `"`) {
		return ""
	}
	var said []string
	for _, word := range strings.Fields(text) {
		bare := strings.TrimLeft(word, "-!")
		kind, n := kindAt([]string{bare}, m.workspace.Items.Kinds())
		named := plain.Line(kind.Short(), 20)
		switch {
		case n == 0:
		case (len(word)-len(bare))%2 == 1:
			said = append(said, "neither kind "+named+" nor text with "+bare)
		default:
			said = append(said, "kind "+named+", or text with "+bare)
		}
	}
	return strings.Join(said, "; ")
}

// nextShown moves to the next item that the filter shows, or the one before. It returns why there is
// none, or "".
func (m *Model) nextShown(dir int, end string) string {
	was, on := m.selected()
	m.view().Move(dir)
	is, still := m.selected()
	if why := m.noMatch(); why != "" {
		return why
	}
	if on && still && is == was {
		return "this is the " + end + " item that the filter shows"
	}
	return ""
}

// noMatch says that the filter shows no item; "" if it shows some.
func (m *Model) noMatch() string {
	if list := m.spec().List; list != nil && list.Matching() > 0 {
		return ""
	}
	filter := m.filterHere().String()
	if items, err := m.matched(filter); err != nil || len(items) > 0 {
		return ""
	}
	return "no item matches the filter " + plain.Line(filter, 40) + ": esc clears it"
}

// isOut is the list of the items that are out.
const isOut = "is:out"

// showOut lists in Items the items that are out, or ends that.
func (m *Model) showOut() {
	out, _ := query.Parse(isOut)
	switch {
	case m.shown != 0 || m.reading():
		m.show(0)
	case m.filterHere().String() == out.String():
		out = query.Query{}
		if !m.listing() { // it was typed
			m.setFilter(out)
		}
	}
	m.setList(out)
}

// openEditor opens the policy editor on a knob, or on the row that it was left on.
func (m *Model) openEditor(on experiment.KnobID) {
	if m.specOf(m.at(screen.Over)).Knob == nil {
		m.editor.Begin(m.exp)
	}
	m.closeAll()
	m.open(m.editor)
	m.editor.Arrange(m.exp, m.side)
	switch on {
	case "":
	case experiment.Quotas:
		m.editor.ToQuotas()
	default:
		m.editor.ToKnob(on)
	}
}

// targets returns the items that keys act on, ascending: the chosen items, else the selected item.
// The slice must not be changed.
func (m *Model) targets() []int {
	if len(m.selection.chosen) > 0 {
		return m.selection.items()
	}
	if i, ok := m.selected(); ok {
		return []int{i}
	}
	return nil
}

// choose adds items to those chosen, or removes them if all are chosen already.
func (m *Model) choose(items []int32) {
	m.selection.toggle(items)
	m.messages.say(m.selection.words(m.exp.Items(), func(action string) string {
		a := m.keys.named(action)
		if m.keys.find(&m.screens, a.Keys[0]) != a {
			return "" // the key is the view's own: space plays a replay
		}
		return a.Keys[0]
	}))
}

// chooseSelected chooses the selected item, or drops it from the choice, and selects the
// next one.
func (m *Model) chooseSelected() {
	i, _ := m.selected()
	switch next := m.spec().NextItem; {
	case m.reading():
	case next != nil: // its lines are not items
		next(1)
	default:
		m.view().Move(1)
	}
	m.choose([]int32{int32(i)})
}
