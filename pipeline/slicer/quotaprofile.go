package slicer

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"cupelscope/model"
)

// The profile of Quota is made of a profile for each kind, over the kind's own target.
// The walk over all whole targets (quotawalk.go) finds which segment of its
// profile each kind is in; that is a list of steps for each kind.
//
// A kind's target nearly always grows, so its segments come nearly in order. A
// band of an item is a range of segments. The steps in that range are contiguous
// except for a few at both ends, where the kind steps in and out.

// steppedShare is the profile of a kind with the steps over it.
type steppedShare struct {
	segments
	steps []step
	max   []int32 // by step: the largest segment up to it
	min   []int32 // by step: the least segment from it on
}

// Profile implements Prepared: the profiles of the parts, and a walk over the
// targets. Errors: ctx's, those of the inner slicer with the name of the kind,
// ErrNoProfile, and a *RecordsError for more than MaxRecords changes.
func (q *quota) Profile(ctx context.Context, upTo Target) (Profile, error) {
	return q.profile(ctx, upTo, MaxRecords)
}

func (q *quota) profile(ctx context.Context, upTo Target, limit int) (Profile, error) {
	if err := profilable(ctx, q.in, upTo); err != nil {
		return nil, err
	}
	w := newQuotaWalk(q)
	largest := w.largest(upTo)
	var total, done int64 // of the progress, if ctx asks for it
	if reportsProgress(ctx) {
		total = q.cost(largest)
	}
	for i, most := range largest {
		var err error
		if w.shares[i].segments, err = segmentsOf(shareOf(ctx, done, total), &q.shares[i].part.in, q.shares[i].slicer, most); err != nil {
			return nil, fmt.Errorf("quota for kind %q: %w", q.shares[i].quota.Kind, err)
		}
		if total > 0 {
			done += q.shares[i].slicer.Cost(most)
		}
	}
	_, reached, err := w.run(ctx, upTo, limit)
	if err != nil {
		return nil, err
	}
	if reached < upTo {
		return nil, &RecordsError{Candidates: q.in.Len(), UpTo: upTo, Reached: reached, Limit: limit}
	}
	var all []toggle
	var bands []Band
	for i := range w.shares {
		share := newSteppedShare(w.shares[i].segments, w.shares[i].steps)
		for k, at := range q.shares[i].part.at {
			bands = share.bands(bands[:0], k, upTo)
			all = addBands(all, at, bands, 0, upTo)
		}
	}
	return newTabulated(ctx, q.in, upTo, all)
}

// Cost implements Prepared: what the kinds cost together.
func (q *quota) Cost(upTo Target) int64 {
	return q.cost(newQuotaWalk(q).largest(min(upTo, Target(model.MaxTokens))))
}

func (q *quota) cost(largest []Target) int64 {
	total := int64(0)
	for i, most := range largest {
		total += q.shares[i].slicer.Cost(most)
	}
	return total
}

func newSteppedShare(s segments, steps []step) steppedShare {
	n := len(steps)
	columns := make([]int32, 2*n)
	stepped := steppedShare{segments: s, steps: steps, max: columns[:n], min: columns[n:]}
	most := int32(0)
	for k, step := range steps {
		most = max(most, step.segment)
		stepped.max[k] = most
	}
	least := most
	for k, step := range slices.Backward(steps) {
		least = min(least, step.segment)
		stepped.min[k] = least
	}
	return stepped
}

// reach returns the first step that is at a segment or beyond it, or len(steps).
func (s *steppedShare) reach(segment int) int {
	return sort.Search(len(s.max), func(k int) bool { return int(s.max[k]) >= segment })
}

// beyond returns the first step from which on all steps are at a segment or
// beyond it, or len(steps).
func (s *steppedShare) beyond(segment int) int {
	return sort.Search(len(s.min), func(k int) bool { return int(s.min[k]) >= segment })
}

// until is the last target of step k, in a profile up to upTo.
func (s *steppedShare) until(k int, upTo Target) Target {
	if k+1 < len(s.steps) {
		return s.steps[k+1].at - 1
	}
	return upTo
}

// bands appends the bands of position i of the kind over the whole target, in time proportional
// to its bands in the kind and the steps in and out of them.
func (s *steppedShare) bands(dst []Band, i int, upTo Target) []Band {
	ascending := true
	add := func(from, to Target) {
		if k := len(dst) - 1; k >= 0 {
			if dst[k].To == from-1 {
				dst[k].To = to
				return
			}
			ascending = ascending && dst[k].To < from
		}
		dst = append(dst, Band{from, to})
	}
	var room [8]Band
	for _, band := range s.Bands(room[:0], i) {
		from, to := s.at(band.From), s.at(band.To)
		k, end := s.reach(from), s.beyond(to+1)
		// Between these two nothing steps out.
		in, out := s.beyond(from), s.reach(to+1)
		for ; k < end; k++ {
			if k == in && in < out {
				add(s.steps[k].at, s.until(out-1, upTo))
				k = out - 1
			} else if segment := int(s.steps[k].segment); from <= segment && segment <= to {
				add(s.steps[k].at, s.until(k, upTo))
			}
		}
	}
	if !ascending {
		dst = joined(dst)
	}
	return dst
}

// joined sorts bands that do not overlap and joins those that touch, in place.
func joined(bands []Band) []Band {
	slices.SortFunc(bands, func(a, b Band) int { return int(a.From - b.From) })
	n := 0
	for _, b := range bands {
		if n > 0 && bands[n-1].To == b.From-1 {
			bands[n-1].To = b.To
		} else {
			bands[n] = b
			n++
		}
	}
	return bands[:n]
}
