package model

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"cupelscope/model/plain"
)

// Set is a list of items, loaded once and never changed. An edit (pin,
// exclude, another token count, another hint) makes a new Set that shares
// everything the edit does not touch, so that it costs a few bytes an item.
//
// The identity of an item is its index in the Set. Methods that take an index
// panic if it is not from 0 to Len()-1.
type Set struct {
	items    []Item
	hashes   []uint64 // of the contents; equal contents have equal hashes
	kinds    []Kind   // distinct kinds, in order of first appearance, as first spelled
	kindOf   []uint32 // index into kinds, by item
	tokens   []Tokens
	count    []Provenance
	pinned   []bool
	excluded []bool
	hints    []float64 // NaN: none
	instants []uint64  // see Instant
	partners []int32   // by item: the other item of its pair, or -1; nil: there are no pairs

	estimates int
	total     Tokens
	committed Tokens // of pinned items
	edits     Edits
}

// NewSet makes a Set of items, which the caller must not change afterwards.
// In that slice itself, which is kept and not copied, an empty Kind or Source
// becomes the default, Message or Chat, and bytes that are not UTF-8 become
// U+FFFD in every string. The error is an *ItemError, or says that there are too
// many items. An empty set is valid.
//
// It costs one pass over the contents: they are hashed here, once.
func NewSet(items []Item) (*Set, error) {
	if len(items) > MaxItems {
		return nil, fmt.Errorf("a set of %v items is too large: at most %v", plain.Thousands(len(items)), plain.Thousands(MaxItems))
	}
	n := len(items)
	s := &Set{
		items:    items,
		hashes:   make([]uint64, n),
		kindOf:   make([]uint32, n),
		tokens:   make([]Tokens, n),
		count:    make([]Provenance, n),
		pinned:   make([]bool, n),
		excluded: make([]bool, n),
		hints:    make([]float64, n),
		instants: instants(items),
	}
	seed := maphash.MakeSeed()
	bySpelling := make(map[Kind]uint32)
	byFold := make(map[Kind]uint32)
	for i := range items {
		it := &items[i]
		if err := it.Validate(i); err != nil {
			return nil, err
		}
		it.makeValid()
		if it.Kind == "" {
			it.Kind = Message
		}
		if it.Source == "" {
			it.Source = Chat
		}
		id, ok := bySpelling[it.Kind]
		if !ok {
			fold := it.Kind.Fold()
			if id, ok = byFold[fold]; !ok {
				id = uint32(len(s.kinds))
				s.kinds = append(s.kinds, it.Kind)
				byFold[fold] = id
			}
			bySpelling[it.Kind] = id
		}
		s.kindOf[i] = id
		s.hashes[i] = maphash.String(seed, it.Content)
		s.tokens[i], s.count[i], s.pinned[i] = it.Tokens, it.Count, it.Pinned
		s.hints[i] = hintOf(it.FutureRelevanceHint)
	}
	s.sum()
	return s, nil
}

func hintOf(h Option[float64]) float64 {
	if !h.Set {
		return math.NaN()
	}
	return h.Value
}

func (s *Set) sum() {
	s.total, s.estimates, s.committed = 0, 0, 0
	for i, t := range s.tokens {
		s.total += t
		if s.pinned[i] && !s.excluded[i] && t >= 0 {
			s.committed += t
		}
		if !s.count[i].IsExact() {
			s.estimates++
		}
	}
}

// Len is the number of items, excluded ones too.
func (s *Set) Len() int { return len(s.items) }

// Total is the sum of all token counts, negative and excluded ones too.
func (s *Set) Total() Tokens { return s.total }

// CountSum is the items whose counts come from one place, and their tokens.
type CountSum struct {
	Count  Provenance
	Items  int
	Tokens Tokens
}

// ByCount sums the items by where their counts come from: given, usage, counted,
// estimated, opaque, those that there are.
func (s *Set) ByCount() []CountSum {
	all := []CountSum{{Count: FromFile}, {Count: Used}, {Count: Exact}, {Count: Estimated}, {Count: Opaque}}
	for i, t := range s.tokens {
		k := slices.IndexFunc(all, func(c CountSum) bool { return c.Count == s.count[i] })
		all[k].Items++
		all[k].Tokens += t
	}
	return slices.DeleteFunc(all, func(c CountSum) bool { return c.Items == 0 })
}

// Estimates is the number of items whose token count is not exact.
func (s *Set) Estimates() int { return s.estimates }

// Item returns item i with the edits of this set applied.
func (s *Set) Item(i int) Item {
	it := s.items[i]
	it.Tokens, it.Count, it.Pinned = s.tokens[i], s.count[i], s.pinned[i]
	it.FutureRelevanceHint = s.hint(i)
	return it
}

// Loaded returns item i as it was loaded, without edits. The caller must not
// change it. Use it for the fields that edits do not touch; it copies nothing.
func (s *Set) Loaded(i int) *Item { return &s.items[i] }

// Tokens is the token count of item i, edits applied.
func (s *Set) Tokens(i int) Tokens { return s.tokens[i] }

// Count is the provenance of the token count of item i.
func (s *Set) Count(i int) Provenance { return s.count[i] }

// Pinned reports whether item i is pinned, edits applied.
func (s *Set) Pinned(i int) bool { return s.pinned[i] }

// Excluded reports whether the user took item i out. Such an item takes no
// part in the pipeline.
func (s *Set) Excluded(i int) bool { return s.excluded[i] }

// Hint is the future relevance hint of item i, edits applied; NaN if it has none.
func (s *Set) Hint(i int) float64 { return s.hints[i] }

// Instant is a key for the timestamp of item i: less than that of another item
// exactly when it is earlier, the same when they are the same instant, 0 when it
// has none. Keys of different sets cannot be compared.
func (s *Set) Instant(i int) uint64 { return s.instants[i] }

// Hash is a hash of the content of item i. It differs from process to process.
func (s *Set) Hash(i int) uint64 { return s.hashes[i] }

// Kinds lists the distinct kinds of the set in order of first appearance.
func (s *Set) Kinds() []Kind { return s.kinds }

// KindID is the index in Kinds of the kind of item i: equal for two items
// exactly when their kinds are the same.
func (s *Set) KindID(i int) int { return int(s.kindOf[i]) }

// TokenColumn returns the token counts by item index. Read only.
func (s *Set) TokenColumn() []Tokens { return s.tokens }

// PinnedTokens is the sum of the tokens of the items that the Classify stage
// would pin: pinned, not excluded, not negative.
func (s *Set) PinnedTokens() Tokens { return s.committed }
