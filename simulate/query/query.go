// Package query implements the grammar for naming items. The filter of the
// screen and the --item flags of the commands both use it.
//
//	12  #12  12-20      by index, as in every JSON answer: one item, or a range with both ends
//	#13 #28  13,28,54   by several indexes: any of them
//	file:store.go       by the file or source that it came from: contained in its path
//	kind:tool           by kind: any beginning of its name; also sys msg doc tool mem
//	is:in               by state: see State
//	tok>500 score>=.5   by number: tok, score, firstIn, staysFrom with < <= > >= =
//	"two words" word    by text: contained in the content, ASCII letters in either case; a number needs the quotes
//
// Terms are separated by spaces, and an item must satisfy all of them, but only one of the
// indexes. A
// leading - or ! negates a term: -is:in tok>2k. Token numbers may be written
// as 1,200 or 32k. An item that is never in has no firstIn and no staysFrom,
// so no comparison with them holds.
package query

import (
	"slices"

	"cupelscope/model"
)

// State is a yes-or-no fact about an item, which a term such as is:in asks
// for.
type State uint8

// The states.
const (
	In         State = iota // in the result
	Out                     // not in the result
	Risk                    // in, but out if the budget were slack smaller
	Pinned                  // always in
	Duplicate               // dropped in favour of an equal item
	Excluded                // taken out by the user
	Negative                // left out because of its negative token count
	Estimated               // its token count is not exact
	Split                   // in without the item it belongs to, or out without it
	Unfit                   // left out because it does not fit, or because the slicer prefers other items
	Overridden              // left out because of what is pinned
	Capped                  // left out because of the cap of its kind
	Needed                  // marked as needed
	Cut                     // in, in a size that is not the whole
	Note                    // out, with a note in its place
	stateCount
)

var stateNames = [stateCount]string{"in", "out", "risk", "pinned", "dup", "excluded", "negative", "estimated", "split", "unfit", "overridden", "capped", "needed", "cut", "note"}

// String returns the name of the state, as written after is:, or "unknown".
func (s State) String() string {
	if s >= stateCount {
		return "unknown"
	}
	return stateNames[s]
}

// Items gives a query the facts that it asks for, by item index. Answers may
// be computed on demand: only a query that NeedsProfile asks for FirstIn and
// StaysFrom, and only for items that satisfy its cheaper terms.
type Items interface {
	Kind(i int) model.Kind
	Tokens(i int) model.Tokens
	Score(i int) float64
	Content(i int) string
	Origin(i int) string // file or source; "" if not known
	Is(i int, s State) bool
	FirstIn(i int) (model.Tokens, bool)   // false if the item is never in
	StaysFrom(i int) (model.Tokens, bool) // false if the item does not stay in
}

// Query is a list of terms, all of which must hold. The zero Query holds for
// every item. A Query is immutable and safe for concurrent use.
type Query struct {
	source string
	terms  []term // cheap ones first
}

// String returns the text that was parsed.
func (q Query) String() string { return q.source }

// IsZero reports whether the query has no terms and so holds for every item.
func (q Query) IsZero() bool { return len(q.terms) == 0 }

// Match reports whether item i satisfies every term. It does not allocate.
func (q Query) Match(items Items, i int) bool {
	for k := range q.terms {
		if t := &q.terms[k]; t.holds(items, i) == t.negated {
			return false
		}
	}
	return true
}

// NeedsProfile reports whether Match asks for FirstIn or StaysFrom.
func (q Query) NeedsProfile() bool {
	for _, t := range q.terms {
		if t.field == first || t.field == stays {
			return true
		}
	}
	return false
}

// NeedsResult reports whether Match asks what is in or out, at risk or split.
func (q Query) NeedsResult() bool { return q.asks(In) || q.asks(Out) || q.asks(Risk) || q.asks(Split) }

// NeedsRisk reports whether Match asks what is at risk.
func (q Query) NeedsRisk() bool { return q.asks(Risk) }

func (q Query) asks(s State) bool {
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.field == is && t.state == s })
}

// Find returns the byte range of a match in content, to highlight it: the
// first place where the first of the text terms that are not negated and occur
// in content does. It returns false if there is none.
func (q Query) Find(content string) (from, to int, found bool) {
	for _, t := range q.terms {
		if t.field != text || t.negated {
			continue
		}
		if at := t.pattern.index(content); at >= 0 {
			return at, at + len(t.pattern.lowered), true
		}
	}
	return 0, 0, false
}

// field is what a term is about, in the order of rising cost.
type field uint8

const (
	index field = iota
	tokens
	is
	score
	kind
	origin
	first
	stays
	text
)

// operator compares a number with the one given.
type operator uint8

const (
	equal operator = iota
	less
	lessOrEqual
	greater
	greaterOrEqual
)

// term is one condition. Which values are set depends on the field.
type term struct {
	field   field
	negated bool
	compare operator
	ranges  []span       // index: all that are named
	state   State        // is
	tokens  model.Tokens // tokens, first, stays
	score   float64      // score
	kind    string       // kind: folded beginning of the name
	pattern pattern      // text, origin
}

// span is a range of indexes, both ends included.
type span struct{ first, last int }

func (t *term) holds(items Items, i int) bool {
	switch t.field {
	case index:
		return slices.ContainsFunc(t.ranges, func(r span) bool { return r.first <= i && i <= r.last })
	case tokens:
		return holds(t.compare, items.Tokens(i), t.tokens)
	case is:
		return items.Is(i, t.state)
	case score:
		return holds(t.compare, items.Score(i), t.score)
	case kind:
		return hasFoldedPrefix(string(items.Kind(i)), t.kind)
	case origin:
		return t.pattern.index(items.Origin(i)) >= 0
	case first:
		b, ok := items.FirstIn(i)
		return ok && holds(t.compare, b, t.tokens)
	case stays:
		b, ok := items.StaysFrom(i)
		return ok && holds(t.compare, b, t.tokens)
	default:
		return t.pattern.index(items.Content(i)) >= 0
	}
}

// holds compares a with b. With a NaN nothing holds.
func holds[N model.Tokens | float64](op operator, a, b N) bool {
	switch op {
	case less:
		return a < b
	case lessOrEqual:
		return a <= b
	case greater:
		return a > b
	case greaterOrEqual:
		return a >= b
	default:
		return a == b
	}
}
