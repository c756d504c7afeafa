package model

import "slices"

// Pair is two items of a set that belong together, by index: a tool call and its
// result. One without the other misleads the model, or is an error of the provider.
type Pair struct{ Call, Result int }

// WithPairs returns the set with the given pairs in place of those it had. It
// ignores a pair with an index outside the set, one whose result does not come
// after its call, and one with an item that an earlier pair holds.
func (s *Set) WithPairs(pairs ...Pair) *Set {
	next := *s
	next.partners = nil
	for _, p := range pairs {
		if p.Call < 0 || p.Call >= p.Result || p.Result >= s.Len() {
			continue
		}
		if next.partners == nil {
			next.partners = slices.Repeat([]int32{-1}, s.Len())
		}
		if next.partners[p.Call] < 0 && next.partners[p.Result] < 0 {
			next.partners[p.Call], next.partners[p.Result] = int32(p.Result), int32(p.Call)
		}
	}
	return &next
}

// Tool returns the name of the tool that item i is a call or a result of, or "".
func (s *Set) Tool(i int) string {
	name, _ := s.Loaded(i).Metadata["tool"].(string)
	if with, paired := s.Partner(i); name == "" && paired {
		name, _ = s.Loaded(with).Metadata["tool"].(string)
	}
	return name
}

// Partner returns the other item of the pair of item i. It returns false if
// item i is in no pair, or if the other item is outside the set, as it can be
// after FirstExcluding.
func (s *Set) Partner(i int) (int, bool) {
	if s.partners == nil || s.partners[i] < 0 || int(s.partners[i]) >= s.Len() {
		return 0, false
	}
	return int(s.partners[i]), true
}

// PairOf returns the pair of item i; false: see Partner.
func (s *Set) PairOf(i int) (Pair, bool) {
	with, ok := s.Partner(i)
	return Pair{Call: min(i, with), Result: max(i, with)}, ok
}

// Pairs returns the pairs whose items are both in the set, in the order of their results. O(n).
func (s *Set) Pairs() (all []Pair) {
	for i := range s.partners {
		if p, ok := s.PairOf(i); ok && p.Result == i {
			all = append(all, p)
		}
	}
	return all
}

// TakesPart reports whether item i competes for a place: it is not excluded,
// and its token count is not negative.
func (s *Set) TakesPart(i int) bool { return !s.excluded[i] && s.tokens[i] >= 0 }
