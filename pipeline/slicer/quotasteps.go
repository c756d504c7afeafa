package slicer

import (
	"context"
	"fmt"
	"iter"
)

// Steps implements Stepper: kind by kind, how its share comes about and the
// inner slicer's steps in it.
func (q *quota) Steps(ctx context.Context, t Target) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		if t <= 0 {
			return
		}
		d := q.divide(t)
		for i := range q.shares {
			share := &q.shares[i]
			told := d.share(share)
			if !yield(opening(ShareOut, told.Target, told), nil) {
				return
			}
			if told.Target <= 0 {
				if !share.part.passOver(ShareOut, yield) {
					return
				}
				continue
			}
			more, err := share.part.within(StepsOf(ctx, share.slicer, told.Target), yield)
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

// Sharer is a Prepared that divides the target among kinds by percentages.
type Sharer interface {
	// Shares returns the share of each kind at target t and how it is computed,
	// in order of the kinds' first appearance in the Input. It is nil if t <= 0.
	Shares(t Target) []KindShare
}

var _ Sharer = (*quota)(nil)

// Shares implements Sharer.
func (q *quota) Shares(t Target) []KindShare {
	if t <= 0 {
		return nil
	}
	all := make([]KindShare, len(q.shares))
	d := q.divide(t)
	for i := range q.shares {
		all[i] = d.share(&q.shares[i])
	}
	return all
}
