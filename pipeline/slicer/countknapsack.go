package slicer

import (
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// NewCountConstrainedKnapsack returns a CountQuota that fills with k. The
// knapsack's output is sorted by score before caps are enforced, so that a cap
// keeps the best. Equal scores stay in the knapsack's own order: items without
// tokens first, then the others from the last to the first. See the Cupel
// specification, chapter CountConstrainedKnapsackSlice. scarcity and the error are
// as for NewCountQuota.
func NewCountConstrainedKnapsack(k Knapsack, scarcity model.Scarcity, quotas ...model.CountQuota) (CountQuota, error) {
	if err := validateCounts(scarcity, quotas); err != nil {
		return CountQuota{}, err
	}
	return CountQuota{k, slices.Clone(quotas), scarcity}, nil
}

// byScoreThenOutput is the rest by score, ties in the order of output.
func byScoreThenOutput(p Prepared, rest *Input) []int32 {
	output := outputOrder(p, rest)
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
