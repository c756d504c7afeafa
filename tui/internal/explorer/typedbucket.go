package explorer

import (
	"slices"
	"strings"

	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/overlay/palette"
	"cupelscope/tui/internal/screen"
)

// This file reads a bucket size that is typed in the palette.

// bucketing reads "knapsack 1" and "bucket 1": the size of the buckets on the side that has a
// knapsack, first the side that is edited. Where neither has a knapsack, the side that is edited
// gets it.
func (s *workspaceState) bucketing(words []string) []palette.Command {
	if words = behind("set", words); len(words) != 2 || !slices.Contains([]string{"knapsack", "bucket", "buckets"}, strings.ToLower(words[0])) {
		return nil
	}
	setup, side := s.exp.Setup(), s.side
	if !setup.Policy[side].Slicer.InBuckets() && setup.Policy[side.Other()].Slicer.InBuckets() {
		side = side.Other()
	}
	had := setup.Policy[side].Slicer.InBuckets()
	plan := func() (screen.Change, error) {
		next := s.exp.Setup()
		label := experiment.Label{Name: string(experiment.Bucket) + " of " + side.String(), To: words[1]}
		if policy := next.Policy[side]; !policy.Slicer.InBuckets() {
			next = next.WithPolicy(side, experiment.OtherSlicer(policy))
			label.Name = "knapsack of " + side.String() + ", " + string(experiment.Bucket)
		} else {
			label.From = policy.Bucket().String()
		}
		k, ok := experiment.FindKnob(s.exp.Knobs(next, side, s.original), experiment.Bucket)
		if !ok {
			return screen.To(next, label), nil
		}
		next, err := k.Parse(words[1])
		return screen.To(next, label), err
	}
	c := palette.Command{Group: "knob", Text: "set bucket of " + side.String() + " to " + words[1], Line: strings.Join(words, " "), Plan: plan}
	if had {
		c.Value = setup.Policy[side].Bucket().String()
	} else {
		c.Text = "set slicer of " + side.String() + " to knapsack, bucket " + words[1]
	}
	return []palette.Command{s.withReason(c)}
}
