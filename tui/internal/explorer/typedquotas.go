package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
)

// This file turns numbers of items into shares of the room where one excludes the other.

// nearest returns what comes nearest to so many items of a kind beside percentages, which
// exclude counts: the least percentage of the room that holds those that are densest. False:
// there is none.
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

// besideCounts returns what sets a share beside least numbers of items, which exclude
// shares: each becomes the share of nearest. False: there is none, or a largest number
// would be lost.
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

// withShares returns the setup in which every least number is the share of shareOfDensest and
// the knob of a share has this value, and says which shares. False: as for besideCounts.
func (s *sessionState) withShares(k namedKnob, value string) (next experiment.Setup, also string, ok bool) {
	o, setup := s.exp.Result(s.side), s.exp.Setup()
	if o == nil || len(o.Policy.CountQuotas) == 0 {
		return next, "", false
	}
	policy := setup.Policy[s.side]
	policy.CountQuotas, policy.Scarcity = nil, ""
	for _, q := range o.Policy.CountQuotas {
		share, ok := shareOfDensest(o, q.Kind, q.Require)
		if !ok || q.Cap < len(competing(o, q.Kind)) {
			return next, "", false
		}
		policy.Quotas = append(policy.Quotas, model.Quota{Kind: q.Kind, MinPercent: model.Some(share)})
		also += fmt.Sprintf("%s min %% to %s%% for the densest %d, ", cleanName(string(q.Kind)), strconv.FormatFloat(share, 'f', -1, 64), q.Require)
	}
	for _, then := range s.exp.PolicyKnobsFor(setup.WithPolicy(s.side, policy), s.side, s.original) {
		if then.ID == k.ID {
			next, err := then.Parse(value)
			return next, also, err == nil
		}
	}
	return next, "", false
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
