package widget

import "math"

// A million rows are sorted by comparing them in half a second, which is too
// long between a key and its frame. Digit by digit, the least first, they are
// sorted in some hundredths: each pass deals the rows out by one digit of their
// keys and keeps the order of those that agree in it, so that the order of all
// passes together is that of the keys.

// radixFrom is the number of rows from which that is worth its passes.
const radixFrom = 4096

const (
	digitBits = 11
	digits    = 6 // that 64 bits have
)

// radixSort sorts rows by their keys, ascending and stable. No key is NaN.
func radixSort(rows []int32, keys []float64) {
	type row struct {
		key uint64
		row int32
	}
	from, to := make([]row, len(rows)), make([]row, len(rows))
	var counts [digits][1 << digitBits]int
	for k, i := range rows {
		key := ordered(keys[i])
		from[k] = row{key, i}
		for d := range digits {
			counts[d][key>>(d*digitBits)%(1<<digitBits)]++
		}
	}
	for d := range digits {
		start, sum, alike := &counts[d], 0, false
		for v, n := range start {
			alike = alike || n == len(rows)
			start[v] = sum
			sum += n
		}
		if alike {
			continue
		}
		for _, r := range from {
			v := r.key >> (d * digitBits) % (1 << digitBits)
			to[start[v]] = r
			start[v]++
		}
		from, to = to, from
	}
	for k := range rows {
		rows[k] = from[k].row
	}
}

// ordered maps floats to integers of the same order; both zeros are one.
func ordered(x float64) uint64 {
	bits := math.Float64bits(x + 0)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}
