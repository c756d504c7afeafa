package turns_test

import (
	"context"
	"fmt"

	"cupelscope/model"
	"cupelscope/simulate/turns"
)

// Three questions to a model with room for 60 tokens: a window that slides by
// one item at every request sends less than everything, and costs more, because
// the prefix breaks every time. One that cuts deep and seldom costs less.
func Example() {
	message := func(role, text string, tokens model.Tokens) model.Item {
		return model.Item{Content: text, Tokens: tokens, Pinned: role == "system", Metadata: map[string]any{"role": role}}
	}
	items := []model.Item{message("system", "Answer briefly.", 10)}
	for n := range 6 {
		items = append(items,
			message("user", fmt.Sprintf("question %d", n), 10),
			message("assistant", fmt.Sprintf("answer %d", n), 10))
	}
	set, err := model.NewSet(items)
	if err != nil {
		panic(err)
	}
	history, err := turns.FromItems(set, nil)
	if err != nil {
		panic(err)
	}
	budget, err := model.NewBudget(model.BudgetFields{MaxTokens: 60})
	if err != nil {
		panic(err)
	}
	cache, _ := turns.FindCache("anthropic-5m")
	cache.Minimum = 0 // the example is too short for the real one
	plans := []turns.Plan{
		{Name: "sliding", Strategy: turns.Sliding},
		{Name: "sliding, low 40 %", Strategy: turns.Sliding, Low: 40},
	}
	courses, _, err := turns.Run(context.Background(), history, plans, budget, turns.Billing{Cache: cache}, turns.Options{})
	if err != nil {
		panic(err)
	}
	for _, course := range courses {
		surviving, _ := course.Totals.SurvivingPrefix()
		ratio, _ := course.Totals.CostRatio()
		fmt.Printf("%-18s %3.0f tokens per request, %3.0f %% of the prefix survives, costs %.2f of sending all\n",
			course.Plan.Name, course.Totals.TokensPerRequest(), 100*surviving, ratio)
	}
	for k, change := range courses[1].Changes {
		if change.Cause != turns.NoBreak {
			fmt.Printf("request %d: item %d %s\n", k+1, change.Item, change.Cause)
		}
	}
	// Output:
	// all                 70 tokens per request, 100 % of the prefix survives, costs 1.00 of sending all
	// sliding             50 tokens per request,  50 % of the prefix survives, costs 1.51 of sending all
	// sliding, low 40 %   38 tokens per request,  67 % of the prefix survives, costs 0.89 of sending all
	// request 4: item 1 left
	// request 5: item 3 left
	// request 6: item 5 left
	// request 7: item 7 left
}
