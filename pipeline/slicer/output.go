package slicer

import "slices"

// Ordered is a Prepared that outputs its selection in an order of its own. A
// Prepared that is not Ordered outputs it in sorted order. The order matters
// under a count quota: if a cap drops candidates, the first ones stay.
type Ordered interface {
	// Order returns all positions in the order of output. The order is the
	// same at every target. Read only.
	Order() []int32
}

// outputOrder is the order in which p outputs what it selects of n positions.
func outputOrder(p Prepared, n int) []int32 {
	if ordered, ok := p.(Ordered); ok {
		return ordered.Order()
	}
	return positions(n)
}

// positions is 0 to n-1.
func positions(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// Order implements Ordered: items without tokens in sorted order, then the
// others from the last to the first, as the table is read.
func (k *knapsack) Order() []int32 {
	all := append(make([]int32, 0, k.in.Len()), k.free...)
	for i, tokens := range slices.Backward(k.in.Tokens) {
		if tokens != 0 {
			all = append(all, int32(i))
		}
	}
	return all
}

// Order implements Ordered: stream order.
func (s *stream) Order() []int32 { return s.at }

var (
	_ Ordered = (*greedy)(nil)
	_ Ordered = (*knapsack)(nil)
	_ Ordered = (*stream)(nil)
	_ Ordered = (*quota)(nil)
)
