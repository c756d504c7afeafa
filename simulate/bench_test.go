package simulate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
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

func BenchmarkProfile(b *testing.B) {
	template := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 64_000, OutputReserve: 4000, SafetyMargin: 5}))(b)
	for _, n := range []int{1_000, 10_000, 100_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		r := benched(b, n)
		axis := musttest.Of(NewAxis(r, template, 128_000))(b)
		p := musttest.Of(NewProfile(context.Background(), r, axis))(b)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("New", func() {
			musttest.Of(NewProfile(context.Background(), r, axis))(b)
		})
		run("Report", func() {
			musttest.Of(p.Report(template))(b)
		})
		run("Next", func() { p.Next(64_000) })
		item := int(r.Input().Items[len(r.Input().Items)/40])
		run("BinarySearch", func() {
			musttest.Of(p.BinarySearch(item, 128_000))(b)
		})
		run("FindMinBudgetFor", func() {
			musttest.Of(FindMinBudgetFor(r, item, 128_000, &template))(b)
		})
	}
}
