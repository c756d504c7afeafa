package slicer

import (
	"context"
	"slices"
	"sort"
)

// segments is a Profile together with the targets at which its selection
// changes, for profiles that are made of other profiles. Between two changes
// the selection is the same: that is a segment, number 0 from target 0 on,
// number s from the s-th change on.
type segments struct {
	Profile
	changes  []Target // ascending, from 1
	distinct bool     // see changer
}

// segmentsOf profiles an inner slicer. The error is ErrNoProfile, or its own.
func segmentsOf(ctx context.Context, p Prepared, upTo Target) (segments, error) {
	profiler, ok := p.(Profiler)
	if !ok {
		return segments{}, ErrNoProfile
	}
	profile, err := profiler.Profile(ctx, upTo)
	if err != nil {
		return segments{}, err
	}
	s := segments{Profile: profile}
	if known, ok := profile.(changer); ok {
		s.changes, s.distinct = known.breakpoints(), known.distinct()
	} else {
		s.changes = profile.Curve().Targets[1:]
	}
	return s, nil
}

// changer is a Profile that lists its changes for less than its curve costs.
type changer interface {
	breakpoints() []Target
	// distinct reports whether no selection occurs in two separate segments.
	distinct() bool
}

var (
	_ changer = (*odometer[uint32])(nil)
	_ changer = (*knapsackProfile)(nil)
	_ changer = (*quotaProfile)(nil)
)

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
	if s.distinct || a-b == 1 || b-a == 1 {
		return false
	}
	return slices.Equal(s.At(s.begin(a), nil), s.At(s.begin(b), nil))
}
