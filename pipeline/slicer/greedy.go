package slicer

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/pipeline/order"
)

// Greedy goes through the candidates by density, which is score per token, the
// densest first, and takes each one that still fits. It takes all candidates
// without tokens. See the Cupel specification, chapter GreedySlice.
//
// Candidates of equal density are taken in sorted order: the higher score first,
// and of equal scores the one that comes first in the input.
type Greedy struct{}

// Traits implements Slicer.
func (Greedy) Traits() Traits {
	byDensity := func(score float64, tokens model.Tokens) uint64 { return order.Key(density(score, tokens)) }
	return Traits{Sizes: true, Key: byDensity}
}

// Prepare computes the densities in O(n). The result sorts them when it is asked
// for a target, because only few candidates can be in at a small target.
func (Greedy) Prepare(in *Input) Prepared {
	g := &greedy{sized: sized{in: in, phase: ByDensity, least: sync.OnceValue(in.least), keys: make([]uint64, in.Len())}}
	g.order = sync.OnceValue(func() []int32 { return order.Sorted(g.keys) })
	relay.SpreadEven(in.Len(), func(from, to int) {
		for i := from; i < to; i++ {
			g.keys[i] = order.Key(density(in.Scores[i], in.Tokens[i]))
		}
	})
	for i, t := range in.Tokens {
		if t == 0 {
			g.free = append(g.free, int32(i))
		}
	}
	if in.Cuts != nil {
		return &g.sized
	}
	return g
}

// density returns the key that Greedy sorts by: score divided by tokens. It is
// the largest float64 if tokens is 0, and -Inf if score is NaN.
func density(score float64, tokens model.Tokens) float64 {
	switch {
	case tokens == 0:
		return math.MaxFloat64
	case score != score:
		return math.Inf(-1)
	}
	return score / float64(tokens)
}

// sortDensest sorts positions, which ascend, by their density keys, the densest first. It
// decides ties: the sort is stable, so equal densities keep the order of the Input, which is
// sorted by score.
func sortDensest(keys []uint64, positions []int32) { order.Sort(keys, positions) }

// greedy is an Input with its densities.
type greedy struct {
	sized
	last atomic.Pointer[front] // of the first profile, or the last that frontAbove made
}

// Slice implements Prepared: one pass over the front that ends as soon as
// nothing that follows fits. The first call for a target larger than all before
// makes a front for at least that target in O(n).
func (g *greedy) Slice(_ context.Context, t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, g.in.Len())
	if t <= 0 {
		return dst, nil
	}
	for _, p := range g.free {
		dst.Add(int(p))
	}
	f := g.frontAbove(t)
	room := model.Tokens(t)
	for k, tok := range f.tok {
		if tok <= room {
			room -= tok
			dst.Add(int(f.at[k]))
		} else if nodeTokens(f.min[k]) > Target(room) {
			break
		}
	}
	return dst, nil
}

// Out implements Prepared.
func (g *greedy) Out(t Target, sel Selection) func(at int, left bool) Step {
	return g.in.outAfter(g.phase, t, sel, g.keys)
}

// freeFirst reports whether the items without tokens come before all
// others, by position: whether nothing else is as dense as they are.
func (g *greedy) freeFirst() bool {
	free := order.Key(math.MaxFloat64)
	for i, key := range g.keys {
		if key <= free && g.in.Tokens[i] > 0 {
			return false
		}
	}
	return true
}
