package slicer

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// ListSlicer selects from a list of the candidates with the least keys as a Slicer selects from
// all. It is for a slicer that chooses the set as a whole, so that one candidate more or less
// may change which others are in.
type ListSlicer struct {
	// Key never falls as the tokens of a candidate rise or its score falls.
	Key func(score float64, tokens model.Tokens) uint64
	// Slice selects at a target above 0. in has the listed candidates in input order, without kinds;
	// sorted has the positions to select from by rising Key. No other candidate has a key below minKey,
	// or fewer tokens than minTokens. certain: the slicer selects none of these from all candidates
	// either. The error is ctx's.
	Slice func(ctx context.Context, in *Input, sorted []int32, t Target, minKey uint64, minTokens model.Tokens) (sel Selection, certain bool, err error)
}

// fromList is Traits.FromList. The list is sorted by density, the value of a candidate by bucket.
func (k Knapsack) fromList(n int, upTo Target) *ListSlicer {
	b := k.bounds()
	top := b.capacity(upTo)
	if !b.fits(int64(n)*(top>>6+1), top) {
		return nil
	}
	density := func(score float64, tokens model.Tokens) uint64 {
		if tokens == 0 {
			return order.Key(math.MaxFloat64)
		}
		return order.Key(float64(value(score)) / float64(weight(tokens, b.bucket)))
	}
	return &ListSlicer{density, b.sliceList}
}

// densityOf returns the density, at least 0, whose key is given: the reverse of order.Key.
func densityOf(key uint64) float64 { return math.Float64frombits(^key &^ (1 << 63)) }

// sliceList is ListSlicer.Slice. It takes O(n), and what the table of few candidates takes (see
// knapsackcore.go).
func (b tableBounds) sliceList(ctx context.Context, in *Input, sorted []int32, t Target, minKey uint64, minTokens model.Tokens) (sel Selection, certain bool, err error) {
	p := &programme{tableBounds: b, in: in, sorted: true}
	sel = NewSelection(nil, in.Len())
	type candidate struct {
		value  int64
		weight int32
		at     int32
	}
	room := p.capacity(t)
	of, candidates := relaxed{room: room}, make([]candidate, 0, len(sorted))
	for _, i := range sorted {
		if in.Tokens[i] == 0 {
			sel.Add(int(i))
			continue
		}
		v, w := value(in.Scores[i]), weight(in.Tokens[i], p.bucket)
		if v > 0 && w <= room {
			candidates = append(candidates, candidate{v, int32(w), i})
			of.add(v, w)
		}
	}
	// One set of few candidates is nearly always better than the one that is known, and
	// leaves fewer for the second.
	best := of.known
	for _, share := range []float64{1. / 16, 1} {
		c := p.newCore(room)
		for _, d := range candidates {
			c.add(d.at, d.value, int64(d.weight), of.density, share*of.off(best))
		}
		c.sortByScore()
		dst := sel
		if share < 1 {
			dst = NewSelection(nil, in.Len())
		}
		worth, err := c.best(ctx, t, dst)
		if err != nil {
			return nil, false, err
		}
		best = max(best, worth)
		for _, i := range c.in {
			dst.Add(int(i))
		}
	}
	lost := (of.density - densityOf(minKey)) * float64(weight(max(1, minTokens), p.bucket))
	return sel, lost > of.off(best), nil
}

// sortByScore puts candidates in any order into sorted order.
func (c *core) sortByScore() {
	in := c.programme.in
	slices.SortFunc(c.at, func(a, b int32) int {
		return cmp.Or(cmp.Compare(order.Key(in.Scores[a]), order.Key(in.Scores[b])), cmp.Compare(a, b))
	})
	for k, i := range c.at {
		c.tok[k], c.value[k] = in.Tokens[i], value(in.Scores[i])
	}
}
