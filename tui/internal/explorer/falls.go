package explorer

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
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

// foundFall is the fall that a search found.
type foundFall struct {
	profile *simulate.Profile
	at      model.Tokens
	words   string // what is less there; "": there is no fall
	first   bool   // no fall is above the budget, and this is the lowest of all
	// elsewhere says where there are fewer items, if there is no fall of the kind that was
	// asked for; "" if nowhere.
	elsewhere string
}

// text says at which budget what is less; "" if there is no fall.
func (f *foundFall) text() string {
	if f.words == "" {
		return ""
	}
	return fmt.Sprintf("%v has %s", f.at, f.words)
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
			Words: "next budget fall falls drop drops lose fewer smaller lower decrease recall than before monotonic",
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
		if err == nil && (found.words == "" || found.at == m.budget()) {
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
		if err == nil && found.words == "" && of != fewerItems {
			var items foundFall
			items, err = nextFall(ctx, profile, nil, fewerItems, b)
			found.elsewhere = items.text()
		}
		return func() tea.Cmd { return m.takeFall(of, found, err) }
	}), m.watch())
}

// nextFall finds where something is less. Without a judge nothing is needed.
func nextFall(ctx context.Context, p *simulate.Profile, judge *quality.Judge, of fallOf, b model.Tokens) (foundFall, error) {
	found := foundFall{profile: p}
	worse, form := simulate.Point.Fewer, "%s items, %v has %s"
	says := func(p simulate.Point) string { return strconv.Itoa(p.Items) }
	switch of {
	case lessValue:
		worse, form = simulate.Point.Less, "value %s, %v has %s"
		says = func(p simulate.Point) string { return widget.ExactScore(p.Value) }
	case lessNeeded:
		if judge == nil {
			return found, nil
		}
		curve, err := quality.NewCurve(ctx, p, judge)
		if err != nil {
			return found, err
		}
		worse, form = curve.Less, "recall %s, %v has %s"
		says = func(p simulate.Point) string { return plain.Percent(curve.At(p.Budget).Recall.Value) }
	}
	f, ok, err := p.NextFall(ctx, b, worse)
	if err == nil && !ok {
		f, ok, err = p.NextFall(ctx, -1, worse)
		found.first = true
	}
	if err == nil && ok {
		found.at, found.words = f.At.Budget, fmt.Sprintf(form, says(f.At), f.Below.Budget, says(f.Below))
	}
	return found, err
}

// takeFall goes to the budget that a search found, unless it is of another setup by now.
func (m *Model) takeFall(of fallOf, found foundFall, err error) tea.Cmd {
	end := found.profile.Axis().End()
	switch {
	case err != nil:
		m.messages.say("where more is worse: " + err.Error())
	case m.current(m.side) == nil || !m.exp.Profile(m.side).Same(found.profile):
		m.messages.say("where more is worse: the setup has changed since, ask again")
	case found.words == "":
		text := fmt.Sprintf("more is never worse: up to %v no budget has %v than a smaller one", end, of)
		if found.elsewhere != "" {
			text = fmt.Sprintf("up to %v no budget has %v; by items: %s", end, of, found.elsewhere)
		}
		m.messages.say(text)
	case found.at == m.budget():
		m.messages.say("more is worse here alone: " + found.text())
	default:
		head := "more is worse: "
		if found.first {
			head = "none above " + m.budget().String() + "; below, "
		}
		m.carryOut(m.toBudget(found.at), nil)
		m.messages.say(head + found.text() + changedAt(found.profile, found.at))
	}
	return m.settle()
}

// changedAt says what goes out and comes in at a budget.
func changedAt(p *simulate.Profile, b model.Tokens) string {
	c, ok := p.Next(b - 1)
	if !ok || c.At != b {
		return ""
	}
	var all []string
	if len(c.Out) > 0 {
		all = append(all, "out "+widget.Indexes(c.Out, 30))
	}
	if len(c.In) > 0 {
		all = append(all, "in "+widget.Indexes(c.In, 30))
	}
	return ": " + strings.Join(all, ", ")
}
