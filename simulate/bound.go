package simulate

import (
	"math"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/slicer"
)

// Bound is an upper limit on the value of any selection: Dantzig's bound of
// the knapsack problem. It fills the room in order of density and takes a part
// of the item that no longer fits; whole items can never be worth more (G. B.
// Dantzig, Discrete-Variable Extremum Problems, 1957).
//
// The bound holds for every slicer that is not obliged to take items. Items
// whose score is not above 0 never raise a value and are left out. Items with
// an infinite score are left out too, so the bound limits the value of the
// others. A Bound is immutable and safe for concurrent use.
type Bound struct {
	free   float64        // value of the items that cost nothing
	tokens []model.Tokens // running sums in density order, from 0
	values []float64
}

// NewBound prepares the bound for a ranking, in O(n).
func NewBound(r *pipeline.Ranking) *Bound { return newBound(r.Input()) }

func newBound(in *slicer.Input) *Bound {
	b := &Bound{}
	var at []int32
	var densities []float64
	for i, score := range in.Scores {
		switch {
		case !(score > 0) || math.IsInf(score, 1):
		case in.Tokens[i] == 0:
			b.free += score
		default:
			at = append(at, int32(i))
			densities = append(densities, score/float64(in.Tokens[i]))
		}
	}
	b.tokens, b.values = make([]model.Tokens, 1, len(at)+1), make([]float64, 1, len(at)+1)
	for k, p := range order.Descending(densities) {
		i := at[p]
		b.tokens = append(b.tokens, b.tokens[k]+in.Tokens[i])
		b.values = append(b.values, b.values[k]+in.Scores[i])
	}
	return b
}

// At returns the bound at an effective target, in O(log n). It is 0 for a
// target of 0 or less, because nothing is selected there.
func (b *Bound) At(t slicer.Target) float64 {
	if t <= 0 {
		return 0
	}
	k := sort.Search(len(b.tokens), func(k int) bool { return b.tokens[k] > model.Tokens(t) }) - 1
	value := b.free + b.values[k]
	if k+1 < len(b.tokens) {
		part := float64(model.Tokens(t)-b.tokens[k]) / float64(b.tokens[k+1]-b.tokens[k])
		value += part * (b.values[k+1] - b.values[k])
	}
	return value
}
