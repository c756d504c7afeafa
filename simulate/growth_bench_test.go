//go:build unix

package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/model/tokens"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scorer"
	"cupelscope/simulate/growthtest"
)

// BenchmarkGrowth reports how each action grows with the items; see growthtest. The budget
// of dry runs is a tenth of their tokens, so that the result grows with them.
func BenchmarkGrowth(b *testing.B) {
	growthOfLoading(b)
	growthOfRanking(b)
	growthOfSlicing(b)
	growthOfQuestions(b)
	growthOfKnapsacks(b)
}

// from is the smallest number of items.
const from = 12_500

func growth(b *testing.B, name string, prepare func(n int) func() error) {
	growthtest.Run(b, growthtest.Action{Name: name, From: from}, func(_ *testing.B, n int) func() error { return prepare(n) })
}

func growthOfLoading(b *testing.B) {
	ctx := context.Background()
	growth(b, "load", func(n int) func() error {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, `{"role":"user","content":"message %d with some words\nand a line"}`+"\n", i)
		}
		data := []byte(text.String())
		return func() error { _, err := itemset.Read(ctx, "chat", data, itemset.Options{}); return err }
	})
	growth(b, "count", func(n int) func() error {
		texts := make([]tokens.Text, n)
		for i := range texts {
			texts[i] = tokens.Text{Index: i, Content: fmt.Sprintf("message %d with some words", i)}
		}
		counter := musttest.Of(tokens.NewCounter("o200k_base"))(b)
		return func() error { return counter.CountAll(ctx, texts, 1, func(tokens.Progress) {}) }
	})
}

// growthOfRanking has two things for comparison that no ranking does without: sorting, and
// reading a field of each item, or its metadata, which no longer fit the caches.
func growthOfRanking(b *testing.B) {
	growth(b, "nothing but sort", func(n int) func() error {
		rng := rand.New(rand.NewPCG(3, 4))
		scores := make([]float64, n)
		for i := range scores {
			scores[i] = rng.Float64()
		}
		return func() error { order.Descending(scores); return nil }
	})
	reads := func(name string, of func(it *model.Item) bool) {
		growth(b, "nothing but read "+name, func(n int) func() error {
			set := growing(b, n)
			return func() error {
				for i := range n {
					if !of(set.Loaded(i)) {
						return errors.New("not set")
					}
				}
				return nil
			}
		})
	}
	reads("a field", func(it *model.Item) bool { return it.Priority.Set })
	reads("metadata", func(it *model.Item) bool { return it.Metadata[scorer.TrustKey] != nil })
	for _, t := range model.ScorerTypes() {
		a := growthtest.Action{Name: "rank by " + string(t), From: from}
		if t == model.ScoreFrequency { // where ever more items have several tags in common
			a.Theory = 2
		}
		s := model.NewScorer(t, model.Beginning{Now: time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC), Tag: "t1"})
		growthtest.Run(b, a, func(b *testing.B, n int) func() error {
			pipe, set := piped(b, model.NewPolicy(s)), growing(b, n)
			return func() error { _, err := pipe.Rank(context.Background(), set); return err }
		})
	}
}

// growthOfSlicing has profiles up to a fiftieth of the tokens. What they list are changes,
// whose number grows faster than the items under greedy and rank: the theory is its exponent.
func growthOfSlicing(b *testing.B) {
	quotas := policyOf(model.Greedy)
	quotas.Quotas = []model.Quota{{Kind: "K1", MinPercent: model.Some(10.0), MaxPercent: model.Some(30.0)}, {Kind: "K2", MinPercent: model.Some(5.0)}}
	counts := policyOf(model.Greedy)
	counts.CountQuotas = []model.CountQuota{{Kind: "K1", Require: 2, Cap: 30}}
	of := func(name string, p model.Policy, changes float64) {
		growth(b, "dry run, "+name, func(n int) func() error { return dryRun(b, p, n, tenth(n)) })
		growthtest.Run(b, growthtest.Action{Name: "profile, " + name, From: from, Theory: changes}, func(b *testing.B, n int) func() error {
			return profile(b, p, n, tenth(n)/10)
		})
	}
	changes := map[model.SlicerType]float64{model.Greedy: 1.24, model.Rank: 1.17}
	for _, slicer := range model.SlicerTypes() {
		if slicer != model.Knapsack { // see growthOfKnapsacks
			of(string(slicer), policyOf(slicer), changes[slicer])
		}
	}
	of("quotas", quotas, changes[model.Greedy])
	of("count quotas", counts, changes[model.Greedy])
	for _, slicer := range []model.SlicerType{model.Greedy, model.Rank, model.Prefix} {
		growth(b, "dry run, "+string(slicer)+" with sizes", func(n int) func() error { return dryRunOf(b, sizedRanking(b, slicer, n), tenth(n)) })
		growthtest.Run(b, growthtest.Action{Name: "profile, " + string(slicer) + " with sizes", From: from, Theory: changes[slicer]}, func(b *testing.B, n int) func() error {
			return profileOf(b, sizedRanking(b, slicer, n), tenth(n)/10)
		})
	}
}

// sizedRanking is a ranking of items that may be cut to two sizes and a note.
func sizedRanking(b *testing.B, slicer model.SlicerType, n int) *pipeline.Ranking {
	set := growing(b, n)
	rule := model.ShrinkRule{Kind: model.AnyKind, To: []model.Tokens{400, 100}, Note: true}
	set = musttest.Of(set.With(set.Edits().WithShrink(model.Shrink{Rules: []model.ShrinkRule{rule}})))(b)
	return musttest.Of(piped(b, policyOf(slicer)).Rank(b.Context(), set))(b)
}

// growthOfKnapsacks grows a knapsack with its items at one budget, and with its capacity,
// by smaller buckets of one budget. Its table is the product of both at most. Rows that
// no selection needs are left out: the more items, the more of them.
func growthOfKnapsacks(b *testing.B) {
	p := policyOf(model.Knapsack)
	growth(b, "dry run, knapsack", func(n int) func() error { return dryRun(b, p, n, 500_000) })
	growth(b, "profile, knapsack", func(n int) func() error { return profile(b, p, n, 500_000) })
	growth(b, "dry run, knapsack with sizes", func(n int) func() error { return dryRunOf(b, sizedRanking(b, model.Knapsack, n), 500_000) })
	growth(b, "profile, knapsack with sizes", func(n int) func() error { return profileOf(b, sizedRanking(b, model.Knapsack, n), 500_000) })
	by := func(name string, run func(*testing.B, model.Policy, int, model.Tokens) func() error) {
		a := growthtest.Action{Name: name + ", knapsack, by capacity", From: from, Theory: 1}
		growthtest.Run(b, a, func(b *testing.B, n int) func() error {
			p := p
			p.BucketSize = model.Tokens(500_000 / n)
			return run(b, p, 5000, 500_000)
		})
	}
	by("dry run", dryRun)
	by("profile", profile)
}

func growthOfQuestions(b *testing.B) {
	ctx := context.Background()
	reported := func(n int) (*pipeline.Ranking, *model.Report) {
		r := ranked(b, policyOf(model.Greedy), n)
		report := musttest.Of(r.DryRun(atMost(b, tenth(n))))(b)
		return r, report
	}
	growth(b, "at risk", func(n int) func() error {
		r, report := reported(n)
		return func() error { _, err := MarginalItems(ctx, r, report.Budget, 1000); return err }
	})
	growth(b, "what if", func(n int) func() error {
		r, report := reported(n)
		return func() error { _, err := WhatIf(ctx, r, report, Pinning(r.Items(), n/2)); return err }
	})
	growth(b, "reasons", func(n int) func() error {
		r, report := reported(n)
		return func() error { _, err := NewReasons(ctx, r, report); return err }
	})
	growth(b, "compare", func(n int) func() error {
		_, report := reported(n)
		return func() error { Compare(report, report); return nil }
	})
	weighed := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScoreKind, Weight: 1})
	growth(b, "100 weights of a scorer", func(n int) func() error {
		r, at := ranked(b, weighed, n), atMost(b, tenth(n))
		weight := musttest.Of(model.FindNumber(model.Numbers(weighed, at, nil), "weight:kind"))(b)
		weight.First, weight.Last = 950, 1049 // from .95
		return func() error { _, err := NewProfileOver(ctx, r, at, weight); return err }
	})
	growth(b, "plan the best possible", func(n int) func() error {
		r, _ := reported(n)
		return func() error { _, err := PlanOptimum(ctx, r, 200_000, PlanLimits{}); return err }
	})
}

func dryRun(b *testing.B, p model.Policy, n int, budget model.Tokens) func() error {
	return dryRunOf(b, ranked(b, p, n), budget)
}

func dryRunOf(b *testing.B, r *pipeline.Ranking, budget model.Tokens) func() error {
	at := atMost(b, budget)
	return func() error { _, err := r.Unprepared().DryRunContext(context.Background(), at); return err }
}

func profile(b *testing.B, p model.Policy, n int, budget model.Tokens) func() error {
	return profileOf(b, ranked(b, p, n), budget)
}

func profileOf(b *testing.B, r *pipeline.Ranking, budget model.Tokens) func() error {
	template := atMost(b, budget)
	return func() error {
		_, err := NewProfile(context.Background(), r.Unprepared(), template, 2*budget)
		return err
	}
}

func policyOf(slicer model.SlicerType) model.Policy {
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	p.Slicer = slicer
	return p
}

func piped(b *testing.B, p model.Policy) *pipeline.Pipeline {
	return musttest.Of(pipeline.New(p))(b)
}

func ranked(b *testing.B, p model.Policy, n int) *pipeline.Ranking {
	return musttest.Of(piped(b, p).Rank(context.Background(), growing(b, n)))(b)
}

func atMost(b *testing.B, most model.Tokens) model.Budget {
	return musttest.Of(model.BudgetOf(most))(b)
}

// tenth is about a tenth of the tokens of n items of growing.
func tenth(n int) model.Tokens { return model.Tokens(60 * n) }

var grown = map[int]*model.Set{}

// growing is a set of n items of log-normal sizes, with 12 of 2,000 tags each.
func growing(b *testing.B, n int) *model.Set {
	b.Helper()
	if grown[n] != nil {
		return grown[n]
	}
	rng := rand.New(rand.NewPCG(1, 2))
	items := make([]model.Item, n)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var known [2000]string
	for i := range known {
		known[i] = fmt.Sprint("t", i)
	}
	for i := range items {
		tags := make([]string, 12)
		for k := range tags {
			tags[k] = known[rng.IntN(len(known))]
		}
		at = at.Add(48 * time.Hour / time.Duration(n))
		items[i] = model.Item{
			Content: fmt.Sprint("item ", i), Tokens: model.Tokens(min(max(5, int(300*math.Exp(1.2*rng.NormFloat64()))), 8000)), Kind: model.Kind(fmt.Sprint("K", rng.IntN(6))),
			FutureRelevanceHint: model.Some(rng.Float64()), Timestamp: model.Some(at), Priority: model.Some(int64(rng.IntN(1000))), Tags: tags,
			Metadata: map[string]any{"key": [...]string{"value", "other"}[rng.IntN(2)], scorer.TrustKey: rng.Float64()},
		}
	}
	set := musttest.Of(model.NewSet(items))(b)
	grown[n] = set
	return set
}
