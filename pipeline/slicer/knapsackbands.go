package slicer

import (
	"context"
	"math/bits"
	"slices"
)

// The bands of an item under Knapsack: the ranges of targets at which it is
// selected. Most items are selected from some capacity on, and FirstIn and StaysFrom
// say so. For those that come and go, the set of capacities that select them is
// found in one of two ways:
//
//   - for one item, with a walk forwards over the rows after its own, 64 capacities
//     a step (capacities);
//   - for all items, with one more walk back over the table, in which each group
//     has a list of its final capacities (FindBands). A row costs a step for each
//     capacity that selects it.

// Bands implements Profile: O(1) for an item with one band that lasts or with
// none, in time proportional to the bands after FindBands, else a pass over the
// bits of all later rows, 64 capacities a step.
func (p *knapsackProfile) Bands(dst []Band, i int) []Band {
	first, in := p.FirstIn(i)
	if !in {
		return dst
	}
	if stays, ok := p.StaysFrom(i); ok && stays == first {
		return append(dst, Band{first, p.upTo})
	}
	row := p.numbers[i] - 1
	var turns []int32
	if found := p.found.Load(); found != nil {
		turns = (*found)[row]
	}
	if turns == nil {
		turns = turnsOf(nil, p.capacities(row), p.top)
	}
	for k := 0; k < len(turns); k += 2 {
		to := p.upTo
		if k+1 < len(turns) {
			to = p.target(turns[k+1]) - 1
		}
		dst = append(dst, Band{p.target(turns[k]), to})
	}
	return dst
}

// turnsOf appends the capacities up to last at which an item enters, leaves, enters
// and so on to dst. set has the capacities that select it.
func turnsOf(dst []int32, set []uint64, last int32) []int32 {
	beside := uint64(0) // the highest bit of the word before
	for w, word := range set {
		for turns := word ^ (word<<1 | beside); turns != 0; turns &= turns - 1 {
			c := int32(w<<6 + bits.TrailingZeros64(turns))
			if c > last {
				return dst
			}
			dst = append(dst, c)
		}
		beside = word >> 63
	}
	return dst
}

// FindBands implements Profile, in about the time that the profile took, and at
// most a step for each cell of the table. It remembers at most MaxRecords turns:
// Bands of the items beyond takes a search as before.
func (p *knapsackProfile) FindBands(ctx context.Context) error {
	if p.found.Load() != nil {
		return nil
	}
	all, err := newGroups(ctx, p.top)
	if err != nil {
		return err
	}
	found := make([][]int32, len(p.rows))
	var sets [][]uint64 // by size: the final capacities
	var lasts []int32   // by size: no capacity above is asked for
	var turns []int32
	remembered := 0
	m := NewMeter(ctx, 0)
	for end := len(p.rows); end > 0 && remembered < MaxRecords; {
		i := p.begin(end - 1)
		for lasts = lasts[:0]; len(lasts) < end-i; {
			lasts = append(lasts, p.lastTurn(i+len(lasts)))
			if len(sets) < len(lasts) {
				sets = append(sets, make([]uint64, len(all.some)))
			}
		}
		if err := m.Add(all.collect(p.rows[i:end], lasts, sets)); err != nil {
			return err
		}
		for k, last := range lasts {
			if last > 0 {
				turns = turnsOf(turns[:0], sets[k], min(last, p.top))
				found[i+k] = slices.Clone(turns)
				remembered += len(turns)
				clear(sets[k])
			}
		}
		end = i
	}
	p.found.Store(&found)
	return nil
}

// lastTurn is a capacity after which the row enters or leaves no more: 0 if it has one band,
// which is known.
func (p *knapsackProfile) lastTurn(row int) int32 {
	switch last := p.stays[row]; {
	case last == p.first[row]:
		return 0
	case last < 0:
		return p.top + 1
	default:
		return last
	}
}

// collect has every group take a size of a candidate of a pruned table or leave it, and adds
// the final capacities up to a last one that take a size to its set, and some above. It
// returns about how many cells that costs.
func (r *groups) collect(rows []row, lasts []int32, sets [][]uint64) (cells int) {
	words := r.room(len(rows))
	for w := first(rows); w < len(r.some); w++ {
		word := improves(rows, w, words)
		r.some[w] &^= word
		for ; word != 0; word &= word - 1 {
			c := w<<6 + bits.TrailingZeros64(word)
			cells += 4
			k := taken(words, c&63)
			if here := &r.at[c]; here.first <= lasts[k] {
				for final := here.head; final != 0; final = r.next[final] {
					sets[k][final>>6] |= 1 << (final & 63)
					cells += 4
				}
			}
			r.down(c, int(rows[k].weight))
		}
	}
	return cells + (len(r.some)-first(rows)+len(r.some))*len(rows)
}

// capacities is the set of capacities at which the item of a row is selected.
// Beginning with those at which the row improves, each later row j keeps, of
// the capacities where it does not improve itself, those in the set, and where
// it does, those that are in the set once its weight is taken off.
func (p *knapsackProfile) capacities(from int32) []uint64 {
	set := make([]uint64, int(p.top)>>6+1)
	r := &p.rows[from]
	copy(set[r.from>>6:], r.bits)
	improving := make([]uint64, len(p.rows))
	for i := p.end(int(from)); i < len(p.rows); {
		rows := p.rows[i:p.end(i)]
		i += len(rows)
		for w := int(p.top) >> 6; w >= first(rows); w-- { // from above: what is read is still of the row before
			any := improves(rows, w, improving)
			if any == 0 {
				continue
			}
			here := set[w] &^ any
			for k := range rows {
				if improving[k] == 0 {
					continue
				}
				skip, shift := int(rows[k].weight)>>6, uint(rows[k].weight)&63
				var less uint64
				if at := w - skip; at >= 0 {
					less = set[at] << shift
					if at > 0 && shift > 0 {
						less |= set[at-1] >> (64 - shift)
					}
				}
				here |= less & improving[k]
			}
			set[w] = here
		}
	}
	return set
}
