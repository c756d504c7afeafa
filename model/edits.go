package model

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"cupelscope/model/plain"
)

// Edits are the changes of a user to a loaded set, by the index of the item.
// The zero value changes nothing. The methods return changed copies and never
// change a map in place, so Edits may be shared. They accept any index and
// value; Set.With, which applies Edits, refuses the invalid ones.
type Edits struct {
	Pinned   map[int]bool    // true pins the item, false unpins one that was loaded pinned
	Excluded map[int]bool    // true excludes the item
	Tokens   map[int]Tokens  // a new token count, -MaxTokens to MaxTokens
	Hints    map[int]float64 // a new future relevance hint, finite
	Query    Query           // its hints are of items that were loaded without one and are not in Hints
	Shrink   Shrink          // the rules by which items may be cut
}

// IsZero reports whether nothing is edited.
func (e Edits) IsZero() bool {
	return len(e.Pinned) == 0 && len(e.Excluded) == 0 && len(e.Tokens) == 0 && len(e.Hints) == 0 && e.Query.IsZero() && e.Shrink.IsZero()
}

// Clone returns a copy that shares no map with e.
func (e Edits) Clone() Edits {
	return Edits{maps.Clone(e.Pinned), maps.Clone(e.Excluded), maps.Clone(e.Tokens), maps.Clone(e.Hints), e.Query, e.Shrink}
}

// Equal reports whether e and other edit the same items in the same way.
func (e Edits) Equal(other Edits) bool {
	return maps.Equal(e.Pinned, other.Pinned) && maps.Equal(e.Excluded, other.Excluded) &&
		maps.Equal(e.Tokens, other.Tokens) && maps.Equal(e.Hints, other.Hints) && e.Query.Equal(other.Query) && e.Shrink.Equal(other.Shrink)
}

// WithPinned returns e with items of s pinned, or no longer pinned. For an item
// that was loaded so it removes the edit.
func (e Edits) WithPinned(s *Set, pinned bool, items ...int) Edits {
	e.Pinned = edited(e.Pinned, items, pinned, func(i int) bool { return s.has(i) && s.items[i].Pinned == pinned })
	return e
}

// WithExcluded returns e with items excluded, or no longer excluded.
func (e Edits) WithExcluded(excluded bool, items ...int) Edits {
	e.Excluded = edited(e.Excluded, items, excluded, func(int) bool { return !excluded })
	return e
}

// WithTokens returns e with the token count t for items of s, or with their loaded counts
// if t is not set. For an item that was loaded with t and the provenance FromFile it
// removes the edit.
func (e Edits) WithTokens(s *Set, t Option[Tokens], items ...int) Edits {
	e.Tokens = edited(e.Tokens, items, t.Value, func(i int) bool {
		return !t.Set || s.has(i) && s.loaded.tokens[i] == t.Value && s.loaded.count[i] == FromFile
	})
	return e
}

// WithHint returns e with the future relevance hint for items of s, or, if hint is not
// set, with the hints that they were loaded with or have from the query. For an item that
// was loaded with that hint it removes the edit.
func (e Edits) WithHint(s *Set, hint Option[float64], items ...int) Edits {
	e.Hints = edited(e.Hints, items, hint.Value, func(i int) bool {
		return !hint.Set || s.has(i) && s.items[i].FutureRelevanceHint == hint
	})
	return e
}

// WithShrink returns e with the rules of shrink in place of its own.
func (e Edits) WithShrink(shrink Shrink) Edits {
	e.Shrink = shrink
	return e
}

// has reports whether i is the index of an item. An edit of any other is kept,
// so that With can refuse it.
func (s *Set) has(i int) bool { return 0 <= i && i < len(s.items) }

// edited copies one map of edits and sets items in it to v, or removes those
// that were loaded so.
func edited[T any](edits map[int]T, items []int, v T, loaded func(i int) bool) map[int]T {
	next := make(map[int]T, len(edits)+len(items))
	maps.Copy(next, edits)
	for _, i := range items {
		if loaded(i) {
			delete(next, i)
		} else {
			next[i] = v
		}
	}
	return next
}

// Edits returns what was edited in this set since it was loaded. The caller
// must not change its maps.
func (s *Set) Edits() Edits { return s.edits }

// With returns the set as it was loaded with the edits e, which replace those
// of s. It copies only the columns that either of them touches, O(n). The
// caller must not change the maps of e afterwards. An index outside the set or
// a value outside its bounds is an *ItemError; a query that is longer than
// MaxQuery or whose hints are not one for each item is an error too, and so are rules
// of Shrink that validate refuses.
func (s *Set) With(e Edits) (*Set, error) {
	for _, i := range e.indexes() {
		if !s.has(i) {
			return nil, &ItemError{Index: i, Reason: plain.ThereAre(len(s.items))}
		}
		if t := e.Tokens[i]; t > MaxTokens || t < -MaxTokens {
			return nil, errTokens(i, t)
		}
		if h := e.Hints[i]; !finite(h) {
			return nil, &ItemError{Index: i, Field: "futureRelevanceHint", Reason: "is not a finite number"}
		}
	}
	if err := cmp.Or(e.Query.check(s), e.Shrink.validate()); err != nil {
		return nil, err
	}
	next := *s
	next.edits = e
	if len(e.Pinned) > 0 || len(s.edits.Pinned) > 0 {
		next.pinned = slices.Clone(s.pinned)
		for i := range s.edits.Pinned {
			next.pinned[i] = s.items[i].Pinned
		}
		for i, v := range e.Pinned {
			next.pinned[i] = v
		}
	}
	if len(e.Excluded) > 0 || len(s.edits.Excluded) > 0 {
		next.excluded = make([]bool, len(s.items))
		for i, v := range e.Excluded {
			next.excluded[i] = v
		}
	}
	touched := slices.Compact(slices.Sorted(slices.Values(append(e.indexes(), s.edits.indexes()...))))
	switch {
	case !same(e.Query.Hints, s.edits.Query.Hints):
		next.hints = make([]float64, len(s.items))
		for i := range next.hints {
			next.hints[i] = next.hint(i).Or(math.NaN())
		}
	case len(e.Hints)+len(s.edits.Hints) > 0:
		next.hints = slices.Clone(s.hints)
		for _, i := range touched {
			next.hints[i] = next.hint(i).Or(math.NaN())
		}
	}
	next.counts = s.loaded.with(e)
	next.size()
	if next.edits.Shrink.Pinned || s.edits.Shrink.Pinned { // then pinned items have other sizes
		next.sum()
		return &next, nil
	}
	for _, i := range touched {
		next.add(s, i, -1)
		next.add(&next, i, 1)
	}
	return &next, nil
}

// Reclassified returns the items that are pinned or excluded in only one of s and other,
// ascending, in O(n). It returns false if the sets differ in more than that and in what items may be cut
// to, or may: where tokens or hints are edited.
func (s *Set) Reclassified(other *Set) (items []int, ok bool) {
	if !same(s.items, other.items) || !same(s.tokens, other.tokens) || !same(s.hints, other.hints) {
		return nil, false
	}
	const block = 256 // which are compared at once
	for from := 0; from < len(s.pinned); from += block {
		to := min(from+block, len(s.pinned))
		if to-from == block && *(*[block]bool)(s.pinned[from:]) == *(*[block]bool)(other.pinned[from:]) && *(*[block]bool)(s.excluded[from:]) == *(*[block]bool)(other.excluded[from:]) {
			continue
		}
		for i := from; i < to; i++ {
			if s.pinned[i] != other.pinned[i] || s.excluded[i] != other.excluded[i] {
				items = append(items, i)
			}
		}
	}
	return items, true
}

// with returns the counts with the edits e, which are the same slices if e edits no
// token count.
func (c counts) with(e Edits) counts {
	if len(e.Tokens) > 0 {
		c = c.clone()
		for i, v := range e.Tokens {
			c.tokens[i], c.count[i] = v, FromFile
		}
	}
	return c
}

// same reports whether two columns are one.
func same[T any](a, b []T) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

func errTokens(i int, t Tokens) error {
	return &ItemError{Index: i, Field: "tokens", Reason: fmt.Sprintf("%d is outside -%v to %v", int64(t), MaxTokens, MaxTokens)}
}

func (e Edits) indexes() []int {
	var all []int
	all = slices.AppendSeq(all, maps.Keys(e.Pinned))
	all = slices.AppendSeq(all, maps.Keys(e.Excluded))
	all = slices.AppendSeq(all, maps.Keys(e.Tokens))
	all = slices.AppendSeq(all, maps.Keys(e.Hints))
	slices.Sort(all)
	return all
}

// Recount is a new token count for one item of a set.
type Recount struct {
	Index  int
	Tokens Tokens
	Count  Provenance
}

// Counted returns the set with the loaded token counts of some items replaced,
// for example when exact counts replace estimates. Edited counts stay as they
// are. An Exact count of a tool definition becomes Estimated. The error is an
// *ItemError for an index outside the set or an invalid count.
//
// The result shares the items with s. Counted copies all token counts, 9 bytes an
// item, so call it with many counts at once.
func (s *Set) Counted(counts []Recount) (*Set, error) {
	next := *s
	next.loaded = s.loaded.clone()
	for _, c := range counts {
		if !s.has(c.Index) {
			return nil, &ItemError{Index: c.Index, Field: "tokens", Reason: plain.ThereAre(len(next.items))}
		}
		if c.Tokens > MaxTokens || c.Tokens < -MaxTokens {
			return nil, errTokens(c.Index, c.Tokens)
		}
		if c.Count == Exact && s.items[c.Index].Metadata["part"] == "toolDefinition" {
			c.Count = Estimated // providers write definitions anew: their JSON is up to twice what they bill
		}
		next.loaded.tokens[c.Index], next.loaded.count[c.Index] = c.Tokens, c.Count
	}
	next.counts = next.loaded.with(s.edits)
	next.size()
	next.sum()
	return &next, nil
}
