//go:build unix

package simulate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/tokens"
	"cupelscope/pipeline"
	"cupelscope/simulate/growthtest"
)

// BenchmarkGrowth reports how each action grows; see growthtest.Run. On a quiet
// machine nothing is to be above 1.15, but a knapsack in its capacity, and
// frequency where items come to have several tags in common.
//
//	go test ./simulate -run '^$' -bench Growth -benchtime 1x
func BenchmarkGrowth(b *testing.B) {
	ctx := context.Background()
	budget, err := model.NewBudget(model.BudgetFields{MaxTokens: 100_000})
	if err != nil {
		b.Fatal(err)
	}
	reflexive := model.Scorer{Type: model.ScoreReflexive, Weight: 1}
	type prepared = func() error
	growth := func(name string, prepare func(n int) prepared) {
		growthtest.Run(b, name, 25_000, func(_ *testing.B, n int) func() error { return prepare(n) })
	}
	rank := func(p model.Policy, n int) *pipeline.Ranking {
		pipe, err := pipeline.New(p)
		if err != nil {
			b.Fatal(err)
		}
		r, err := pipe.Rank(ctx, growing(b, n))
		if err != nil {
			b.Fatal(err)
		}
		return r
	}

	growth("load", func(n int) prepared {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, `{"role":"user","content":"message %d with some words\nand a line"}`+"\n", i)
		}
		return func() error {
			_, err := itemset.Read(ctx, "chat", []byte(text.String()), itemset.Options{})
			return err
		}
	})
	growth("count", func(n int) prepared {
		texts := make([]tokens.Text, n/4)
		for i := range texts {
			texts[i] = tokens.Text{Index: i, Content: fmt.Sprintf("message %d with some words", i)}
		}
		counter, err := tokens.NewCounter("o200k_base")
		if err != nil {
			b.Fatal(err)
		}
		return func() error { return counter.CountAll(ctx, texts, 1, func(tokens.Progress) {}) }
	})
	for _, s := range []model.Scorer{
		{Type: model.ScoreRecency, Weight: 1}, {Type: model.ScorePriority, Weight: 1}, {Type: model.ScoreKind, Weight: 1}, reflexive,
		{Type: model.ScoreFrequency, Weight: 1}, {Type: model.ScoreTag, Weight: 1, TagWeights: []model.TagWeight{{Tag: "t1", Weight: 1}}},
		{Type: model.ScoreScaled, Weight: 1, Inner: &reflexive},
	} {
		growth("rank by "+string(s.Type), func(n int) prepared {
			pipe, err := pipeline.New(model.NewPolicy(s))
			if err != nil {
				b.Fatal(err)
			}
			set := growing(b, n)
			return func() error { _, err := pipe.Rank(ctx, set); return err }
		})
	}
	policies := map[string]model.Policy{}
	for _, slicer := range []model.SlicerType{model.Greedy, model.Knapsack, model.Stream, model.Rank, model.Prefix} {
		p := model.NewPolicy(reflexive)
		p.Slicer = slicer
		policies[string(slicer)] = p
	}
	quotas := model.NewPolicy(reflexive)
	quotas.Quotas = []model.Quota{{Kind: "K1", MinPercent: model.Some(10.0), MaxPercent: model.Some(30.0)}, {Kind: "K2", MinPercent: model.Some(5.0)}}
	policies["quotas"] = quotas
	counts := model.NewPolicy(reflexive)
	counts.CountQuotas = []model.CountQuota{{Kind: "K1", Require: 2, Cap: 30}}
	policies["count quotas"] = counts
	for name, p := range policies {
		growth("dry run, "+name, func(n int) prepared {
			r := rank(p, n)
			return func() error { _, err := r.Unprepared().DryRunContext(ctx, budget); return err }
		})
		growth("profile, "+name, func(n int) prepared {
			r := rank(p, n)
			axis, err := NewAxis(budget, 0, model.Throw, 200_000)
			if err != nil {
				b.Fatal(err)
			}
			return func() error { _, err := NewProfile(ctx, r.Unprepared(), axis); return err }
		})
	}
	greedy := policies[string(model.Greedy)]
	growth("at risk", func(n int) prepared {
		r := rank(greedy, n)
		return func() error { _, _, err := AtRisk(ctx, r, budget, 1000); return err }
	})
	growth("what if", func(n int) prepared {
		r := rank(greedy, n)
		report, err := r.DryRun(budget)
		if err != nil {
			b.Fatal(err)
		}
		return func() error { _, err := WhatIf(ctx, r, report, Pinning(r.Items(), n/2)); return err }
	})
	growth("reasons", func(n int) prepared {
		r := rank(greedy, n)
		report, err := r.DryRun(budget)
		if err != nil {
			b.Fatal(err)
		}
		return func() error { _, err := NewReasons(ctx, r, report); return err }
	})
	growth("compare", func(n int) prepared {
		a, err := rank(greedy, n).DryRun(budget)
		if err != nil {
			b.Fatal(err)
		}
		return func() error { Diff(a, a); return nil }
	})
	growth("plan the best possible", func(n int) prepared {
		r := rank(greedy, n)
		return func() error { _, err := PlanOptimum(ctx, r, 100_000, PlanLimits{}); return err }
	})
}

// growing is a set of n items of log-normal sizes, with 12 of 2,000 tags each.
func growing(b *testing.B, n int) *model.Set {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	items := make([]model.Item, n)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range items {
		tags := make([]string, 12)
		for k := range tags {
			tags[k] = fmt.Sprint("t", rng.IntN(2000))
		}
		at = at.Add(time.Duration(rng.IntN(90)) * time.Second)
		items[i] = model.Item{
			Content: fmt.Sprint("item ", i), Tokens: model.Tokens(min(max(5, int(300*math.Exp(1.2*rng.NormFloat64()))), 8000)), Kind: model.Kind(fmt.Sprint("K", rng.IntN(6))),
			FutureRelevanceHint: model.Some(rng.Float64()), Timestamp: model.Some(at), Priority: model.Some(int64(rng.IntN(1000))), Tags: tags,
		}
	}
	set, err := model.NewSet(items)
	if err != nil {
		b.Fatal(err)
	}
	return set
}
