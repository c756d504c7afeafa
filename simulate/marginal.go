package simulate

import (
	"errors"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// ErrMarginalNotMonotonic and ErrSearchNotMonotonic refuse slicers whose budget
// shares shift as the budget grows. The texts are those of the Cupel
// specification, chapter Budget Simulation, word for word.
var (
	ErrMarginalNotMonotonic = errors.New("GetMarginalItems requires monotonic item inclusion. QuotaSlice produces non-monotonic inclusion as budget changes shift percentage allocations.")
	ErrSearchNotMonotonic   = errors.New("FindMinBudgetFor requires monotonic item inclusion. QuotaSlice and CountQuotaSlice produce non-monotonic inclusion as budget changes shift allocations. Use a GreedySlice or KnapsackSlice inner slicer for budget simulation.")
)

// MarginalItems lists the items that are in at budget b but out when max and
// target are slack tokens smaller: what is at risk. They come in placed order
// of the run at b. Reserves, slots and the safety margin stay.
//
// This is GetMarginalItems of the Cupel specification, chapter Budget
// Simulation. In this order: a slicer that shifts shares of the budget is
// refused with ErrMarginalNotMonotonic; slack 0 gives no items; a slack below
// 0 or above targetTokens, and a reduced budget that is invalid, are a
// *model.BudgetError; an error of either run is returned.
//
// Items that only the smaller budget includes are not told: see Profile.Slack.
func MarginalItems(r *pipeline.Ranking, b model.Budget, slack model.Tokens) ([]int32, error) {
	if r.Shifts().Percentages {
		return nil, ErrMarginalNotMonotonic
	}
	if slack == 0 {
		return nil, nil
	}
	if err := model.ValidateSlack(slack, b); err != nil {
		return nil, err
	}
	reduced, err := b.At(b.MaxTokens() - slack) // slack <= target, so the target shrinks by all of it
	if err != nil {
		return nil, err
	}
	primary, err := r.DryRun(b)
	if err != nil {
		return nil, err
	}
	margin, err := r.DryRun(reduced)
	if err != nil {
		return nil, err
	}
	var items []int32
	for _, i := range primary.Included {
		if !margin.In(int(i)) {
			items = append(items, i)
		}
	}
	return items, nil
}
