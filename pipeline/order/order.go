// Package order defines the order of scores that every stage of the pipeline
// uses, and sorts by it.
//
// Higher scores come first, NaN comes after every number, and -0.0 equals +0.0.
// All stages compare scores by Key, so no two can disagree. The sorts are
// stable. It is no part of the library: the folders beside pipeline use it too.
package order

import (
	"math"

	"cupelscope/pipeline/scratch"
)

// Key returns an integer that orders scores: Key(a) < Key(b) exactly when score
// a comes before score b, and equal keys are a tie.
func Key(score float64) uint64 {
	if score != score {
		return math.MaxUint64 // no number has this key: its bits would be those of a NaN
	}
	b := math.Float64bits(score + 0) // -0.0 + 0 is +0.0
	// Flip the sign bit of positive and all bits of negative numbers: unsigned
	// comparison then agrees with <. The complement turns it round.
	mask := uint64(int64(b)>>63) | 1<<63
	return ^(b ^ mask)
}

// Before reports whether score a comes strictly before score b.
func Before(a, b float64) bool { return Key(a) < Key(b) }

// scoreKeys are lent to Descending.
var scoreKeys scratch.Pool[uint64]

// Descending returns the positions of scores, best first, ties in ascending
// position. It is O(n): a single merge if the list consists of at most two
// sorted runs, else a radix sort.
func Descending(scores []float64) []int32 {
	lent := scoreKeys.Lend(len(scores))
	defer lent.Return()
	for i, s := range scores {
		lent.Of[i] = Key(s)
	}
	return Sorted(lent.Of)
}

// Sorted returns the positions of keys in ascending order of key, ties in
// ascending position. It does not change keys, and is O(n) like Descending.
func Sorted(keys []uint64) []int32 {
	perm := make([]int32, len(keys))
	SortInto(perm, keys)
	return perm
}

// SortInto writes the positions that Sorted returns to perm, which must have as
// many elements as keys.
func SortInto(perm []int32, keys []uint64) {
	if sortedRuns(perm, keys) {
		return
	}
	for i := range perm {
		perm[i] = int32(i)
	}
	Sort(keys, perm)
}

// sortedRuns fills perm and returns true if keys consist of at most two
// ascending runs.
func sortedRuns(perm []int32, keys []uint64) bool {
	n := len(keys)
	first := run(keys, 0)
	second := run(keys, first)
	if second < n {
		return false
	}
	i, j := 0, first
	for k := range perm {
		if j == n || i < first && keys[i] <= keys[j] {
			perm[k] = int32(i)
			i++
		} else {
			perm[k] = int32(j)
			j++
		}
	}
	return true
}

// run returns the end of the ascending run of keys that begins at from.
func run(keys []uint64, from int) int {
	if from >= len(keys) {
		return from
	}
	end := from + 1
	for end < len(keys) && keys[end-1] <= keys[end] {
		end++
	}
	return end
}
