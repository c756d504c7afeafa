package quality

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
)

// What is searched is told before it begins: each policy of the grid once, the
// current one among them, and bounds that the search keeps.
func TestTheSpaceIsToldBefore(t *testing.T) {
	cases := shortAndLong(t, rand.New(rand.NewPCG(28, 29)), 40, 10)
	var told Space
	o := TuneOptions{Current: twoScorers(), At: Amount{Tokens: 100}}
	o.Begin = func(ctx context.Context, s Space) error {
		told = s
		return s.Try(ctx)
	}
	o.Progress = func(p TuneProgress) {
		if p.Round > 0 && told.Cases == 0 {
			t.Error("the search has begun")
		}
		if p.Round > 1 && p.Policies > told.Round || p.Round > 1+told.Rounds {
			t.Errorf("round %d tries %d policies, told were at most %d in %d rounds", p.Round, p.Policies, told.Round, told.Rounds)
		}
	}
	made := tuned(t, cases, o)
	if told.Cases != 40 || told.Groups != 10 || told.Folds != 5 || told.Sample == 0 || made.Grid != len(told.Grid) || made.Tried > made.Grid+told.Rounds*told.Round {
		t.Errorf("told is %+v, done was %+v", told, made)
	}
	sorted := slices.Sorted(slices.Values(told.Grid))
	if len(slices.Compact(sorted)) != len(told.Grid) || !slices.Contains(told.Grid, start(o.Current).describe(o.Current)) {
		t.Errorf("the space is %q", told.Grid)
	}
	enough := errors.New("that is too much")
	o.Begin = func(context.Context, Space) error { return enough }
	if _, err := Tune(context.Background(), source(cases), o); !errors.Is(err, enough) {
		t.Errorf("a caller who does not want it: %v", err)
	}
}

// Power changes no order by score, and under a knapsack small powers come to no
// value: only greedy has it.
func TestPowerIsJoinedWithGreedyAlone(t *testing.T) {
	p := twoScorers()
	with := map[model.SlicerType]bool{}
	all := grid(p)
	for _, c := range grid(p) {
		all = append(all, c.neighbours()...)
	}
	for _, c := range all {
		with[c.slicer] = with[c.slicer] || c.exponent > 1
	}
	for s, power := range with {
		if power != (s == model.Greedy) {
			t.Errorf("%s with power: %v", s, power)
		}
	}
	if len(with) != 4 {
		t.Errorf("slicers %v", with)
	}
}
