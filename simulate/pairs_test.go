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

func randomPairs(rng *rand.Rand, s *model.Set) Pairs {
	order := rng.Perm(s.Len())
	var list []model.Pair
	for len(order) >= 2 && rng.IntN(6) > 0 {
		list = append(list, model.Pair{Call: min(order[0], order[1]), Result: max(order[0], order[1])})
		order = order[2:]
	}
	return PairsOf(s.WithPairs(list...))
}

// Both items of a pair are in at exactly the budgets of Together, and some
// pair is split at exactly those of Splitting.
func TestPairsAgainstEveryBudget(t *testing.T) {
	together, splitting, ranges := 0, 0, 0
	for seed := range randomtest.Rounds(300, 2000, 2000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 40))
		r := rank(t, randomtest.Pick(rng, randomPolicy, committingPolicy)(rng), randomSet(t, rng))
		template, end := randomTemplate(t, rng), model.Tokens(rng.IntN(randomtest.Pick(rng, 10, 80, 110)))
		p, s := profiled(t, r, template, end)
		if p == nil {
			continue
		}
		pairs := randomPairs(rng, r.Items())
		some := musttest.Of(p.Splitting(context.Background(), pairs))(t)
		checkApart(t, some, end)
		ranges = max(ranges, len(some))
		for b, report := range s.reports {
			at := model.Tokens(b)
			var split []model.Pair
			if report != nil {
				split = pairs.Split(report)
			}
			if has(some, at) != (len(split) > 0) {
				t.Fatalf("seed %d, budget %d: %v are split, Splitting says %v", seed, b, split, some)
			}
			splitting += len(split)
			for _, pair := range pairs.list {
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
					if _, alone := pairs.Alone(report, pair.Result); alone != slices.Contains(split, pair) {
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

// The pairs come in the order of their results.
func TestPairsOf(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{{Content: "a"}, {Content: "b"}, {Content: "c"}, {Content: "d"}, {Content: "e"}}))(t)
	p := PairsOf(set.WithPairs(model.Pair{Call: 0, Result: 3}, model.Pair{Call: 1, Result: 2}))
	if want := []model.Pair{{Call: 1, Result: 2}, {Call: 0, Result: 3}}; !slices.Equal(p.list, want) {
		t.Errorf("%v, want %v", p.list, want)
	}
	if pair, ok := p.Of(3); !ok || pair != (model.Pair{Call: 0, Result: 3}) {
		t.Errorf("the pair of 3 is %v %v", pair, ok)
	}
	if _, ok := p.Of(4); ok {
		t.Error("4 has a pair")
	}
	first := p.First(3)
	if _, ok := first.Of(0); ok || first.Len() != 1 {
		t.Errorf("of the first 3 items %v are pairs", first.list)
	}
	if partner, split := (Pairs{}).Alone(nil, 1); partner != -1 || split {
		t.Errorf("no pairs: partner %d, split %v", partner, split)
	}
}

func TestSplittingEndsWithItsContext(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	r := rank(t, randomtest.ByHints(rng), randomSet(t, rng))
	p := musttest.Of(NewProfile(context.Background(), r, mustAxis(t, randomTemplate(t, rng), r, 40)))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Splitting(ctx, PairsOf(r.Items().WithPairs(model.Pair{Call: 0, Result: 1}))); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that of the context", err)
	}
}

// profiled returns the profile of a ranking and all its results, or no profile where a kind is
// too scarce.
func profiled(t *testing.T, r *pipeline.Ranking, template model.Budget, end model.Tokens) (*Profile, scenario) {
	t.Helper()
	p, err := NewProfile(context.Background(), r, mustAxis(t, template, r, end))
	if _, scarce := errors.AsType[*model.ScarcityError](err); scarce {
		return nil, scenario{}
	}
	musttest.Do(t, err)
	return p, newScenario(t, r, template, end)
}
