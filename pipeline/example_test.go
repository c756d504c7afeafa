package pipeline_test

import (
	"context"
	"fmt"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Rank once, then ask for any budget, and for all of them at once.
func Example() {
	hint := func(v float64) model.Option[float64] { return model.Some(v) }
	items := must(model.NewSet([]model.Item{
		{Content: "You answer in one line.", Tokens: 20, Kind: model.SystemPrompt, Pinned: true},
		{Content: "a long report", Tokens: 100, FutureRelevanceHint: hint(0.9)},
		{Content: "a note", Tokens: 50, FutureRelevanceHint: hint(0.3)},
	}))
	p := must(pipeline.New(model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})))
	ranking := must(p.Rank(context.Background(), items))
	for _, tokens := range []model.Tokens{70, 120, 170} {
		budget := must(model.NewBudget(model.BudgetFields{MaxTokens: tokens}))
		report := must(ranking.DryRun(budget))
		fmt.Printf("%d tokens: %d used, the note is in: %v\n", tokens, report.Kept, report.In(2))
	}
	profile := must(ranking.Profile(context.Background(), 150))
	note, _ := ranking.Position(2)
	fmt.Println("beside the pinned prompt, the note is in at targets", profile.Bands(nil, note))
	// Output:
	// 70 tokens: 70 used, the note is in: true
	// 120 tokens: 120 used, the note is in: false
	// 170 tokens: 170 used, the note is in: true
	// beside the pinned prompt, the note is in at targets [{50 99} {150 150}]
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// What greedy looks at, one item after the other, and what it decides.
func ExampleRanking_Steps() {
	hint := func(v float64) model.Option[float64] { return model.Some(v) }
	items := must(model.NewSet([]model.Item{
		{Content: "a long report", Tokens: 100, FutureRelevanceHint: hint(0.9)},
		{Content: "a summary", Tokens: 60, FutureRelevanceHint: hint(0.4)},
		{Content: "a note", Tokens: 50, FutureRelevanceHint: hint(0.1)},
	}))
	p := must(pipeline.New(model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})))
	ranking := must(p.Rank(context.Background(), items))
	budget := must(model.NewBudget(model.BudgetFields{MaxTokens: 150}))
	err := ranking.Steps(context.Background(), budget, func(step pipeline.Step) {
		switch {
		case step.Opens != nil:
			fmt.Println("room:", step.Left)
		case step.Verdict.In():
			fmt.Printf("%s: taken, %d -> %d left\n", items.Item(int(step.Item)).Content, step.Left, step.After)
		default:
			fmt.Printf("%s: needs %d, %d left\n", items.Item(int(step.Item)).Content, step.Need, step.Left)
		}
	})
	fmt.Println("error:", err)
	// Output:
	// room: 150
	// a long report: taken, 150 -> 50 left
	// a summary: needs 60, 50 left
	// a note: taken, 50 -> 0 left
	// error: <nil>
}
