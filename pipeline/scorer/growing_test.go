package scorer

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline/order"
)

// A list that grows has, after each growth, bit for bit the scores of that list; unless
// Grow says so, none of those before has risen.
func TestGrowingIsScore(t *testing.T) {
	grown, rising := 0, 0
	for seed := range uint64(randomtest.Rounds(600, 20000)) {
		c := randomtest.Seeded(seed, 61)
		set, policy := musttest.Of(randomtest.Set(c))(t), randomtest.Policy(c)
		s := musttest.Of(FromPolicy(policy.Scorers))(t)
		g, ok := Grow(s, set)
		if !ok {
			continue
		}
		rng := rand.New(rand.NewPCG(seed, 62))
		var list List
		var before []float64
		for i := 0; i < set.Len(); {
			var more []int32
			for n := 1 + rng.IntN(4); n > 0 && i < set.Len(); i, n = i+1, n-1 {
				if rng.IntN(5) > 0 {
					more = append(more, int32(i))
				}
			}
			list = List{set, append(list.Items, more...)}
			rose := g.Grow(more)
			want := make([]float64, list.Len())
			musttest.Do(t, s.Score(context.Background(), list, want))
			all, scores := make([]int32, len(want)), make([]float64, len(want))
			for k := range all {
				all[k] = int32(k)
			}
			g.Score(all, None, scores)
			for k, score := range want {
				if got := scores[k]; math.Float64bits(got) != math.Float64bits(score) && got == got {
					t.Fatalf("seed %d: item %d of %d: %v, want %v under %+v", seed, k, len(want), got, score, policy.Scorers)
				}
				if k < len(before) && !rose && order.Before(score, before[k]) {
					t.Fatalf("seed %d: item %d of %d rose from %v to %v under %+v", seed, k, len(want), before[k], score, policy.Scorers)
				}
			}
			before = want
			if rose {
				rising++
			}
			grown++
		}
	}
	if grown < 1000 || rising < 100 {
		t.Errorf("%d growths, of which %d may let scores rise: too few to show anything", grown, rising)
	}
}

// Without an item, the others have bit for bit the scores of the list without it, which are in
// the range that they have whichever item is left out.
func TestGrowingWithoutAnItem(t *testing.T) {
	for seed := range uint64(randomtest.Rounds(400, 10000)) {
		c := randomtest.Seeded(seed, 63)
		set, policy := musttest.Of(randomtest.Set(c))(t), randomtest.Policy(c)
		s := musttest.Of(FromPolicy(policy.Scorers))(t)
		g, ok := Grow(s, set)
		if !ok {
			continue
		}
		all := make([]int32, set.Len())
		for k := range all {
			all[k] = int32(k)
		}
		g.Grow(all)
		low, high := make([]float64, len(all)), make([]float64, len(all))
		g.Range(all, low, high)
		for without := range all {
			rest := slices.Delete(slices.Clone(all), without, without+1)
			got, want := make([]float64, len(rest)), make([]float64, len(rest))
			g.Score(rest, int32(without), got)
			musttest.Do(t, s.Score(context.Background(), List{set, rest}, want))
			for i, k := range rest {
				if math.Float64bits(got[i]) != math.Float64bits(want[i]) && got[i] == got[i] {
					t.Fatalf("seed %d: item %d without %d: %v, want %v under %+v", seed, k, without, got[i], want[i], policy.Scorers)
				}
				if order.Before(want[i], high[k]) || order.Before(low[k], want[i]) {
					t.Fatalf("seed %d: item %d without %d: %v is not in %v to %v under %+v", seed, k, without, want[i], low[k], high[k], policy.Scorers)
				}
			}
		}
	}
}

// What rates an item against the others in another way than by rank has no Growing.
func TestWhatCannotGrow(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{{Content: "a", Tags: []string{"go"}}}))(t)
	for _, s := range []Scorer{Frequency{}, Scaled{Recency{}}, Power{inner: Recency{}, exponent: 2}, &Composite{[]Part{{Scorer: Recency{}}, {Scorer: Scaled{Kind{}}}}}} {
		if _, ok := Grow(s, set); ok {
			t.Errorf("%T grows", s)
		}
	}
}

// A type of scorer of which no list shows that an item's score depends on the others is known
// to rate alone, and so ranked quickly; but for Frequency, of which only tags show it.
func TestWhatRatesAloneIsKnownTo(t *testing.T) {
	known, depends := map[model.ScorerType]bool{}, map[model.ScorerType]bool{}
	for seed := range uint64(400) {
		c := randomtest.Seeded(seed, 64)
		set, policy := musttest.Of(randomtest.Set(c))(t), randomtest.Policy(c)
		all := List{Set: set}
		for i := range set.Len() {
			all.Items = append(all.Items, int32(i))
		}
		for _, of := range policy.Scorers {
			s := musttest.Of(FromPolicy([]model.Scorer{of}))(t)
			if RatesAlone(s, set) {
				known[of.Type] = true
			}
			if all.Len() < 2 {
				continue
			}
			rest := List{set, all.Items[1:]}
			whole, part := make([]float64, all.Len()), make([]float64, rest.Len())
			musttest.Do(t, errors.Join(s.Score(context.Background(), all, whole), s.Score(context.Background(), rest, part)))
			for k, score := range part {
				if math.Float64bits(score) != math.Float64bits(whole[k+1]) {
					depends[of.Type] = true
				}
			}
		}
	}
	for _, of := range model.ScorerTypes() {
		if of != model.ScoreFrequency && !known[of] && !depends[of] {
			t.Errorf("%s rates alone in all cases, and RatesAlone does not know it", of)
		}
	}
	if len(known) < 5 || len(depends) < 4 {
		t.Errorf("known are %v, and %v depend on others: too few to show anything", known, depends)
	}
}
