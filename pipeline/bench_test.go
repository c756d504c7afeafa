package pipeline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

var sizes = []struct {
	name string
	n    int
}{{"1k", 1000}, {"10k", 10_000}, {"100k", 100_000}}

// realisticSet makes a set with tokens log-normal (median 300, 5 to 8,000), a
// timestamp a second, hints, priorities, kinds and two tags an item of forty.
func realisticSet(b *testing.B, n int) *model.Set {
	r := rand.New(rand.NewPCG(31, 32))
	start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	kinds := model.KnownKinds()
	items := make([]model.Item, n)
	for i := range items {
		items[i] = model.Item{
			Content:             fmt.Sprintf("message %d: some text that differs", i-i%50/49), // one in fifty is a duplicate
			Tokens:              model.Tokens(min(max(300*math.Exp(r.NormFloat64()), 5), 8000)),
			Kind:                kinds[1+r.IntN(len(kinds)-1)],
			Priority:            model.Some(int64(r.IntN(10))),
			Timestamp:           model.Some(start.Add(time.Duration(r.IntN(10*n)) * time.Second)),
			FutureRelevanceHint: model.Some(r.Float64()),
			Tags:                []string{fmt.Sprint("tag", r.IntN(40)), fmt.Sprint("tag", r.IntN(40))},
			Pinned:              i == 0,
		}
	}
	return setOf(b, items...)
}

var policies = []struct {
	name    string
	scorers []model.Scorer
}{
	{"recency", []model.Scorer{{Type: model.ScoreRecency, Weight: 1}}},
	{"reflexive", []model.Scorer{{Type: model.ScoreReflexive, Weight: 1}}},
	{"composite", []model.Scorer{{Type: model.ScoreRecency, Weight: 3}, {Type: model.ScoreFrequency, Weight: 1}, {Type: model.ScoreKind, Weight: 1}}},
}

func BenchmarkRank(b *testing.B) {
	for _, p := range policies {
		for _, size := range sizes {
			b.Run(p.name+"/"+size.name, func(b *testing.B) {
				s := realisticSet(b, size.n)
				pipe := musttest.Of(New(model.NewPolicy(p.scorers...)))(b)
				b.ReportAllocs()
				for b.Loop() {
					musttest.Of(pipe.Rank(context.Background(), s))(b)
				}
			})
		}
	}
}

var slicers = []struct {
	name string
	set  func(*model.Policy)
}{
	{"greedy", func(*model.Policy) {}},
	{"knapsack100", func(p *model.Policy) { p.Slicer, p.BucketSize = model.Knapsack, 100 }},
	{"stream", func(p *model.Policy) { p.Slicer = model.Stream }},
	{"quota", func(p *model.Policy) {
		p.Quotas = []model.Quota{{Kind: model.ToolOutput, MaxPercent: model.Some(30.0)}, {Kind: model.Memory, MinPercent: model.Some(10.0)}}
	}},
	{"countQuota", func(p *model.Policy) {
		p.CountQuotas = []model.CountQuota{{Kind: model.ToolOutput, Require: 3, Cap: 20}, {Kind: model.Memory, Cap: 5}}
	}},
}

// BenchmarkDryRun is everything from a set to a report: rank, slice, place.
func BenchmarkDryRun(b *testing.B) {
	each(b, policies[:2], func(b *testing.B, s *model.Set, pipe *Pipeline, budget model.Budget) {
		for b.Loop() {
			r := musttest.Of(pipe.Rank(context.Background(), s))(b)
			musttest.Of(r.DryRun(budget))(b)
		}
	})
}

// BenchmarkBudgetChange is one more report of a ranking at another budget.
func BenchmarkBudgetChange(b *testing.B) {
	each(b, policies[1:2], func(b *testing.B, s *model.Set, pipe *Pipeline, budget model.Budget) {
		r := musttest.Of(pipe.Rank(context.Background(), s))(b)
		musttest.Of(r.DryRun(budget))(b)
		next := model.Tokens(0)
		for b.Loop() {
			next = (next + 1000) % 64_000
			smaller := musttest.Of(budget.At(budget.MaxTokens() - next))(b)
			musttest.Of(r.DryRun(smaller))(b)
		}
	})
}

func each(b *testing.B, policies []struct {
	name    string
	scorers []model.Scorer
}, run func(*testing.B, *model.Set, *Pipeline, model.Budget)) {
	budget := budgetOf(b, model.BudgetFields{MaxTokens: 128_000})
	for _, slicer := range slicers {
		for _, p := range policies {
			for _, size := range sizes {
				b.Run(slicer.name+"/"+p.name+"/"+size.name, func(b *testing.B) {
					s := realisticSet(b, size.n)
					policy := model.NewPolicy(p.scorers...)
					slicer.set(&policy)
					pipe := musttest.Of(New(policy))(b)
					b.ReportAllocs()
					run(b, s, pipe, budget)
				})
			}
		}
	}
}
