package explorer

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
)

// The mouse does what keys do: it selects, sorts, turns knobs, changes views, and drags
// the budget along everything that has an axis of budgets.

// wheelRows is how far one notch of the wheel goes, and notches which way: down (1) or up (-1).
const wheelRows = 3

var notches = map[tea.MouseButton]int{tea.MouseWheelDown: 1, tea.MouseWheelUp: -1}

// mouse handles a message of the mouse.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if m.exp == nil && !m.typing() || m.specOf(m.top()).Place == screen.Footer || m.drawn.layout.Shape == tooSmall {
		return nil
	}
	switch msg.(type) {
	case tea.MouseClickMsg:
		m.drawn.drag = noDrag
		if at.Button != tea.MouseLeft {
			return nil
		}
		m.dirty = true
		if m.messages.quitting { // a click answers as the key does that it points at
			h, _ := m.drawn.hint(at.X, at.Y)
			return m.key(tea.KeyPressMsg{Text: cmp.Or(h.Key, "esc")})
		}
		m.messages.clear()
		if m.interrupt() {
			return m.settle()
		}
		if m.exp != nil { // else the list is shown that the program begins with
			m.exp.EndRun()
		}
		cmd := m.click(at.X, at.Y)
		return tea.Batch(cmd, m.settle())
	case tea.MouseMotionMsg, tea.MouseReleaseMsg:
		if m.drawn.drag == noDrag {
			return nil
		}
		m.dirty = true
		m.dragTo(at.X, at.Y)
		if _, released := msg.(tea.MouseReleaseMsg); released {
			m.drawn.drag = noDrag
		}
		return m.settle()
	case tea.MouseWheelMsg:
		dir := notches[at.Button]
		if dir == 0 {
			return nil
		}
		m.dirty = true
		if zoom := m.spec().Zoom; zoom != nil && at.Mod&tea.ModCtrl != 0 && m.viewOnTop() && m.focus == onTable {
			m.messages.say(zoom(dir < 0))
			return m.settle()
		}
		m.wheel(at.X, at.Y, dir)
		return m.settle()
	}
	return nil
}

// wheel scrolls what is under the mouse.
func (m *Model) wheel(x, y, dir int) {
	l := &m.drawn.layout
	switch {
	case !m.viewOnTop():
		if move := m.wheels(); move != nil {
			move(dir * wheelRows)
		}
	case l.Knobs.Contains(x, y) || l.KnobLine.Contains(x, y):
		m.knobs.Move(dir)
	case l.Main.Contains(x, y):
		m.view().Move(dir * wheelRows)
	}
}

// click handles a press of the left button.
func (m *Model) click(x, y int) tea.Cmd {
	l := &m.drawn.layout
	if h, ok := m.drawn.hint(x, y); ok {
		return m.clickHint(h)
	}
	top := m.specOf(m.top())
	if top.Key != nil && top.Click != nil {
		return top.Click(x, y)
	}
	switch {
	case l.Header.Contains(x, y) && x >= l.Header.W-8:
		m.openHelp()
		return nil
	case l.Notice.Contains(x, y) && m.messages.dismiss():
		return nil
	}
	if v := at(m.drawn.tabAt, x, y); v >= 0 {
		m.show(v)
		return nil
	}
	switch {
	case l.Bar.Contains(x, y):
		return m.clickBar(x)
	case top.Click != nil:
		return top.Click(x, y)
	case !m.viewOnTop():
	case l.Knobs.Contains(x, y):
		m.focus = onKnobs
		if row, ok := m.knobs.RowAt(x, y); ok && !m.knobs.All[row].Typed { // the row opens the editor, or folds
			m.knobs.To(row)
			return m.typeValue("")
		}
		if knob, step, ok := m.knobs.Hit(x, y); ok {
			m.knobs.Click(m.screenApp(), knob, step)
		}
	case l.Next.Contains(x, y):
		m.drawn.drag = dragBudget
		m.dragTo(x, y)
	case l.Main.Contains(x, y):
		m.focus = onTable
		return m.clickPane(x, y)
	}
	return nil
}

// clickHint presses the key of a hint, if it names a single key.
func (m *Model) clickHint(h screen.Hint) tea.Cmd {
	key := m.specOf(m.top()).Key
	if press, single := keyNamed(h.Key); single && key != nil {
		return key(press)
	}
	if a := m.keys.find(&m.screens, h.Key); a != nil && key == nil {
		return m.do(a)
	}
	m.messages.say(h.Key + " are keys: press one of them")
	return nil
}

// clickPane selects what is under the mouse, or opens it if it is selected already. A
// click on the heading of a column sorts by it, and one on an axis sets maxTokens.
func (m *Model) clickPane(x, y int) tea.Cmd {
	h := m.view().Hit(x, y)
	if h.Click != nil {
		m.leave() // playing would move the cursor away
		if h.Here {
			return m.do(m.keys.find(&m.screens, "enter"))
		}
		h.Click()
		return nil
	}
	if h.Item.Set {
		was, _ := m.view().Selected()
		m.selectItem(h.Item.Value)
		if was == h.Item.Value && !h.Budget.Set {
			return m.enter()
		}
	}
	if h.Budget.Set {
		m.drawn.drag = dragBudget
		m.dragTo(x, y)
	}
	return nil
}

// clickBar shows which part of the budget was clicked, and starts dragging the edge of
// the last part.
func (m *Model) clickBar(x int) tea.Cmd {
	part, ok := pane.PartHit(m.frameFor(), m.drawn.layout.Bar, x)
	output, _ := model.FieldOfBudget(model.FieldOutputReserve)
	switch {
	case part.Label == output.Short || x >= m.drawn.layout.Bar.X+m.drawn.layout.Bar.W-2:
		m.drawn.drag = dragOutput
		m.messages.say("drag to change the " + string(experiment.OutputReserve))
	case ok:
		m.messages.say(fmt.Sprintf("%s: %v tokens of %v", part.Label, part.Tokens, m.budget()))
	}
	return nil
}

// dragTo sets what is dragged to the value at a cell.
func (m *Model) dragTo(x, y int) {
	switch m.drawn.drag {
	case dragBudget:
		h := m.view().Hit(x, y)
		if m.drawn.layout.Next.Contains(x, y) {
			h = m.next.Hit(x, y)
		}
		if !h.Budget.Set {
			return
		}
		m.messages.say("")
		if c, err := screen.SlideTo(m.exp.Setup(), h.Budget.Value, 1); err == nil { // else the budget is there already
			m.carryOut(c, nil)
		}
	case dragOutput:
		now := m.exp.Setup()
		next := now
		next.Budget.OutputReserve = m.drawn.reserve(x, m.budget())
		if !next.Equal(now) {
			c := screen.To(next, experiment.Label{Name: string(experiment.OutputReserve), From: now.Budget.OutputReserve.String(), To: next.Budget.OutputReserve.String()})
			c.Merge = experiment.OutputReserve
			m.carryOut(c, nil)
		}
	}
}

// drawn holds where things are in the frame that is shown, for the mouse.
type drawn struct {
	layout  layout
	nothing bool        // the view has no result to draw, and says so
	tabAt   []draw.Rect // by view
	hinted  []screen.Hint
	hintAt  []draw.Rect // by hint
	drag    drag
}

// drag says what moving the mouse with the button pressed changes.
type drag int

const (
	noDrag     drag = iota
	dragBudget      // maxTokens, along an axis of budgets
	dragOutput      // output reserve, by the left edge of the last part of the bar
)

// hint returns the hint at a cell, or false if there is none.
func (d *drawn) hint(x, y int) (screen.Hint, bool) {
	if i := at(d.hintAt, x, y); i >= 0 {
		return d.hinted[i], true
	}
	return screen.Hint{}, false
}

// at returns the index of the rectangle that contains a cell, or -1.
func at(rects []draw.Rect, x, y int) int {
	return slices.IndexFunc(rects, func(r draw.Rect) bool { return r.Contains(x, y) })
}

// reserve returns how many tokens of a budget are kept for the answer if the last part
// of the bar begins at column x. It is a multiple of a round number of about one column.
func (d *drawn) reserve(x int, budget model.Tokens) model.Tokens {
	r := d.layout.Bar
	width := model.Tokens(max(1, r.W-2))
	kept := min(max(0, width-model.Tokens(x-r.X-1)), width)
	unit := experiment.NiceStep(max(1, budget/width), false)
	return min(kept*budget/width/unit*unit, budget)
}
