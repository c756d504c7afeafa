package model

import (
	"maps"
	"slices"
)

// Part returns the set as it was when only its first n items had come, n from 0
// to Len. Items with out[i] true count as excluded, like those that s excludes;
// out may be nil or shorter than n. Indexes stay the same. Part keeps the edits
// of s, so With must not be called on its result; use First for a set that can
// be edited. It shares the contents with s and costs O(n).
func (s *Set) Part(n int, out []bool) *Set {
	part := *s
	part.items, part.hashes, part.kindOf = s.items[:n], s.hashes[:n], s.kindOf[:n]
	part.loaded, part.counts = s.loaded.first(n), s.counts.first(n)
	part.pinned, part.hints, part.instants = s.pinned[:n], s.hints[:n], s.instants[:n]
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

func (c counts) first(n int) counts { return counts{c.tokens[:n], c.count[:n]} }

// First returns the set as it was when only its first n items had come, n from
// 0 to Len, with the edits of these items. Unlike the result of Part it can be
// edited using With.
func (s *Set) First(n int) *Set {
	first := s.Part(n, nil)
	first.edits = s.edits.below(n)
	return first
}

// below returns the edits of the items below index n.
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

// Among returns the edits for a larger set of n items, in which item i has the
// index to[i]. The hints of a query are 0 for all other items. The slice to
// must have an element for every edited item and every hint of the query.
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
