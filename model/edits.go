package model

import (
	"fmt"
	"maps"
	"slices"
)

// Edits are what a user changed in a loaded set, by item index. The zero
// value changes nothing. Those of a Set are not changed: Set.With makes another
// Set with others, of which Clone is a start.
type Edits struct {
	Pinned   map[int]bool    // true pins, false releases an item that was loaded pinned
	Excluded map[int]bool    // true takes the item out
	Tokens   map[int]Tokens  // another token count, -MaxTokens to MaxTokens
	Hints    map[int]float64 // another future relevance hint; finite
}

// IsZero reports whether nothing is edited.
func (e Edits) IsZero() bool {
	return len(e.Pinned) == 0 && len(e.Excluded) == 0 && len(e.Tokens) == 0 && len(e.Hints) == 0
}

// Clone returns a copy that shares no map with e.
func (e Edits) Clone() Edits {
	return Edits{maps.Clone(e.Pinned), maps.Clone(e.Excluded), maps.Clone(e.Tokens), maps.Clone(e.Hints)}
}

// Edits returns what was edited in this set since it was loaded. Read only.
func (s *Set) Edits() Edits { return s.edits }

// With returns the loaded set with exactly the edits e: those of s itself are
// left out. Only the columns that e touches are copied. An index outside the
// set or a value outside its bounds is an *ItemError.
func (s *Set) With(e Edits) (*Set, error) {
	for _, i := range e.indexes() {
		if i < 0 || i >= len(s.items) {
			return nil, &ItemError{Index: i, Field: "edits", Reason: fmt.Sprintf("there are %d items, numbered from 0", len(s.items))}
		}
		if t := e.Tokens[i]; t > MaxTokens || t < -MaxTokens {
			return nil, &ItemError{Index: i, Field: "tokens", Reason: fmt.Sprintf("%d is outside -%v to %v", int64(t), MaxTokens, MaxTokens)}
		}
		if h := e.Hints[i]; !finite(h) {
			return nil, &ItemError{Index: i, Field: "futureRelevanceHint", Reason: "is not a finite number"}
		}
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
	if len(e.Hints) > 0 || len(s.edits.Hints) > 0 {
		next.hints = slices.Clone(s.hints)
		for i := range s.edits.Hints {
			next.hints[i] = hintOf(s.items[i].FutureRelevanceHint)
		}
		for i, v := range e.Hints {
			next.hints[i] = v
		}
	}
	if len(e.Tokens) > 0 || len(s.edits.Tokens) > 0 {
		next.tokens, next.count = slices.Clone(s.tokens), slices.Clone(s.count)
		for i := range s.edits.Tokens {
			next.tokens[i], next.count[i] = s.items[i].Tokens, s.items[i].Count
		}
		for i, v := range e.Tokens {
			next.tokens[i], next.count[i] = v, FromFile
		}
	}
	next.sum()
	return &next, nil
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

// Recount is a new count for one item of a set.
type Recount struct {
	Index  int
	Tokens Tokens
	Count  Provenance
}

// Counted returns the set with the loaded token counts of some items
// replaced, as when exact counts replace estimates. Edits stay on top. The
// items are copied, so call it in batches.
func (s *Set) Counted(counts []Recount) (*Set, error) {
	next := *s
	next.items = slices.Clone(s.items)
	next.tokens, next.count = slices.Clone(s.tokens), slices.Clone(s.count)
	for _, c := range counts {
		if c.Index < 0 || c.Index >= len(next.items) {
			return nil, &ItemError{Index: c.Index, Field: "tokens", Reason: fmt.Sprintf("there are %d items, numbered from 0", len(next.items))}
		}
		it := &next.items[c.Index]
		it.Tokens, it.Count = c.Tokens, c.Count
		if err := it.Validate(c.Index); err != nil {
			return nil, err
		}
		if _, edited := s.edits.Tokens[c.Index]; !edited {
			next.tokens[c.Index], next.count[c.Index] = c.Tokens, c.Count
		}
	}
	next.sum()
	return &next, nil
}
