package slicer

import (
	"math"

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
	// mostTokens stands for every count that no budget can hold.
	mostTokens = 1<<(64-rankBits) - 1
)

func node(tok model.Tokens, rank int) uint64 {
	return uint64(min(tok, mostTokens))<<rankBits | uint64(rank)&rankMask
}

func nodeTokens(v uint64) Target { return Target(v >> rankBits) }

func nodeRank(v uint64) int32 { return int32(v & rankMask) }

// minTree finds the node of any range of ranks in O(log n): a binary tree over
// blocks of ranks, whose own members are looked at one by one.
type minTree struct {
	tok    []model.Tokens
	blocks []uint64 // node of block k at len/2 + k, above it the lesser of each two
}

const blockBits = 4

func newMinTree(tok []model.Tokens) minTree {
	n := (len(tok) + 1<<blockBits - 1) >> blockBits
	t := minTree{tok, make([]uint64, 2*n)}
	for k := range n {
		t.blocks[n+k] = t.scan(k<<blockBits, min((k+1)<<blockBits, len(tok)))
	}
	for k := n - 1; k > 0; k-- {
		t.blocks[k] = min(t.blocks[2*k], t.blocks[2*k+1])
	}
	return t
}

// scan is the node of ranks from..to-1, looked at one by one.
func (t minTree) scan(from, to int) uint64 {
	if from >= to {
		return noNode
	}
	least, rank := t.tok[from], from
	for k, tok := range t.tok[from+1 : to] {
		if tok < least {
			least, rank = tok, from+1+k
		}
	}
	return node(least, rank)
}

// first is the node of ranks from..to-1, noNode if there are none.
func (t minTree) first(from, to int32) uint64 {
	const block = 1 << blockBits
	if to-from <= 2*block {
		return t.scan(int(from), int(to))
	}
	l, r := (from+block-1)>>blockBits, to>>blockBits
	least := min(t.scan(int(from), int(l)<<blockBits), t.scan(int(r)<<blockBits, int(to)))
	n := int32(len(t.blocks) / 2)
	for l, r = l+n, r+n; l < r; l, r = l>>1, r>>1 {
		if l&1 == 1 {
			least = min(least, t.blocks[l])
			l++
		}
		if r&1 == 1 {
			r--
			least = min(least, t.blocks[r])
		}
	}
	return least
}
