package slicer

import (
	"context"
	"fmt"
	"math/bits"

	"cupelscope/model"
)

// Quota divides the target among kinds by percentages and lets another slicer
// fill the share of each kind. Cupel specification, chapter QuotaSlice.
//
// A kind gets what it requires; what no kind requires is shared out by the
// tokens of the candidates among the kinds that may have more, each up to its
// cap. All divisions round down, so a few tokens may belong to nobody.
type Quota struct {
	inner  Slicer
	quotas []model.Quota
}

var (
	_ Slicer  = Quota{}
	_ Shifter = Quota{}
)

// NewQuota returns a Quota that fills shares with inner, which may not be a
// Stream: that takes items as they come, whatever their kind. Kinds without a
// quota require nothing and have no cap. The error is a *model.PolicyError if
// the quotas are invalid (model.ValidateQuotas).
func NewQuota(inner Slicer, quotas ...model.Quota) (Quota, error) {
	if err := divisible("quota", inner); err != nil {
		return Quota{}, err
	}
	if err := model.ValidateQuotas(quotas); err != nil {
		return Quota{}, err
	}
	return Quota{inner, append([]model.Quota(nil), quotas...)}, nil
}

// divisible checks that a slicer can fill a part of the target.
func divisible(who string, inner Slicer) error {
	switch inner.(type) {
	case nil:
		return fmt.Errorf("%s: an inner slicer is required", who)
	case Stream, *Stream:
		return fmt.Errorf("%s: the inner slicer may not be stream, which cannot be divided by kind", who)
	}
	return nil
}

// orGreedy is what the zero value of a wrapping slicer fills with.
func orGreedy(inner Slicer) Slicer {
	if inner == nil {
		return Greedy{}
	}
	return inner
}

// Shifts implements Shifter.
func (q Quota) Shifts() Shifts {
	s := ShiftsOf(q.inner)
	s.Percentages = true
	return s
}

// Prepare parts the candidates by kind, in order of first appearance, and
// prepares the inner slicer for each part: O(n + kinds) beside that.
func (q Quota) Prepare(in *Input) Prepared {
	p := &quota{in: in, quotas: q.quotas}
	for id, part := range partition(in) {
		if part.in.Len() == 0 {
			continue
		}
		share := kindShare{part: part, quota: model.Quota{Kind: nameOf(in, id)}, at: part.at[0]}
		for _, quota := range q.quotas {
			if quota.Kind.Is(share.quota.Kind) {
				share.quota = quota
			}
		}
		for _, tokens := range part.in.Tokens {
			share.mass += uint64(tokens)
		}
		p.shares = append(p.shares, share)
	}
	sortByFirst(p.shares)
	for i := range p.shares {
		share := &p.shares[i]
		share.slicer = orGreedy(q.inner).Prepare(&share.part.in)
	}
	return p
}

// quota is an Input parted by kind.
type quota struct {
	in     *Input
	quotas []model.Quota // all, also those of kinds without candidates
	shares []kindShare   // in order of first appearance
}

var (
	_ Prepared = (*quota)(nil)
	_ Profiler = (*quota)(nil)
	_ Coster   = (*quota)(nil)

	_ Cancellable = (*quota)(nil)
)

// kindShare is the candidates of one kind.
type kindShare struct {
	part   part
	at     int32       // position of the first one
	quota  model.Quota // with no bounds if the kind has none
	mass   uint64      // tokens of all its candidates
	slicer Prepared
}

// percentOf is floor(percent/100 * t), the share rounded as float64 rounds it
// before the floor. percent is 0 to 100, t is not negative.
func percentOf(percent float64, t Target) Target { return portion(float64(percent/100), t) }

// portion is percentOf for a share of 0 to 1. It never falls as t grows.
func portion(share float64, t Target) Target {
	p := float64(share * float64(t))
	if p >= float64(t) {
		return t // also where t is more than a float64 can tell apart
	}
	return Target(p) // the conversion truncates, which is floor for what is not negative
}

// targets appends the target of each share at a target t above 0.
func (q *quota) targets(dst []Target, t Target) []Target {
	unassigned := t
	for _, quota := range q.quotas {
		unassigned -= percentOf(quota.Require(), t) // together at most t and a rounding error
	}
	unassigned = max(0, unassigned)
	mass := uint64(0)
	for i := range q.shares {
		if require, most := q.shares[i].bounds(t); most > require {
			mass += q.shares[i].mass
		}
	}
	for i := range q.shares {
		require, most := q.shares[i].bounds(t)
		target := require
		if most > require && mass > 0 {
			hi, lo := bits.Mul64(uint64(unassigned), q.shares[i].mass)
			part, _ := bits.Div64(hi, lo, mass) // at most unassigned, as no mass is more than all
			target += Target(part)
		}
		dst = append(dst, min(target, most))
	}
	return dst
}

// bounds is what a kind requires and its cap, in tokens at t.
func (s *kindShare) bounds(t Target) (require, most Target) {
	return percentOf(s.quota.Require(), t), percentOf(s.quota.Cap(), t)
}

// Slice implements Prepared: each part by itself. Errors are those of the inner
// slicer, with the name of the kind.
func (q *quota) Slice(t Target, dst Selection) (Selection, error) {
	return q.SliceContext(context.Background(), t, dst)
}

// SliceContext implements Cancellable.
func (q *quota) SliceContext(ctx context.Context, t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, q.in.Len())
	if t <= 0 {
		return dst, nil
	}
	var room [16]Target
	for i, target := range q.targets(room[:0], t) {
		if target <= 0 {
			continue
		}
		share := &q.shares[i]
		sel, err := SliceContext(ctx, share.slicer, target, nil)
		if err != nil {
			return nil, fmt.Errorf("quota for kind %q: %w", share.quota.Kind, err)
		}
		share.part.add(dst, sel)
	}
	return dst, nil
}

// Order implements Ordered: one kind after the other.
func (q *quota) Order() []int32 {
	all := make([]int32, 0, q.in.Len())
	for i := range q.shares {
		share := &q.shares[i]
		for _, p := range outputOrder(share.slicer, share.part.in.Len()) {
			all = append(all, share.part.at[p])
		}
	}
	return all
}
