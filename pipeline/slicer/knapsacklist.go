package slicer

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// Density is the value of a candidate by bucket, for Listed. It never rises with the tokens,
// nor falls with the score.
func (k Knapsack) Density(score float64, tokens model.Tokens) float64 {
	if tokens == 0 {
		return math.MaxFloat64
	}
	return float64(value(score)) / float64(weight(tokens, k.bounds().bucket))
}

// Lists reports whether Listed answers at a target for n candidates: the table of all rows
// would be within the limit, so no Slice fails.
func (k Knapsack) Lists(n int, t Target) bool {
	top := k.bounds().capacity(t)
	return k.bounds().fits(int64(n)*(top>>6+1), top)
}

// Listed selects at target t, which is above 0, as Slice does from many candidates, of which the
// Input has only some: in input order, without kinds. densest has the positions to select from
// by falling Density. No other candidate has more than density, or less than least tokens.
// Listed reports whether it is certain that Slice selects none of these. It takes O(n), and
// what the table of few candidates takes (see knapsackcore.go). The error is ctx's.
func (k Knapsack) Listed(ctx context.Context, in *Input, densest []int32, t Target, density float64, least model.Tokens) (sel Selection, certain bool, err error) {
	p := &programme{tableBounds: k.bounds(), in: in, sorted: true}
	sel = NewSelection(nil, in.Len())
	type candidate struct {
		value  int64
		weight int32
		at     int32
	}
	room := p.capacity(t)
	of, candidates := relaxed{room: room}, make([]candidate, 0, len(densest))
	for _, i := range densest {
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
	lost := (of.density - density) * float64(weight(max(1, least), p.bucket))
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
