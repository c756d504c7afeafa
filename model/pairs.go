package model

import "iter"

// WithPairs returns the set with the given pairs in place of those it had. A
// pair is the index of the call of a tool and the index of its result.
// WithPairs ignores a pair with an index outside the set, one whose result does
// not come after its call, and one with an item that an earlier pair holds.
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

// Partner returns the other item of the pair of item i. It returns false if
// item i is in no pair, or if the other item is outside the set, as it can be
// after Part.
func (s *Set) Partner(i int) (int, bool) {
	if s.partners == nil || s.partners[i] < 0 || int(s.partners[i]) >= s.Len() {
		return 0, false
	}
	return int(s.partners[i]), true
}

// TakesPart reports whether item i competes for a place: it is not excluded,
// and its token count is not negative.
func (s *Set) TakesPart(i int) bool { return !s.excluded[i] && s.tokens[i] >= 0 }
