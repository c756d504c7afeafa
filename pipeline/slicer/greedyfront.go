package slicer

import (
	"math"
	"math/bits"
	"sync"

	"cupelscope/model"
)

// Of a large set only a small part can be in at any target up to some limit,
// and only that part needs to be sorted by density.
//
// Let i be denser than j and no larger. If i is not in, then the room left when i
// was considered was below its size. The room left for j is no larger, so j is
// not in either. So j is in only if all such i are in as well, which takes
//
//	size(j) + the sum of size(i) over denser i with size(i) <= size(j)
//
// If that exceeds the limit, j can be ignored. A lower bound of the sum is
// enough: sizes are classed by powers of two and densities by sixteenths of an
// octave, and only the classes wholly before that of j are added up. Of 100,000
// items of median size 300 one in twenty remains for a limit of 128,000.

// front is every candidate with tokens that can be in at a target up to upTo
// (and some that cannot), in the order in which they are considered: for Greedy by
// density. Columns are by rank in that order.
// It is immutable but for what is made on the first Profile.
type front struct {
	upTo Target
	at   []int32        // position in the Input
	tok  []model.Tokens // > 0
	min  []uint64       // the smallest of tok from here on, as a node; one more element, noNode

	once   sync.Once
	minima minima
	wheels *wheels // nil: every candidate is whole
}

// everyTarget is the limit of a front of all candidates.
const everyTarget Target = math.MaxInt64

// frontAbove returns a front for t or more. Targets that creep up do not make
// one each: a new front reaches to the next power of two.
func (g *greedy) frontAbove(t Target) *front {
	if f := g.maxItem.Load(); f != nil && f.upTo >= t {
		return f
	}
	if t > Target(model.MaxTokens) {
		return g.keep(g.newFront(everyTarget))
	}
	return g.keep(g.newFront(1<<bits.Len64(uint64(t)) - 1))
}

// frontFor returns a front for upTo that is not much larger than it need be.
func (g *greedy) frontFor(upTo Target) *front {
	if f := g.maxItem.Load(); f != nil && f.upTo >= upTo && f.upTo/2 <= upTo {
		return f
	}
	return g.keep(g.newFront(upTo))
}

// keep remembers f if it answers more than what is remembered, and returns f.
func (g *greedy) keep(f *front) *front {
	for old := g.maxItem.Load(); old == nil || old.upTo < f.upTo; old = g.maxItem.Load() {
		if g.maxItem.CompareAndSwap(old, f) {
			break
		}
	}
	return f
}

// newFront costs a pass or two over all candidates and a sort of those left.
func (g *greedy) newFront(upTo Target) *front {
	f := &front{upTo: upTo, at: g.frontAt(upTo)}
	f.tok = make([]model.Tokens, len(f.at))
	for k, i := range f.at {
		f.tok[k] = g.in.Tokens[i]
	}
	f.findMin(f.tok)
	return f
}

// frontAt returns the positions of a front, the densest first.
func (g *greedy) frontAt(upTo Target) []int32 {
	var with []int32
	if g.in.Len() < maxFewItems {
		with = g.smaller(model.Tokens(upTo))
	} else {
		with = g.reachable(upTo)
	}
	keys := make([]uint64, len(with))
	for k, i := range with {
		keys[k] = g.keys[i]
	}
	at := densestFirst(keys)
	for k, p := range at {
		at[k] = with[p]
	}
	return at
}

// findMin fills least: O(n).
func (f *front) findMin(tok []model.Tokens) {
	f.min = make([]uint64, len(tok)+1)
	f.min[len(tok)] = noNode
	for k := len(tok) - 1; k >= 0; k-- {
		f.min[k] = min(f.min[k+1], node(tok[k], k))
	}
}

// Densities are classed by the upper bits of their keys, 16 classes an octave,
// from the best one 32 octaves down; the last class takes all the rest.
const (
	densityClasses = 512
	densityShift   = 52 - 4
)

func (g *greedy) densityClass(i int) int {
	return int(min((g.keys[i]-g.best)>>densityShift, densityClasses-1))
}

// maxFewItems is where sorting all items costs less than the classes do, which are
// cleared and added up whatever the number of items.
const maxFewItems = 1024

// reachable lists the positions that newFront has to sort, ascending: O(n).
func (g *greedy) reachable(upTo Target) []int32 {
	limit := model.Tokens(upTo)
	if upTo > Target(model.MaxTokens) || g.in.Len() > model.MaxItems {
		return g.smaller(math.MaxInt64) // sums might not fit an int64
	}
	sizes := bits.Len64(uint64(limit)) + 1 // classes: the number of bits
	sums := make([]model.Tokens, sizes*densityClasses)
	for i, tok := range g.tok {
		if tok > 0 && tok <= limit {
			sums[bits.Len64(uint64(tok))*densityClasses+g.densityClass(i)] += tok
		}
	}
	// smaller[d] is the sum of the smaller sizes in density class d; an item
	// of the current size needs all of them that are in better classes.
	var smaller [densityClasses]model.Tokens
	last := make([]int, sizes) // by size: the last density class that can be in
	for size := 1; size < sizes; size++ {
		need := model.Tokens(1) << (size - 1)
		for last[size] = 0; last[size] < densityClasses-1; last[size]++ {
			if need += smaller[last[size]]; need > limit {
				break
			}
		}
		for d, sum := range sums[size*densityClasses : (size+1)*densityClasses] {
			smaller[d] += sum
		}
	}
	var with []int32
	for i, tok := range g.tok {
		if tok > 0 && tok <= limit && g.densityClass(i) <= last[bits.Len64(uint64(tok))] {
			with = append(with, int32(i))
		}
	}
	return with
}

// smaller lists the positions with 1 to limit tokens, ascending.
func (g *greedy) smaller(limit model.Tokens) []int32 {
	with := make([]int32, 0, g.in.Len()-len(g.free))
	for i, tok := range g.tok {
		if tok > 0 && tok <= limit {
			with = append(with, int32(i))
		}
	}
	return with
}
