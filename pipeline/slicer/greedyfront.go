package slicer

import (
	"math"
	"math/bits"
	"slices"

	"cupelscope/model"
	"cupelscope/model/relay"
)

// Of a large set only a small part can be in at any target up to some limit.
//
// Let i be considered before j and be no larger. If i is not in, then the room left when i
// was considered was below its size. The room left for j is no larger, so j is
// not in either. So j is in only if all such i are in as well; see reach. Of 100,000
// items of median size 300 one in twenty remains for a limit of 128,000.

// front has every candidate with tokens that can be in at a target up to upTo, and some that
// cannot. Columns are by rank in the order in which candidates are considered: for Greedy by
// density.
type front struct {
	upTo Target
	at   []int32        // position in the Input
	tok  []model.Tokens // > 0
	min  []uint64       // the smallest of tok from here on, as a node; one more element, noNode

	// The others are for profiles; see whole, and sized.front.
	minima minima
	wheels
}

// frontAbove returns a front for t or more. Targets that creep up do not make
// one each: a new front reaches to the next power of two.
func (g *greedy) frontAbove(t Target) *front {
	f := g.last.Load()
	if f == nil || f.upTo < t {
		f = g.frontOf(1<<bits.Len64(uint64(t)) - 1)
		g.last.Store(f)
	}
	return f
}

// frontOf takes O(n). It sorts the densest candidates first: what they leave of the others is
// mostly little, and only that is sorted too.
func (g *greedy) frontOf(upTo Target) *front {
	f := &front{upTo: upTo}
	earlier := newReach(model.Tokens(upTo))
	last, n := g.dense(model.Tokens(upTo)), len(g.keys)
	for _, dense := range [...]bool{true, false} {
		var parts [32][]int32 // all processors share them
		largest := earlier.largest()
		relay.Spread(len(parts), func(int) int { return 4 * n / len(parts) }, func(from, to int) {
			for part := from; part < to; part++ {
				for i := n * part / len(parts); i < n*(part+1)/len(parts); i++ {
					if tok := g.in.Tokens[i]; (g.keys[i] <= last) == dense && tok > 0 && tok <= largest {
						parts[part] = append(parts[part], int32(i))
					}
				}
			}
		})
		some := slices.Concat(parts[:]...)
		sortDensest(g.keys, some)
		f.at, f.tok = slices.Grow(f.at, len(some)), slices.Grow(f.tok, len(some))
		for _, i := range some {
			if tok := g.in.Tokens[i]; earlier.leaves(tok) {
				earlier.add(tok, tok)
				f.at, f.tok = append(f.at, i), append(f.tok, tok)
			}
		}
	}
	f.findMin(f.tok)
	return f
}

// dense returns a key up to which candidates have about four times the limit in tokens. That
// many leave few of the others, and fewer would leave most.
func (g *greedy) dense(limit model.Tokens) uint64 {
	var some []int32
	step := 1 + len(g.keys)/1024
	for i := 0; i < len(g.keys); i += step {
		some = append(some, int32(i))
	}
	sortDensest(g.keys, some)
	tokens := 0.0
	for _, i := range some {
		if tokens += float64(g.in.Tokens[i]) * float64(step); tokens > 4*float64(limit) {
			return g.keys[i]
		}
	}
	return math.MaxUint64
}

// whole readies a front for a profile of candidates each of which is whole: every rank is a
// wheel of one position.
func (f *front) whole() {
	f.begin, f.of = positions(len(f.tok)), make([]wheel, len(f.tok))
	for k := range f.of {
		f.of[k] = wheel{never, int32(k)}
	}
	f.notes, f.minima = int32(len(f.tok)), newMinima(f.tok)
}

// findMin fills min: O(n).
func (f *front) findMin(tok []model.Tokens) {
	f.min = make([]uint64, len(tok)+1)
	f.min[len(tok)] = noNode
	for k := len(tok) - 1; k >= 0; k-- {
		f.min[k] = min(f.min[k+1], node(tok[k], k))
	}
}
