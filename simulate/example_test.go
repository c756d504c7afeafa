package simulate_test

import (
	"context"
	"errors"
	"fmt"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
)

// ranked is two documents of which greedy prefers A: its density, score per
// token, is higher.
func ranked() *pipeline.Ranking {
	return rankedByHints([]model.Item{
		{Content: "A", Tokens: 100, FutureRelevanceHint: model.Some(1.0)},
		{Content: "B", Tokens: 50, FutureRelevanceHint: model.Some(0.1)},
	}, model.Pair{Call: 0, Result: 1})
}

func rankedByHints(items []model.Item, pairs ...model.Pair) *pipeline.Ranking {
	set := must(model.NewSet(items)).WithPairs(pairs...)
	pipe := must(pipeline.New(model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})))
	r := must(pipe.Rank(context.Background(), set))
	return r
}

// B fits alone, loses its place to A, and has it again when both fit.
func ExampleProfile() {
	r := ranked()
	p := must(simulate.NewProfile(context.Background(), r, model.Budget{}, 200))
	fmt.Println("A:", p.Bands(nil, 0))
	fmt.Println("B:", p.Bands(nil, 1))
	for c, ok := p.Next(0); ok; c, ok = p.Next(c.At) {
		fmt.Println("at", c.At, "in", c.In, "out", c.Out)
	}
	// Output:
	// A: [{100 200}]
	// B: [{50 99} {150 200}]
	// at 50 in [1] out []
	// at 100 in [0] out [1]
	// at 150 in [1] out []
}

// At 100 tokens greedy takes the denser A and leaves room for nothing; the
// knapsack takes two items that are worth more together.
func ExampleCompare() {
	items := must(model.NewSet([]model.Item{
		{Content: "A", Tokens: 60, FutureRelevanceHint: model.Some(0.8)},
		{Content: "B", Tokens: 50, FutureRelevanceHint: model.Some(0.5)},
		{Content: "C", Tokens: 50, FutureRelevanceHint: model.Some(0.6)},
	}))
	budget := must(model.BudgetOf(100))
	greedy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	knapsack := greedy
	knapsack.Slicer, knapsack.BucketSize = model.Knapsack, 1
	var reports []*model.Report
	for _, policy := range []model.Policy{greedy, knapsack} {
		pipe := must(pipeline.New(policy))
		ranking := must(pipe.Rank(context.Background(), items))
		report := must(ranking.DryRun(budget))
		reports = append(reports, report)
	}
	c := simulate.Compare(reports[0], reports[1])
	fmt.Println("both", c.Both, "only greedy", c.OnlyA, "only knapsack", c.OnlyB)
	fmt.Printf("value %.1f and %.1f\n", reports[0].Value, reports[1].Value)
	// Output:
	// both [] only greedy [0] only knapsack [1 2]
	// value 0.8 and 1.1
}

// The search of the specification takes inclusion to be monotone. Up to 200 its
// first probe, at 125, does not have B, so it never looks below.
func ExampleFindMinBudgetFor() {
	r := ranked()
	for _, ceiling := range []model.Tokens{60, 140, 200} {
		least := must(simulate.FindMinBudgetFor(r, 1, ceiling, nil))
		fmt.Println(ceiling, least.Value, least.Set)
	}
	// Output:
	// 60 50 true
	// 140 50 true
	// 200 150 true
}

// What 20 tokens less would cost.
func ExampleMarginalItems() {
	r := ranked()
	budget := must(model.NewBudget(model.BudgetFields{MaxTokens: 160}))
	items, err := simulate.MarginalItems(context.Background(), r, budget, 20)
	fmt.Println(items, err)
	// Output: [1] <nil>
}

// What every budget gives.
func ExampleProfile_Points() {
	r := ranked()
	p := must(simulate.NewProfile(context.Background(), r, model.Budget{}, 200))
	var below simulate.Point
	for a := range p.Points() {
		fmt.Printf("from %v: %d items, %v tokens, %.0f %% filled, value %.1f", a.Budget, a.Items, a.Tokens, 100*a.Filled(), a.Value)
		if a.Fewer(below) {
			fmt.Print(", fewer items")
		}
		fmt.Println()
		below = a
	}
	// Output:
	// from 0: 0 items, 0 tokens, 0 % filled, value 0.0
	// from 50: 1 items, 50 tokens, 100 % filled, value 0.1
	// from 100: 1 items, 100 tokens, 100 % filled, value 1.0
	// from 150: 2 items, 150 tokens, 100 % filled, value 1.1
}

// B is out because A has the space: pinned it takes the place of A, and without
// A it is in.
func ExampleWhatIf() {
	r := ranked()
	budget := must(model.NewBudget(model.BudgetFields{MaxTokens: 120}))
	report := must(r.DryRun(budget))
	ctx := context.Background()
	pinned, err := simulate.WhatIf(ctx, r, report, simulate.Pinning(r.Items(), 1))
	fmt.Println("pinned: in", pinned.In, "out", pinned.Out, "tokens", pinned.Tokens, err)
	drops, err := simulate.NewTrials(r).DropsFor(ctx, report, 1, simulate.Droppable(r, report, 1))
	fmt.Println("in without", drops, err)
	// Output:
	// pinned: in [1] out [0] tokens -50 <nil>
	// in without [0] <nil>
}

// B was lost at 100, when A came in.
func ExampleProfile_Displaced() {
	r := ranked()
	p := must(simulate.NewProfile(context.Background(), r, model.Budget{}, 200))
	lost, _ := p.Displaced(1, 120)
	below, above, _ := p.Nearest(1, 120)
	fmt.Println("lost at", lost.At, "to", lost.In, "nearest", below.Value, above.Value)
	// Output: lost at 100 to [0] nearest 99 150
}

// A call and its result, of which the budget holds one: what it takes to have
// both. To pin the one that is out would put the other out, and without the one
// that is in the other would come in: these ways do not lead there.
func ExampleProfile_Remedies() {
	r := ranked()
	budget, err1 := model.NewBudget(model.BudgetFields{MaxTokens: 120})
	p, err2 := simulate.NewProfile(context.Background(), r, budget, 200)
	report, err3 := r.DryRun(budget)
	if err := errors.Join(err1, err2, err3); err != nil {
		fmt.Println(err)
		return
	}
	pair := model.Pair{Call: 0, Result: 1}
	fmt.Println("split:", report.Split(), "both are in at:", p.Together(nil, pair))
	ways, err := p.Remedies(context.Background(), report, pair)
	for _, w := range ways {
		switch w.Way {
		case simulate.ByRaise:
			fmt.Println("budget", w.Budget, "costs", w.Cost, "tokens more")
		case simulate.ByPin:
			fmt.Println("pinning item", w.Item, "costs", w.Cost, "tokens: out go", w.Out)
		case simulate.ByDrop:
			fmt.Println("dropping item", w.Item, "costs", w.Cost, "tokens")
		}
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// split: [{0 1}] both are in at: [{150 200}]
	// budget 150 costs 30 tokens more
}

// Greedy takes A, the densest, and has no room for B or C. Those two would
// fill the budget.
func ExampleOptimum() {
	r := rankedByHints([]model.Item{
		{Content: "A", Tokens: 60, FutureRelevanceHint: model.Some(0.66)},
		{Content: "B", Tokens: 50, FutureRelevanceHint: model.Some(0.5)},
		{Content: "C", Tokens: 50, FutureRelevanceHint: model.Some(0.5)},
	})
	budget := must(model.NewBudget(model.BudgetFields{MaxTokens: 100}))
	report := must(r.DryRun(budget))
	plan := must(simulate.PlanOptimum(context.Background(), r, 200, simulate.PlanLimits{}))
	// plan.Cells tells what the work costs, so that it can be left for later.
	best := must(plan.Compute(context.Background()))
	t := slicer.Target(report.Effective.Target)
	fmt.Printf("%.2f of %.2f: %.0f %% below\n", report.Value, best.At(t), 100*best.BelowBest(report.Value, t).Value)
	// Output:
	// 0.66 of 1.00: 34 % below
}

// How far can the weight of a scorer move before anything changes?
func ExampleNewProfileOver() {
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}, model.Scorer{Type: model.ScorePriority, Weight: 1})
	set := must(model.NewSet([]model.Item{
		{Content: "a", Tokens: 10, FutureRelevanceHint: model.Some(0.9), Priority: model.Some[int64](1)},
		{Content: "b", Tokens: 10, FutureRelevanceHint: model.Some(0.1), Priority: model.Some[int64](2)},
	}))
	budget := must(model.BudgetOf(10))
	pipe := must(pipeline.New(p))
	ranking := must(pipe.Rank(context.Background(), set))
	weight := must(model.FindNumber(model.Numbers(p, budget, nil), "weight:reflexive"))
	over := must(simulate.NewProfileOver(context.Background(), ranking, budget, weight))
	for _, s := range over.Stretches() {
		fmt.Println(s.From, "to", s.To, "came in", s.In, "left", s.Out)
	}
	// Output:
	// 0.001 to 1.249 came in [] left []
	// 1.25 to 10 came in [0] left [1]
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
