package slicer

import (
	"math"
	"math/bits"

	"cupelscope/model"
)

// A node is the smallest token count of a range of ranks and the first rank
// that has it, in one integer: tokens in the upper 41 bits (model.MaxTokens is
// 2^40) and the rank in the lower 23 (model.MaxItems is below 2^23). So the
// lesser of two nodes is the first of the smallest.
const (
	rankBits = 23
	rankMask = 1<<rankBits - 1
	noNode   = math.MaxUint64 // above every node
	// maxNodeTokens stands for every count that no budget can hold.
	maxNodeTokens = 1<<(64-rankBits) - 1
)

func node(tok model.Tokens, rank int) uint64 {
	return uint64(min(tok, maxNodeTokens))<<rankBits | uint64(rank)&rankMask
}

func nodeTokens(v uint64) Target { return Target(v >> rankBits) }

func nodeRank(v uint64) int32 { return int32(v & rankMask) }

// minima finds the node of any range of ranks in O(1): two ranges of 2^k ranks
// cover it, and minima[k][i] is the node of ranks i..i+2^k-1.
//
//	ranks   . . . # # # # # # # # # # # . . . . .
//	              |--- 2^3 ----|
//	                    |---- 2^3 ---|
type minima [][]uint64

// newMinima costs O(n log n).
func newMinima(tok []model.Tokens) (m minima) {
	level := make([]uint64, len(tok))
	for k, t := range tok {
		level[k] = node(t, k)
	}
	for half := 1; len(level) > 0; half *= 2 {
		m = append(m, level)
		wider := make([]uint64, max(0, len(level)-half))
		for k := range wider {
			wider[k] = min(level[k], level[k+half])
		}
		level = wider
	}
	return m
}

// first is the node of ranks from..to-1, noNode if there are none.
func (m minima) first(from, to int32) uint64 {
	if from >= to {
		return noNode
	}
	k := bits.Len32(uint32(to-from)) - 1
	return min(m[k][from], m[k][to-1<<k])
}
