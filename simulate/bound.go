package simulate

import (
	"math"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scratch"
	"cupelscope/pipeline/slicer"
)

// Bound is an upper limit on the value of any selection: Dantzig's bound of
// the knapsack problem. It fills the room in order of density and takes a part
// of the item that no longer fits; whole items can never be worth more (G. B.
// Dantzig, Discrete-Variable Extremum Problems, 1957).
//
// The bound holds for every slicer that is not obliged to take items. Items
// whose score is not above 0 never raise a value and are left out. Items with
// an infinite score are left out too, so the bound limits the value of finite
// items; so are items that are larger than the largest target. A Bound is
// immutable and safe for concurrent use.
type Bound struct {
	upTo   slicer.Target
	free   float64        // value of the items that cost nothing
	tokens []model.Tokens // running sums in density order, from 0
	values []float64
}

// NewBound prepares the bound for a ranking at every target up to upTo, in O(n).
func NewBound(r *pipeline.Ranking, upTo slicer.Target) *Bound { return newBound(r.Input(), upTo) }

func newBound(in *slicer.Input, upTo slicer.Target) *Bound {
	if in.Cuts != nil {
		in = steepest(in, upTo)
	}
	b := &Bound{upTo: upTo}
	lent := densityKeys.Lend(in.Len())
	defer lent.Return()
	for i, score := range in.Scores {
		lent.Of[i] = math.MaxUint64 // left out
		switch {
		case !(score > 0) || math.IsInf(score, 1) || in.Tokens[i] > model.Tokens(upTo):
		case in.Tokens[i] == 0:
			b.free += score
		default:
			lent.Of[i] = order.Key(score / float64(in.Tokens[i]))
		}
	}
	b.tokens, b.values = make([]model.Tokens, 1), make([]float64, 1)
	for k, i := range order.Sorted(lent.Of) {
		if lent.Of[i] == math.MaxUint64 || b.tokens[k] >= model.Tokens(upTo) {
			break
		}
		b.tokens = append(b.tokens, b.tokens[k]+in.Tokens[i])
		b.values = append(b.values, b.values[k]+in.Scores[i])
	}
	return b
}

// steepest returns an Input with the same fractional bound as the candidates of in, in their
// sizes up to upTo. It has the steps of the least concave curve over the sizes of each
// candidate, the steepest first. A step stands for the tokens and the worth that a size has
// more than the smaller one before it.
func steepest(in *slicer.Input, upTo slicer.Target) *slicer.Input {
	steps := &slicer.Input{}
	add := func(tokens model.Tokens, score float64) {
		steps.Items = append(steps.Items, int32(steps.Len()))
		steps.Tokens, steps.Scores = append(steps.Tokens, tokens), append(steps.Scores, score)
	}
	for i, whole := range in.Tokens {
		if whole == 0 { // an item without tokens has no sizes
			add(0, in.Scores[i])
			continue
		}
		var tokens model.Tokens
		var score float64
		from, to, _ := in.CutsOf(i)
		for {
			best, slope := -1, 0.0
			for at := from; at <= to; at++ {
				pos := at
				if at == to {
					pos = i
				}
				if t := in.TokensAt(pos); t > tokens && t <= model.Tokens(upTo) {
					if s := (in.ScoreAt(pos) - score) / float64(t-tokens); s > slope {
						best, slope = pos, s
					}
				}
			}
			if best < 0 {
				break // nothing larger fits, or is worth more
			}
			add(in.TokensAt(best)-tokens, in.ScoreAt(best)-score)
			tokens, score = in.TokensAt(best), in.ScoreAt(best)
		}
	}
	return steps
}

// densityKeys lends newBound the memory for its keys.
var densityKeys scratch.Pool[uint64]

// At returns the bound at an effective target, in O(log n). It is 0 for a
// target of 0 or less, because nothing is selected there, and a target above
// the one given to NewBound counts as that one.
func (b *Bound) At(t slicer.Target) float64 {
	if t = min(t, b.upTo); t <= 0 {
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
