package explorer

import (
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// The keys that move maxTokens move the knob in focus instead, where that is a number whose
// every value can be tried.

// beginTrying has the values tried; once they are known, tryNow does the action.
func (m *Model) beginTrying(action, name string) {
	t := &m.tried
	t.then = action
	t.said = "trying every value of " + name + ", esc stops that"
	m.messages.clear()
	m.messages.tell(t.said)
}

// tellTrying shows the progress of what an action waits for on the message line.
func (m *Model) tellTrying() {
	if done := m.pool.Percent(&m.tried); done >= 0 && m.tried.then != "" {
		m.messages.tell(fmt.Sprintf("%s: %d %% done", m.tried.said, done))
	}
}

// tryNow starts to try the values that an action waits for. Once they are known it does the
// action.
func (m *Model) tryNow() tea.Cmd {
	knob, _ := m.focused()
	t := &m.tried
	t.arrange(m.current(m.side), knob)
	cmd := m.pool.Do(t)
	if t.then == "" || t.of == nil && t.err == nil {
		return cmd
	}
	action := m.keys.named(t.then)
	t.then = ""
	m.messages.endProgress()
	return tea.Batch(cmd, m.do(action))
}

// focused returns the knob in focus, or else the knob that is the axis; false: there is neither.
func (m *Model) focused() (experiment.Knob, bool) {
	if m.focus == onKnobs || m.specOf(m.at(screen.Over)).Knob != nil {
		return m.knob()
	}
	if m.tried.axis != "" {
		return experiment.FindKnob(m.allKnobs(), m.tried.axis)
	}
	return experiment.Knob{}, false
}

// needsNumber returns why no number can be the axis, or "".
func (m *Model) needsNumber() string {
	if k, _ := m.focused(); k.Field == "" {
		return "no number is in focus: tab goes to the numbers of the budget, p to the numbers of the policy"
	}
	return ""
}

// toAxis draws strips and the map over the number in focus, and leaves the knobs.
func (m *Model) toAxis() {
	k, _ := m.focused()
	name := k.Called()
	m.tried.axis, m.focus = k.ID, onTable
	m.closeAll()
	if m.spec().Over == nil {
		m.show(0)
	}
	if t := &m.tried; t.of == nil && t.err == nil {
		m.beginTrying("knob.axis", name)
		return
	}
	m.messages.say("] [ and strips are over " + name + " now; esc goes back to budgets")
	if m.tried.err != nil {
		m.tried.axis = ""
		m.messages.refuse(m.tried.whyNot(name).Why)
	}
}

// leaveAxis leads back to budgets. It returns false if they are the axis already.
func (m *Model) leaveAxis() bool {
	if m.tried.axis == "" {
		return false
	}
	m.tried.axis = ""
	m.messages.say("] [ and strips are over budgets again")
	return true
}

// toStretch finds where an action leads among the values that were tried, from the stretch
// at. The error says why it leads nowhere.
type toStretch func(p *simulate.ProfileOver, at int, name string) (to int, err error)

// drawOver has the view draw its strips over the knob in focus, once its values were tried.
// It returns false if nothing changes.
func (m *Model) drawOver() bool {
	set := m.spec().Over
	return set != nil && set(m.overKnob())
}

// overKnob returns the knob in focus and its results, or nil. While the current result is being
// computed, it has the earlier results.
func (m *Model) overKnob() *widget.Over {
	k, ok := m.focused()
	t := &m.tried
	if !ok || m.specOf(m.at(screen.Over)).Knob != nil || t.of == nil || !strings.EqualFold(t.asked.Field, k.Field) {
		return nil
	}
	state := m.exp.State(m.side)
	if out, _ := m.exp.Listable(m.side); out == nil || out.Items != t.items || state != experiment.Pending && t.out == nil {
		return nil
	}
	return &widget.Over{Name: k.Called(), Items: t.items, Values: t.of, Number: t.asked, Now: k.Number.Value}
}

// orOver returns the plan of an action that moves a number in focus to where to leads, and
// otherwise the plan budgets.
func (m *Model) orOver(action string, to toStretch, budgets func() (screen.Change, error)) func() (screen.Change, error) {
	return func() (screen.Change, error) {
		k, ok := m.focused()
		if !ok || k.Field == "" || m.exp.State(m.side) == experiment.Failed { // values are tried from a result
			return budgets()
		}
		name := k.Called()
		t := &m.tried
		switch {
		case t.out == nil || t.field != k.Field:
			return screen.Change{}, screen.Idle{Why: "the result is still being computed", Brief: "computing"}
		case t.err != nil:
			return screen.Change{}, t.whyNot(name)
		case t.of == nil && t.then != "":
			return screen.Change{}, screen.Idle{Why: "the values of " + name + " are still being tried", Brief: "computing"}
		case t.of == nil:
			return screen.Change{Words: "tries every value", Begin: func() { m.beginTrying(action, name) }}, nil
		}
		at := t.of.At(t.value)
		next, err := to(t.of, at, name)
		if err != nil {
			return screen.Change{}, err
		}
		effect := t.of.Between(at, next)
		v := effect.From
		if next < at {
			v = effect.To
		}
		c, err := m.toValue(k, t.asked.Text(v))
		if effect.None {
			c.Words, c.Role = "no result at "+c.Label.To, theme.Loss
			return c, err
		}
		c.In, c.Out, c.Resized = effect.In, effect.Out, experiment.ResizesOver(t.of, t.items, effect.Resized, at, next)
		return c, err
	}
}

// nextOver leads to the next value at which anything changes.
func nextOver(dir int) toStretch {
	return func(p *simulate.ProfileOver, at int, name string) (int, error) {
		switch to := at + dir; {
		case to < 0:
			return 0, screen.Idle{Why: name + ": nothing changes below", Brief: "no change below"}
		case to >= len(p.Stretches()):
			last := p.Stretches()[at].To
			return 0, screen.Idle{Why: fmt.Sprintf("%s: nothing changes above, up to %v", name, last), Brief: "no change above"}
		default:
			return to, nil
		}
	}
}

// itemOver leads to the next value at which the selected item enters or leaves.
func (m *Model) itemOver(dir int) toStretch {
	return func(p *simulate.ProfileOver, at int, name string) (int, error) {
		item, called, err := m.overItem()
		if err != nil {
			return 0, err
		}
		has := p.Has(item)
		for to := at + dir; to >= 0 && to < len(has); to += dir {
			if has[to] != has[at] {
				return to, nil
			}
		}
		return 0, fmt.Errorf("%s neither comes in nor leaves over %s that way", called, name)
	}
}

// bringOver leads to the nearest value at which the selected item is in.
func (m *Model) bringOver(p *simulate.ProfileOver, at int, name string) (int, error) {
	item, called, err := m.overItem()
	if err != nil {
		return 0, err
	}
	switch near := p.Bring(item, m.tried.value); {
	case len(near) > 0:
		return p.At(near[0].From), nil
	case p.Has(item)[at]:
		return 0, fmt.Errorf("%s is in here", called)
	}
	return 0, fmt.Errorf("%s is in at no value of %s that was tried", called, name)
}

// overItem returns the survivor of the selected item, and its name.
func (m *Model) overItem() (int, string, error) {
	if why := m.needsCursor(); why != "" {
		return 0, "", errors.New(why)
	}
	i, _ := m.selected()
	item, name := m.survivor(i)
	if item >= m.tried.items.Len() {
		return 0, "", errors.New(budgetsPending)
	}
	return item, name, nil
}
