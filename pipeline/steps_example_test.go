package pipeline_test

import (
	"context"
	"fmt"

	"cupelscope/model"
	"cupelscope/pipeline"
)

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
