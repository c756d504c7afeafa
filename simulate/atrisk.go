package simulate

import (
	"context"
	"errors"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// An item is at risk when it is in at a budget, and out, or in a smaller size, at the
// budget that is smaller by a slack, max and target alike. Reserves, slots and the safety
// margin stay.
//
// MarginalItems runs the pipeline at both budgets, with the refusal that the Cupel
// specification wants. Profile.AtRisk reads both results from the profile.

// ErrMarginalNotMonotonic is returned by MarginalItems, and
// ErrSearchNotMonotonic by FindMinBudgetFor, for slicers whose budget shares
// shift as the budget grows. The texts stand word for word in the Cupel
// specification, chapter Budget Simulation.
var (
	//lint:ignore ST1005 the specification ends its sentences
	ErrMarginalNotMonotonic = errors.New("GetMarginalItems requires monotonic item inclusion. QuotaSlice produces non-monotonic inclusion as budget changes shift percentage allocations.")
	//lint:ignore ST1005 as above
	ErrSearchNotMonotonic = errors.New("FindMinBudgetFor requires monotonic item inclusion. QuotaSlice and CountQuotaSlice produce non-monotonic inclusion as budget changes shift allocations. Use a GreedySlice or KnapsackSlice inner slicer for budget simulation.")
)

// MarginalItems returns the items at risk at budget b, in placed order: they
// are in at b, and out, or in a smaller size, at the budget that is smaller by slack.
//
// This is GetMarginalItems of the Cupel specification, chapter Budget
// Simulation. It first refuses a slicer that shifts shares of the budget, with
// ErrMarginalNotMonotonic; a slack of 0 then gives no items. A slack below 0 or above
// targetTokens, and a reduced budget that is invalid, give a *model.BudgetError; an error
// of either run is returned, ctx's among them.
//
// It does not return items that only the smaller budget includes; Lost does.
func MarginalItems(ctx context.Context, r *pipeline.Ranking, b model.Budget, slack model.Tokens) ([]int32, error) {
	switch {
	case r.Shifts().Percentages:
		return nil, ErrMarginalNotMonotonic
	case slack == 0:
		return nil, nil
	}
	reduced, err := b.Less(slack)
	if err != nil {
		return nil, err
	}
	full, err := r.DryRunContext(ctx, b)
	if err != nil {
		return nil, err
	}
	small, err := r.DryRunContext(ctx, reduced)
	if err != nil {
		return nil, err
	}
	lost, _ := Lost(full, small)
	return lost, nil
}

// Lost returns what changes from a result to the result at a smaller budget: the items that
// leave or shrink, in placed order of full, and the items that come in or grow, ascending.
func Lost(full, small *model.Report) (lost, gained []int32) {
	for _, i := range full.Included {
		if !small.In(int(i)) || small.Taken(int(i)) < full.Taken(int(i)) {
			lost = append(lost, i)
		}
	}
	for _, i := range small.Included {
		if !full.In(int(i)) || full.Taken(int(i)) < small.Taken(int(i)) {
			gained = append(gained, i)
		}
	}
	slices.Sort(gained)
	return lost, gained
}

// AtRisk is Lost between a budget and the budget that is smaller by slack, from two
// selections instead of two dry runs. Both lists are ascending, and nil with a slack of 0. The budget
// must lie on the profile's axis. It refuses no slicer; other errors are as for MarginalItems.
func (p *Profile) AtRisk(b model.Budget, slack model.Tokens) (lost, gained []int32, err error) {
	if slack == 0 {
		return nil, nil, nil
	}
	reduced, err := b.Less(slack)
	if err != nil {
		return nil, nil, err
	}
	for _, budget := range [...]model.Budget{b, reduced} {
		if _, runs := p.Selection(budget.MaxTokens(), nil); !runs {
			_, err := p.Report(budget)
			return nil, nil, err
		}
	}
	c := p.change(b.MaxTokens(), reduced.MaxTokens())
	lost, gained = append(c.Out, c.shrunk...), append(c.In, c.grown...)
	slices.Sort(lost)
	slices.Sort(gained)
	return lost, gained, nil
}
