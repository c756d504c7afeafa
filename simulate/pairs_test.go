package simulate

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
)

// randomPaired is randomSet with some pairs.
func randomPaired(t *testing.T, rng *rand.Rand) *model.Set {
	t.Helper()
	s := randomSet(t, rng)
	return s.WithPairs(randomtest.Pairs(rng, s.Len())...)
}

// Both items of a pair are in at exactly the budgets of Together, and some
// pair is split at exactly those of Splitting.
func TestPairsAgainstEveryBudget(t *testing.T) {
	together, splitting, ranges := 0, 0, 0
	for seed := range randomtest.Rounds(700, 2000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 40))
		r := rank(t, randomtest.Pick(rng, randomPolicy, committingPolicy)(rng), randomPaired(t, rng))
		template, end := randomTemplate(t, rng), model.Tokens(rng.IntN(randomtest.Pick(rng, 10, 80, 110)))
		p, s := profiled(t, r, template, end)
		if p == nil {
			continue
		}
		some := musttest.Of(p.Splitting(context.Background()))(t)
		checkApart(t, some, end)
		ranges = max(ranges, len(some))
		for b, report := range s.reports {
			at := model.Tokens(b)
			var split []model.Pair
			if report != nil {
				split = report.Split()
			}
			if has(some, at) != (len(split) > 0) {
				t.Fatalf("seed %d, budget %d: %v are split, Splitting says %v", seed, b, split, some)
			}
			splitting += len(split)
			for _, pair := range r.Items().Pairs() {
				both := report != nil && report.In(pair.Call) && report.In(pair.Result)
				bands := p.Together(nil, pair)
				checkApart(t, bands, end)
				if has(bands, at) != both {
					t.Fatalf("seed %d, budget %d: both of %v in: %v, Together says %v", seed, b, pair, both, bands)
				}
				if both {
					together++
				}
				if report != nil {
					if _, alone := report.Alone(pair.Result); alone != slices.Contains(split, pair) {
						t.Fatalf("seed %d, budget %d: %v alone: %v, split are %v", seed, b, pair.Result, alone, split)
					}
				}
			}
			least, ok := MinOutside(some, at, end)
			for want := at; want <= end; want++ {
				if !has(some, want) {
					if !ok || least != want {
						t.Fatalf("seed %d: the least from %d outside %v is %d %v, want %d", seed, b, some, least, ok, want)
					}
					break
				}
			}
			if least, ok := minWithin(some, at); ok != slices.ContainsFunc(some, func(band Band) bool { return band.To >= at }) || ok && (least < at || !has(some, least)) {
				t.Fatalf("seed %d: the least from %d within %v is %d %v", seed, b, some, least, ok)
			}
		}
	}
	if together < 1000 || splitting < 1000 || ranges < 3 {
		t.Errorf("%d together, %d split, at most %d ranges: the scenarios do not hold what they are to test", together, splitting, ranges)
	}
}

func has(bands []Band, b model.Tokens) bool {
	return slices.ContainsFunc(bands, func(band Band) bool { return band.From <= b && b <= band.To })
}

// checkApart holds bands to what their documentation says: ascending, maximal,
// on the axis.
func checkApart(t *testing.T, bands []Band, end model.Tokens) {
	t.Helper()
	last := model.Tokens(-2)
	for _, b := range bands {
		if b.From <= last+1 || b.To < b.From || b.To > end {
			t.Fatalf("the bands %v are not maximal, ascending and up to %v", bands, end)
		}
		last = b.To
	}
}

func TestSplittingEndsWithItsContext(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	r := rank(t, randomtest.ByHints(rng), randomPaired(t, rng))
	p := musttest.Of(NewProfile(context.Background(), r, randomTemplate(t, rng), 40))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Splitting(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that of the context", err)
	}
}

// profiled returns the profile of a ranking and all its results, or no profile where a kind is
// too scarce.
func profiled(t *testing.T, r *pipeline.Ranking, template model.Budget, end model.Tokens) (*Profile, scenario) {
	t.Helper()
	p, err := NewProfile(context.Background(), r, template, end)
	if _, scarce := errors.AsType[*model.ScarcityError](err); scarce {
		return nil, scenario{}
	}
	musttest.Do(t, err)
	return p, newScenario(t, r, template, end)
}

// Where pairs are one item, a profile says what dry runs at every budget say, too.
func TestProfileOfKeptPairsEqualsDryRuns(t *testing.T) {
	whole, short := 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 5))
		set := randomPaired(t, rng)
		policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 2}, model.Scorer{Type: model.ScoreKind, Weight: 1})
		policy.KeepPairs, policy.Overflow, policy.Deduplicate = true, model.Truncate, rng.IntN(2) == 0
		policy.Slicer = [...]model.SlicerType{model.Greedy, model.Knapsack, model.Rank, model.Prefix}[rng.IntN(4)]
		if policy.Slicer == model.Knapsack {
			policy.BucketSize = model.Tokens(1 + rng.IntN(3))
		}
		end := max(0, set.Total()) + 20
		template := budgetOf(t, model.BudgetFields{MaxTokens: end, TargetTokens: model.Some(end - 3), OutputReserve: 2})
		p, s := profiled(t, rank(t, policy, set), template, end)
		checkProfile(t, s, p)
		if t.Failed() {
			t.Fatalf("seed %d: policy %+v", seed, policy)
		}
		for _, report := range s.reports {
			if report != nil {
				whole += checkWhole(t, set, report)
				short += checkCosts(t, s.ranking, report)
			}
		}
	}
	if whole < 1000 || short < 300 {
		t.Errorf("%d whole pairs and %d that are short: too few to show anything", whole, short)
	}
}

// checkWhole checks what a result promises: pairs are whole and stand together.
// It counts those that are in.
func checkWhole(t *testing.T, s *model.Set, report *model.Report) (whole int) {
	t.Helper()
	at := map[int]int{}
	for k, i := range report.Included {
		at[int(i)] = k
	}
	for _, pair := range s.Pairs() {
		call, result := pair.Call, pair.Result
		if !s.TakesPart(call) || !s.TakesPart(result) {
			continue
		}
		first, in := at[call]
		second, with := at[result]
		if in != with || in && second != first+1 {
			t.Fatalf("pair %d %d stands at %d, %d (in %v, %v)", call, result, first, second, in, with)
		}
		if in {
			whole++
		}
	}
	return whole
}

// checkCosts checks that the reasons of a pair's items are those of the pair, with
// what it costs. It counts those that are short of tokens.
func checkCosts(t *testing.T, r *pipeline.Ranking, report *model.Report) (short int) {
	t.Helper()
	reasons := musttest.Of(NewReasons(context.Background(), r, report))(t)
	for i := range report.Items.Len() {
		reason := reasons.Of(i)
		mate, paired := report.Items.Partner(i)
		if paired = paired && report.Items.TakesPart(i) && report.Items.TakesPart(mate); !paired {
			if reason.With.Set || reason.Tokens != report.Items.Tokens(i) {
				t.Fatalf("item %d is single: %+v", i, reason)
			}
			continue
		}
		other := reasons.Of(mate)
		if reason.With != model.Some(mate) || reason.Tokens != report.Items.Tokens(i)+report.Items.Tokens(mate) {
			t.Fatalf("item %d is one with %d: %+v", i, mate, reason)
		}
		other.With = reason.With
		if reason.Obstacle == IsDuplicate {
			other.By = reason.By
		}
		if reason != other {
			t.Fatalf("items %d and %d: %+v and %+v", i, mate, reason, other)
		}
		if reason.Obstacle == Short {
			short++
			if reason.Charged < reason.Tokens || reason.Short != reason.Tokens-reason.Left || reason.Short <= 0 {
				t.Fatalf("item %d: %+v", i, reason)
			}
		}
	}
	return short
}
