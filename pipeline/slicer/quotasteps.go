package slicer

import (
	"context"
	"fmt"
)

// Steps implements Prepared: kind by kind, how its share comes about and the
// inner slicer's steps in it.
func (q *quota) Steps(ctx context.Context, t Target, tell func(Step)) error {
	if t <= 0 {
		return nil
	}
	d := q.divide(t)
	for i := range q.shares {
		share := &q.shares[i]
		told := d.share(share)
		tell(opening(ShareOut, told.Target, told))
		if told.Target <= 0 {
			share.part.passOver(ShareOut, tell)
			continue
		}
		if err := share.slicer.Steps(ctx, told.Target, share.part.within(tell)); err != nil {
			return fmt.Errorf("quota for kind %q: %w", share.quota.Kind, err)
		}
	}
	return nil
}

// Shares implements Prepared.
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
