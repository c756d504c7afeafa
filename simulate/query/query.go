// Package query implements the grammar for naming items. The filter of the
// screen and the --item flags of the commands both use it.
//
//	12  #12  12-20      by index, as in every JSON answer: one item, or a range with both ends
//	#13 #28  13,28,54   by several indexes: any of them
//	file:store.go       by the file or source that it came from: contained in its path
//	kind:tool           by kind: any beginning of its name; also sys msg doc tool mem
//	is:in               by state: one of states
//	tok>500 score>=.5   by number: tok, score, firstIn, staysFrom with < <= > >= =
//	"two words" word    by text: contained in the content, ASCII letters in either
//	                    case; a number needs the quotes
//	tool  messages      a word alone that is a kind's name or short name, also in the
//	                    plural: of that kind, or with that text
//
// Terms are separated by spaces, and an item must satisfy all of them, but only one
// of the indexes. A leading - or ! negates a term: -is:in tok>2k. Token numbers may
// be written as 1,200 or 32k. An item that is never in has no firstIn and no
// staysFrom, so no comparison with them holds.
package query

import (
	"cmp"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"cupelscope/model"
)

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
func (q Query) Match(f *Facts, i int) bool {
	for k := range q.terms {
		if t := &q.terms[k]; t.holds(f, i) == t.negated {
			return false
		}
	}
	return true
}

// Matching returns the items that satisfy every term, in their order, of few items: a block. It
// overwrites the list that it is given.
func (q Query) Matching(f *Facts, items []int32) []int32 {
	for k := range q.terms {
		t, n := &q.terms[k], 0
		if t.field == text {
			fetch(f.Report.Items, items)
		}
		for _, i := range items {
			if t.holds(f, int(i)) != t.negated {
				items[n] = i
				n++
			}
		}
		items = items[:n]
	}
	return items
}

// fetch reads a byte of each content, none of which is empty, so that the memory is asked for all of a block at once: a
// search waits for one after the other, which takes longer than to search it.
func fetch(set *model.Set, items []int32) {
	read := byte(0)
	for _, i := range items {
		read ^= set.Loaded(int(i)).Content[0]
	}
	runtime.KeepAlive(read)
}

// Narrows reports whether every item of these kinds that satisfies q satisfies other as well, as far
// as their terms tell: each of other's terms is one of q or, of a text, a part of a text of q.
func (q Query) Narrows(other Query, kinds []model.Kind) bool {
	return !slices.ContainsFunc(other.terms, func(o term) bool {
		return !slices.ContainsFunc(q.terms, func(t term) bool { return t.narrows(&o, kinds) })
	})
}

// NeedsProfile reports whether Match asks for FirstIn or StaysFrom.
func (q Query) NeedsProfile() bool {
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.field == first || t.field == stays })
}

// NeedsResult reports whether Match asks what is in or out, at risk or split.
func (q Query) NeedsResult() bool { return q.asks(func(s *state) bool { return s.result }) }

// NeedsRisk reports whether Match asks what is at risk.
func (q Query) NeedsRisk() bool { return q.asks(func(s *state) bool { return s.name == atRisk }) }

func (q Query) asks(of func(*state) bool) bool {
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.state != nil && of(t.state) })
}

// Find returns the byte range of a match in content, to highlight it: the first
// place of the first text term that is not negated and occurs in content. It
// returns false if there is none.
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
	isState
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
	ranges  []interval   // index: all that are named, in rising order
	state   *state       // isState
	tokens  model.Tokens // tokens, first, stays
	score   float64      // score
	kind    string       // kind: folded beginning of the name
	named   []model.Kind // text: the kinds that the word names, if a set has them
	pattern pattern      // text, origin
}

// names reports whether the term is a word that names a kind.
func (t *term) names(k model.Kind) bool { return slices.ContainsFunc(t.named, k.Is) }

// narrows reports whether an item for which the term holds is one for which o holds.
func (t *term) narrows(o *term, kinds []model.Kind) bool {
	if t.field != text || o.field != text || t.negated || o.negated {
		return reflect.DeepEqual(t, o)
	}
	return strings.Contains(t.pattern.lowered, o.pattern.lowered) &&
		!slices.ContainsFunc(kinds, func(k model.Kind) bool { return t.names(k) && !o.names(k) })
}

// interval is a range of indexes, both ends included.
type interval struct{ first, last int }

func (t *term) holds(f *Facts, i int) bool {
	items := f.Report.Items
	switch t.field {
	case index:
		_, found := slices.BinarySearchFunc(t.ranges, i, func(r interval, i int) int {
			if r.first <= i && i <= r.last {
				return 0
			}
			return cmp.Compare(r.first, i)
		})
		return found
	case tokens:
		return holds(t.compare, items.Tokens(i), t.tokens)
	case isState:
		return t.state.holds(f, i)
	case score:
		return holds(t.compare, f.Report.Scores[i], t.score)
	case kind: // the spelling that came first in the set
		return hasFoldedPrefix(string(items.Kinds()[items.KindID(i)]), t.kind)
	case origin:
		return t.pattern.index(items.Loaded(i).Origin()) >= 0
	case first:
		return t.from(f.FirstIn, i)
	case stays:
		return t.from(f.StaysFrom, i)
	default:
		return t.names(items.Kinds()[items.KindID(i)]) || t.pattern.index(items.Loaded(i).Content) >= 0
	}
}

// from compares the budget of item i; an item without one never holds.
func (t *term) from(budget func(int) (model.Tokens, bool), i int) bool {
	if budget == nil {
		return false
	}
	b, ok := budget(i)
	return ok && holds(t.compare, b, t.tokens)
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
