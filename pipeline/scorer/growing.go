package scorer

import (
	"context"
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
	// Scorer.Score sets for it, in O(1) for each.
	Score(list []int32, dst []float64)
}

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

// ratesAlone reports whether the score of an item does not depend on the other items.
func ratesAlone(s Scorer, set *model.Set) bool {
	switch s := s.(type) {
	case Kind, Tag, Reflexive, MetadataTrust, MetadataKey:
		return true
	case Power:
		return ratesAlone(s.inner, set)
	case Frequency:
		for i := range set.Len() {
			if len(set.Loaded(i).Tags) > 0 {
				return false
			}
		}
		return true
	}
	return false
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

func (g *growingColumn) Score(list []int32, dst []float64) {
	for i, k := range list {
		dst[i] = g.scores[k]
	}
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

func (g growingSum) Score(list []int32, dst []float64) {
	column := columns.Lend(len(list))
	defer column.Return()
	clear(dst)
	for i, p := range g.parts {
		p.Score(list, column.Of)
		accumulate(dst, g.weights[i], column.Of)
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

func (g *growingRank) Score(list []int32, dst []float64) {
	others := float64(len(g.keys) - 1)
	for i, k := range list {
		switch place := g.have[k]; {
		case place < 0:
			dst[i] = 0
		case len(g.keys) == 1:
			dst[i] = 1
		default:
			dst[i] = float64(g.lower[place]) / others
		}
	}
}
