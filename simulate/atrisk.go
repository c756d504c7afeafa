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
// AtRisk runs the pipeline at both budgets, Profile.AtRisk reads both results from the
// profile, and MarginalItems is AtRisk in placed order, with the refusal that the Cupel
// specification wants.

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
// ErrMarginalNotMonotonic; a slack of 0 then gives no items; AtRisk returns
// all other errors.
//
// It does not return items that only the smaller budget includes; AtRisk does.
func MarginalItems(ctx context.Context, r *pipeline.Ranking, b model.Budget, slack model.Tokens) ([]int32, error) {
	if r.Shifts().Percentages {
		return nil, ErrMarginalNotMonotonic
	}
	lost, _, err := AtRisk(ctx, r, b, slack)
	return lost, err
}

// AtRisk returns what changes at a budget whose maxTokens and targetTokens are
// smaller by slack: the items that leave or shrink, in placed order of the run at b,
// and those that come in or grow, ascending. With a slack of 0 both are nil.
//
// A slack below 0 or above targetTokens, and a reduced budget that is invalid,
// give a *model.BudgetError; an error of either run is returned, ctx's among
// them. AtRisk takes two dry runs.
func AtRisk(ctx context.Context, r *pipeline.Ranking, b model.Budget, slack model.Tokens) (lost, gained []int32, err error) {
	if slack == 0 {
		return nil, nil, nil
	}
	reduced, err := b.Less(slack)
	if err != nil {
		return nil, nil, err
	}
	full, err := r.DryRunContext(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	small, err := r.DryRunContext(ctx, reduced)
	if err != nil {
		return nil, nil, err
	}
	lost, gained = Lost(full, small)
	return lost, gained, nil
}

// Lost is AtRisk answered from the results at both budgets, of which small is at the smaller.
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

// AtRisk is the function AtRisk answered from the profile, with two selections
// instead of two dry runs. Both lists are ascending. The budget must lie on
// the profile's axis.
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
	if len(c.Resized) > 0 {
		full, err := p.Report(b)
		if err != nil {
			return nil, nil, err
		}
		small, err := p.Report(reduced)
		if err != nil {
			return nil, nil, err
		}
		c.Out, c.In = Lost(full, small)
		slices.Sort(c.Out)
	}
	return c.Out, c.In, nil
}
