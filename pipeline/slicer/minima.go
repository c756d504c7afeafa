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

// minima finds the node of any range of ranks in O(1). Ranks are in blocks of
// eight. A range within a block is searched rank by rank. Any other range is the
// end of one block, the start of another and the blocks between, which two runs
// of 2^k blocks cover.
//
//	ranks   . . . # # # # # | # # # # # # # # | # # # # # # # # | # # # . . . . .
//	               toEnd    |        levels[1] covers both      | fromStart
type minima struct {
	nodes     []uint64
	toEnd     []uint64   // node of a rank and those after it in its block
	fromStart []uint64   // node of a rank and those before it in its block
	levels    [][]uint64 // levels[k][b]: node of blocks b..b+2^k-1
}

const (
	blockBits = 3
	blockLen  = 1 << blockBits
)

// newMinima costs O(n): the levels hold n/8 log n nodes.
func newMinima(tok []model.Tokens) minima {
	n := len(tok)
	all := make([]uint64, 3*n)
	m := minima{nodes: all[:n], toEnd: all[n : 2*n], fromStart: all[2*n:]}
	blocks := make([]uint64, (n+blockLen-1)/blockLen)
	for b := range blocks {
		from, to := b*blockLen, min((b+1)*blockLen, n)
		least := uint64(noNode)
		for k := from; k < to; k++ {
			m.nodes[k] = node(tok[k], k)
			least = min(least, m.nodes[k])
			m.fromStart[k] = least
		}
		blocks[b] = least
		least = noNode
		for k := to - 1; k >= from; k-- {
			least = min(least, m.nodes[k])
			m.toEnd[k] = least
		}
	}
	for half := 1; len(blocks) > 0; half *= 2 {
		m.levels = append(m.levels, blocks)
		wider := make([]uint64, max(0, len(blocks)-half))
		for b := range wider {
			wider[b] = min(blocks[b], blocks[b+half])
		}
		blocks = wider
	}
	return m
}

// first is the node of ranks from..to-1, noNode if there are none.
func (m *minima) first(from, to int32) uint64 {
	if from >= to {
		return noNode
	}
	a, b := from>>blockBits, (to-1)>>blockBits
	if a == b {
		least := uint64(noNode)
		for _, v := range m.nodes[from:to] {
			least = min(least, v)
		}
		return least
	}
	least := min(m.toEnd[from], m.fromStart[to-1])
	if between := b - a - 1; between > 0 {
		k := bits.Len32(uint32(between)) - 1
		level := m.levels[k]
		least = min(least, level[a+1], level[b-1<<k])
	}
	return least
}
