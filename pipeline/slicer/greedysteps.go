package slicer

import (
	"context"
	"iter"
	"math"
	"sort"

	"cupelscope/pipeline/order"
)

// Steps implements Prepared: all candidates by density.
func (g *greedy) Steps(_ context.Context, t Target) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		if t <= 0 || g.in.Len() == 0 {
			return
		}
		if !yield(opening(ByDensity, t, Filling{g.in.Len()}), nil) {
			return
		}
		for _, p := range g.order() {
			s := fit(ByDensity, p, g.in.Tokens[p], t)
			if t = s.After; !yield(s, nil) {
				return
			}
		}
	}
}

// Left implements Prepared.
func (g *greedy) Left(t Target) func(at int) Target {
	var taken []int32 // the densest first
	left := []Target{t}
	f := g.frontAbove(t)
	for k, tok := range f.tok {
		if rest := left[len(taken)]; Target(tok) <= rest {
			taken, left = append(taken, f.at[k]), append(left, rest-Target(tok))
		} else if nodeTokens(f.min[k]) > rest {
			break
		}
	}
	return func(at int) Target {
		key := g.keys[at]
		if g.in.Tokens[at] == 0 {
			key = order.Key(math.MaxFloat64)
		}
		return left[sort.Search(len(taken), func(k int) bool {
			other := g.keys[taken[k]]
			return other > key || other == key && int(taken[k]) >= at
		})]
	}
}
