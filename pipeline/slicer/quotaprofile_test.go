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

// kinds are those of quotas: of mixedInput but for their case, and one that none has.
var kinds = []model.Kind{"MESSAGE", "document", "memory", "Other", "absent"}

func randomShares(r *rand.Rand) []model.Quota { return randomtest.Quotas(r, kinds...) }

func randomNumbers(r *rand.Rand) []model.CountQuota { return randomtest.CountQuotas(r, kinds...) }

func randomFill(r *rand.Rand) Slicer {
	if r.IntN(3) == 0 {
		return Knapsack{Bucket: randomtest.Pick[model.Tokens](r, 1, 2, 5)}
	}
	return randomtest.Pick[Slicer](r, Greedy{}, Greedy{}, Rank{}, Prefix{})
}

func TestQuotaProfileIsSliceAtEveryTarget(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	targets, several, fell := 0, 0, 0
	for round := range randomtest.Rounds(400, 4000) {
		in := mixedInput(r, r.IntN(30), 1+r.Int64N(20), round%4 == 0)
		q := must(NewQuota(randomFill(r), randomShares(r)...))
		p := q.Prepare(in)
		sum := Target(tokensOf(in, allOf(in)))
		for _, upTo := range []Target{0, 1, Target(r.Int64N(int64(sum) + 1)), 2*sum + 1 + Target(r.IntN(200))} {
			profile := profileOf(t, p, upTo)
			checkProfile(t, in, p, profile, upTo)
			targets += int(upTo) + 1
			for i := range in.Len() {
				if len(profile.Bands(nil, i)) > 1 {
					several++
				}
			}
			for target := Target(2); target <= upTo; target++ {
				before := p.Shares(target - 1)
				for k, share := range p.Shares(target) {
					if share.Target < before[k].Target {
						fell++
					}
				}
			}
		}
	}
	t.Logf("%d targets compared, %d items with several bands, %d shares that fall", targets, several, fell)
	if several < randomtest.Rounds(400, 4000) || fell < randomtest.Rounds(400, 4000)/10 {
		t.Errorf("%d items with several bands, %d shares that fall: the sets test nothing", several, fell)
	}
}

// mute is a slicer without a profile.
type mute struct{ Slicer }

func (m mute) Prepare(in *Input) Prepared { return mutePrepared{m.Slicer.Prepare(in)} }

type mutePrepared struct{ Prepared }

func (mutePrepared) Profile(context.Context, Target) (Profile, error) { return nil, ErrNoProfile }

func TestProfilesOfWrappingSlicersThatCannotBe(t *testing.T) {
	in := inputOf(kinded{"a", 5, 1}, kinded{"b", 4, .5}, kinded{"b", 3, .4}, kinded{"b", 2, .3})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, s := range map[string]func(inner Slicer) Slicer{
		"quota": func(inner Slicer) Slicer { return must(NewQuota(inner, atLeast("a", 50))) },
		"count quota": func(inner Slicer) Slicer {
			return must(NewCountQuota(inner, model.Degrade, model.CountQuota{Kind: "b", Require: 1, Cap: 1}))
		},
	} {
		unprofiled := s(mute{Greedy{}}).Prepare(in)
		musttest.Is(t, musttest.Refusal(unprofiled.Profile(context.Background(), 4*MaxTabulated)), ErrNoProfile, name, "beyond what is tabulated")
		p := s(Greedy{}).Prepare(in)
		for _, upTo := range []Target{-1, Target(model.MaxTokens) + 1} {
			musttest.Says(t, musttest.Refusal(p.Profile(context.Background(), upTo)), "must be 0 to 1,099,511,627,776", name, upTo)
		}
		musttest.Is(t, musttest.Refusal(p.Profile(ctx, 10)), context.Canceled, name, "cancelled")
	}
	_, err := must(NewQuota(Greedy{}, atLeast("a", 50))).Prepare(in).(*quota).profile(context.Background(), 20, 2)
	full, ok := errors.AsType[*RecordsError](err)
	if !ok || full.Candidates != 4 || full.UpTo != 20 || full.Limit != 2 || full.Reached < 2 {
		t.Errorf("a profile with room for 2 changes: %v", err)
	}
	_, err = must(NewQuota(Knapsack{Bucket: 1, Limit: 8}, atLeast("a", 50))).Prepare(in).Profile(context.Background(), 100)
	if _, ok := errors.AsType[*model.TableError](err); !ok {
		t.Errorf("a knapsack whose table does not fit: %v", err)
	}
}

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
	for round := range randomtest.Rounds(800, 8000) {
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
	if n := randomtest.Rounds(800, 8000) / 4; replayed < n || sweeps < n || hidden < n/4 {
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
	musttest.Says(t, musttest.Refusal(sweep(context.Background(), inner, newCaps(c), 2)), "changes more than 2 times", "more toggles than there is room for")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	musttest.Is(t, musttest.Refusal(sweep(ctx, inner, newCaps(c), 100)), context.Canceled, "cancelled")
}

// A candidate that is as dense as those without tokens may stand before them.
func TestCapsWhereNothingIsDenserThanFree(t *testing.T) {
	in := inputOf(kinded{"a", 1, math.MaxFloat64}, kinded{"a", 0, 1}, kinded{"a", 0, .5}, kinded{"a", 2, .4})
	for limit := range 4 {
		s := must(NewCountQuota(Greedy{}, model.Degrade, model.CountQuota{Kind: "a", Cap: limit}))
		checkProfile(t, in, s.Prepare(in), profileOf(t, s.Prepare(in), 9), 9)
	}
}
