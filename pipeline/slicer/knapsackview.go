package slicer

import (
	"math/bits"
	"slices"
)

// Table is a read-only view of a knapsack's table. It has a row for every
// candidate with tokens and a score of at least 0.0001, numbered from 1 in
// sorted order as in Step.Row, and a bit for every capacity in buckets. It is
// safe for concurrent use.
type Table struct{ t *table }

// Takes returns at how many capacities from low to high buckets the best set of rows 1 to row
// contains the last of them. O(log rows + (high-low)/64).
func (v *Table) Takes(row int32, low, high Target) (n Target) {
	k, ok := v.row(row)
	if !ok {
		return 0
	}
	r, top := &v.t.rows[k], Target(v.t.top)
	if beyond := high - max(low-1, top); beyond > 0 && v.t.bit(r, v.t.top) {
		n = beyond // there everything fits, as at the top
	}
	from, to := max(low, Target(r.from)), min(high, top)
	if from > to {
		return n
	}
	first, words := int(r.from)>>6, r.bits
	for w := int(from) >> 6; w <= int(to)>>6; w++ {
		word := words[w-first]
		if w == int(from)>>6 {
			word &= ^uint64(0) << (from & 63)
		}
		if w == int(to)>>6 {
			word &= ^uint64(0) >> (63 - to&63)
		}
		n += Target(bits.OnesCount64(word))
	}
	return n
}

// Best returns the value of the best set of rows 1 to row at a capacity in
// buckets: the sum of its scores, each rounded down to 0.0001. O(row).
func (v *Table) Best(row int32, capacity Target) float64 {
	left, sum := int32(min(max(0, capacity), Target(v.t.top))), int64(0)
	k, found := v.row(row)
	if !found {
		k--
	}
	for ; k >= 0; k-- {
		if r := &v.t.rows[k]; v.t.bit(r, left) {
			sum += v.t.k.value[r.candidate]
			left -= r.weight
		}
	}
	return float64(sum) / valueUnit
}

// Value returns what a row adds to the value of a set: its score, rounded down
// to 0.0001. It panics if there is no such row.
func (v *Table) Value(row int32) float64 { return float64(v.t.k.value[row-1]) / valueUnit }

// row is where a row is among those stored, or where it would be.
func (v *Table) row(row int32) (int, bool) {
	return slices.BinarySearchFunc(v.t.rows, row-1, byCandidate)
}

func byCandidate(r row, candidate int32) int { return int(r.candidate) - int(candidate) }
