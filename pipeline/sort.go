package pipeline

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scratch"
	"cupelscope/pipeline/slicer"
)

// sort orders the survivors by score descending, ties in input order, and fills
// the columns of slicer.Input. See the Cupel specification, chapter Stage 4:
// Sort.
func (r *ranked) sort(survivors []int32) {
	n := len(survivors)
	keys := sortKeys.Lend(r.set.Len())
	defer keys.Return()
	if r.mates == nil {
		relay.SpreadEven(len(r.scores), func(from, to int) {
			for i, score := range r.scores[from:to] {
				keys.Of[from+i] = order.Key(score)
			}
		})
	} else {
		for _, item := range survivors {
			keys.Of[item] = order.Key(r.decides(item))
		}
	}
	items := slices.Clone(survivors)
	order.Sort(keys.Of, items)
	r.input = slicer.Input{
		Items:  items,
		Tokens: make([]model.Tokens, n),
		Scores: make([]float64, n),
		Kinds:  make([]uint32, n),

		KindNames: r.set.Kinds(),
	}
	r.position = slices.Repeat([]int32{-1}, r.set.Len())
	relay.SpreadEven(n, func(from, to int) {
		for k := from; k < to; k++ {
			r.position[items[k]] = int32(k)
		}
	})
	tokens := r.set.TokenColumn()
	// In input order, in which many ties stand side by side in the columns too.
	relay.SpreadEven(len(r.position), func(from, to int) {
		for item := from; item < to; item++ {
			if k := r.position[item]; k >= 0 {
				r.input.Tokens[k] = tokens[item]
				r.input.Scores[k] = r.scores[item]
				r.input.Kinds[k] = uint32(r.set.KindID(item))
			}
		}
	})
	r.deciding = r.input.Scores
	if r.mates != nil {
		r.sortPairs()
	}
}

// sortPairs fills the columns of candidates that are pairs.
func (r *ranked) sortPairs() {
	in := &r.input
	in.Double = make([]bool, in.Len())
	if r.inOrder {
		r.deciding = slices.Clone(in.Scores)
	}
	for k, item := range in.Items {
		mate := r.mates[item]
		if mate < 0 {
			continue
		}
		r.deciding[k] = r.decides(item)
		in.Double[k], in.Scores[k] = true, r.worth(item)
		in.Tokens[k] += r.set.Tokens(int(mate))
		in.Pairs++
		r.position[mate] = int32(k)
	}
}

// sortKeys are lent to sort.
var sortKeys scratch.Pool[uint64]
