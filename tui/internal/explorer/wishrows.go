package explorer

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// This file lists the ways in which wishes hold, which wishways.go and wishfill.go find, as rows of
// the palette. It takes some 20 ms to find them, so the palette does it in the background while a
// line is typed.

// granted returns the command that makes wishes true.
func (s *workspaceState) granted(wishes []wish) palette.Command {
	return s.sought(wishCommand(wishes), func(b basis, ctx context.Context) []*granting { return b.grantings(ctx, wishes) })
}

// wishCommand is the row of wishes until their ways are found.
func wishCommand(wishes []wish) palette.Command {
	text := wishText(wishes)
	return palette.Command{Group: "set", Text: text, Title: "Ways to have " + text}
}

// fillCommand gives the room that the quotas of the policy leave free to the kinds that none limits.
func (s *workspaceState) fillCommand() palette.Command {
	c := palette.Command{Group: "set", Text: "fill the room: what quotas leave free goes to other kinds", Words: "idle give use spread wasted"}
	if policy := s.exp.Setup().Policy[s.side]; len(policy.Quotas)+len(policy.CountQuotas) == 0 {
		c.Why = "no quota is set (p)"
	}
	return s.sought(c, basis.filling)
}

// sought returns the command c, whose place the ways take that seek finds, the best first: enter
// makes the best.
func (s *workspaceState) sought(c palette.Command, seek func(basis, context.Context) []*granting) palette.Command {
	find := func(b basis, ctx context.Context) []*granting {
		found := seek(b, ctx)
		sort.SliceStable(found, func(a, b int) bool { return better(found[a], found[b]) })
		return found
	}
	if c.Why = cmp.Or(s.needsResult(), c.Why); c.Why != "" {
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

// tried returns the command with what its change comes to, which is found in the background.
func (s *workspaceState) tried(c palette.Command) palette.Command {
	change, err := c.Plan()
	if err != nil || c.Why != "" {
		return c
	}
	trial, ok := s.exp.Try(s.side, change.To())
	if !ok {
		return c
	}
	known := c
	c.Later = func(ctx context.Context) func() []palette.Command {
		if rep, err := trial.Report(ctx); err == nil {
			known.Effect = resultText(rep)
		}
		return func() []palette.Command { return []palette.Command{known} }
	}
	return c
}

// better reports whether way a comes before way b: its value is higher or, of equal values, more items
// are in. What cannot be had comes last.
func better(a, b *granting) bool {
	worth := func(g *granting) (value float64, in int) {
		if g.err != nil {
			return math.Inf(-1), 0
		}
		return g.found.report.Value, len(g.found.report.Included)
	}
	valueA, inA := worth(a)
	valueB, inB := worth(b)
	return valueA > valueB || valueA == valueB && inA > inB
}

// idle reports whether a way gives nothing: what is wished holds already, and it is worth less.
func (g *granting) idle() bool {
	return g.holding() && (g.found.report.Value < g.now.Report.Value || g.found.setup.Equal(g.exp.Setup()))
}

// holding reports whether all that is wished holds already.
func (g *granting) holding() bool {
	return !slices.ContainsFunc(g.wishes, func(w wish) bool { return !g.holds(g.now.Report, w) })
}

// change returns the change that makes wishes true as was found.
func (g *granting) change() (screen.Change, error) {
	if g.typed != nil {
		return g.typed.Plan()
	}
	if g.err != nil {
		return screen.Change{}, g.err
	}
	label := wishText(g.asked)
	switch {
	case g.asked == nil:
		label = "fill the room"
	case g.filled:
		label += ", " + othersGain
	}
	return screen.To(g.found.setup, experiment.Label{Name: label}), nil
}

// What the other kinds get of the room where one kind is limited, short enough for a row of 60 columns.
const (
	othersGain = "other kinds get the rest"
	othersKeep = "other kinds keep theirs"
)

// row returns the command c as the row of a way, which plan makes: what becomes of the other items and
// what it comes to, or why nothing does.
func (g *granting) row(c palette.Command, setup experiment.Setup, plan func() (screen.Change, error)) palette.Command {
	if g.typed != nil {
		c = *g.typed
		if g.err == nil {
			c.Effect = cmp.Or(c.Effect, resultText(g.found.report))
			c.Notes = append(slices.Clip(c.Notes), g.comesTo(g.found.report))
		}
		return c
	}
	c.Plan = plan
	if g.err != nil {
		c.Why, c.Done = g.err.Error(), g.err == errFilled
		return c
	}
	rep, comes := g.found.report, g.comesTo(g.found.report)
	holds := g.asked != nil && g.holding()
	if holds && g.found.setup.Equal(setup) {
		c.Why = strings.TrimSuffix("holds already: "+comes, ": ")
		return c
	}
	c.Effect = resultText(rep)
	c.Text, c.Notes = "fill the room", []string{g.sets()}
	if g.asked == nil {
		return c
	}
	c.Text = g.others()
	if c.Text == g.sets() { // which is all: what moves stands beside it
		c.Notes = nil
		in, out := simulate.Diff(g.now.Report, rep)
		c.Effect = strings.TrimPrefix(widget.Moves(in, out, 20)+": "+c.Effect, ": ")
	}
	switch {
	case holds && g.held:
		comes = "holds already: " + comes
	case holds:
		c.Text = "holds already, " + c.Text
	}
	if g.filled && g.exhausted() {
		comes += "; " + allIn
	}
	if comes != "" {
		c.Notes = []string{comes, g.sets()}
	}
	switch {
	case g.pins:
		c.Notes = append(c.Notes, "a pin holds at every budget")
	case g.shares && slices.ContainsFunc(g.wishes, func(w wish) bool { return w.kind != "" && !w.percent }):
		c.Notes = append(c.Notes, "a number of items cannot stand beside percentages: these give as many at this budget")
	}
	return c
}

// resultText returns what a result comes to.
func resultText(rep *model.Report) string {
	return plain.Thousands(len(rep.Included)) + " in, value " + widget.Value(rep.Value) + ", " + (rep.Effective.Target - rep.SlicedTokens).String() + " free"
}

// others returns what becomes of the items that no wish is about: "other kinds get the rest", "−
// #15 #57"; or what is done where all wishes are about items: "pin #12".
func (g *granting) others() string {
	text := othersKeep
	switch lost := g.found.lost; {
	case g.held, !g.filled && !slices.ContainsFunc(g.asked, func(w wish) bool { return w.items == nil }):
		return g.sets()
	case len(lost) > 0:
		text = widget.Moves(nil, lost, 20)
	case g.filled:
		text = othersGain
	}
	if g.pins {
		return "pin " + namesOf(g.pinned) + ", " + text
	}
	return text
}

// comesTo returns what a result has of each bound that was wished: "28 %, 3 in".
func (g *granting) comesTo(rep *model.Report) string {
	var all []string
	for _, w := range g.wishes {
		n := g.amount(rep, w)
		switch {
		case w.items != nil:
		case w.percent:
			all = append(all, w.kind.Noun()+" "+plain.Percent(n/100)+besidePinned(rep, w.kind))
		default:
			text := w.kind.Noun() + " " + strconv.Itoa(int(n)) + " in"
			if pinned := pinnedOf(rep.Items, w.kind); len(pinned) > 0 {
				text += " with " + namesOf(pinned) + " " + plain.Pinned
			}
			all = append(all, text)
		}
	}
	return strings.Join(slices.Compact(all), ", ")
}

// besidePinned returns what stands behind the share of a kind with pinned items, which have no part
// in quotas: their names, and which share of the prompt the kind has with them; "" if none is
// pinned.
func besidePinned(rep *model.Report, kind model.Kind) string {
	var pinned []int
	var tokens model.Tokens
	for _, i := range ofKind(rep.Items, kind) {
		tokens += rep.Taken(i)
		if rep.Codes[i] == model.Pinned {
			pinned = append(pinned, i)
		}
	}
	if pinned == nil {
		return ""
	}
	return " of the room, plus " + namesOf(pinned) + " " + plain.Pinned + ": " + plain.Percent(float64(tokens)/float64(max(1, rep.Kept))) + " of the prompt"
}

// limits returns the bounds that a policy sets for kinds, as they are typed: at most "30 % tool",
// without largest numbers that hold nothing back, and at least "1 % mem".
func (g *granting) limits(p model.Policy) (most, least []string) {
	for _, q := range p.Quotas {
		if q.MaxPercent.Set {
			most = append(most, widget.Share(q.MaxPercent.Value)+" "+q.Kind.Short())
		}
		if q.MinPercent.Set {
			least = append(least, widget.Share(q.MinPercent.Value)+" "+q.Kind.Short())
		}
	}
	for _, q := range p.CountQuotas {
		if q.Require > 0 {
			least = append(least, strconv.Itoa(q.Require)+" "+q.Kind.Short())
		}
		if q.Require == 0 || q.Cap < len(ofKind(g.now.Items, q.Kind)) {
			most = append(most, strconv.Itoa(q.Cap)+" "+q.Kind.Short())
		}
	}
	return most, least
}

// sets returns what the way sets, first for the kinds that a wish names: "set at most 30 % tool; at
// least 1 % mem, 12.6 % msg; pin #8".
func (g *granting) sets() string {
	was, is := g.exp.Setup().Policy[g.side], g.found.setup.Policy[g.side]
	var parts []string
	add := func(bound string, now, had []string) {
		if now = slices.DeleteFunc(now, func(l string) bool { return slices.Contains(had, l) }); len(now) > 0 {
			parts = append(parts, bound+strings.Join(now, ", "))
		}
	}
	most, least := g.limits(is)
	hadMost, hadLeast := g.limits(was)
	add("at most ", most, hadMost)
	add("at least ", least, hadLeast)
	if len(parts) > 0 {
		parts[0] = "set " + parts[0]
	}
	for _, w := range append(slices.Clip(g.wishes), wish{items: g.pinned}) {
		verb := "pin "
		if w.out {
			verb = "exclude "
		}
		if len(w.items) > 0 {
			parts = append(parts, verb+cmp.Or(w.said, namesOf(w.items)))
		}
	}
	return strings.Join(parts, "; ")
}
