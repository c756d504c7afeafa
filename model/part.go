package model

import "slices"

// Part is the set as it was when only its first n items had come, without those
// of which out is true: they count as excluded, as do the items that s excludes.
// A nil out takes out none; n is 0 to Len. Indexes stay those of s, and its
// edits are those of s: With is for whole sets only. It shares the
// contents and costs one pass over n numbers.
func (s *Set) Part(n int, out []bool) *Set {
	part := *s
	part.items, part.hashes, part.kindOf = s.items[:n], s.hashes[:n], s.kindOf[:n]
	part.tokens, part.count, part.pinned = s.tokens[:n], s.count[:n], s.pinned[:n]
	part.hints, part.instants = s.hints[:n], s.instants[:n]
	part.excluded = slices.Clone(s.excluded[:n])
	for i := range min(n, len(out)) {
		if out[i] {
			part.excluded[i] = true
		}
	}
	part.sum()
	return &part
}
