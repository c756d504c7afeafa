package slicer

import (
	"context"
	"math/bits"
	"sort"

	"cupelscope/model"
)

// Profile implements Prepared: the odometer in stream order, with a gate before
// every batch. Errors: ctx's, and a *RecordsError for more than MaxRecords
// changes.
func (s *stream) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if err := profilable(ctx, s.in, upTo); err != nil {
		return nil, err
	}
	f, free := s.front(upTo)
	return inOrder(ctx, s.in, f, free, upTo, MaxRecords)
}

// front is every candidate with tokens that can be in at a target up to upTo
// (and some that cannot), in stream order, and the candidates without tokens: O(n).
//
// A candidate is in only if all earlier ones of no more tokens are in as well: if
// an earlier one is not, the room left is below its size.
func (s *stream) front(upTo Target) (*front, freeItems) {
	f := &front{upTo: upTo}
	var free freeItems
	gated := false
	earlier := newReach(model.Tokens(upTo))
	begin := 0 // of the batch
	for k, p := range s.at {
		if k%s.batch == 0 {
			begin = len(f.at)
		}
		tok := s.in.Tokens[p]
		if tok == 0 {
			free.at = append(free.at, p)
			free.gates = append(free.gates, int32(begin))
			gated = gated || begin > 0
			continue
		}
		if !earlier.leaves(tok) {
			continue
		}
		earlier.add(tok, tok)
		f.at = append(f.at, p)
		f.tok = append(f.tok, tok)
	}
	if !gated {
		free.gates = nil
	}
	f.findMin(f.tok)
	f.whole()
	return f, free
}

// reach is what earlier candidates are known to take of a limit when a later one is in,
// by the size of the later one. A lower bound is enough: small sizes, as notes have, have a class
// each, others are classed by powers of two, and what holds from one of these on is left out for its class.
type reach [small + 65]model.Tokens // by class of a size: what is left for it at most; never rises while it is 0 or more

const small = 32

func classOf(tok model.Tokens) int {
	if tok < small {
		return int(tok)
	}
	return small + bits.Len64(uint64(tok))
}

func newReach(limit model.Tokens) (r reach) {
	for class := range r {
		r[class] = limit
	}
	return r
}

// leaves reports whether a later candidate of so many tokens may be in.
func (r *reach) leaves(tok model.Tokens) bool { return tok <= r[classOf(tok)] }

// largest returns the size up to which leaves is true: what is left never rises with the size.
func (r *reach) largest() model.Tokens {
	return model.Tokens(sort.Search(int(r[0])+1, func(tok int) bool { return !r.leaves(model.Tokens(tok)) })) - 1
}

// add notes that earlier candidates take so many tokens more when one of at least from is in.
func (r *reach) add(from, tokens model.Tokens) {
	class := classOf(from)
	if from >= small {
		class++
	}
	for ; class < len(r) && r[class] >= 0; class++ {
		r[class] -= tokens
	}
}
