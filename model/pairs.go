package model

import "iter"

// WithPairs returns the set with pairs of items that belong together, in place of
// what it had: the index of the call of a tool with that of its result, which comes
// later. A pair of which an item is in an earlier one is left out, and so is one
// that names no items of the set.
func (s *Set) WithPairs(pairs iter.Seq2[int, int]) *Set {
	next := *s
	next.partners = nil
	for call, result := range pairs {
		if call < 0 || call >= result || result >= s.Len() {
			continue
		}
		if next.partners == nil {
			next.partners = make([]int32, s.Len())
			for i := range next.partners {
				next.partners[i] = -1
			}
		}
		if next.partners[call] < 0 && next.partners[result] < 0 {
			next.partners[call], next.partners[result] = int32(result), int32(call)
		}
	}
	return &next
}

// Partner is the other item of the pair that item i is in; false: it is in none,
// or the other one is no item of the set (see Part).
func (s *Set) Partner(i int) (int, bool) {
	if s.partners == nil || s.partners[i] < 0 || int(s.partners[i]) >= s.Len() {
		return 0, false
	}
	return int(s.partners[i]), true
}

// TakesPart reports whether item i competes for a place: it is not excluded, and
// its tokens are no negative number.
func (s *Set) TakesPart(i int) bool { return !s.excluded[i] && s.tokens[i] >= 0 }
