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
	every := 1 + in.Len()/1024
	all := stepsOf(in, upTo, every, math.MaxUint64)
	if every > 1 { // the steps that a sample has for about four times the tokens are mostly enough
		last, tokens := uint64(math.MaxUint64), model.Tokens(0)
		for _, k := range all.order() {
			if tokens += all.tokens[k] * model.Tokens(every); tokens > 4*model.Tokens(upTo) {
				last = all.keys[k]
				break
			}
		}
		if all = stepsOf(in, upTo, 1, last); all.sum < model.Tokens(upTo) {
			all = stepsOf(in, upTo, 1, math.MaxUint64)
		}
	}
	b := &Bound{upTo: upTo, free: all.free, tokens: make([]model.Tokens, 1), values: make([]float64, 1)}
	for k, i := range all.order() {
		if b.tokens[k] >= model.Tokens(upTo) {
			break
		}
		b.tokens = append(b.tokens, b.tokens[k]+all.tokens[i])
		b.values = append(b.values, b.values[k]+all.scores[i])
	}
	return b
}

// steps is the steps of the least concave curves over the sizes of candidates, the steepest first of each. A
// step stands for the tokens and the worth that a size has more than the smaller one before it; one
// that is whole is one step.
type steps struct {
	keys   []uint64 // order.Key of the worth of a token
	tokens []model.Tokens
	scores []float64
	sum    model.Tokens // of all steps, or the largest target if that is less
	free   float64      // worth of what has no tokens
}

// stepsOf returns the steps of some candidates, those up to the key last.
func stepsOf(in *slicer.Input, upTo slicer.Target, every int, last uint64) *steps {
	s := &steps{}
	for i := 0; i < in.Len(); i += every {
		if in.Tokens[i] == 0 { // an item without tokens has no sizes
			if score := in.Scores[i]; score > 0 && !math.IsInf(score, 1) {
				s.free += score
			}
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
					more := in.ScoreAt(pos) - score
					if d := more / float64(t-tokens); d > slope || best < 0 && more > 0 {
						best, slope = pos, d
					}
				}
			}
			key := order.Key(slope)
			if best < 0 || key > last || math.IsInf(in.ScoreAt(best), 1) {
				break // nothing larger fits that is worth more, or as much as asked for
			}
			s.keys = append(s.keys, key)
			s.tokens, s.scores = append(s.tokens, in.TokensAt(best)-tokens), append(s.scores, in.ScoreAt(best)-score)
			s.sum = min(s.sum+in.TokensAt(best)-tokens, model.Tokens(upTo))
			tokens, score = in.TokensAt(best), in.ScoreAt(best)
		}
	}
	return s
}

// order returns the steps, the steepest first.
func (s *steps) order() []int32 { return order.Sorted(s.keys) }

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
