package slicer

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// checkSteps holds the steps at t to what Slice selects, and to what every step promises.
func checkSteps(t *testing.T, in *Input, prepared Prepared, target Target) {
	t.Helper()
	want, wrong := prepared.Slice(context.Background(), target, nil)
	sel := NewSelection(nil, in.Len())
	decided := make([]int, in.Len())
	before := make([]Verdict, in.Len())
	var last Step
	var steppedOver *Table
	var out func(int, bool) Step
	if target > 0 && wrong == nil {
		out = prepared.Out(target, want)
	}
	var steps []Step
	end := prepared.Steps(context.Background(), target, func(s Step) {
		fail := func(what string) {
			t.Helper()
			t.Fatalf("target %d: %s: %+v\ntokens %v, scores %v, kinds %v", target, what, s, in.Tokens, in.Scores, in.Kinds)
		}
		if s.Need < 0 || s.Left < 0 || s.After < 0 || s.Unit < 1 || s.Left > target {
			fail("out of bounds")
		}
		if (s.At < 0) != (s.Opens != nil) || (s.At < 0) != (s.Verdict == 0) || (s.Why != 0) != (s.Verdict == Skipped) {
			fail("opens and decides, or neither")
		}
		if share, ok := s.Opens.(KindShare); ok && (share.Target != min(share.Cap, share.Require+share.Shared) || max(0, share.Target) != s.Left) {
			fail("a share that does not add up")
		}
		if s.At >= 0 && last.Phase == s.Phase && last.Depth == s.Depth && last.At >= 0 && last.After != s.Left {
			fail("does not begin with what the step before left")
		}
		last = s
		if o, ok := s.Opens.(TableOutline); ok {
			steppedOver = o.Table
		}
		if s.At < 0 {
			return
		}
		steps = append(steps, s)
		if units := (in.Tokens[s.At] + s.Unit - 1) / s.Unit; Target(units) != s.Need {
			fail("needs something else")
		}
		change := Target(0)
		switch s.Verdict {
		case Taken:
			change = -s.Need
		case Committed:
			change = -min(s.Need, s.Left)
		case Dropped:
			change = s.Need
			if s.Number != s.Of+1 {
				fail("dropped below the cap")
			}
		case Free:
			if s.Need != 0 {
				fail("is not free")
			}
		}
		if s.After != s.Left+change {
			fail("leaves something else")
		}
		if s.Why == NoRoom && s.Need <= s.Left || s.Why == NothingLeft && s.Left != 0 || s.Why == Dispensable && s.Need > s.Left {
			fail("the reason is none")
		}
		if s.Phase == WalkBack && s.Verdict == Taken && (s.Row <= 0 || steppedOver.Takes(s.Row, s.Left, s.Left) == 0) {
			fail("taken where its row has no bit")
		}
		if s.Phase == WalkBack && s.Why == Dispensable && steppedOver.Takes(s.Row, s.Left, s.Left) > 0 {
			fail("left out where its row has a bit")
		}
		again := s.Phase == EnforceCaps
		if decided[s.At]++; again != (decided[s.At] == 2) || again && !before[s.At].In() {
			fail("decided once more")
		}
		before[s.At] = s.Verdict
		sel.follow(s)
	})
	if out != nil && len(steps) > 0 {
		checkOut(t, steps, out)
	}
	switch {
	case wrong != nil || end != nil:
		if end == nil || wrong == nil || end.Error() != wrong.Error() {
			t.Fatalf("target %d: the steps end with %v, Slice says %v", target, end, wrong)
		}
	case !slices.Equal(sel, want):
		t.Fatalf("target %d: the steps select %b, Slice %b\ntokens %v, scores %v, kinds %v", target, sel, want, in.Tokens, in.Scores, in.Kinds)
	case target > 0 && slices.Contains(decided, 0):
		t.Fatalf("target %d: not all are decided: %v", target, decided)
	case target <= 0 && last != Step{}:
		t.Fatalf("target %d: steps without room", target)
	}
}

// checkOut holds what Out tells of each candidate that is out to its step.
func checkOut(t *testing.T, steps []Step, out func(int, bool) Step) {
	t.Helper()
	rest := steps[len(steps)-1].After
	for _, s := range steps {
		if s.Verdict.In() {
			continue
		}
		if s.Phase == WalkBack { // all of it leaves this much
			s.Row, s.Left, s.After = 0, rest, rest
			switch {
			case s.Why == NoValue:
			case s.Need > rest:
				s.Why = NoRoom
			default:
				s.Why = Dispensable
			}
		}
		if got := out(int(s.At), true); got != s {
			t.Fatalf("%+v is out for %+v", s, got)
		}
		if got := out(int(s.At), false); got.Verdict != s.Verdict || got.Why != s.Why {
			t.Fatalf("%+v is out for %+v without what is left", s, got)
		}
	}
}

// withKinds gives every candidate one of three kinds.
func withKinds(r *rand.Rand, in *Input) *Input {
	in.KindNames = []model.Kind{"message", "Document", "Memory"}
	for i := range in.Kinds {
		in.Kinds[i] = uint32(r.IntN(3))
	}
	return in
}

// TestStepsSelectWhatSliceSelects at every target, for every slicer.
func TestStepsSelectWhatSliceSelects(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for round := range randomtest.Rounds(150, 1500) {
		in := withKinds(r, randomInput(r, r.IntN(20), 1+r.Int64N(20), round%4 == 0, round%3 != 0))
		knapsack := Knapsack{Bucket: 1 + model.Tokens(r.IntN(6))}
		scarcity := []model.Scarcity{model.Degrade, model.ScarcityFail}[r.IntN(2)]
		quotas, counts := randomShares(r), randomNumbers(r)
		slicers := []Slicer{
			Greedy{}, knapsack, must(NewStream(1 + r.IntN(6))), Rank{}, Prefix{},
			must(NewQuota(Prefix{}, quotas...)), must(NewCountQuota(Rank{}, scarcity, counts...)),
			must(NewQuota(Greedy{}, quotas...)), must(NewQuota(knapsack, quotas...)),
			must(NewCountQuota(Greedy{}, scarcity, counts...)), must(NewCountConstrainedKnapsack(knapsack, scarcity, counts...)),
			must(NewCountQuota(must(NewQuota(knapsack, quotas...)), model.Degrade, counts...)),
		}
		for _, s := range slicers {
			p := s.Prepare(in)
			sum := Target(tokensOf(in, allOf(in)))
			for target := Target(-1); target <= sum+8; target += 1 + Target(r.IntN(3)) {
				checkSteps(t, in, p, target)
			}
			checkSteps(t, in, p, 1<<40)
		}
	}
}

// TestStepsOfAKnapsackDoNotDependOnItsHistory: a table for a larger target,
// and one that a profile has thinned out, give the same steps.
func TestStepsOfAKnapsackDoNotDependOnItsHistory(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for range randomtest.Rounds(60, 300) {
		in := randomInput(r, 30, 40, false, true)
		target := Target(1 + r.IntN(400))
		fresh := collect(t, Knapsack{Bucket: 3}.Prepare(in), target)
		used := Knapsack{Bucket: 3}.Prepare(in)
		musttest.Of(used.Slice(context.Background(), 2*target, nil))(t)
		if got := collect(t, used, target); !slices.Equal(got, fresh) {
			t.Fatalf("beside a larger table: %v\nwant %v", got, fresh)
		}
		profiled := Knapsack{Bucket: 3}.Prepare(in)
		profileOf(t, profiled, target+9)
		if got := collect(t, profiled, target); !slices.Equal(got, fresh) {
			t.Fatalf("beside a profile: %v\nwant %v", got, fresh)
		}
	}
}

func collect(t *testing.T, p Prepared, target Target) []Step {
	t.Helper()
	var all []Step
	musttest.Do(t, p.Steps(context.Background(), target, func(s Step) {
		if o, ok := s.Opens.(TableOutline); ok { // which may be another of the same bits
			o.Table = nil
			s.Opens = o
		}
		all = append(all, s)
	}))
	return all
}

// last is a slicer of a library user's own: it takes the last candidate.
type last struct{}

func (last) Traits() Traits             { return Traits{} }
func (last) Prepare(in *Input) Prepared { return lastOf{in: in} }

type lastOf struct {
	Defaults
	in *Input
}

func (l lastOf) Slice(_ context.Context, t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, l.in.Len())
	if n := l.in.Len(); n > 0 && t >= Target(l.in.Tokens[n-1]) && t > 0 {
		dst.Add(n - 1)
	}
	return dst, nil
}

func TestStepsErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	in := randomInput(r, 12, 9, false, true)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	wide := randomInput(r, 400, 4000, false, true)
	cases := []struct {
		name   string
		ctx    context.Context
		p      Prepared
		target Target
		want   error
	}{
		{"a slicer without steps", context.Background(), last{}.Prepare(in), 5, ErrNoSteps},
		{"one that fills a quota", context.Background(), must(NewQuota(last{})).Prepare(in), 5, ErrNoSteps},
		{"one beside a count quota", context.Background(), must(NewCountQuota(last{}, "")).Prepare(in), 5, ErrNoSteps},
		{"a table that is cancelled", cancelled, Knapsack{Bucket: 1}.Prepare(wide), 300000, context.Canceled},
		{"a table in a quota", cancelled, must(NewQuota(Knapsack{Bucket: 1})).Prepare(wide), 1200000, context.Canceled},
	}
	for _, c := range cases {
		if got := c.p.Steps(c.ctx, c.target, func(Step) {}); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	var full *model.TableError
	if err := (Knapsack{Bucket: 1, Limit: 1000}).Prepare(wide).Steps(context.Background(), 300000, func(Step) {}); !errors.As(err, &full) {
		t.Errorf("a table beyond the limit: %v", err)
	}
}
