package slicer

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// randomCounted is a slicer with count quotas over all that can fill the rest.
func randomCounted(r *rand.Rand) Slicer {
	numbers := randomNumbers(r)
	switch r.IntN(5) {
	case 0:
		return must(NewCountConstrainedKnapsack(Knapsack{Bucket: randomtest.Pick[model.Tokens](r, 1, 2, 5)}, model.Degrade, numbers...))
	case 1:
		return must(NewCountQuota(must(NewQuota(randomFill(r), randomShares(r)...)), model.Degrade, numbers...))
	}
	return must(NewCountQuota(randomtest.Pick[Slicer](r, Greedy{}, Rank{}, Prefix{}), model.Degrade, numbers...))
}

func TestCountProfileIsSliceAtEveryTarget(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	targets, replayed, sweeps, hidden := 0, 0, 0, 0
	for round := range randomtest.Rounds(800, 4000, 8000) {
		in := mixedInput(r, r.IntN(24), 1+r.Int64N(20), round%4 == 0)
		p := randomCounted(r).Prepare(in).(*counts)
		sum := Target(tokensOf(in, allOf(in)))
		for _, upTo := range []Target{0, 1, Target(r.Int64N(int64(sum) + 1)), sum + 1 + Target(r.IntN(50))} {
			profile := profileOf(t, p, upTo)
			checkProfile(t, in, p, profile, upTo)
			targets += int(upTo) + 1
			o, fast := profileOf(t, p.inner, max(0, upTo-Target(p.fixed.Tokens))).(*odometer)
			if fast {
				capped := musttest.Of(cappedOdometer(t.Context(), o, newCaps(p)))(t)
				if fast = capped != nil; fast && len(capped.Changes()) < len(o.Changes()) {
					hidden++
				}
			}
			switch {
			case len(p.capped) == 0:
			case fast:
				replayed++
			default:
				sweeps++
			}
		}
	}
	t.Logf("%d targets compared, %d capped odometers, %d with changes that caps hide, %d swept", targets, replayed, hidden, sweeps)
	if n := randomtest.Rounds(800, 4000, 8000) / 4; replayed < n || sweeps < n || hidden < n/4 {
		t.Errorf("%d capped odometers, %d with hidden changes, %d swept: the sets test nothing", replayed, hidden, sweeps)
	}
}

// TestScarcityFailsAProfile: where some target has an error, a profile that
// says nothing of it would be wrong. Without candidates, and at target 0, there
// is no error.
func TestScarcityFailsAProfile(t *testing.T) {
	s := must(NewCountQuota(Greedy{}, model.ScarcityFail, model.CountQuota{Kind: "b", Require: 2, Cap: 2}))
	in := inputOf(kinded{"a", 5, 1}, kinded{"b", 4, .5})
	_, err := s.Prepare(in).Profile(context.Background(), 1)
	if scarce, ok := errors.AsType[*model.ScarcityError](err); !ok || scarce.Satisfied != 1 || scarce.Required != 2 {
		t.Errorf("one of two: %v", err)
	}
	checkProfile(t, in, s.Prepare(in), profileOf(t, s.Prepare(in), 0), 0)
	checkProfile(t, &Input{}, s.Prepare(&Input{}), profileOf(t, s.Prepare(&Input{}), 9), 9)
}

func TestSweepBounds(t *testing.T) {
	in := inputOf(kinded{"a", 3, 1}, kinded{"a", 2, .5}, kinded{"a", 1, .4})
	c := must(NewCountConstrainedKnapsack(Knapsack{Bucket: 1}, model.Degrade, model.CountQuota{Kind: "a", Cap: 1})).Prepare(in).(*counts)
	inner := profileOf(t, c.inner, 10)
	if _, err := sweep(context.Background(), inner, newCaps(c), 2); err == nil {
		t.Error("more toggles than there is room for are no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sweep(ctx, inner, newCaps(c), 100); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A candidate that is as dense as those without tokens may stand before them.
func TestCapsWhereNothingIsDenserThanFree(t *testing.T) {
	in := inputOf(kinded{"a", 1, math.MaxFloat64}, kinded{"a", 0, 1}, kinded{"a", 0, .5}, kinded{"a", 2, .4})
	for limit := range 4 {
		s := must(NewCountQuota(Greedy{}, model.Degrade, model.CountQuota{Kind: "a", Cap: limit}))
		checkProfile(t, in, s.Prepare(in), profileOf(t, s.Prepare(in), 9), 9)
	}
}
