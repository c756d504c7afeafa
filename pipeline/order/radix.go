package order

import (
	"math/bits"
	"slices"

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
)

// entries are lent to sorts.
var entries scratch.Pool[uint64]

// Sort sorts perm, a list of positions in keys, so that keys[perm[k]] ascends.
// It is stable. It takes O(len(perm)) time, one pass if perm ascends already or
// descends without ties, and three or more otherwise, and borrows 16 bytes of
// memory an entry from a pool.
func Sort(keys []uint64, perm []int32) {
	if len(perm) <= small {
		insertion(keys, perm)
		return
	}
	n := len(perm)
	first, differ := keys[perm[0]], uint64(0)
	ascends, falls := true, true // falls: without a tie
	for i, p := range perm[1:] {
		k, last := keys[p], keys[perm[i]]
		differ |= k ^ first
		ascends, falls = ascends && last <= k, falls && last > k
	}
	switch {
	case ascends:
		return
	case falls:
		slices.Reverse(perm)
		return
	}
	rest := max(0, bits.Len64(differ)-32, bits.TrailingZeros64(differ))
	buffer := entries.Lend(2 * n)
	defer buffer.Return()
	from, to := buffer.Of[:n], buffer.Of[n:]
	var counts [3][1 << digit]int32
	for i, p := range perm {
		k := uint32(keys[p] >> rest)
		from[i] = uint64(k)<<32 | uint64(uint32(p))
		counts[0][k&(1<<digit-1)]++
		counts[1][k>>digit&(1<<digit-1)]++
		counts[2][k>>(2*digit)]++
	}
	for d := range counts {
		low := digit * d
		if differ>>rest>>low&(1<<digit-1) == 0 {
			continue // the same in all
		}
		next := &counts[d]
		sum := int32(0)
		for b, c := range next {
			next[b] = sum
			sum += c
		}
		for _, e := range from {
			b := e >> (32 + low) & (1<<digit - 1)
			to[next[b]] = e
			next[b]++
		}
		from, to = to, from
	}
	for i, e := range from {
		perm[i] = int32(uint32(e))
	}
	if differ<<(64-rest) != 0 {
		sortRuns(keys, perm, from)
	}
}

// sortRuns sorts each run of entries that agree in their upper 32 bits. A run
// within a run differs in fewer bits, so this ends after two rounds.
func sortRuns(keys []uint64, perm []int32, entries []uint64) {
	for start := 0; start < len(entries); {
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
