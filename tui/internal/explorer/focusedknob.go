package explorer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// The keys that move maxTokens move the knob in focus instead, where that is a number whose
// every value can be tried.

// tried is the results at all values of the knob in focus. Where that is little work, see
// pane.MaxWayWork, they are computed at once, else once one of these keys is
// pressed. They stay while keys turn that knob and nothing else.
type tried struct {
	out   *experiment.Outcome // where the values are tried; nil: no knob is in focus
	field string              // of the knob
	value float64             // of the knob now
	then  string              // the action that was asked for, which waits for the results; "": none
	said  string              // the message line when it began to wait

	axis experiment.KnobID // the knob that these keys move where none is in focus; "": none, they move maxTokens

	begun int // counts the jobs, so that the answer of an earlier one is dropped
	triedValues
	err    error
	items  *model.Set // what of or err was computed for, with policy and budget
	policy model.Policy
	budget model.Budget
}

// triedValues are the results over a number; of is nil if computing them takes long and no key
// has asked for them.
type triedValues struct {
	of    *simulate.ProfileOver
	asked model.Number // its Name is "" until it is known
}

type triedKey struct {
	begun  int
	anyhow bool // however long that takes
}

// arrange sets the knob; a knob without a Field has no values to try. out is the outcome of the
// current setup, or nil.
func (t *tried) arrange(out *experiment.Outcome, knob experiment.Knob) {
	if out == nil || out.Report == nil || knob.Field == "" {
		t.out, t.then = nil, ""
		return
	}
	if t.out == out && t.field == knob.Field {
		return
	}
	t.out, t.field, t.value, t.then = out, knob.Field, knob.Number.Value, ""
	if t.knows() {
		return
	}
	t.begun++
	t.triedValues, t.err = triedValues{}, nil
	t.items, t.policy, t.budget = out.Items, out.Ranking.Policy(), out.Report.Budget
}

// knows reports whether the results are still those of the current setup: it differs at most
// in the value of the knob, and that value was tried.
func (t *tried) knows() bool {
	if t.of == nil || t.items != t.out.Items || !strings.EqualFold(t.asked.Field, t.field) {
		return false
	}
	n := t.asked
	point, on := n.Point(t.value)
	if t.value != n.Value && (!on || point < n.First || point > n.Last) {
		return false
	}
	if _, there := numberOf(t.out.Ranking.Policy(), t.out.Report.Budget, t.field); !there {
		return false // its quota or its scorer is gone
	}
	policy, fields := n.Set(t.out.Ranking.Policy(), t.out.Report.Budget.Fields(), n.Value)
	budget, err := model.NewBudget(fields)
	return err == nil && policy.Same(t.policy) && reflect.DeepEqual(budget, t.budget)
}

// Job returns the work of trying the values. Only an action that asked for it waits for it.
func (t *tried) Job() (work.Job, bool) {
	large := t.asked.Name != "" // the first job found that trying all values takes long
	if t.out == nil || t.of != nil || t.err != nil || large && t.then == "" {
		return work.Job{}, false
	}
	ranking, budget, field := t.out.Ranking, t.budget, t.field
	limit := pane.MaxWayTime
	if large {
		limit = 0
	}
	return work.Job{Key: triedKey{t.begun, large}, CanWait: t.then == "", Limit: limit, Run: work.Pass(func(ctx context.Context) (triedValues, error) {
		number, there := numberOf(ranking.Policy(), budget, field)
		if !there {
			return triedValues{}, errors.New("this knob has no values to try")
		}
		if !large && simulate.OverWork(ranking, budget, number) > pane.MaxWayWork {
			return triedValues{asked: number}, nil
		}
		of, err := simulate.NewProfileOver(ctx, ranking, budget, number)
		return triedValues{of, number}, err
	}, func(values triedValues, err error) {
		t.triedValues, t.err = values, err
		if work.TooLong(err) {
			t.err = nil // a key may still ask for it
		}
	})}, true
}

// numberOf returns the number of a field; false: the policy and the budget have none there.
func numberOf(p model.Policy, b model.Budget, field string) (model.Number, bool) {
	_, kind, _ := strings.Cut(field, ".")
	all := model.Numbers(p, b, []model.Kind{model.Kind(kind)})
	k := slices.IndexFunc(all, func(n model.Number) bool { return strings.EqualFold(n.Field, field) })
	if k < 0 {
		return model.Number{}, false
	}
	return all[k], true
}

// stop ends the work. It returns false if none was asked for.
func (t *tried) stop() bool {
	waits := t.then != ""
	t.then = ""
	return waits
}

// begin has the values tried; once they are known, tryNow does the action.
func (m *Model) begin(action, name string) {
	t := &m.tried
	t.then = action
	t.said = "trying every value of " + name + ", esc stops that"
	m.messages.clear()
	m.messages.tell(t.said)
}

// whyNot returns why the values of a knob were not tried.
func (t *tried) whyNot(name string) screen.Idle {
	var large *simulate.OverError
	if errors.As(t.err, &large) {
		return screen.Idle{Why: fmt.Sprintf("%s has %v values, too many to try with %v items", name, t.count(), model.Tokens(large.Items)), Brief: "too many values"}
	}
	return screen.Idle{Why: t.err.Error(), Brief: "not tried"}
}

func (t *tried) count() model.Tokens { return model.Tokens(t.asked.Last - t.asked.First + 1) }

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

// focused returns the knob in focus, or else the one that is the axis; false: there is neither.
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
		m.begin("knob.axis", name)
		return
	}
	m.messages.say("] [ and strips are over " + name + " now; esc goes back to budgets")
	if m.tried.err != nil {
		m.tried.axis = ""
		m.messages.say(m.tried.whyNot(name).Why)
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
	state, _ := m.exp.State(m.side)
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
		if !ok || k.Field == "" {
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
			return screen.Change{Words: "tries every value", Begin: func() { m.begin(action, name) }}, nil
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
		c.In, c.Out, c.Resized = effect.In, effect.Out, experiment.ResizesOver(t.of, t.items, effect.Resized, at, next)
		return c, err
	}
}

// toValue returns the change that sets a knob to a value of its number.
func (s *sessionState) toValue(k experiment.Knob, value string) (screen.Change, error) {
	if k.Percent {
		value += "%"
	}
	return s.typedValue(k, value)
}

// allKnobs returns the knobs of the pane and of the policy editor.
func (s *sessionState) allKnobs() []experiment.Knob {
	setup := s.exp.Setup()
	return append(s.exp.Knobs(setup, s.side, s.original), s.exp.PolicyKnobs(setup, s.side, s.original)...)
}

// wayIn returns the change of a way that brings an item in.
func (s *sessionState) wayIn(w pane.Way) (screen.Change, error) {
	if w.Edit != nil {
		return screen.To(w.Edit.Do(s.exp.Setup()), w.Edit.Label), nil
	}
	if !w.Number.Set {
		return s.toBudget(model.Tokens(w.To)), nil
	}
	return s.toValue(w.Knob, w.Number.Value.Text(w.To))
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
	has, best, nearest := p.Has(item), -1, math.Inf(1)
	if has[at] {
		return 0, fmt.Errorf("%s is in here", called)
	}
	now := m.tried.value
	for to, in := range has {
		s := p.Stretches()[to]
		if far := max(s.From-now, now-s.To); in && far < nearest {
			best, nearest = to, far
		}
	}
	if best < 0 {
		return 0, fmt.Errorf("%s is in at no value of %s that was tried", called, name)
	}
	return best, nil
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
