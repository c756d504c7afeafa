package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
)

// benched is a ranking of n items of log-normal size, as retrieval sets and
// transcripts have them.
func benched(b *testing.B, n int) *pipeline.Ranking {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{
			Content:             fmt.Sprint(i),
			Tokens:              model.Tokens(min(8000, max(5, 300*math.Exp(rng.NormFloat64())))),
			FutureRelevanceHint: model.Some(rng.Float64()),
		}
	}
	set := musttest.Of(model.NewSet(items))(b)
	pipe := musttest.Of(pipeline.New(model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})))(b)
	return musttest.Of(pipe.Rank(context.Background(), set))(b)
}

// All 10,000 weights of a scorer, and all output reserves of a budget of 32,000, over sets of n
// items; a size whose work is above the bound is left out.
func BenchmarkProfileOver(b *testing.B) {
	tokens, most := model.Tokens(32_000), 100_000
	if testing.Short() {
		tokens, most = 2_000, 100
	}
	budget := musttest.Of(model.BudgetOf(tokens))(b)
	for _, slicer := range []model.SlicerType{model.Greedy, model.Knapsack} {
		for _, n := range []int{100, 1_000, 10_000, 100_000} {
			if n > most {
				continue
			}
			p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScoreFrequency, Weight: 1}, model.Scorer{Type: model.ScoreKind, Weight: 1})
			p.Slicer = slicer
			pipe := musttest.Of(pipeline.New(p))(b)
			r := musttest.Of(pipe.Rank(context.Background(), benchedKinds(b, n)))(b)
			all := model.Numbers(p, budget, nil)
			reserve := slices.IndexFunc(all, func(n model.Number) bool { return n.Name == "output-reserve" })
			for _, number := range []model.Number{all[0], all[reserve]} {
				b.Run(fmt.Sprintf("%s/%s/%d", slicer, number.Name, n), func(b *testing.B) {
					changes := 0
					for b.Loop() {
						over, err := NewProfileOver(context.Background(), r, budget, number)
						if large := (*OverError)(nil); errors.As(err, &large) {
							b.Skip(err)
						}
						musttest.Do(b, err)
						changes = len(over.Stretches()) - 1
					}
					b.ReportMetric(float64(changes), "changes")
				})
			}
		}
	}
}

// benchedKinds is the set of benched with kinds and tags.
func benchedKinds(b *testing.B, n int) *model.Set {
	b.Helper()
	from := benched(b, n).Items()
	items := make([]model.Item, n)
	for i := range items {
		items[i] = *from.Loaded(i)
		items[i].Kind = model.KnownKinds()[i%5]
		items[i].Tags = []string{fmt.Sprint(i % 7), fmt.Sprint(i % 11)}
	}
	return musttest.Of(model.NewSet(items))(b)
}
