package model_test

import (
	"fmt"

	"cupelscope/model"
)

// A budget cannot be made invalid: the error names the field, the value and the bound.
func ExampleNewBudget() {
	b, err := model.NewBudget(model.BudgetFields{
		MaxTokens: 32_000, TargetTokens: model.Some[model.Tokens](30_000), OutputReserve: 8000, SafetyMargin: 5,
		ReservedSlots: []model.Slot{{Kind: model.Memory, Tokens: 1200}},
	})
	ofMax, ofBoth := b.Deducted()
	fmt.Println(b.MaxTokens(), b.Gap(), ofMax, ofBoth, err)
	_, err = model.NewBudget(model.BudgetFields{MaxTokens: 32_000, TargetTokens: model.Some[model.Tokens](33_000)})
	fmt.Println(err)
	// Output:
	// 32,000 2,000 8,000 1,200 <nil>
	// invalid budget: targetTokens is 33,000, must be 0 to maxTokens, which is 32,000
}

// An edit makes another set; the one that was loaded stays as it is.
func ExampleSet_With() {
	loaded, err := model.NewSet([]model.Item{{Content: "a note", Tokens: 50}, {Content: "a report", Tokens: 900}})
	if err != nil {
		fmt.Println(err)
		return
	}
	edited, err := loaded.With(model.Edits{Pinned: map[int]bool{0: true}, Tokens: map[int]model.Tokens{1: 400}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(loaded.Total(), edited.Total(), edited.Pinned(0))
	// Output: 950 450 true
}

// Token numbers are written as people write them.
func ExampleParseTokens() {
	for _, text := range []string{"32k", "32Ki", "1,200", "many"} {
		n, err := model.ParseTokens(text)
		fmt.Println(n, err != nil)
	}
	// Output:
	// 32,000 false
	// 32,768 false
	// 1,200 false
	// 0 true
}

// A policy tuned here is JSON that Cupel's .NET library loads.
func ExampleParsePolicy() {
	p, err := model.ParsePolicy([]byte(`{"scorers": [{"type": "recency", "weight": 3}], "slicerType": "knapsack", "knapsackBucketSize": 10}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Slicer, p.Bucket(), p.Placer, p.Overflow, p.Deduplicate)
	_, err = model.ParsePolicy([]byte(`{"scorers": [{"type": "recency", "weight": 3}], "knapsackBucketSize": 10}`))
	fmt.Println(err)
	// Output:
	// knapsack 10 chronological throw true
	// invalid policy: knapsackBucketSize: is given, but slicerType is "greedy": only knapsack has buckets
}
