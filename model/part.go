package model

import (
	"maps"
	"slices"
)

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
	if s.partners != nil {
		part.partners = s.partners[:n]
	}
	part.excluded = slices.Clone(s.excluded[:n])
	for i := range min(n, len(out)) {
		if out[i] {
			part.excluded[i] = true
		}
	}
	part.sum()
	return &part
}

// First is the set as it was when only its first n items had come, 0 to Len, with
// their edits. It is a whole set, of which With makes others.
func (s *Set) First(n int) *Set {
	first := s.Part(n, nil)
	first.edits = s.edits.below(n)
	return first
}

// below is the edits of the items below index n.
func (e Edits) below(n int) Edits {
	e = e.Clone()
	over := func(i int) bool { return i >= n }
	maps.DeleteFunc(e.Pinned, func(i int, _ bool) bool { return over(i) })
	maps.DeleteFunc(e.Excluded, func(i int, _ bool) bool { return over(i) })
	maps.DeleteFunc(e.Tokens, func(i int, _ Tokens) bool { return over(i) })
	maps.DeleteFunc(e.Hints, func(i int, _ float64) bool { return over(i) })
	if e.Query.Hints != nil {
		e.Query.Hints = e.Query.Hints[:n]
	}
	return e
}

// Among is the edits of items that stand among others, in a set of n: to is where
// each of them is there. A query gives the others no hint but 0.
func (e Edits) Among(n int, to []int32) Edits {
	moved := Edits{among(e.Pinned, to), among(e.Excluded, to), among(e.Tokens, to), among(e.Hints, to), e.Query}
	if e.Query.Hints != nil {
		moved.Query.Hints = make([]float64, n)
		for i, h := range e.Query.Hints {
			moved.Query.Hints[to[i]] = h
		}
	}
	return moved
}

func among[T any](edits map[int]T, to []int32) map[int]T {
	moved := make(map[int]T, len(edits))
	for i, v := range edits {
		moved[int(to[i])] = v
	}
	return moved
}
