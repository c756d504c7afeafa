package slicer

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
)

// Steps implements Stepper: kind by kind, how its share comes about and the
// inner slicer's steps in it.
func (q *quota) Steps(ctx context.Context, t Target) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		if t <= 0 {
			return
		}
		targets := q.targets(nil, t)
		for i, target := range targets {
			share := &q.shares[i]
			if !yield(opening(ShareOut, target, q.explain(i, t, target)), nil) {
				return
			}
			if target <= 0 {
				if !share.part.passOver(ShareOut, yield) {
					return
				}
				continue
			}
			more, err := share.part.within(StepsOf(ctx, share.slicer, target), yield)
			if err != nil {
				yield(Step{}, fmt.Errorf("quota for kind %q: %w", share.quota.Kind, err))
				return
			}
			if !more {
				return
			}
		}
	}
}

// Sharer is a Prepared that divides the target among kinds.
type Sharer interface {
	// Shares is how the share of each kind comes about at target t, in order of
	// first appearance; nil with t <= 0.
	Shares(t Target) []KindShare
}

var _ Sharer = (*quota)(nil)

// Shares implements Sharer.
func (q *quota) Shares(t Target) []KindShare {
	if t <= 0 {
		return nil
	}
	all := make([]KindShare, len(q.shares))
	for i, target := range q.targets(nil, t) {
		all[i] = q.explain(i, t, target)
	}
	return all
}

// explain is the arithmetic behind the target of share i at t.
func (q *quota) explain(i int, t, target Target) KindShare {
	share := &q.shares[i]
	e := KindShare{
		Kind: share.quota.Kind, Candidates: share.part.in.Len(), Quota: share.quota,
		Unassigned: t, Mass: share.mass, Target: target,
	}
	e.Require, e.Cap = share.bounds(t)
	for _, quota := range q.quotas {
		e.Unassigned -= percentOf(quota.Require(), t)
	}
	e.Unassigned = max(0, e.Unassigned)
	for k := range q.shares {
		if require, most := q.shares[k].bounds(t); most > require {
			e.Sharing += q.shares[k].mass
		}
	}
	if e.Cap > e.Require && e.Sharing > 0 {
		hi, lo := bits.Mul64(uint64(e.Unassigned), e.Mass)
		part, _ := bits.Div64(hi, lo, e.Sharing)
		e.Shared = Target(part)
	}
	return e
}
