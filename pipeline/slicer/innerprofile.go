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
