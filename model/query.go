package model

import (
	"fmt"
	"slices"
)

// MaxQuery is the largest length of the text of a query, in bytes.
const MaxQuery = 10_000

// Query is a question and the future relevance hints that it gives to items
// that were loaded without one. The zero value asks nothing.
type Query struct {
	Text string
	// Hints holds a finite hint for each item, by index, and must not be changed
	// once it is set. The hint for an item that was loaded with one has no effect.
	// It is nil while the hints are not known; then the query gives no hints.
	Hints []float64
}

// IsZero reports whether the query has neither text nor hints.
func (q Query) IsZero() bool { return q.Text == "" && q.Hints == nil }

// Scored reports whether the hints of the query are known; the hints of the zero
// query are.
func (q Query) Scored() bool { return q.IsZero() || q.Hints != nil }

// Equal reports whether two queries have the same text and, if the hints of
// both are known, the same hints.
func (q Query) Equal(o Query) bool {
	if q.Text != o.Text || q.Hints == nil || o.Hints == nil {
		return q.Text == o.Text
	}
	return same(q.Hints, o.Hints) || slices.Equal(q.Hints, o.Hints)
}

// check reports a query that does not fit the set.
func (q Query) check(s *Set) error {
	if len(q.Text) > MaxQuery {
		return fmt.Errorf("the query has %d bytes, at most %v are allowed", len(q.Text), Tokens(MaxQuery))
	}
	if q.Hints != nil && len(q.Hints) != s.Len() {
		return fmt.Errorf("the query scores %d items, there are %d", len(q.Hints), s.Len())
	}
	for i, h := range q.Hints {
		if !finite(h) {
			return &ItemError{Index: i, Field: "futureRelevanceHint", Reason: "is not a finite number"}
		}
	}
	return nil
}

// carry drops the hints if any item is new, gone or moved.
func (q Query) carry(c Carried) Query {
	if c.New+c.Gone+c.Moved > 0 {
		q.Hints = nil
	}
	return q
}

// WithQuery returns e with the query q in place of its own.
func (e Edits) WithQuery(q Query) Edits {
	e.Query = q
	return e
}

// hint returns the future relevance hint of item i under the edits of the set.
func (s *Set) hint(i int) Option[float64] {
	if h, ok := s.edits.Hints[i]; ok {
		return Some(h)
	}
	if h := s.items[i].FutureRelevanceHint; h.Set || s.edits.Query.Hints == nil {
		return h
	}
	return Some(s.edits.Query.Hints[i])
}
