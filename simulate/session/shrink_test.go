package session

import (
	"context"
	"slices"
	"testing"

	"cupelscope/model/musttest"
)

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
		o := Options{Sources: []string{sourceOf(t, "f.json", c.in)}, ShrinkPinned: c.pinned, Shrink: c.rule, MaxTokens: "20"}
		opened := musttest.Of(Open(context.Background(), o, Input{}))(t)
		for _, warning := range []string{none, idle, left} {
			if slices.Contains(opened.Warnings, warning) != slices.Contains(c.want, warning) {
				t.Errorf("%s: %q, want %q", c.in, opened.Warnings, c.want)
			}
		}
	}
}
