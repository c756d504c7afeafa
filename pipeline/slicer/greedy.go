package slicer

import (
	"math"
	"sync"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// Greedy takes items by density, score per token, the densest first: each one
// that still fits. Items without tokens are always in. Cupel specification,
// chapter GreedySlice.
type Greedy struct{}

var _ Slicer = Greedy{}

// Prepare sorts by density: O(n).
func (Greedy) Prepare(in *Input) Prepared {
	g := &greedy{in: in}
	keys := make([]uint64, 0, in.Len())
	with := make([]int32, 0, in.Len()) // positions with tokens
	for i, t := range in.Tokens {
		if t == 0 {
			// Their density is the largest there is, but as they take no room
			// it does not matter when they are met.
			g.free = append(g.free, int32(i))
			continue
		}
		keys = append(keys, order.Key(Density(in.Scores[i], t)))
		with = append(with, int32(i))
	}
	perm := order.Sorted(keys)
	g.at = make([]int32, len(perm))
	g.tok = make([]model.Tokens, len(perm))
	for k, p := range perm {
		g.at[k] = with[p]
		g.tok[k] = in.Tokens[with[p]]
	}
	g.least = make([]uint64, len(perm)+1)
	g.least[len(perm)] = noNode
	for k := len(perm) - 1; k >= 0; k-- {
		g.least[k] = min(g.least[k+1], node(g.tok[k], k))
	}
	return g
}

// Density is what Greedy sorts by: score per token; the largest float64 for an
// item without tokens, and -Inf for a score that is not a number.
func Density(score float64, tokens model.Tokens) float64 {
	switch {
	case tokens == 0:
		return math.MaxFloat64
	case math.IsNaN(score):
		return math.Inf(-1)
	}
	return score / float64(tokens)
}

// greedy is an Input in density order. Columns are by rank in that order and
// hold the items with tokens only.
type greedy struct {
	in    *Input
	at    []int32        // position in the Input
	tok   []model.Tokens // > 0
	least []uint64       // the smallest of tok from here on, as a node; one more element, noNode
	free  []int32        // positions without tokens, ascending

	once sync.Once
	tree minTree // made on the first Profile
}

var (
	_ Prepared = (*greedy)(nil)
	_ Profiler = (*greedy)(nil)
)

// Slice implements Prepared: one pass that ends as soon as nothing that
// follows fits.
func (g *greedy) Slice(t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, g.in.Len())
	if t <= 0 {
		return dst, nil
	}
	for _, p := range g.free {
		dst.Add(int(p))
	}
	room := model.Tokens(t)
	for k, tok := range g.tok {
		if tok <= room {
			room -= tok
			dst.Add(int(g.at[k]))
		} else if nodeTokens(g.least[k]) > Target(room) {
			break
		}
	}
	return dst, nil
}
