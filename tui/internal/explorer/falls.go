package explorer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
	"cupelscope/tui/internal/work"
)

// This file has the palette's commands that go to the next budget that has less than a smaller
// one has: a fall.

// fallOf says what a fall has less of.
type fallOf int

const (
	fewerItems fallOf = iota
	lessValue
	lessNeeded
)

func (of fallOf) String() string {
	return [...]string{"fewer items", "less value", "less of what is needed"}[of]
}

// fall is the fall that a search found.
type fall struct {
	at    model.Tokens
	text  string // at which budget what is less
	first bool   // none is above the budget, and this is the lowest of all
}

// fallCommands lead to the next budget at which something is less.
func (m *Model) fallCommands() []palette.Command {
	all := []fallOf{fewerItems, lessValue}
	if !m.exp.Setup().Labels.IsZero() {
		all = append(all, lessNeeded)
	}
	var commands []palette.Command
	for _, of := range all {
		commands = append(commands, palette.Command{
			Group: turning, Text: "to where more is worse: " + of.String(),
			Words: "next budget fall falls drop drops lose fewer smaller lower decrease recall than before monotonic nonmonotonic non-monotonic",
			Why:   m.needsProfile(), Plan: m.fallPlan(of), Run: func() tea.Cmd { return m.seekFall(of) },
		})
	}
	return commands
}

// maxFallPlan is how long the search for a preview may take, in which keys wait.
const maxFallPlan = 5 * time.Millisecond

// fallPlan returns the plan of the step to where something is less, for its preview.
func (m *Model) fallPlan(of fallOf) func() (screen.Change, error) {
	return func() (screen.Change, error) {
		p := m.exp.Profile(m.side)
		if p == nil {
			return screen.Change{}, errors.New(budgetsPending)
		}
		ctx, stop := context.WithTimeout(m.ctx, maxFallPlan)
		defer stop()
		found, err := nextFall(ctx, p, m.judge(), of, m.budget())
		if err == nil && found.at == m.budget() {
			err = errors.New("there is none")
		}
		if err != nil {
			return screen.Change{}, err
		}
		c := m.toBudget(found.at)
		if found.first {
			c.Note = "none above " + m.budget().String() + ", the lowest of all is "
		}
		return c, nil
	}
}

// judge returns the judge of the current result, which knows the needed items; nil if none are
// needed, or if there is no result.
func (m *Model) judge() *quality.Judge {
	if o := m.current(m.side); o != nil {
		return o.Judge
	}
	return nil
}

// seekFall searches above the budget, and from the least budget on if nothing falls
// there.
func (m *Model) seekFall(of fallOf) tea.Cmd {
	if why := m.needsProfile(); why != "" {
		m.messages.say(why)
		return nil
	}
	profile, b, judge := m.exp.Profile(m.side), m.budget(), m.judge()
	return tea.Batch(m.falls.Run(m.ctx, func(ctx context.Context) work.Then {
		found, err := nextFall(ctx, profile, judge, of, b)
		return func() tea.Cmd { m.takeFall(profile, found, err); return nil }
	}), m.watch())
}

// nextFall finds where something is less. Without a judge nothing is needed. The error may say
// that there is no such fall, and then where there are fewer items.
func nextFall(ctx context.Context, p *simulate.Profile, judge *quality.Judge, of fallOf, b model.Tokens) (fall, error) {
	worse, form := simulate.Point.Fewer, "%v has %s items, %v has %s"
	says := func(p simulate.Point) string { return strconv.Itoa(p.Items) }
	switch {
	case of == lessValue:
		worse, form = simulate.Point.Less, "%v has value %s, %v has %s"
		says = func(p simulate.Point) string { return widget.ExactScore(p.Value) }
	case of == lessNeeded && judge == nil:
		worse = func(simulate.Point, simulate.Point) bool { return false }
	case of == lessNeeded:
		curve, err := quality.NewCurve(ctx, p, judge)
		if err != nil {
			return fall{}, err
		}
		worse, form = curve.Less, "%v has recall %s, %v has %s"
		says = func(p simulate.Point) string { return plain.Percent(curve.At(p.Budget).Recall.Value) }
	}
	f, above, err := p.NextFall(ctx, b, worse)
	there := above
	if err == nil && !above {
		f, there, err = p.NextFall(ctx, -1, worse)
	}
	switch {
	case err != nil:
		return fall{}, err
	case there:
		return fall{f.At.Budget, fmt.Sprintf(form, f.At.Budget, says(f.At), f.Below.Budget, says(f.Below)), !above}, nil
	case of != fewerItems:
		items, err := nextFall(ctx, p, nil, fewerItems, b)
		if err == nil {
			return fall{}, fmt.Errorf("up to %v no budget has %v; by items: %s", p.Axis().End(), of, items.text)
		}
	}
	return fall{}, cmp.Or(ctx.Err(), fmt.Errorf("more is never worse: up to %v no budget has %v than a smaller one", p.Axis().End(), of))
}

// takeFall goes to the budget that a search found, unless it is of another setup by now.
func (m *Model) takeFall(profile *simulate.Profile, found fall, err error) {
	switch {
	case m.current(m.side) == nil || !m.exp.Profile(m.side).Same(profile):
		m.messages.say("where more is worse: the setup has changed since, ask again")
	case err != nil:
		m.messages.say(err.Error())
	case found.at == m.budget():
		m.messages.say("more is worse here alone: " + found.text)
	default:
		head := "more is worse: "
		if found.first {
			head = "none above " + m.budget().String() + "; below, "
		}
		m.carryOut(m.toBudget(found.at), nil)
		m.messages.say(head + found.text + changedAt(profile, found.at) + "; " + m.keyOf("undo") + " undoes it")
	}
}

// changedAt says what goes out and comes in at a budget.
func changedAt(p *simulate.Profile, b model.Tokens) string {
	c, ok := p.Next(b - 1)
	if !ok || c.At != b {
		return ""
	}
	return ": " + widget.Moves(c.In, c.Out, 30)
}
