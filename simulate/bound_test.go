package simulate_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
)

// The bound is never below the best of all subsets, and never above it by more
// than the one item that is taken in part.
func TestBoundAgainstAllSubsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for round := range 400 {
		n := rng.IntN(10)
		items := make([]model.Item, n)
		for i := range items {
			items[i] = model.Item{Content: string(rune('a' + i)), Tokens: model.Tokens(rng.IntN(12)), FutureRelevanceHint: model.Some(float64(rng.IntN(6)) / 5)}
		}
		set := musttest.Of(model.NewSet(items))(t)
		p := musttest.Of(pipeline.New(model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})))(t)
		r := musttest.Of(p.Rank(context.Background(), set))(t)
		bound := simulate.NewBound(r, 60)
		in := r.Input()
		for target := range slicer.Target(60) {
			best, largest := 0.0, 0.0
			for subset := range 1 << in.Len() {
				var tokens model.Tokens
				value := 0.0
				for i := range in.Len() {
					if subset>>i&1 != 0 {
						tokens += in.Tokens[i]
						value += in.Scores[i]
					}
				}
				if target > 0 && tokens <= model.Tokens(target) {
					best = max(best, value)
				}
			}
			for _, s := range in.Scores {
				largest = max(largest, s)
			}
			got := bound.At(target)
			if got < best-1e-9 || got > best+largest+1e-9 {
				t.Fatalf("round %d, target %d: the bound is %v, the best is %v and the largest score %v", round, target, got, best, largest)
			}
		}
	}
}
