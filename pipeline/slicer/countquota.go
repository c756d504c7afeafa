package slicer

import (
	"errors"
	"slices"

	"cupelscope/model"
)

// CountQuota keeps the number of items of each kind within bounds. It selects
// the number that a quota requires, the best first and whatever they cost, even
// beyond the target. An inner slicer fills the rest of the target, and items
// above the cap of their kind are then dropped. The zero CountQuota has no
// quotas and fills with Greedy. See the Cupel specification, chapter
// CountQuotaSlice.
type CountQuota struct {
	inner    Slicer
	quotas   []model.CountQuota
	scarcity model.Scarcity
}

// NewCountQuota returns a CountQuota that fills with inner. It is an error if
// inner is nil, a Stream, or, as the Cupel specification demands, a Knapsack:
// use NewCountConstrainedKnapsack for that. Kinds without a quota require nothing
// and have no cap. scarcity "" means model.Degrade; with model.ScarcityFail,
// Slice returns a *model.ScarcityError if a quota requires more items than there
// are. The error is a *model.PolicyError if scarcity is not known or
// model.ValidateCountQuotas rejects the quotas.
func NewCountQuota(inner Slicer, scarcity model.Scarcity, quotas ...model.CountQuota) (CountQuota, error) {
	if err := divisible("count quota", inner); err != nil {
		return CountQuota{}, err
	}
	switch inner.(type) {
	case Knapsack, *Knapsack:
		return CountQuota{}, errors.New("count quota: the inner slicer may not be knapsack: use NewCountConstrainedKnapsack")
	}
	if err := validateCounts(scarcity, quotas); err != nil {
		return CountQuota{}, err
	}
	return CountQuota{inner, slices.Clone(quotas), scarcity}, nil
}

func validateCounts(scarcity model.Scarcity, quotas []model.CountQuota) error {
	if scarcity != "" && !slices.Contains(model.Scarcities(), scarcity) {
		return &model.PolicyError{Field: "scarcityBehavior", Reason: "\"" + string(scarcity) + "\" is not known; known are degrade, throw"}
	}
	return model.ValidateCountQuotas(quotas)
}

// Traits implements Slicer.
func (q CountQuota) Traits() Traits {
	t := orGreedy(q.inner).Traits()
	t.Counts, t.Sizes, t.Key, t.FromList = true, false, nil, nil
	return t
}

// Prepare implements Slicer.
func (q CountQuota) Prepare(in *Input) Prepared {
	output := outputOrder
	if _, is := q.inner.(Knapsack); is {
		output = byScoreThenOutput
	}
	return prepareCounts(in, q.quotas, q.scarcity, orGreedy(q.inner), output)
}
