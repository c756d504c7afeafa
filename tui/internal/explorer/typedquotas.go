package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/widget"
)

// This file turns numbers of items into shares of the room where one excludes the other.

// besides returns alternatives to a quota that is typed: the nearest quota of the other sort, if
// the policy has quotas of that sort, which exclude it; and the quota with shares for the other
// kinds, so that these keep their tokens. before and after say where the palette lists them.
// spoken says that it is typed as "at most", which asks to limit one kind, and not by the name of
// the knob, which limits all kinds.
func (s *sessionState) besides(k namedKnob, value string, spoken bool) (before, after []palette.Command) {
	switch near, ok := s.nearest(k, value); {
	case ok && s.holds(k, value):
		after = append(after, near)
	case ok:
		before = append(before, near)
	}
	if both, ok := s.besideCounts(k, value); ok {
		before = append(before, both)
	}
	switch kept, ok := s.keepingOthers(k, value); {
	case ok && spoken:
		before = append(before, kept)
	case ok:
		after = append(after, kept)
	}
	return before, after
}

// nearest returns the percentage to set in place of a count of items of a kind where the policy
// has percentages, which exclude counts: the least that has room for so many of the densest
// items. False: there is none.
func (s *sessionState) nearest(k namedKnob, value string) (palette.Command, bool) {
	count, err := strconv.Atoi(value)
	o := s.exp.Result(s.side)
	if k.Excluded == "" || !k.Requires() || err != nil || o == nil || len(o.Policy.Quotas) == 0 {
		return palette.Command{}, false
	}
	share, ok := shareOfDensest(o, k.Kind, count)
	if !ok {
		return palette.Command{}, false
	}
	for _, other := range s.namedKnobs() {
		if other.IsMinShare() && other.Kind.Is(k.Kind) {
			c := s.setting(other, strconv.FormatFloat(share, 'f', -1, 64)+"%")
			c.Value = "" // the row has no room for it at every size
			c.Text += " for the densest " + value + ", which have most score a token: percentages exclude counts"
			return c, true
		}
	}
	return palette.Command{}, false
}

// besideCounts returns the command that sets a share where the policy requires counts of items,
// which exclude shares: each count becomes a share as in nearest. False: it requires none, or a
// cap would be lost.
func (s *sessionState) besideCounts(k namedKnob, value string) (palette.Command, bool) {
	if k.Excluded == "" || !k.Shares() {
		return palette.Command{}, false
	}
	_, also, ok := s.withShares(k, value)
	plan := func() (screen.Change, error) { // the least numbers may have changed since it was listed
		next, _, ok := s.withShares(k, value)
		if !ok {
			return screen.Change{}, errors.New("the least numbers cannot be shares of the room now")
		}
		return s.turned(k.Knob, next, nil, "")
	}
	return palette.Command{Group: "set", Text: "set " + k.name + " to " + value + " in place of counts: " + also + "which have most score a token", Plan: plan}, ok
}

// withShares returns the setup in which every required count is its shareOfDensest, and the knob
// of a share has this value; also names the shares. False: as for besideCounts.
func (s *sessionState) withShares(k namedKnob, value string) (next experiment.Setup, also string, ok bool) {
	o := s.exp.Result(s.side)
	if o == nil || len(o.Policy.CountQuotas) == 0 {
		return next, "", false
	}
	policy := s.exp.Setup().Policy[s.side]
	policy.CountQuotas, policy.Scarcity = nil, ""
	for _, q := range o.Policy.CountQuotas {
		share, ok := shareOfDensest(o, q.Kind, q.Require)
		if !ok || q.Cap < len(competing(o, q.Kind)) {
			return next, "", false
		}
		policy.Quotas = append(policy.Quotas, model.Quota{Kind: q.Kind, MinPercent: model.Some(share)})
		also += fmt.Sprintf("%s min %% to %s%% for the densest %d, ", q.Kind.Noun(), strconv.FormatFloat(share, 'f', -1, 64), q.Require)
	}
	next, ok = s.turnedUnder(policy, k, value)
	return next, also, ok
}

// turnedUnder returns the setup with this policy, and in it a knob at a value. False: the policy
// has no such knob, or the knob does not take that value.
func (s *sessionState) turnedUnder(policy model.Policy, k namedKnob, value string) (experiment.Setup, bool) {
	then, ok := experiment.FindKnob(s.exp.PolicyKnobsFor(s.exp.Setup().WithPolicy(s.side, policy), s.side, s.original), k.ID)
	if !ok {
		return experiment.Setup{}, false
	}
	next, err := then.Parse(value)
	return next, err == nil
}

// keepingOthers returns the command that limits the share of a kind and lets the other kinds keep
// what they have: each gets the least share that has room for it. False: the policy has quotas
// already, or no other kind is in.
func (s *sessionState) keepingOthers(k namedKnob, value string) (palette.Command, bool) {
	if k.Excluded != "" || !k.Shares() || k.IsMinShare() {
		return palette.Command{}, false
	}
	_, also, ok := s.withOthersKept(k, value)
	plan := func() (screen.Change, error) { // the result may be another one by then
		next, _, ok := s.withOthersKept(k, value)
		if !ok {
			return screen.Change{}, errors.New("the shares of the others do not fit now")
		}
		return s.turned(k.Knob, next, nil, "")
	}
	return palette.Command{Group: "set", Text: "set " + k.name + " to " + value + " and leave the other kinds theirs: " + also, Effect: "others stay", Plan: plan}, ok
}

// withOthersKept returns the setup of keepingOthers, and says which shares others get.
func (s *sessionState) withOthersKept(k namedKnob, value string) (next experiment.Setup, also string, ok bool) {
	o := s.exp.Result(s.side)
	if o == nil || len(o.Policy.Quotas)+len(o.Policy.CountQuotas) > 0 || o.Items.HasSizes() || o.Report.Effective.Target <= 0 {
		return next, "", false
	}
	has := make([]model.Tokens, len(o.Items.Kinds()))
	holds := make([]bool, len(has))
	for _, i := range o.Report.Included {
		if id := o.Items.KindID(int(i)); !o.Items.Pinned(int(i)) {
			has[id], holds[id] = has[id]+o.Items.Tokens(int(i)), true
		}
	}
	policy, names := s.exp.Setup().Policy[s.side].Clone(), []string(nil)
	for id, kind := range o.Items.Kinds() {
		if !holds[id] || kind.Is(k.Kind) {
			continue
		}
		share := max(.1, math.Ceil(1000*float64(has[id])/float64(o.Report.Effective.Target))/10)
		policy.Quotas = append(policy.Quotas, model.Quota{Kind: kind, MinPercent: model.Some(share)})
		names = append(names, fmt.Sprintf("%s min %% to %s%%", kind.Noun(), strconv.FormatFloat(share, 'f', -1, 64)))
	}
	next, ok = s.turnedUnder(policy, k, value)
	return next, strings.Join(names, ", "), ok && len(names) > 0
}

// tellRequired adds to the command that requires a count of items of a kind that there are fewer,
// or that so many are in already, and from which budget on.
func (s *sessionState) tellRequired(c *palette.Command, kind model.Kind, count int) {
	there := 0
	for i := range s.exp.Items().Len() {
		if s.exp.Items().Loaded(i).Kind.Is(kind) {
			there++
		}
	}
	if count > there {
		c.Effect = "there are only " + strconv.Itoa(there)
		return
	}
	in, from := s.holdsFrom(kind, count)
	if count < 1 || in < count {
		return
	}
	holds := "it holds already, " + strconv.Itoa(in) + widget.Verb(in, " is", " are") + " in"
	if from.Set {
		holds += " and " + strconv.Itoa(count) + " or more at every budget from " + from.Value.String() + " to this"
	}
	if c.Why != "" {
		c.Why = holds + "; " + c.Why
	} else {
		c.Text += ": " + holds
	}
}

// holds reports whether as many items of a kind are in as the value of a knob requires.
func (s *sessionState) holds(k namedKnob, value string) bool {
	count, err := strconv.Atoi(value)
	in, _ := s.holdsFrom(k.Kind, count)
	return err == nil && in >= count
}

// maxHolding is how many items of a kind are followed over all budgets while a line is typed.
const maxHolding = 500

// holdsFrom returns how many items of a kind are in, and the least budget from which on so many
// are at every budget up to this one; unset if that is not known cheaply, or they are not.
func (s *sessionState) holdsFrom(kind model.Kind, count int) (in int, from model.Option[model.Tokens]) {
	o, p, now := s.current(s.side), s.exp.Profile(s.side), s.budget()
	if o == nil {
		return 0, from
	}
	var of []int
	for i := range o.Items.Len() {
		if o.Items.Loaded(i).Kind.Is(kind) {
			of = append(of, i)
			if o.Report.In(i) {
				in++
			}
		}
	}
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
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(b.at, a.at) })
	left := in
	for k, at := range steps {
		left -= at.by
		if last := k == len(steps)-1 || steps[k+1].at != at.at; last && left < count {
			return in, model.Some(at.at)
		}
	}
	return in, from
}

// shareOfDensest returns the least share of the room, in percent with one decimal, that holds
// the densest items of a kind, so many of them. False: there are fewer, or the room is smaller.
func shareOfDensest(o *experiment.Outcome, kind model.Kind, count int) (float64, bool) {
	all := competing(o, kind)
	density := func(i int) float64 { return o.Report.Scores[i] / float64(o.Items.Tokens(i)) }
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(density(b), density(a)) })
	var tokens model.Tokens
	for _, i := range all[:min(max(0, count), len(all))] {
		tokens += o.Items.Tokens(i)
	}
	room := o.Report.Effective.Target
	return math.Ceil(1000*float64(tokens)/float64(room)) / 10, tokens > 0 && tokens <= room && count <= len(all)
}

// competing returns the items of a kind that slicing chooses from.
func competing(o *experiment.Outcome, kind model.Kind) []int {
	var all []int
	for i := range o.Items.Len() {
		if _, there := o.Ranking.Position(i); there && o.Items.Loaded(i).Kind.Is(kind) {
			all = append(all, i)
		}
	}
	return all
}
