package explorer

import (
	"cmp"
	"errors"
	"fmt"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/pane"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
)

// The actions that move maxTokens along the profile of the side that is shown: to the next
// budget at which anything changes, to where an item enters or leaves, to where items stay
// in. A duplicate counts as in where the item that it repeats is in.

func (m *Model) budgetActions() []screen.Action {
	next := func(name string, dir int) func() (screen.Change, error) {
		return m.orOver(name, nextOver(dir), func() (screen.Change, error) { return m.nextChange(dir) })
	}
	nextOfItem := func(name string, dir int) func() (screen.Change, error) {
		return m.orOver(name, m.itemOver(dir), func() (screen.Change, error) { return m.nextOfItem(dir) })
	}
	return []screen.Action{
		{Name: "budget.next", Keys: []string{"]"}, Label: "[ ]", Group: turning, Hint: "next change", Text: "to the next budget with another result; on a knob: the next value",
			Words: "more budget more tokens larger bigger increase raise room step", Plan: next("budget.next", 1)},
		{Name: "budget.back", Keys: []string{"["}, Label: "[ ]", Group: turning, Hint: "next change", Text: "to the next smaller budget with another result",
			Words: "less budget less tokens lower decrease reduce room step", Plan: next("budget.back", -1)},
		{Name: "item.next", Keys: []string{"}"}, Label: "{ }", Group: turning, Hint: "this item", Text: "to this item's next change: the budget, or value of the knob, at which it comes in, leaves or changes its size",
			Words: "back lost", Plan: nextOfItem("item.next", 1)},
		{Name: "item.back", Keys: []string{"{"}, Label: "{ }", Group: turning, Hint: "this item", Text: "down to this item's next change",
			Words: "back lost", Plan: nextOfItem("item.back", -1)},
		{Name: "item.stays", Keys: []string{"="}, Group: turning, Hint: "stays in", Text: "to where the item stays in; again: where it is first in",
			Words: "find least budget fit bring back minimum smallest lowest cheapest enough how many tokens", Plan: m.orOver("item.stays", m.bringOver, m.fit)},
	}
}

// budgetSteps returns what these actions would do, for the pane of knobs and the policy editor.
func (m *Model) budgetSteps() []pane.Step {
	var all []pane.Step
	for n, name := range [...]string{"budget.next", "budget.back", "item.next", "item.back", "item.stays"} {
		a := m.keys.named(name)
		change, err := a.Plan()
		if err == nil && change.Begin != nil { // a knob is in focus: all five first try its values
			return []pane.Step{{Key: "] [", Change: change}}
		}
		if (n == 2 || n == 3) && err == nil && sameStep(all[n-2].Change, change) {
			all[n-2].Key += " " + a.Keys[0]
		} else {
			all = append(all, pane.Step{Key: a.Keys[0], Change: change, Err: err})
		}
	}
	return all
}

// sameStep reports whether a step of the item leads where the next change does, which names the
// item because it moves no more than there is room to name.
func sameStep(next, ofItem screen.Change) bool {
	n := len(next.In) + len(next.Out) + len(next.Resized)
	return next.Label.To == ofItem.Label.To && n > 0 && n <= 2
}

func (s *workspaceState) toBudget(b model.Tokens) screen.Change {
	return screen.ToBudget(s.exp.Setup(), b)
}

// toBudgetWhere returns the change to a budget at which words hold.
func (s *workspaceState) toBudgetWhere(b model.Tokens, words, hint string) screen.Change {
	c := s.toBudget(b)
	c.Words, c.Hint = words, hint
	return c
}

// nearest remembers a next change: every frame shows it, and finding it selects at two budgets.
type nearest struct {
	of   *simulate.Profile
	from model.Tokens
	simulate.Change
	found bool
}

// nextChange returns the change to the next budget with another result, above or below.
func (s *workspaceState) nextChange(dir int) (screen.Change, error) {
	p, b := s.exp.Profile(s.side), s.budget()
	if p == nil {
		brief := "computing"
		if s.exp.Err(s.side) != nil {
			brief = "no result"
		}
		return screen.Change{}, screen.Idle{Why: s.needsProfile(), Brief: brief}
	}
	to, none := p.Next, screen.Idle{Why: "nothing changes above, up to the ceiling of " + p.Axis().End().String(), Brief: "no change above"}
	if dir < 0 {
		to, none = p.Prev, screen.Idle{Why: "nothing changes below", Brief: "no change below"}
	}
	found := &s.nearest[(dir+1)/2]
	if found.of != p || found.from != b {
		change, ok := to(b)
		*found = nearest{p, b, change, ok}
	}
	if !found.found {
		return screen.Change{}, none
	}
	c := s.toBudget(found.At)
	if !s.holdsPins(found.At) {
		c.Words, c.Role = pinsTooLarge, theme.Loss
		return c, nil
	}
	c.In, c.Out = found.In, found.Out
	from := b
	if dir > 0 {
		from = found.At - 1
	}
	c.Resized = experiment.ResizesAt(p, found.Resized, from, found.At)
	return c, nil
}

// survivor returns the item to look up in a profile for item i, and its name for messages.
// It is i itself, unless i is a duplicate: then it is the item that i repeats.
func (s *workspaceState) survivor(i int) (item int, name string) {
	name = itemName(i)
	o := s.exp.Result(s.side)
	if o == nil || i >= len(o.Report.Codes) {
		return i, name
	}
	if item = o.Report.Survivor(i); item != i {
		name = fmt.Sprintf("#%d, which %s repeats,", item, name)
	}
	return item, name
}

// profileOf returns the profile of the side that is shown. The error says why there is none, or
// none yet that has all of items, which must be ascending.
func (s *workspaceState) profileOf(items []int) (*simulate.Profile, error) {
	p := s.exp.Profile(s.side)
	if p == nil || items[len(items)-1] >= p.Ranking().Items().Len() {
		return nil, errors.New(cmp.Or(s.needsProfile(), budgetsPending))
	}
	return p, nil
}

// nextOfItem returns the change to the next budget at which the selected item enters, leaves
// or changes its size, also in a view that shows no item.
func (m *Model) nextOfItem(dir int) (screen.Change, error) {
	i, ok := m.selected()
	hidden := m.viewOnTop() && m.spec().NoItem
	if hidden { // the item stays selected
		i, ok = m.stays()
	}
	if why := m.needsCursor(); why != "" && !(hidden && ok && i < m.exp.Items().Len()) {
		return screen.Change{}, errors.New(why)
	}
	p, err := m.profileOf([]int{i})
	if err != nil {
		return screen.Change{}, err
	}
	item, name := m.survivor(i)
	next, none := p.NextSizeFor, fmt.Sprintf("%s stays as it is above, up to the ceiling of %v", name, p.Axis().End())
	if dir < 0 {
		next, none = p.PrevSizeFor, name+" is the same at all smaller budgets"
	}
	b, ok := next(item, m.budget())
	if !ok {
		return screen.Change{}, errors.New(none)
	}
	c := m.toBudget(b)
	c.Words, c.Role = m.becomes(p, itemName(item), item, m.budget(), b)
	if hidden {
		c.Hint = itemName(i)
	}
	return c, nil
}

// pinsTooLarge is what happens where a budget does not hold the pinned items: there is no result.
const pinsTooLarge = "pins do not fit"

// becomes returns what happens to an item, called name, from one budget to another at which its
// size is not the same.
func (m *Model) becomes(p *simulate.Profile, name string, item int, now, then model.Tokens) (words string, role theme.Role) {
	items := p.Ranking().Items()
	size := func(b model.Tokens) (tokens model.Tokens, in, note bool) {
		k, ok := p.SizeAt(item, b)
		if !ok {
			return 0, false, false
		}
		note = k > 0 && items.Sizes(item)[k-1].Note
		return items.SizeTokens(item, k), !note, note
	}
	was, wasIn, _ := size(now)
	is, isIn, note := size(then)
	switch {
	case wasIn && isIn && is > was:
		return name + " " + m.theme.Glyphs.Arrow + " " + is.String(), theme.Gain
	case wasIn && isIn:
		return name + " " + m.theme.Glyphs.Arrow + " " + is.String(), theme.Loss
	case wasIn && items.Pinned(item):
		return pinsTooLarge, theme.Loss
	case wasIn && note:
		return name + " to a note", theme.Loss
	case wasIn:
		return name + " leaves", theme.Loss
	case isIn && is < items.Tokens(item):
		return name + " in as " + is.String(), theme.Gain
	case isIn:
		return name + " comes in", theme.Gain
	case note:
		return name + " as a note", theme.Gain
	}
	return name + " note leaves", theme.Loss
}

// fit goes to the least budget from which the items that keys act on stay in. A single one,
// at that budget, goes to where it is first in.
func (m *Model) fit() (screen.Change, error) {
	if why := m.needsItem(); why != "" {
		return screen.Change{}, errors.New(why)
	}
	items := m.targets()
	p, err := m.profileOf(items)
	switch {
	case err != nil:
		return screen.Change{}, err
	case len(items) > 1:
		return m.fitAll(p, items)
	}
	i, name := m.survivor(items[0])
	at := p.Summary(i)
	if err := m.decided(at, i, name); err != nil {
		return screen.Change{}, err
	}
	switch {
	case at.StaysFrom.Set && m.budget() != at.StaysFrom.Value:
		return m.toBudgetWhere(at.StaysFrom.Value, itemName(i)+" stays in", ""), nil
	case m.budget() != at.FirstIn.Value:
		return m.toBudgetWhere(at.FirstIn.Value, itemName(i)+" first in", "where it is first in"), nil
	}
	return screen.Change{}, errors.New(name + " is first in here and stays in")
}

// decided returns why no budget decides whether an item is in, which is no duplicate and has that
// summary and name; nil: one does.
func (m *Model) decided(at simulate.Summary, i int, name string) error {
	switch {
	case m.exp.Items().Excluded(i):
		return fmt.Errorf("%s is %s: %s restores it", name, export.CodeWord(model.Filtered), m.keyOf("item.exclude"))
	case m.exp.Items().Pinned(i) && at.FirstIn.Set && m.budget() >= at.FirstIn.Value:
		return errors.New(name + " is " + plain.Pinned + ", so it is in here and at every larger budget")
	case !at.FirstIn.Set:
		return errors.New(name + " is in at no budget up to the ceiling")
	}
	return nil
}

// fits remembers the budget from which on all chosen items stay in: every frame shows it, and
// finding it visits each item.
type fits struct {
	of        *simulate.Profile
	items     []int
	minBudget model.Tokens
	err       error
}

// stayFrom returns the least budget from which on all of items stay in. The error names the first
// item that does not.
func (s *workspaceState) stayFrom(p *simulate.Profile, items []int) (least model.Tokens, err error) {
	for _, i := range items {
		i, name := s.survivor(i)
		b, ok := p.StaysFrom(i)
		if !ok {
			return 0, fmt.Errorf("%s does not stay in up to the ceiling of %v", name, p.Axis().End())
		}
		least = max(least, b)
	}
	return least, nil
}

func (m *Model) fitAll(p *simulate.Profile, items []int) (screen.Change, error) {
	f := &m.fits
	if f.of != p || len(f.items) != len(items) || &f.items[0] != &items[0] { // a choice that changes is another slice
		*f = fits{of: p, items: items}
		f.minBudget, f.err = m.stayFrom(p, items)
	}
	switch {
	case f.err != nil:
		return screen.Change{}, f.err
	case m.budget() == f.minBudget:
		to, ok := m.exp.Setup().Spared(f.minBudget)
		if !ok {
			return screen.Change{}, errors.New("all of them stay in from here on")
		}
		return m.toBudgetWhere(to, "slack to spare", "slack to spare"), nil
	}
	return m.toBudgetWhere(f.minBudget, namesOf(items)+" stay", "until all stay"), nil
}
