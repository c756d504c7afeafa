package slicer

import (
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// CountConstrainedKnapsack is CountQuota with a Knapsack that fills the rest
// of the target. The knapsack's output is sorted by score before caps are
// enforced, so that a cap keeps the best; equal scores in the knapsack's own
// order: without tokens first, then the later ones first. Cupel specification,
// chapter CountConstrainedKnapsackSlice.
type CountConstrainedKnapsack struct {
	knapsack Knapsack
	quotas   []model.CountQuota
	scarcity model.Scarcity
}

var (
	_ Slicer  = CountConstrainedKnapsack{}
	_ Shifter = CountConstrainedKnapsack{}
)

// NewCountConstrainedKnapsack returns count quotas over a knapsack. scarcity ""
// is model.Degrade. The error is a *model.PolicyError.
func NewCountConstrainedKnapsack(k Knapsack, scarcity model.Scarcity, quotas ...model.CountQuota) (CountConstrainedKnapsack, error) {
	if err := validateCounts(scarcity, quotas); err != nil {
		return CountConstrainedKnapsack{}, err
	}
	return CountConstrainedKnapsack{k, slices.Clone(quotas), scarcity}, nil
}

// Shifts implements Shifter.
func (q CountConstrainedKnapsack) Shifts() Shifts { return Shifts{Counts: true} }

// Prepare implements Slicer.
func (q CountConstrainedKnapsack) Prepare(in *Input) Prepared {
	return prepareCounts(in, q.quotas, q.scarcity, q.knapsack, byScoreThenOutput)
}

// byScoreThenOutput is the rest by score, ties in the order of output.
func byScoreThenOutput(p Prepared, rest *Input) []int32 {
	output := outputOrder(p, rest.Len())
	scores := make([]float64, len(output))
	for i, at := range output {
		scores[i] = rest.Scores[at]
	}
	sorted := order.Descending(scores)
	for i, k := range sorted {
		sorted[i] = output[k]
	}
	return sorted
}
