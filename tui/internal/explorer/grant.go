package explorer

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// This file lists the ways in which wishes hold, which granting.go and fill.go find, as rows of
// the palette. It takes some 20 ms to find them, so the palette does it in the background while a
// line is typed.

// granted returns the command that makes wishes true.
func (s *sessionState) granted(wishes []wish) palette.Command {
	return s.sought(palette.Command{Group: "set", Text: wishText(wishes)}, func(b basis, ctx context.Context) []*granting { return b.grantings(ctx, wishes) })
}

// fillCommand gives the room that the quotas of the policy leave free to the kinds that none limits.
func (s *sessionState) fillCommand() palette.Command {
	c := palette.Command{Group: "set", Text: "fill the room: what quotas leave free goes to other kinds", Words: "idle give use spread wasted"}
	if policy := s.exp.Setup().Policy[s.side]; len(policy.Quotas)+len(policy.CountQuotas) == 0 {
		c.Why = "no quota is set (p)"
	}
	return s.sought(c, basis.filling)
}

// sought returns the command c, whose place the ways take that find returns, the best first.
func (s *sessionState) sought(c palette.Command, find func(basis, context.Context) []*granting) palette.Command {
	if why := s.needsResult(); why != "" {
		c.Why = why
	}
	if c.Why != "" {
		return c
	}
	now := func() basis { return basis{s.exp, s.side, s.exp.Result(s.side)} }
	row, then := c, now()
	then.exp = s.exp.Frozen()
	c.Later = func(ctx context.Context) func() []palette.Command {
		found := find(then, ctx)
		return func() (rows []palette.Command) {
			for _, g := range found {
				rows = append(rows, g.row(row, s.exp.Setup(), func() (screen.Change, error) {
					if b := now(); b.now != g.now && b.now != nil { // it was tried for another result
						again := find(b, context.Background())
						g = again[max(0, slices.IndexFunc(again, func(a *granting) bool { return a.way == g.way }))]
					}
					return g.change()
				}))
			}
			return rows
		}
	}
	c.Plan = func() (screen.Change, error) {
		if why := s.needsResult(); why != "" {
			return screen.Change{}, errors.New(why)
		}
		return find(now(), context.Background())[0].change()
	}
	return c
}

// change returns the change that makes wishes true as was found.
func (g *granting) change() (screen.Change, error) {
	if g.err != nil {
		return screen.Change{}, g.err
	}
	label := wishText(g.asked)
	switch {
	case g.asked == nil:
		label = "fill the room"
	case g.filled:
		label += ", " + roomFilled
	}
	return screen.To(g.found.setup, experiment.Label{Name: label}), nil
}

// roomFilled says that other kinds get the room that what is asked leaves free.
const roomFilled = "free room filled"

// row returns the command c as the row of a way, which plan makes: what it sets and comes to, or why
// nothing does.
func (g *granting) row(c palette.Command, setup experiment.Setup, plan func() (screen.Change, error)) palette.Command {
	c.Plan = plan
	if g.asked != nil {
		c.Text = wishText(g.wishes)
	}
	if g.err != nil {
		c.Why, c.Done = g.err.Error(), g.err == errFilled
		return c
	}
	rep, sets, comes := g.found.report, g.sets(), g.comesTo(g.found.report)
	c.Effect = comes
	if g.shares { // to be compared with others
		c.Effect = plain.Thousands(len(rep.Included)) + " in, value " + widget.Value(rep.Value) + ", " + (rep.Effective.Target - rep.SlicedTokens).String() + " free"
	}
	if g.asked == nil {
		c.Text += ": " + sets
		return c
	}
	if already := "holds already: " + comes; !slices.ContainsFunc(g.wishes, func(w wish) bool { return !g.holds(g.now.Report, w) }) {
		if g.found.setup.Equal(setup) {
			c.Why = already
			return c
		}
		c.Effect = strings.TrimSuffix(already, ": ")
	}
	how, why := "", ""
	switch {
	case g.pins:
		how, why = "by a pin", ". A pin holds at every budget"
	case g.shares && slices.ContainsFunc(g.wishes, func(w wish) bool { return w.kind != "" && !w.percent }):
		how, why = "by shares", ". Numbers of items cannot stand beside percentages, so these shares were tried at this budget"
	case g.shares && !g.filled:
		how = "this alone"
	}
	switch { // what is asked leaves room free, and other kinds get it
	case g.filled && g.pins:
		how = "room filled + pin"
	case g.filled:
		how = roomFilled
	}
	switch {
	case how != "":
		c.Text = how + ": " + comes + ". It sets " + sets
	case sets != "":
		c.Text += ": " + sets
	}
	c.Text += why
	return c
}

// comesTo says what a result has of each bound that was wished: "28 %, 3 in".
func (g *granting) comesTo(rep *model.Report) string {
	var all []string
	for _, w := range g.wishes {
		switch n := g.amount(rep, w); {
		case w.items != nil:
		case w.percent:
			all = append(all, w.kind.Noun()+" "+plain.Percent(n/100))
		default:
			all = append(all, w.kind.Noun()+" "+strconv.Itoa(int(n))+" in")
		}
	}
	return strings.Join(all, ", ")
}

// limit is what a policy sets for a kind: "memory min 1.1 %".
type limit struct {
	kind model.Kind
	text string
}

// limits returns what a policy sets for kinds, without largest numbers that hold nothing back.
func (g *granting) limits(p model.Policy) (all []limit) {
	add := func(kind model.Kind, bound string, n float64, unit string) {
		all = append(all, limit{kind, kind.Noun() + " " + bound + " " + strconv.FormatFloat(n, 'f', -1, 64) + unit})
	}
	for _, q := range p.Quotas {
		if q.MaxPercent.Set {
			add(q.Kind, "max", q.MaxPercent.Value, " %")
		}
		if q.MinPercent.Set {
			add(q.Kind, "min", q.MinPercent.Value, " %")
		}
	}
	for _, q := range p.CountQuotas {
		if q.Require > 0 {
			add(q.Kind, "require", float64(q.Require), "")
		}
		if q.Require == 0 || q.Cap < len(ofKind(g.now.Items, q.Kind)) {
			add(q.Kind, "cap", float64(q.Cap), "")
		}
	}
	return all
}

// sets says what the way sets, first for the kinds that a wish names: "tool output max 30 %,
// memory min 1.1 %; to keep what else is in: message min 12.6 %".
func (g *granting) sets() string {
	was, is := g.exp.Setup().Policy[g.side], g.found.setup.Policy[g.side]
	had := g.limits(was)
	var all, besides []string
	for _, l := range g.limits(is) {
		switch {
		case slices.Contains(had, l):
		case slices.ContainsFunc(g.wishes, func(w wish) bool { return w.kind.Is(l.kind) }):
			all = append(all, l.text)
		default:
			besides = append(besides, l.text)
		}
	}
	if len(g.pinned) > 0 {
		all = append(all, "pin "+namesOf(g.pinned))
	}
	if len(was.CountQuotas) > len(is.CountQuotas) {
		all = append(all, "in place of counts")
	}
	text := strings.Join(all, ", ")
	if len(besides) > 0 {
		aim := "; to keep what else is in: "
		if g.filled {
			aim = "; to give the others what is free: "
		}
		text += aim + strings.Join(besides, ", ")
	}
	if g.filled && g.exhausted() {
		text += "; then " + allIn
	}
	if lost := g.found.lost; len(lost) > 0 && g.shares {
		text += "; " + widget.Indexes(lost, 20) + widget.Verb(len(lost), " leaves", " leave")
	}
	return text
}
