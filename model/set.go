package model

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"cupelscope/model/plain"
	"cupelscope/model/relay"
)

// Set is a list of items, loaded once and never changed. An edit (pin, exclude,
// another token count, another hint) makes a new Set that shares everything
// that the edit does not touch, and costs a few bytes an item. A Set is safe
// for concurrent use.
//
// An item is identified by its index in the Set. Methods that take the index of
// an item panic if it is not from 0 to Len()-1. One index is an int; in a list, and in what
// there are as many of as items (slicer.Cut, slicer.Step, turns.Window), it is an int32,
// which takes half of the memory.
type Set struct {
	items    []Item   // shared by all sets made from one; loaded says how many tokens they have
	hashes   []uint64 // of the contents; equal contents have equal hashes
	kinds    []Kind   // distinct kinds, in order of first appearance, as first spelled
	kindOf   []uint32 // index into kinds, by item
	loaded   counts   // token counts without edits
	counts            // with the edits; the same slices if none is edited
	pinned   []bool
	excluded []bool
	hints    []float64 // NaN: none
	instants []uint64  // see Instant
	partners []int32   // by item: the other item of its pair, or -1; nil: there are no pairs
	derived  *derived  // see Derived; shared like items
	sizing

	estimates int
	total     Tokens
	committed Tokens // of pinned items
	edits     Edits
}

// counts are columns of a Set: the token counts of its items and their provenance.
type counts struct {
	tokens []Tokens
	count  []Provenance
}

func (c counts) clone() counts { return counts{slices.Clone(c.tokens), slices.Clone(c.count)} }

// NewSet returns a Set of items. It keeps the slice instead of copying it, so
// the caller must not change it afterwards. NewSet itself changes it: an empty
// Kind becomes Message, an empty Source becomes Chat, and in every string each
// byte that is not UTF-8 becomes U+FFFD.
//
// The error is an *ItemError for the first invalid item, or says that there are
// more than MaxItems. No items are a valid set.
//
// NewSet hashes all contents, one pass over the text.
func NewSet(items []Item) (*Set, error) {
	if len(items) > MaxItems {
		return nil, fmt.Errorf("a set of %v items is too large: at most %v", plain.Thousands(len(items)), plain.Thousands(MaxItems))
	}
	n := len(items)
	s := &Set{
		items:    items,
		hashes:   make([]uint64, n),
		kindOf:   make([]uint32, n),
		counts:   counts{make([]Tokens, n), make([]Provenance, n)},
		pinned:   make([]bool, n),
		excluded: make([]bool, n),
		hints:    make([]float64, n),
		instants: make([]uint64, n),
	}
	s.derived = &derived{items: items, hashes: s.hashes}
	if err := s.prepare(); err != nil {
		return nil, err
	}
	bySpelling := make(map[Kind]uint32)
	byFold := make(map[Kind]uint32)
	id := uint32(0)
	for i := range items {
		if s.kindOf[i] == unlikeLast {
			kind := items[i].Kind
			var ok bool
			if id, ok = bySpelling[kind]; !ok {
				fold := kind.Fold()
				if id, ok = byFold[fold]; !ok {
					id = uint32(len(s.kinds))
					s.kinds = append(s.kinds, kind)
					byFold[fold] = id
				}
				bySpelling[kind] = id
			}
		}
		s.kindOf[i] = id
	}
	s.loaded = s.counts
	s.sum()
	return s, nil
}

// unlikeLast is what prepare has in kindOf for an item that may be of another kind than the
// item before, as few are.
const unlikeLast = 1

// prepare checks the items, brings them into the form that NewSet promises, and fills the
// columns but the kinds. The error is about the first invalid item.
func (s *Set) prepare() error {
	seed := maphash.MakeSeed()
	var mu sync.Mutex
	first := &ItemError{Index: len(s.items)}
	var far atomic.Bool // a timestamp has no instant
	relay.Spread(len(s.items), func(i int) int { return len(s.items[i].Content) }, func(from, to int) {
		var sound [4]uintptr          // metadata that was found valid: the items of a role share theirs
		kind, source := Message, Chat // of the item before, or valid as they are: most items have the same
		for i := from; i < to; i++ {
			it := &s.items[i]
			err := it.validateFields(i)
			if meta := reflect.ValueOf(it.Metadata).Pointer(); err == nil && !slices.Contains(sound[:], meta) {
				deep, valid := inspect(it.Metadata, maxMetadataDepth)
				switch {
				case deep:
					err = &ItemError{Index: i, Field: "metadata", Reason: fmt.Sprintf("is nested more than %d deep", maxMetadataDepth)}
				case valid:
					sound[i%len(sound)] = meta
				default:
					it.Metadata = withValidText(it.Metadata).(map[string]any)
				}
			}
			if err != nil {
				mu.Lock()
				if wrong, _ := errors.AsType[*ItemError](err); wrong.Index < first.Index {
					first = wrong
				}
				mu.Unlock()
				return
			}
			it.makeValid()
			if i == from {
				s.kindOf[i] = unlikeLast
			}
			if it.Kind != kind || it.Source != source {
				s.kindOf[i] = unlikeLast
				it.Kind = cmp.Or(Kind(validString(string(it.Kind))), Message)
				it.Source = cmp.Or(Source(validString(string(it.Source))), Chat)
				kind, source = it.Kind, it.Source
			}
			s.hashes[i] = maphash.String(seed, it.Content)
			s.tokens[i], s.count[i], s.pinned[i] = it.Tokens, it.Count, it.Pinned
			s.hints[i] = it.FutureRelevanceHint.Or(math.NaN())
			var fits bool
			if s.instants[i], fits = instantOf(it.Timestamp); !fits {
				far.Store(true)
			}
		}
	})
	if first.Index < len(s.items) {
		return first
	}
	if far.Load() {
		s.instants = instantRanks(s.items)
	}
	return nil
}

func (s *Set) sum() {
	s.total, s.estimates, s.committed = 0, 0, 0
	for i := range s.tokens {
		s.add(s, i, 1)
	}
}

// add adds what item i counts for in another set to the sums, or takes it off where sign
// is -1.
func (s *Set) add(of *Set, i int, sign Tokens) {
	t := of.tokens[i]
	s.total += sign * t
	if of.pinned[i] && !of.excluded[i] && t >= 0 {
		s.committed += sign * of.SizeTokens(i, of.PinnedSize(i))
	}
	if !of.count[i].IsExact() {
		s.estimates += int(sign)
	}
}

// Len returns the number of items, including excluded ones.
func (s *Set) Len() int { return len(s.items) }

// Total returns the sum of all token counts with the edits applied, including
// negative and excluded items.
func (s *Set) Total() Tokens { return s.total }

// Estimates returns the number of items whose token count is not exact, see
// Provenance.IsExact.
func (s *Set) Estimates() int { return s.estimates }

// Item returns a copy of item i with the edits of this set applied.
func (s *Set) Item(i int) Item {
	it := s.items[i]
	it.Tokens, it.Count, it.Pinned = s.tokens[i], s.count[i], s.pinned[i]
	it.FutureRelevanceHint = s.hint(i)
	return it
}

// Loaded returns item i as it was loaded, without edits. It copies nothing, so
// use it to read the fields that edits do not touch. Its Tokens and Count are
// those that it was made with; LoadedTokens knows what Counted replaced them by.
// The caller must not change the item.
func (s *Set) Loaded(i int) *Item { return &s.items[i] }

// LoadedTokens returns the token count of item i and its provenance without
// edits: as loaded, or as Counted has replaced it.
func (s *Set) LoadedTokens(i int) (Tokens, Provenance) { return s.loaded.tokens[i], s.loaded.count[i] }

// Tokens returns the token count of item i with the edits applied.
func (s *Set) Tokens(i int) Tokens { return s.tokens[i] }

// Count returns the provenance of the token count of item i: FromFile if the
// count is edited.
func (s *Set) Count(i int) Provenance { return s.count[i] }

// Pinned reports whether item i is pinned, with the edits applied.
func (s *Set) Pinned(i int) bool { return s.pinned[i] }

// Excluded reports whether the user excluded item i. An excluded item takes no
// part in the pipeline.
func (s *Set) Excluded(i int) bool { return s.excluded[i] }

// Hint returns the future relevance hint of item i with the edits applied, or
// NaN if it has none.
func (s *Set) Hint(i int) float64 { return s.hints[i] }

// Instant returns an integer that orders the items by timestamp: it is smaller
// for an earlier timestamp, equal for equal instants, and 0 for an item without
// a timestamp. Only numbers of one set, and of sets made from it, can be
// compared.
func (s *Set) Instant(i int) uint64 { return s.instants[i] }

// Hash returns a hash of the content of item i; equal contents have equal
// hashes. NewSet takes a new random seed, so only hashes of one set, and of
// sets made from it, can be compared.
func (s *Set) Hash(i int) uint64 { return s.hashes[i] }

// derived is what Derived and Repeats keep for all items that were loaded.
type derived struct {
	items   []Item
	hashes  []uint64
	kept    sync.Map
	repeats repeats
}

// Derived returns what derive returns for all items that were loaded, and keeps it under the
// key for this set and all sets made from it by edits, pairs, counts or as its first items:
// such a part may have fewer items. So it must depend on nothing but their contents, kinds,
// tags, times and metadata. An error is not kept. If several call Derived at once, derive may
// run more than once, and one result is kept.
func (s *Set) Derived(key any, derive func(items []Item) (any, error)) (any, error) {
	if kept, ok := s.derived.kept.Load(key); ok {
		return kept, nil
	}
	made, err := derive(s.derived.items)
	if err == nil {
		made, _ = s.derived.kept.LoadOrStore(key, made)
	}
	return made, err
}

// Kinds returns the distinct kinds of the set in order of first appearance. The
// caller must not change the slice.
func (s *Set) Kinds() []Kind { return s.kinds }

// KindID returns the index in Kinds of the kind of item i. It is equal for two
// items exactly when their kinds are the same.
func (s *Set) KindID(i int) int { return int(s.kindOf[i]) }

// TokenColumn returns the token counts by item index with the edits applied.
// The caller must not change the slice.
func (s *Set) TokenColumn() []Tokens { return s.tokens }

// PinnedTokens returns the sum of the tokens of the items that the Classify
// stage pins: those that are pinned, not excluded, and have no negative token
// count.
func (s *Set) PinnedTokens() Tokens { return s.committed }
