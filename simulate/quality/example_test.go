package quality_test

import (
	"context"
	"fmt"

	"cupelscope/model"
	"cupelscope/simulate/quality"
)

// Greedy has more value here, and less of what was needed: the long item is the
// best match, but two short ones have more score per token.
func ExampleEvaluate() {
	hint := model.Some[float64]
	set, err := model.NewSet([]model.Item{
		{Content: "the passage that answers", Tokens: 80, FutureRelevanceHint: hint(0.9)},
		{Content: "a short aside", Tokens: 20, FutureRelevanceHint: hint(0.5)},
		{Content: "another aside", Tokens: 20, FutureRelevanceHint: hint(0.5)},
	})
	if err != nil {
		panic(err)
	}
	cases := func(yield func(*quality.Case, error) bool) {
		yield(&quality.Case{Name: "q1", Items: set, Labels: model.Labels{Grades: map[int]int{0: 1}}}, nil)
	}
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	e, err := quality.Evaluate(context.Background(), cases, quality.Options{
		Policies: []quality.Named{{Name: "current", Policy: policy}},
		At:       []quality.Amount{{Tokens: 90}},
	})
	if err != nil {
		panic(err)
	}
	for k, p := range e.Policies {
		at := e.At[0].Policies[k]
		fmt.Printf("%-7s recall %.0f  value %.1f  holds from %v\n", p.Name, at.Recall.Value, at.Value.Value, p.Holds.Median.Value)
	}
	// Output:
	// current recall 0  value 1.0  holds from 120
	// rank    recall 1  value 0.9  holds from 80
	// prefix  recall 1  value 0.9  holds from 80
}
