package scorer

import (
	"context"
	"math"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// Growing rates a list that grows at its end, as a conversation does, without
// rating all of it anew.
type Growing interface {
	// Grow adds items at the end of the list. It reports whether the score of any item that
	// was there may have risen. It costs O(items), or a sort of the list if it returns true.
	Grow(items []int32) (rose bool)
	// Score sets dst[i] to the score of item list[i] of the list, bit for bit what
	// Scorer.Score sets for it, in O(1) for each. Without is an item of the list that is
	// scored as if it were not there, or None.
	Score(list []int32, without int32, dst []float64)
	// Range sets low[i] and high[i] to scores between which the score of item list[i] is,
	// whichever other item is left out.
	Range(list []int32, low, high []float64)
}

// None is no item, for Growing.Score.
const None = -1

// Grow returns a scorer's Growing for the items of a set, of an empty list. It returns false
// if the scorer has none: Scaled, one that is not of this package, Frequency where items have
// tags, and Decay, whose reference time moves on as a list grows.
func Grow(s Scorer, set *model.Set) (Growing, bool) {
	switch s := s.(type) {
	case Recency:
		return &growingRank{keyOf: s.keys(set)}, true
	case Priority:
		return &growingRank{keyOf: s.keys(set)}, true
	case *Composite:
		g := growingSum{weights: make([]float64, len(s.parts)), parts: make([]Growing, len(s.parts))}
		for i, p := range s.parts {
			part, ok := Grow(p.Scorer, set)
			if !ok {
				return nil, false
			}
			g.weights[i], g.parts[i] = p.Weight, part
		}
		return g, true
	}
	return &growingColumn{scorer: s, set: set}, ratesAlone(s, set)
}

// RatesAlone reports whether the score of an item is known not to depend on which other items
// are in the list.
func RatesAlone(s Scorer, set *model.Set) bool {
	switch s := s.(type) {
	case Decay:
		return true
	case Frequency: // to look for tags takes longer than to score
		return false
	case *Composite:
		return !slices.ContainsFunc(s.parts, func(p Part) bool { return !RatesAlone(p.Scorer, set) })
	}
	return ratesAlone(s, set)
}

// loner is a scorer that may rate each item of a set without looking at the others. Any other
// scorer does look, as far as is known.
type loner interface{ ratesAlone(set *model.Set) bool }

func ratesAlone(s Scorer, set *model.Set) bool {
	l, ok := s.(loner)
	return ok && l.ratesAlone(set)
}

// growingColumn has the scores of items that do not depend on each other.
type growingColumn struct {
	scorer Scorer
	set    *model.Set
	scores []float64
}

func (g *growingColumn) Grow(items []int32) bool {
	before := len(g.scores)
	g.scores = slices.Grow(g.scores, len(items))[:before+len(items)]
	// The only error is the context's.
	_ = g.scorer.Score(context.Background(), List{g.set, items}, g.scores[before:])
	return false
}

func (g *growingColumn) Score(list []int32, _ int32, dst []float64) {
	for i, k := range list {
		dst[i] = g.scores[k]
	}
}

func (g *growingColumn) Range(list []int32, low, high []float64) {
	g.Score(list, None, low)
	copy(high, low)
}

// growingSum is the weighted sum of a Composite.
type growingSum struct {
	weights []float64
	parts   []Growing
}

func (g growingSum) Grow(items []int32) (rose bool) {
	for _, p := range g.parts {
		rose = p.Grow(items) || rose
	}
	return rose
}

func (g growingSum) Score(list []int32, without int32, dst []float64) {
	column := columns.Lend(len(list))
	defer column.Return()
	clear(dst)
	for i, p := range g.parts {
		p.Score(list, without, column.Of)
		accumulate(dst, g.weights[i], column.Of)
	}
}

// Range adds up the ends: rounding keeps the order of sums.
func (g growingSum) Range(list []int32, low, high []float64) {
	least, most := columns.Lend(len(list)), columns.Lend(len(list))
	defer least.Return()
	defer most.Return()
	clear(low)
	clear(high)
	for i, p := range g.parts {
		p.Range(list, least.Of, most.Of)
		accumulate(low, g.weights[i], least.Of)
		accumulate(high, g.weights[i], most.Of)
	}
}

// growingRank is the share of the other items with a key that have a lower one; see rank.
// The number of lower keys stays while no lower one comes, and the others become more.
type growingRank struct {
	keyOf func(item int) (uint64, bool)
	have  []int32  // by item of the list: its place in keys, or -1
	keys  []uint64 // of the items that have one
	lower []int32  // by place in keys: how many are lower
	last  int      // the place of the highest key
}

func (g *growingRank) Grow(items []int32) (rose bool) {
	for _, item := range items {
		key, ok := g.keyOf(int(item))
		if !ok {
			g.have = append(g.have, -1)
			continue
		}
		n := len(g.keys)
		g.have, g.keys, g.lower = append(g.have, int32(n)), append(g.keys, key), append(g.lower, int32(n))
		switch highest := g.keys[g.last]; {
		case key == highest && n > 0:
			g.lower[n] = g.lower[g.last]
		case key < highest:
			rose = true
			continue
		}
		g.last = n
	}
	if !rose {
		return false
	}
	lowest := 0 // the first of equal keys
	for i, p := range order.Sorted(g.keys) {
		if i == 0 || g.keys[p] != g.keys[g.last] {
			lowest = i
		}
		g.lower[p], g.last = int32(lowest), int(p)
	}
	return true
}

func (g *growingRank) Score(list []int32, without int32, dst []float64) {
	n, gone := len(g.keys), uint64(math.MaxUint64) // no key is above this one
	if without >= 0 && g.have[without] >= 0 {
		n, gone = n-1, g.keys[g.have[without]]
	}
	for i, k := range list {
		place := g.have[k]
		if place < 0 {
			dst[i] = 0
			continue
		}
		lower := g.lower[place]
		if gone < g.keys[place] {
			lower--
		}
		dst[i] = shareOf(lower, n)
	}
}

func (g *growingRank) Range(list []int32, low, high []float64) {
	n := len(g.keys)
	for i, k := range list {
		low[i], high[i] = 0, 0
		if place := g.have[k]; place >= 0 {
			lower := g.lower[place]
			low[i] = min(shareOf(lower, n), shareOf(lower-1, n-1))
			high[i] = shareOf(lower, n-1)
		}
	}
}

// shareOf is the score of an item with a key, of which there are n.
func shareOf(lower int32, n int) float64 {
	if n <= 1 {
		return 1
	}
	return float64(lower) / float64(n-1)
}
