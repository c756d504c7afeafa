package simulate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
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
	set, err := model.NewSet(items)
	if err != nil {
		b.Fatal(err)
	}
	pipe, err := pipeline.New(model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}))
	if err != nil {
		b.Fatal(err)
	}
	r, err := pipe.Rank(context.Background(), set)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func BenchmarkProfile(b *testing.B) {
	template, err := model.NewBudget(model.BudgetFields{MaxTokens: 64_000, OutputReserve: 4000, SafetyMargin: 5})
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1_000, 10_000, 100_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		r := benched(b, n)
		axis, err := NewAxis(r, template, 128_000)
		if err != nil {
			b.Fatal(err)
		}
		p, err := NewProfile(context.Background(), r, axis)
		if err != nil {
			b.Fatal(err)
		}
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("New", func() {
			if _, err := NewProfile(context.Background(), r, axis); err != nil {
				b.Fatal(err)
			}
		})
		var column []model.Tokens
		run("FirstInColumn", func() { column = p.FirstInColumn(column) })
		run("StaysFromColumn", func() { column = p.StaysFromColumn(column) })
		run("SeveralRanges", func() { p.SeveralRanges() })
		run("Report", func() {
			if _, err := p.Report(template); err != nil {
				b.Fatal(err)
			}
		})
		run("Next", func() { p.Next(64_000) })
		item := int(r.Input().Items[len(r.Input().Items)/40])
		run("BinarySearch", func() {
			if _, err := p.BinarySearch(item, 128_000); err != nil {
				b.Fatal(err)
			}
		})
		run("FindMinBudgetFor", func() {
			if _, err := FindMinBudgetFor(r, item, 128_000, &template); err != nil {
				b.Fatal(err)
			}
		})
	}
}
