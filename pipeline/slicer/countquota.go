package slicer

import (
	"errors"
	"slices"

	"cupelscope/model"
)

// CountQuota holds numbers of items by kind: at least so many, whatever they
// cost, and no more than so many; another slicer fills the rest of the target.
// Cupel specification, chapter CountQuotaSlice; counts.go has the phases.
type CountQuota struct {
	inner    Slicer
	quotas   []model.CountQuota
	scarcity model.Scarcity
}

var (
	_ Slicer  = CountQuota{}
	_ Shifter = CountQuota{}
)

// NewCountQuota returns a CountQuota over inner. A Knapsack is refused, as the
// Cupel specification asks (see CountConstrainedKnapsack), and so is a Stream.
// Kinds without a quota are free. scarcity "" is model.Degrade. The error is a
// *model.PolicyError if the quotas are invalid (model.ValidateCountQuotas).
func NewCountQuota(inner Slicer, scarcity model.Scarcity, quotas ...model.CountQuota) (CountQuota, error) {
	if err := divisible("count quota", inner); err != nil {
		return CountQuota{}, err
	}
	switch inner.(type) {
	case Knapsack, *Knapsack:
		return CountQuota{}, errors.New("count quota: the inner slicer may not be knapsack: use CountConstrainedKnapsack")
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

// Shifts implements Shifter.
func (q CountQuota) Shifts() Shifts {
	s := ShiftsOf(q.inner)
	s.Counts = true
	return s
}

// Prepare implements Slicer.
func (q CountQuota) Prepare(in *Input) Prepared {
	return prepareCounts(in, q.quotas, q.scarcity, orGreedy(q.inner), func(p Prepared, rest *Input) []int32 {
		return outputOrder(p, rest.Len())
	})
}
