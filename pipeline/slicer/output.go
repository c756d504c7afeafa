package slicer

import "slices"

// Ordered is a Prepared that outputs what it selects in an order of its own:
// where a count quota caps a kind, the first ones of that order stay. One that
// is not Ordered outputs it in sorted order.
type Ordered interface {
	// Order lists all positions in the order in which selected ones are
	// output. It is the same at every target. Read only.
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

// Order implements Ordered: stream order.
func (s *stream) Order() []int32 { return s.at }

var (
	_ Ordered = (*greedy)(nil)
	_ Ordered = (*knapsack)(nil)
	_ Ordered = (*stream)(nil)
	_ Ordered = (*quota)(nil)
)
