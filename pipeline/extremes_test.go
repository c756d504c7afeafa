package pipeline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// everySlicer is policies with all slicers, whose knapsacks have buckets so
// large that a plain table serves at any budget.
func everySlicer() []model.Policy {
	const bucket = model.MaxTokens / 8
	var all []model.Policy
	for _, change := range []func(*model.Policy){
		func(p *model.Policy) {},
		func(p *model.Policy) { p.Slicer, p.BucketSize = model.Knapsack, bucket },
		func(p *model.Policy) { p.Slicer, p.BatchSize = model.Stream, 3 },
		func(p *model.Policy) {
			p.Quotas = []model.Quota{{Kind: "memory", MinPercent: model.Some(100.0 / 3)}, {Kind: "Message", MaxPercent: model.Some(99.999)}}
		},
		func(p *model.Policy) {
			p.Slicer, p.BucketSize = model.Knapsack, bucket
			p.Quotas = []model.Quota{{Kind: "memory", MinPercent: model.Some(0.0)}, {Kind: "Message", MaxPercent: model.Some(50.0)}}
		},
		func(p *model.Policy) {
			p.CountQuotas = []model.CountQuota{{Kind: "memory", Require: 2, Cap: 3}, {Kind: "Message"}}
		},
		func(p *model.Policy) {
			p.Slicer, p.BucketSize = model.Knapsack, bucket
			p.CountQuotas = []model.CountQuota{{Kind: "memory", Require: 1, Cap: 1}, {Kind: "Message", Cap: 2}}
		},
	} {
		p := model.NewPolicy(
			model.Scorer{Type: model.ScoreReflexive, Weight: 1e300},
			model.Scorer{Type: model.ScoreKind, Weight: 1e-300, KindWeights: []model.KindWeight{{Kind: "Memory", Weight: 1e300}}},
			model.Scorer{Type: model.ScoreScaled, Weight: 1e300, Inner: &model.Scorer{Type: model.ScoreMetadataKey, Weight: 1, Key: "k", Value: "v", Boost: 1e308}},
		)
		change(&p)
		all = append(all, p)
	}
	return all
}

// TestExtremes: tokens of 2^40, hints that are no numbers, weights of 1e300,
// margins of 0 and 100, budgets of nothing and of everything, under every
// slicer and every overflow strategy.
func TestExtremes(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	tokens := []model.Tokens{model.MaxTokens, model.MaxTokens - 1, model.MaxTokens / 3, 1, 0, -model.MaxTokens, model.MaxTokens / 16}
	hints := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 0, 5e-324, 1, math.Copysign(0, -1)}
	for round := range randomtest.Rounds(60, 300) {
		items := make([]model.Item, rng.IntN(14))
		for i := range items {
			items[i] = model.Item{
				Content: fmt.Sprint(rng.IntN(12)), Tokens: randomtest.Pick(rng, tokens...), Kind: randomtest.Pick[model.Kind](rng, "Memory", "MEMORY", "message", "x"),
				FutureRelevanceHint: model.Some(randomtest.Pick(rng, hints...)), Pinned: rng.IntN(12) == 0,
				Timestamp: model.Some(randomtest.Pick(rng, time.Time{}, time.Unix(1<<60, 0))),
			}
			if rng.IntN(2) == 0 {
				items[i].Metadata = map[string]any{"k": "v"}
			}
		}
		s := setOf(t, items...)
		for _, p := range everySlicer() {
			p.Overflow = randomtest.Pick(rng, model.OverflowStrategies()...)
			for _, most := range []model.Tokens{0, 1, model.MaxTokens / 2, model.MaxTokens} {
				b := budgetOf(t, model.BudgetFields{MaxTokens: most, SafetyMargin: randomtest.Pick(rng, 0.0, 100, 1e-300)})
				musttest.Is(t, checkAgainstNaive(s, p, b), nil, "round", round, p, "at", most)
			}
		}
	}
}

func countPolicy(slicer model.SlicerType, quotas ...model.CountQuota) model.Policy {
	p := reflexive()
	p.Slicer, p.CountQuotas = slicer, quotas
	return p
}

func note(content string, tokens model.Tokens, hint float64) model.Item {
	return model.Item{Content: content, Tokens: tokens, Kind: "Note", FutureRelevanceHint: model.Some(hint)}
}

func TestRulingCountCapReasons(t *testing.T) {
	s := setOf(t, note("large", 101, 0.9), note("in", 10, 0.8), note("capped", 100, 0.7), item("other", 95))
	report := dryRun(t, rankOf(t, countPolicy(model.Greedy, model.CountQuota{Kind: "NOTE", Cap: 1}), s), model.BudgetFields{MaxTokens: 100})
	for i, want := range []model.Reason{
		{Code: model.BudgetExceeded, Tokens: 101, Available: 90}, // larger than the effective target
		{Code: model.Scored},
		{Code: model.CountCapExceeded, Kind: "NOTE", Cap: 1, Taken: 1},
		{Code: model.BudgetExceeded, Tokens: 95, Available: 90}, // a kind without a cap
	} {
		musttest.Is(t, report.Reason(i), want, "item", i)
	}
	// A cap of 0 is reached by nothing, also where there is no room.
	s = setOf(t, note("free", 0, 0.5), note("note", 1, 0.5))
	report = dryRun(t, rankOf(t, countPolicy(model.Knapsack, model.CountQuota{Kind: "note"}), s), model.BudgetFields{})
	musttest.Is(t, report.Reason(0), (model.Reason{Code: model.CountCapExceeded, Kind: "note"}), "cap 0 at target 0")
	musttest.Is(t, report.Reason(1), (model.Reason{Code: model.BudgetExceeded, Tokens: 1}), "cap 0 at target 0, too large")
}

func TestRulingShortfallsInEntryOrderAndSpelling(t *testing.T) {
	s := setOf(t, note("n", 10, 1), item("m", 10))
	p := countPolicy(model.Greedy, model.CountQuota{Kind: "nOtE", Require: 2, Cap: 2}, model.CountQuota{Kind: "Message", Require: 1, Cap: 1}, model.CountQuota{Kind: "Absent", Require: 1, Cap: 1})
	p.Overflow = model.Proceed
	want := []model.Shortfall{{Kind: "nOtE", Required: 2, Satisfied: 1}, {Kind: "Absent", Required: 1}}
	for most, want := range map[model.Tokens][]model.Shortfall{0: nil, 1: want, 100: want} {
		r := rankOf(t, p, s)
		report := dryRun(t, r, model.BudgetFields{MaxTokens: most})
		musttest.Is(t, report.Shortfalls, want, "budget", most, "shortfalls")
	}
}
