package slicer

import (
	"math"

	"cupelscope/model"
)

// minTree finds the smallest token count of a range of ranks, the first one
// where several are equal, in O(log n).
//
// A node is one integer: tokens in the upper 41 bits (model.MaxTokens is 2^40)
// and the rank in the lower 23 (model.MaxItems is below 2^23). So the least
// node is the first of the smallest.
type minTree []uint64

const (
	rankBits = 23
	rankMask = 1<<rankBits - 1
	noNode   = math.MaxUint64 // above every node
)

func node(tok model.Tokens, rank int) uint64 { return uint64(tok)<<rankBits | uint64(rank) }

func nodeTokens(v uint64) Target { return Target(v >> rankBits) }

func nodeRank(v uint64) int32 { return int32(v & rankMask) }

func newMinTree(tok []model.Tokens) minTree {
	n := len(tok)
	t := make(minTree, 2*n)
	for k, v := range tok {
		t[n+k] = node(v, k)
	}
	for k := n - 1; k > 0; k-- {
		t[k] = min(t[2*k], t[2*k+1])
	}
	return t
}

// first is the least node of ranks from..to-1, noNode if there are none.
func (t minTree) first(from, to int32) uint64 {
	least := uint64(noNode)
	n := int32(len(t) / 2)
	for l, r := from+n, to+n; l < r; l, r = l>>1, r>>1 {
		if l&1 == 1 {
			least = min(least, t[l])
			l++
		}
		if r&1 == 1 {
			r--
			least = min(least, t[r])
		}
	}
	return least
}
