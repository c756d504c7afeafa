package slicer

// The bands of an item under Knapsack: the ranges of targets at which it is
// selected. Most items are selected from some capacity on, and FirstIn and StaysFrom
// say so. For those that come and go, the set of capacities that select them is
// found with one more walk over the table, 64 capacities a step.

// Bands implements Profile: O(1) for an item with one band that lasts or with
// none, else a pass over the bits of all later rows, 64 capacities a step.
func (p *knapsackProfile) Bands(dst []Band, i int) []Band {
	first, in := p.FirstIn(i)
	if !in {
		return dst
	}
	if stays, ok := p.StaysFrom(i); ok && stays == first {
		return append(dst, Band{first, p.upTo})
	}
	row := p.numbers[i] - 1
	set := p.capacities(row)
	for c := p.first[row]; c <= p.top; {
		end := c + 1
		for end <= p.top && set[end>>6]>>(end&63)&1 != 0 {
			end++
		}
		to := p.upTo
		if end <= p.top {
			to = p.target(end) - 1
		}
		dst = append(dst, Band{p.target(c), to})
		for c = end; c <= p.top && set[c>>6]>>(c&63)&1 == 0; {
			c++
		}
	}
	return dst
}

// capacities is the set of capacities at which the item of a row is selected.
// Beginning with those at which the row improves, each later row j keeps, of
// the capacities where it does not improve itself, those in the set, and where
// it does, those that are in the set once its weight is taken off.
func (p *knapsackProfile) capacities(from int32) []uint64 {
	set := make([]uint64, int(p.top)>>6+1)
	r := &p.rows[from]
	first, words := p.words(r)
	copy(set[first:], words)
	for i := int(from) + 1; i < len(p.rows); i++ {
		r := &p.rows[i]
		first, words := p.words(r)
		skip, shift := int(r.weight)>>6, uint(r.weight)&63
		for w := len(words) - 1; w >= 0; w-- { // from above: what is read is still of the row before
			improves := words[w]
			if improves == 0 {
				continue
			}
			at := first + w
			var less uint64
			if k := at - skip; k >= 0 {
				less = set[k] << shift
				if k > 0 && shift > 0 {
					less |= set[k-1] >> (64 - shift)
				}
			}
			set[at] = less&improves | set[at]&^improves
		}
	}
	return set
}
