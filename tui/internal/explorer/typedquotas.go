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
	"cupelscope/pipeline"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// This file turns numbers of items into shares of the room where one excludes the other.

// unquoted reads "remove quotas": the quotas of all kinds, shares and counts alike.
func (s *workspaceState) unquoted(line string) []palette.Command {
	if !strings.EqualFold(line, "remove quotas") {
		return nil
	}
	return []palette.Command{s.withReason(palette.Command{Group: "policies", Text: "remove all quotas", Plan: func() (screen.Change, error) {
		setup := s.exp.Setup()
		p := setup.Policy[s.side].Clone()
		if len(p.Quotas)+len(p.CountQuotas) == 0 {
			return screen.Change{}, errors.New("policy " + s.side.String() + " has none")
		}
		p.Quotas, p.CountQuotas, p.Scarcity = nil, nil, ""
		return screen.To(setup.WithPolicy(s.side, p), experiment.Label{Name: "no quotas"}), nil
	}})}
}

// besides returns the command of a quota that is typed, and the ways to have what it asks for, which are
// found by trying: where the policy has quotas of the other sort, shares for both; a share that leaves
// the other kinds what they have; and shares that give them the room that a quota leaves free. A
// percentage, which caps every kind, is a row among them. A number of items, which can be set, limits no
// other kind and stays first; the ways are listed after all else.
func (s *workspaceState) besides(k namedKnob, value string, typed palette.Command) (c palette.Command, after []palette.Command) {
	w, ok := k.wish(value)
	if policy := s.exp.Setup().Policy[s.side]; !ok || s.needsResult() != "" || k.Excluded == "" && !w.most || k.Excluded != "" && !policy.Slicer.Divisible() {
		return typed, nil
	}
	set, err := k.Parse(value)
	wishes := []wish{w}
	ways := s.sought(wishCommand(wishes), func(b basis, ctx context.Context) []*granting {
		all := []*granting{b.exactly(ctx, typed, wishes, set)}
		found := b.grantings(ctx, wishes)
		if k.Excluded != "" && !w.most && !w.percent { // it may be wished for other budgets too
			g := b.granting(wishes, way{shares: true, held: true})
			g.find(ctx)
			found = append(found, g)
		}
		for _, g := range found {
			if g.err == nil && (!g.idle() || k.Excluded != "" && !g.found.setup.Equal(b.exp.Setup())) && (err != nil || !g.found.setup.Equal(set)) { // else what is typed does that
				all = append(all, g)
			}
		}
		return all
	})
	if k.Excluded != "" || w.percent {
		return ways, nil
	}
	return typed, []palette.Command{ways.Then(func(found []palette.Command) []palette.Command {
		return slices.DeleteFunc(found, func(c palette.Command) bool { return c.Text == typed.Text })
	})}
}

// wish returns what a quota at a value wishes; false: the knob is no quota, or has no such value.
func (k *namedKnob) wish(value string) (w wish, ok bool) {
	w = wish{kind: k.Kind, percent: k.Shares(), most: k.Caps()}
	if w.percent {
		n, err := model.ParsePercent(value)
		w.n = n
		return w, err == nil && n >= 0 && n <= 100
	}
	n, err := strconv.Atoi(value)
	w.n = float64(n)
	return w, err == nil && n >= 0 && (k.Requires() || w.most)
}

// tellRequired adds to the command that requires a count of items of a kind that there are fewer,
// or that so many are in already, and from which budget on.
func (s *workspaceState) tellRequired(c *palette.Command, kind model.Kind, count int) {
	if there := len(ofKind(s.exp.Items(), kind)); count > there {
		c.Effect = "there are only " + strconv.Itoa(there)
		return
	}
	in, from := s.holdsFrom(kind, count)
	if count < 1 || in < count {
		return
	}
	holds := "it holds already, " + strconv.Itoa(in) + widget.Verb(in, " is", " are") + " in"
	pinned := len(pinnedOf(s.exp.Items(), kind))
	switch {
	case pinned >= count:
		holds = plain.Pinned + " already: " + plain.Count(pinned, kind.Noun()+" item")
	case pinned > 0:
		holds += ", " + strconv.Itoa(pinned) + " of them " + plain.Pinned
	}
	if from.Set {
		holds += " and " + strconv.Itoa(count) + " or more at every budget from " + from.Value.String() + " to this"
	}
	if c.Why != "" {
		c.Why = holds + "; " + c.Why
	} else {
		c.Text += ": " + holds
	}
}

// maxHolding is how many items of a kind are followed over all budgets while a line is typed.
const maxHolding = 500

// holdsFrom returns how many items of a kind are in, and the least budget from which on so many
// are at every budget up to this one; unset if that is not known cheaply, or they are not.
func (s *workspaceState) holdsFrom(kind model.Kind, count int) (in int, from model.Option[model.Tokens]) {
	o, p, now := s.current(s.side), s.exp.Profile(s.side), s.budget()
	if o == nil {
		return 0, from
	}
	of := ofKind(o.Items, kind)
	in = len(slices.DeleteFunc(slices.Clone(of), func(i int) bool { return !o.Report.In(i) }))
	if p == nil || in < count || len(of) > maxHolding || now > p.Axis().End() {
		return in, from
	}
	type step struct { // at this budget so many more are in than at the one below
		at model.Tokens
		by int
	}
	var steps []step
	for _, i := range of {
		for _, band := range p.Bands(nil, i) {
			if band.From <= now {
				steps = append(steps, step{band.From, 1})
			}
			if band.To < now {
				steps = append(steps, step{band.To + 1, -1})
			}
		}
	}
	sort.Slice(steps, func(i, j int) bool { return steps[i].at > steps[j].at })
	left := in
	for k, at := range steps {
		left -= at.by
		if last := k == len(steps)-1 || steps[k+1].at != at.at; last && left < count {
			return in, model.Some(at.at)
		}
	}
	return in, from
}

// shareOfDensest returns the least share of the room, in percent with one decimal, that holds the densest
// items of a kind, so many of them.
func shareOfDensest(o *experiment.Outcome, kind model.Kind, count int) float64 {
	all := densest(o, kind)
	var tokens model.Tokens
	for _, i := range all[:min(max(0, count), len(all))] {
		tokens += o.Items.Tokens(i)
	}
	return math.Ceil(1000*float64(tokens)/float64(max(1, o.Report.Effective.Target))) / 10
}

// densest returns the items of a kind that slicing chooses from, the densest first.
func densest(o *experiment.Outcome, kind model.Kind) []int {
	all := competing(o, kind)
	density := func(i int) float64 { return o.Report.Scores[i] / float64(o.Items.Tokens(i)) }
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(density(b), density(a)) })
	return all
}

// competing returns the items of a kind that slicing chooses from.
func competing(o *experiment.Outcome, kind model.Kind) []int {
	return slices.DeleteFunc(ofKind(o.Items, kind), func(i int) bool { return !competes(o.Ranking, i) })
}

// competes reports whether slicing chooses from an item.
func competes(r *pipeline.Ranking, item int) bool {
	_, there := r.Position(item)
	return there
}
