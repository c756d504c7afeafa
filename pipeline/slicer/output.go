package slicer

import (
	"math"
	"slices"

	"cupelscope/pipeline/order"
)

// Ordered is a Prepared that puts out what it selects in an order of its own:
// where a count quota caps a kind, the first ones of that order stay. One that
// is not Ordered puts out in sorted order.
type Ordered interface {
	// Order is all positions, in the order in which those selected are put
	// out. It is the same at every target. Read only.
	Order() []int32
}

// outputOrder is the order in which p puts out what it selects of n positions.
func outputOrder(p Prepared, n int) []int32 {
	if ordered, ok := p.(Ordered); ok {
		return ordered.Order()
	}
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// Order implements Ordered: by density, the densest first. Items without
// tokens have the largest density there is.
func (g *greedy) Order() []int32 { return g.byDensity() }

// freeFirst reports whether the items without tokens are put out before all
// others, by position: whether nothing else is as dense as they are.
func (g *greedy) freeFirst() bool { return g.best > order.Key(math.MaxFloat64) }

// byDensity is all positions, the densest first: O(n), once.
func (g *greedy) byDensity() []int32 {
	g.ordering.Do(func() {
		densities := make([]float64, g.in.Len())
		for i, score := range g.in.Scores {
			densities[i] = Density(score, g.in.Tokens[i])
		}
		g.order = order.Descending(densities)
	})
	return g.order
}

// Order implements Ordered: items without tokens in sorted order, then the
// others from the last to the first, as the table is read.
func (k *knapsack) Order() []int32 {
	all := make([]int32, 0, k.in.Len())
	for i, tokens := range k.in.Tokens {
		if tokens == 0 {
			all = append(all, int32(i))
		}
	}
	for i, tokens := range slices.Backward(k.in.Tokens) {
		if tokens != 0 {
			all = append(all, int32(i))
		}
	}
	return all
}

// Order implements Ordered: as the items come.
func (s *stream) Order() []int32 { return s.at }

var (
	_ Ordered = (*greedy)(nil)
	_ Ordered = (*knapsack)(nil)
	_ Ordered = (*stream)(nil)
	_ Ordered = (*quota)(nil)
)
