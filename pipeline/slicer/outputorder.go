package slicer

import "slices"

// outputOrder is the order in which p outputs what it selects of in.
func outputOrder(p Prepared, in *Input) []int32 {
	if order := p.Order(); order != nil {
		return order
	}
	return positions(in.Len())
}

// positions is 0 to n-1.
func positions(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// Order implements Prepared: items without tokens in sorted order, then the
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

// Order implements Prepared: stream order.
func (s *stream) Order() []int32 { return s.at }
