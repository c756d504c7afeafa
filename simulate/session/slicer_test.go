package session

import (
	"context"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate"
)

func TestSlicerTakesASize(t *testing.T) {
	empty := musttest.Of(model.NewSet(nil))(t)
	for _, c := range []struct {
		o    Options
		want string // the slicer of the policy
		says string // else the error
	}{
		{Options{Slicer: "knapsack:1"}, "knapsack:1", ""},
		{Options{Slicer: "KNAPSACK:1k"}, "knapsack:1000", ""},
		{Options{Slicer: "knapsack"}, "knapsack:100", ""},
		{Options{Slicer: "stream:8"}, "stream:8", ""},
		{Options{Slicer: "knapsack", BucketSize: "7"}, "knapsack:7", ""},
		{Options{Slicer: "knapsack:1", BucketSize: "7"}, "", "both give a size"},
		{Options{Slicer: "greedy:1"}, "", "greedy has no size"},
		{Options{Slicer: "knapsack:0"}, "", "must be at least 1"},
		{Options{Slicer: "knapsack:many"}, "", "not a number of tokens"},
		{Options{Slicer: "best:1"}, "", "known are greedy, knapsack, stream"},
	} {
		asked, err := c.o.overrides(t.Context())
		if err != nil || c.says != "" {
			if err == nil || c.says == "" || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v: %v, want %q", c.o, err, c.says)
			}
			continue
		}
		opening, err := simulate.Open(simulate.Source{Items: empty}, asked)
		if err != nil || opening.Policy.SlicerName() != c.want {
			t.Errorf("%s %s: %s, want %s; %v", c.o.Slicer, c.o.BucketSize, opening.Policy.SlicerName(), c.want, err)
		}
	}
}

// Sizes that the set leaves out, and a flag that cuts nothing, are told.
func TestCutsThatDoNothingAreTold(t *testing.T) {
	const (
		none = "shrink-pinned cuts nothing: there is no rule (--shrink), and no item gives sizes"
		idle = "shrink-pinned cuts nothing: no pinned item has a smaller size"
		left = "2 sizes left out, of #1 the first: not smaller than the whole or than another size of the item"
	)
	for _, c := range []struct {
		in     string
		pinned bool
		rule   []string
		want   []string
	}{
		{in: `[{"content":"a","tokens":9},{"content":"b","tokens":9,"sizes":[{"tokens":9},{"tokens":4},{"tokens":4}]}]`, want: []string{left}},
		{in: `[{"content":"a","tokens":9,"pinned":true,"sizes":[{"tokens":4},{"tokens":4}]}]`},
		{in: `[{"content":"a","tokens":9}]`, pinned: true, want: []string{none}},
		{in: `[{"content":"a","tokens":9}]`, pinned: true, rule: []string{"*=4"}, want: []string{idle}},
		{in: `[{"content":"a","tokens":9,"sizes":[{"tokens":4}]}]`, pinned: true, want: []string{idle}},
		{in: `[{"content":"a","tokens":9,"pinned":true,"sizes":[{"tokens":2,"note":true}]}]`, pinned: true, want: []string{idle}},
		{in: `[{"content":"a","tokens":9,"pinned":true}]`, pinned: true, rule: []string{"*=4"}},
		{in: `[{"content":"a","tokens":9}]`, rule: []string{"*=4"}},
	} {
		o := Options{Sources: []string{sourceOf(t, "f.json", c.in)}, ShrinkPinned: c.pinned, Shrink: c.rule, Budget: map[string]string{"maxTokens": "20"}}
		opened := musttest.Of(Open(context.Background(), o, Input{}))(t)
		for _, warning := range []string{none, idle, left} {
			musttest.Is(t, slices.Contains(opened.Warnings, warning), slices.Contains(c.want, warning), c.in, opened.Warnings, c.want)
		}
	}
}
