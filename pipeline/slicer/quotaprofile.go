package slicer

import (
	"context"
	"fmt"
	"slices"
	"sort"
)

// The profile of Quota is made of a profile for each kind, over the kind's own target. The walk
// over all whole targets (quotawalk.go) finds which segment of its profile each kind is in,
// which gives a list of steps for each kind. At a step everything enters or leaves in which the
// two segments differ, even if there are other segments between them.

// Profile implements Prepared: the profiles of the parts, and a walk over the
// targets. Errors: ctx's, an error of the inner slicer with the name of the kind,
// ErrNoProfile, and a *RecordsError for more than MaxRecords changes.
func (q *quota) Profile(ctx context.Context, upTo Target) (Profile, error) {
	return q.profile(ctx, upTo, MaxRecords)
}

func (q *quota) profile(ctx context.Context, upTo Target, limit int) (Profile, error) {
	if err := profilable(ctx, q.in, upTo); err != nil {
		return nil, err
	}
	w := newQuotaWalk(q)
	for i, most := range w.largest(upTo) {
		var err error
		if w.shares[i].segments, err = segmentsOf(shareOf(ctx, i, len(w.shares)), &q.shares[i].part.in, q.shares[i].slicer, most); err != nil {
			return nil, fmt.Errorf("quota for kind %q: %w", q.shares[i].quota.Kind, err)
		}
	}
	_, reached, err := w.run(ctx, upTo, limit)
	if err != nil {
		return nil, err
	}
	if reached < upTo {
		return nil, &RecordsError{Candidates: q.in.Len(), UpTo: upTo, Reached: reached, Limit: limit}
	}
	m := NewMeter(ctx, 0)
	odd := make([]bool, q.in.Len())
	var all []toggle
	for i := range w.shares {
		if all, err = w.shares[i].addTo(all, &m, q.shares[i].part.at, odd); err != nil {
			return nil, err
		}
	}
	return newTabulated(ctx, q.in, upTo, all)
}

// addTo adds to all what enters and leaves of a kind, whose positions are given. odd is memory
// by position.
func (s *shareWalk) addTo(all []toggle, m *Meter, at []int32, odd []bool) ([]toggle, error) {
	turns := make([][]int32, len(s.changes)+1) // by segment: the positions that enter or leave where it begins
	var bands []Band
	for i, position := range at {
		bands = s.Bands(bands[:0], i)
		for _, band := range bands {
			from, to := s.at(band.From), s.at(band.To+1)
			turns[from] = append(turns[from], position)
			if band.To < s.UpTo() {
				turns[to] = append(turns[to], position)
			}
		}
	}
	var met []int32
	for k, step := range s.steps[1:] {
		before := s.steps[k].segment
		met = met[:0]
		for _, positions := range turns[min(before, step.segment)+1 : max(before, step.segment)+1] {
			met = append(met, positions...)
		}
		for _, position := range met {
			odd[position] = !odd[position]
		}
		for _, position := range met {
			if odd[position] {
				odd[position] = false
				all = append(all, toggle{position, step.at})
			}
		}
		if err := m.Add(len(met)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// segments is a Profile together with the targets at which its selection
// changes, for profiles that are made of other profiles. Between two changes
// the selection is the same: that is a segment, number 0 from target 0 on,
// number s from the s-th change on.
type segments struct {
	Profile
	changes []Target // Profile.Changes
}

// segmentsOf profiles an inner slicer, prepared for in. Errors: as ProfileOf.
func segmentsOf(ctx context.Context, in *Input, p Prepared, upTo Target) (segments, error) {
	profile, err := ProfileOf(ctx, in, p, upTo)
	if err != nil {
		return segments{}, err
	}
	return segments{profile, profile.Changes()}, nil
}

// at is the number of the segment that target t is in.
func (s *segments) at(t Target) int {
	return sort.Search(len(s.changes), func(i int) bool { return s.changes[i] > t })
}

// begin is the least target of a segment.
func (s *segments) begin(number int) Target {
	if number == 0 {
		return 0
	}
	return s.changes[number-1]
}

// same reports whether two segments have the same selection.
func (s *segments) same(a, b int) bool {
	if a == b {
		return true
	}
	if a-b == 1 || b-a == 1 {
		return false
	}
	return slices.Equal(s.At(s.begin(a), nil), s.At(s.begin(b), nil))
}
