package slicer

import (
	"fmt"

	"cupelscope/model"
)

// FromPolicy returns the slicer that a policy describes: the slicer of its type,
// wrapped in a Quota or CountQuota if it has quotas. A knapsack with count quotas
// is what NewCountConstrainedKnapsack returns. The policy must be valid, as
// model.Policy.Validate checks it.
func FromPolicy(p model.Policy) (Slicer, error) {
	if len(p.CountQuotas) > 0 && p.Slicer == model.Knapsack {
		return NewCountConstrainedKnapsack(Knapsack{Bucket: p.Bucket()}, p.Scarcity, p.CountQuotas...)
	}
	var inner Slicer
	switch p.Slicer {
	case model.Greedy:
		inner = Greedy{}
	case model.Knapsack:
		inner = Knapsack{Bucket: p.Bucket()}
	case model.Stream:
		stream, err := NewStream(p.Batch())
		if err != nil {
			return nil, err
		}
		inner = stream
	case model.Rank:
		inner = Rank{}
	case model.Prefix:
		inner = Prefix{}
	default:
		return nil, fmt.Errorf("slicer type %q is not known", p.Slicer)
	}
	switch {
	case len(p.Quotas) > 0:
		return NewQuota(inner, p.Quotas...)
	case len(p.CountQuotas) > 0:
		return NewCountQuota(inner, p.Scarcity, p.CountQuotas...)
	}
	return inner, nil
}
