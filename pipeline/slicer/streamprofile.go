package slicer

import (
	"context"
	"math/bits"

	"cupelscope/model"
)

// Profile implements Prepared: the odometer in stream order. Errors: ctx's, and a
// *RecordsError for more than MaxRecords changes.
//
// The odometer has all items without tokens in, but a batch that does not begin leaves
// out those in it. That happens exactly if the items before the batch fill the target to
// the last token, as they do at the target of a record, where the item that enters has
// nothing to spare. So where there are such batches, the records and the targets just above
// them are tabulated.
func (s *stream) Profile(ctx context.Context, upTo Target) (Profile, error) {
	if err := profilable(ctx, s.in, upTo); err != nil {
		return nil, err
	}
	f, free, before := s.front(upTo)
	made, err := inOrder(ctx, s.in, f, free, upTo, MaxRecords)
	if err != nil || len(before) == 0 || before[len(before)-1] == 0 {
		return made, err
	}
	targets := func(yield func(Target) bool) {
		for _, t := range made.Changes() {
			if !yield(t) || t < upTo && !yield(t+1) {
				return
			}
		}
	}
	return tabulate(ctx, s.in, upTo, targets, MaxRecords, func(t Target, dst Selection) (Selection, error) {
		dst = made.At(t, dst)
		if k := made.after(t) - 1; k >= 0 && made.records[k].from == t {
			for i, p := range free {
				if before[i] > made.records[k].rank {
					dst.Remove(int(p))
				}
			}
		}
		return dst, nil
	})
}

// front is every candidate with tokens that can be in at a target up to upTo
// (and some that cannot), in stream order, and those without tokens, with how many of the
// former are in batches before that of each: O(n).
//
// A candidate is in only if all earlier ones of no more tokens are in as well: if
// one of those is not, the room left is below its size.
func (s *stream) front(upTo Target) (f *front, free, before []int32) {
	f = &front{upTo: upTo}
	earlier := reach{limit: model.Tokens(upTo)}
	begin := 0 // of the batch
	for k, p := range s.at {
		if k%s.batch == 0 {
			begin = len(f.at)
		}
		tok := s.in.Tokens[p]
		if tok == 0 {
			free, before = append(free, p), append(before, int32(begin))
			continue
		}
		if !earlier.leaves(tok) {
			continue
		}
		earlier.add(tok, tok)
		f.at = append(f.at, p)
		f.tok = append(f.tok, tok)
	}
	f.findMin(f.tok)
	f.minima = newMinima(f.tok)
	return f, free, before
}

// reach is what earlier candidates are known to take of a limit when a later one is in,
// which depends on the size of that one. A lower bound is enough: sizes are classed by
// powers of two, and what holds from a size of the same class on is left out.
type reach struct {
	limit model.Tokens
	least model.Tokens     // from this size on nothing is left; 0: not known
	sums  [65]model.Tokens // by number of bits, up to more than the limit
}

// leaves reports whether a later candidate of so many tokens may be in.
func (r *reach) leaves(tok model.Tokens) bool {
	if r.least > 0 && tok >= r.least {
		return false
	}
	need := tok
	for _, sum := range r.sums[:bits.Len64(uint64(tok))] {
		if need += sum; need > r.limit {
			r.least = tok
			return false
		}
	}
	return tok <= r.limit
}

// add says that earlier candidates take so many tokens more when one of at least from is in.
func (r *reach) add(from, tokens model.Tokens) {
	sum := &r.sums[bits.Len64(uint64(from))]
	*sum = min(*sum+tokens, r.limit+1)
}
