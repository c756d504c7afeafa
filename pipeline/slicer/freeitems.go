package slicer

import "sort"

// freeItems are the items without tokens of an odometer, in the order in which
// they are considered.
//
// For Greedy they are in at every target above 0. Stream begins no batch if
// nothing of the target remains, and so leaves out the items without tokens in
// it. That happens exactly if the items before the batch fill the target to the
// last token, as they do at the target of a record, where the item that enters
// has nothing to spare. The gate of a batch is the number g of items with tokens
// before it. An item without tokens in that batch is out at the targets of the
// records with a rank below g, and in at all other targets above 0.
type freeItems struct {
	at    []int32 // position in the Input
	gates []int32 // ascending; nil: all are 0, nothing is ever left out

	first, stays []Target // as in Profile, 0: never; only with gates
}

// open returns the number of items without tokens that are in at target t, which
// is above 0. k is the last record at or before t, or -1. As gates ascend, the
// items that are in are the first ones.
func (p *odometer) open(k int, t Target) int {
	if p.free.gates == nil || k < 0 || p.records[k].from != t {
		return len(p.free.at)
	}
	rank := p.records[k].rank
	return sort.Search(len(p.free.gates), func(i int) bool { return p.free.gates[i] > rank })
}

// closes reports whether any item without tokens is out at the target of record k.
func (p *odometer) closes(k int) bool {
	gates := p.free.gates
	return gates != nil && p.records[k].rank < gates[len(gates)-1]
}

// findOpen fills first and stays: O(K).
func (p *odometer) findOpen() {
	f := &p.free
	if f.gates == nil {
		return
	}
	f.first, f.stays = make([]Target, len(f.gates)), make([]Target, len(f.gates))
	// What is out at 1, 2, .. without a gap, and where it was out last, never
	// falls from one gate to the next.
	k := 0
	for i, gate := range f.gates {
		for k < len(p.records) && int(p.records[k].from) == k+1 && p.records[k].rank < gate {
			k++
		}
		if t := Target(k) + 1; t <= p.upTo {
			f.first[i] = t
		}
	}
	k = len(p.records)
	for i := len(f.gates) - 1; i >= 0; i-- {
		for k > 0 && p.records[k-1].rank >= f.gates[i] {
			k--
		}
		t := Target(1)
		if k > 0 {
			t = p.records[k-1].from + 1
		}
		if t <= p.upTo {
			f.stays[i] = t
		}
	}
}

// freeBands is Bands for the k-th item without tokens.
func (p *odometer) freeBands(dst []Band, k int) []Band {
	from := Target(1)
	if gates := p.free.gates; gates != nil && gates[k] > 0 {
		for r := range p.records {
			if p.records[r].rank >= gates[k] {
				continue
			}
			out := p.records[r].from
			if from < out {
				dst = append(dst, Band{from, out - 1})
			}
			from = out + 1
		}
	}
	if from <= p.upTo {
		dst = append(dst, Band{from, p.upTo})
	}
	return dst
}
