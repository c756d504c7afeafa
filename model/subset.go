package model

import (
	"maps"
	"slices"
)

// FirstExcluding returns the set as it was when only its first n items had come, n from 0
// to Len. Items with out[i] true are excluded too; out may be nil or shorter than n.
// Indexes stay the same. The result keeps the edits of s, so With must not be called on it;
// use First for a set that can be edited. It shares the contents with s and costs O(n).
func (s *Set) FirstExcluding(n int, out []bool) *Set {
	part := *s
	part.items, part.hashes, part.kindOf = s.items[:n], s.hashes[:n], s.kindOf[:n]
	part.loaded, part.counts = s.loaded.first(n), s.counts.first(n)
	part.pinned, part.hints, part.instants = s.pinned[:n], s.hints[:n], s.instants[:n]
	if s.partners != nil {
		part.partners = s.partners[:n]
	}
	if s.spans != nil {
		part.spans = s.spans[:n]
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
// 0 to Len, with the edits of these items. It can be edited using With.
func (s *Set) First(n int) *Set {
	first := s.FirstExcluding(n, nil)
	first.edits = s.edits.below(n)
	return first
}

// Subset returns the set of the given items alone, in the given order, with their
// edits and the pairs among them. The items must be distinct, and ascending if s
// has pairs. Subset shares the contents with s. It costs O(n) for n items given.
func (s *Set) Subset(items []int32) *Set {
	to := make(map[int]int, len(items))
	for k, i := range items {
		to[int(i)] = k
	}
	pick := *s
	pick.items, pick.hashes, pick.kindOf = picked(s.items, items), picked(s.hashes, items), picked(s.kindOf, items)
	pick.loaded, pick.counts = s.loaded.pick(items), s.counts.pick(items)
	pick.pinned, pick.excluded = picked(s.pinned, items), picked(s.excluded, items)
	pick.hints, pick.instants = picked(s.hints, items), picked(s.instants, items)
	pick.partners, pick.derived = nil, &derived{items: pick.items, hashes: pick.hashes}
	if s.partners != nil {
		pick.partners = make([]int32, len(items))
		for k, i := range items {
			pick.partners[k] = -1
			if partner, ok := s.Partner(int(i)); ok {
				if at, picked := to[partner]; picked {
					pick.partners[k] = int32(at)
				}
			}
		}
	}
	index := func(i int) (int, bool) { k, ok := to[i]; return k, ok }
	pick.edits = s.edits.Renumbered(index)
	pick.known = nil
	for key, count := range s.known {
		if k, ok := index(int(key.item)); ok {
			if pick.known == nil {
				pick.known = make(map[sizeKey]sizeCount)
			}
			key.item = int32(k)
			pick.known[key] = count
		}
	}
	pick.own = renumbered(s.own, index)
	pick.size()
	if hints := s.edits.Query.Hints; hints != nil {
		pick.edits.Query.Hints = picked(hints, items)
	}
	pick.sum()
	return &pick
}

func (c counts) pick(items []int32) counts {
	return counts{picked(c.tokens, items), picked(c.count, items)}
}

func picked[T any](column []T, items []int32) []T {
	out := make([]T, len(items))
	for k, i := range items {
		out[k] = column[i]
	}
	return out
}

// below returns the edits of the items below index n.
func (e Edits) below(n int) Edits {
	e = e.Renumbered(func(i int) (int, bool) { return i, i < n })
	if e.Query.Hints != nil {
		e.Query.Hints = e.Query.Hints[:n]
	}
	return e
}

// Renumbered returns the edits for a set in which item i has the number that
// index returns, without the edits of items for which index returns false. The
// query and the rules stay as they are.
func (e Edits) Renumbered(index func(i int) (int, bool)) Edits {
	return Edits{renumbered(e.Pinned, index), renumbered(e.Excluded, index), renumbered(e.Tokens, index), renumbered(e.Hints, index), e.Query, e.Shrink}
}

// Joined returns the edits of both e and other, which must not edit the same
// items, with the query and the rules of e.
func (e Edits) Joined(other Edits) Edits {
	return Edits{joined(e.Pinned, other.Pinned), joined(e.Excluded, other.Excluded), joined(e.Tokens, other.Tokens), joined(e.Hints, other.Hints), e.Query, e.Shrink}
}

// Renumbered returns the labels for a set in which item i has the number that
// index returns, without the grades of the items for which index returns false.
func (l Labels) Renumbered(index func(i int) (int, bool)) Labels {
	if grades := renumbered(l.Grades, index); grades != nil || l.Grades == nil {
		l.Grades = grades
	} else {
		l.Grades = map[int]int{} // none is not the same as not said, see Labels
	}
	return l
}

// Joined returns l with the grades of both l and other, which must not grade the
// same items.
func (l Labels) Joined(other Labels) Labels {
	l.Grades = joined(l.Grades, other.Grades)
	return l
}

func joined[T any](values, others map[int]T) map[int]T {
	if len(others) == 0 {
		return values
	}
	all := maps.Clone(others)
	maps.Copy(all, values)
	return all
}

func renumbered[T any](values map[int]T, index func(i int) (int, bool)) map[int]T {
	var moved map[int]T
	for i, v := range values {
		if j, ok := index(i); ok {
			if moved == nil {
				moved = make(map[int]T, len(values))
			}
			moved[j] = v
		}
	}
	return moved
}
