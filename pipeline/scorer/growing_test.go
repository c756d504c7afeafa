package scorer

import (
	"context"
	"math"
	"math/rand/v2"
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
	for seed := range uint64(randomtest.Rounds(300, 2000, 20000)) {
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
			g.Score(all, scores)
			for k, score := range want {
				if got := scores[k]; math.Float64bits(got) != math.Float64bits(score) && got == got {
					t.Fatalf("seed %d: item %d of %d: %v, want %v under %+v", seed, k, len(want), got, score, policy.Scorers)
				}
				if k < len(before) && !rose && order.Before(score, before[k]) {
					t.Fatalf("seed %d: item %d of %d rose from %v to %v under %+v", seed, k, len(want), before[k], score, policy.Scorers)
				}
			}
			if before = want; rose {
				rising++
			}
			grown++
		}
	}
	if grown < 1000 || rising < 100 {
		t.Errorf("%d growths, of which %d may let scores rise: too few to show anything", grown, rising)
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
