package order

import (
	"math/bits"
	"slices"

	"cupelscope/model/relay"
	"cupelscope/pipeline/scratch"
)

// A radix sort of the upper 32 bits that matter, least significant digit
// first, then a look at the ties.
//
//	key     0000 0000 1011 0110 ... 0101 1101 0011
//	                  ^ the highest bit in which keys differ
//	                  |----- 32 bits -----|-- rest -|
//	                  11    11    10
//
// An entry is those 32 bits and a position, one word; three passes sort any
// list of entries. Keys that differ only within 32 bits, as whole numbers do, are
// taken from the lowest of these, and have no rest. Only entries with the same 32
// bits can still be out of order: for scores such runs are ties nearly always, and
// a short run is sorted by insertion, a long one by the same method with its own
// highest bit.

const (
	// small is where an insertion sort beats clearing the counters.
	small = 48
	// digit is the number of bits of a pass: 2,048 counters stay in the first cache.
	digit = 11
	// long is from how many entries on several processors sort faster than one. They share
	// longParts parts, more than there are processors, which may be busy.
	long      = 1 << 17
	longParts = 8
)

// part is a stretch of the list that one processor works on, and what it found there.
type part struct {
	from, to       int
	differ         uint64 // the bits in which its keys differ from the first of all
	ascends, falls bool   // from its first on, compared with the one before; falls: without a tie
	next           [1 << digit]int32
}

// entries and parts are lent to sorts.
var (
	entries scratch.Pool[uint64]
	parts   scratch.Pool[part]
)

// sorting is a sort under way.
type sorting struct {
	keys     []uint64
	perm     []int32
	parts    []part
	from, to []uint64 // entries, before and after a pass
	rest     int      // how many bits of the keys are below an entry's
	low      int      // the lowest bit of an entry that the pass sorts by
}

// Sort sorts perm, a list of positions in keys, so that keys[perm[k]] ascends.
// It is stable. It takes O(len(perm)) time, one pass if perm ascends already or
// descends without ties, and three or more otherwise, and borrows 16 bytes of
// memory an entry from a pool. All processors sort a long list.
func Sort(keys []uint64, perm []int32) {
	n := len(perm)
	if n <= small {
		insertion(keys, perm)
		return
	}
	count := 1
	if n >= long {
		count = longParts
	}
	lent := parts.Lend(count)
	defer lent.Return()
	s := sorting{keys: keys, perm: perm, parts: lent.Of}
	for k := range s.parts {
		s.parts[k].from, s.parts[k].to = n*k/count, n*(k+1)/count
	}
	s.each((*sorting).survey)
	differ, ascends, falls := uint64(0), true, true
	for k := range s.parts {
		p := &s.parts[k]
		differ |= p.differ
		ascends, falls = ascends && p.ascends, falls && p.falls
	}
	switch {
	case ascends:
		return
	case falls:
		slices.Reverse(perm)
		return
	}
	s.rest = max(0, bits.Len64(differ)-32, bits.TrailingZeros64(differ))
	buffer := entries.Lend(2 * n)
	defer buffer.Return()
	s.from, s.to = buffer.Of[:n], buffer.Of[n:]
	s.each((*sorting).gather)
	for s.low = 32; s.low < 64; s.low += digit {
		if differ>>s.rest<<32>>s.low&(1<<digit-1) == 0 {
			continue // the same in all
		}
		s.each((*sorting).count)
		s.sum()
		s.each((*sorting).scatter)
		s.from, s.to = s.to, s.from
	}
	s.each((*sorting).list)
	if differ<<(64-s.rest) != 0 {
		s.each((*sorting).sortRuns)
	}
}

// each calls do for each part, on all processors where there are several.
func (s *sorting) each(do func(*sorting, *part)) {
	if len(s.parts) == 1 {
		do(s, &s.parts[0])
		return
	}
	relay.Spread(len(s.parts), func(int) int { return len(s.perm) }, func(from, to int) {
		for k := from; k < to; k++ {
			do(s, &s.parts[k])
		}
	})
}

// survey finds how the keys of a part differ.
func (s *sorting) survey(p *part) {
	keys, last := s.keys, s.keys[s.perm[max(0, p.from-1)]]
	first, differ := s.keys[s.perm[0]], uint64(0)
	ascends, falls := true, true
	for _, at := range s.perm[max(1, p.from):p.to] {
		k := keys[at]
		differ |= k ^ first
		ascends, falls = ascends && last <= k, falls && last > k
		last = k
	}
	p.differ, p.ascends, p.falls = differ, ascends, falls
}

// gather makes the entries of a part.
func (s *sorting) gather(p *part) {
	keys, rest, into := s.keys, s.rest, s.from[p.from:p.to]
	for i, at := range s.perm[p.from:p.to] {
		into[i] = keys[at]>>rest<<32 | uint64(uint32(at))
	}
}

// count counts the digits of the entries that are in a part now.
func (s *sorting) count(p *part) {
	clear(p.next[:])
	low := s.low
	for _, e := range s.from[p.from:p.to] {
		p.next[e>>low&(1<<digit-1)]++
	}
}

// sum makes of the counts where each part's first entry with a digit goes.
func (s *sorting) sum() {
	sum := int32(0)
	if len(s.parts) == 1 { // the same in a third of the time
		next := &s.parts[0].next
		for b, c := range next {
			next[b] = sum
			sum += c
		}
		return
	}
	for b := range 1 << digit {
		for k := range s.parts {
			next := &s.parts[k].next[b]
			*next, sum = sum, sum+*next
		}
	}
}

// scatter sorts the entries of a part by a digit.
func (s *sorting) scatter(p *part) {
	low, to := s.low, s.to
	for _, e := range s.from[p.from:p.to] {
		b := e >> low & (1<<digit - 1)
		to[p.next[b]] = e
		p.next[b]++
	}
}

// list writes the positions of a part's entries.
func (s *sorting) list(p *part) {
	perm := s.perm[p.from:p.to]
	for i, e := range s.from[p.from:p.to] {
		perm[i] = int32(uint32(e))
	}
}

// sortRuns sorts each run of entries that agree in their upper 32 bits and begins in a
// part. A run within a run differs in fewer bits, so this ends after two rounds.
func (s *sorting) sortRuns(p *part) {
	keys, perm, entries := s.keys, s.perm, s.from
	start := p.from
	for start > 0 && start < p.to && entries[start]>>32 == entries[start-1]>>32 {
		start++
	}
	for start < p.to {
		upper := entries[start] >> 32
		end := start + 1
		for end < len(entries) && entries[end]>>32 == upper {
			end++
		}
		switch end - start {
		case 1:
		case 2:
			if keys[perm[start]] > keys[perm[start+1]] {
				perm[start], perm[start+1] = perm[start+1], perm[start]
			}
		default:
			Sort(keys, perm[start:end])
		}
		start = end
	}
}

func insertion(keys []uint64, perm []int32) {
	for i := 1; i < len(perm); i++ {
		p := perm[i]
		k := keys[p]
		j := i
		for ; j > 0 && keys[perm[j-1]] > k; j-- {
			perm[j] = perm[j-1]
		}
		perm[j] = p
	}
}
