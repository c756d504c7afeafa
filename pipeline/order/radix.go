package order

// A least-significant-digit radix sort on bytes. All eight histograms are
// counted in one pass; a byte that is the same in every key costs nothing
// more, so small numbers and clustered times sort in two or three passes.

// small is where an insertion sort beats clearing the histograms.
const small = 48

// pair travels through the passes as one 16-byte value.
type pair struct {
	key uint64
	pos int32
}

// Sort reorders perm, a list of positions in keys, so that keys[perm[k]]
// ascends; entries with equal keys keep their order. O(len(perm)) time, 32
// bytes of scratch an entry.
func Sort(keys []uint64, perm []int32) {
	n := len(perm)
	if n < 2 {
		return
	}
	if n <= small {
		insertion(keys, perm)
		return
	}
	buffer := make([]pair, 2*n)
	from, to := buffer[:n], buffer[n:]
	var counts [8][256]uint32
	var differ uint64
	first := keys[perm[0]]
	for i, p := range perm {
		k := keys[p]
		from[i] = pair{k, p}
		differ |= k ^ first
		counts[0][byte(k)]++
		counts[1][byte(k>>8)]++
		counts[2][byte(k>>16)]++
		counts[3][byte(k>>24)]++
		counts[4][byte(k>>32)]++
		counts[5][byte(k>>40)]++
		counts[6][byte(k>>48)]++
		counts[7][byte(k>>56)]++
	}
	for digit := range counts {
		shift := 8 * digit
		if byte(differ>>shift) == 0 {
			continue
		}
		next := &counts[digit]
		sum := uint32(0)
		for b, c := range next {
			next[b] = sum
			sum += c
		}
		for _, e := range from {
			b := byte(e.key >> shift)
			to[next[b]] = e
			next[b]++
		}
		from, to = to, from
	}
	for i := range from {
		perm[i] = from[i].pos
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
