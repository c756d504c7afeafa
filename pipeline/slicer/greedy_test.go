package slicer

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
)

// randomInput makes n candidates with many ties and zero-token items. Wild
// scores are negative, infinite and NaN too; sorted is the order in which the
// pipeline hands them over.
func randomInput(r *rand.Rand, n int, largest int64, wild, sorted bool) *Input {
	in := &Input{}
	for i := range n {
		tok := model.Tokens(r.Int64N(largest + 1))
		if r.IntN(8) == 0 {
			tok = 0
		}
		score := float64(r.IntN(6)) / 5
		if r.IntN(3) == 0 {
			score = r.Float64()
		}
		if wild && r.IntN(3) == 0 {
			score = []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, math.Copysign(0, -1), 1e300, 0}[r.IntN(7)]
		}
		in.Items = append(in.Items, int32(i))
		in.Tokens = append(in.Tokens, tok)
		in.Scores = append(in.Scores, score)
		in.Kinds = append(in.Kinds, 0)
	}
	if sorted {
		slices.SortStableFunc(in.Scores, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	return in
}

func tokensOf(in *Input, sel Selection) (sum model.Tokens) {
	for i := range in.Positions() {
		if sel.Has(i) {
			sum += in.TokensAt(i)
		}
	}
	return sum
}

func TestFrontOfARealisticSetIsSmall(t *testing.T) {
	in := realistic(20_000)
	if n := len((Greedy{}).Prepare(in).(*greedy).frontOf(32_000).at); n > 4000 {
		t.Errorf("%d of 20,000 candidates in the front for 32,000 tokens", n)
	}
}

// What may be in behind others is all up to one size.
func TestReachLeavesAllUpToOneSize(t *testing.T) {
	c := rand.New(rand.NewPCG(71, 72))
	for range 2000 {
		r := newReach(model.Tokens(c.IntN(300)))
		for range c.IntN(8) {
			tok := model.Tokens(1 + c.IntN(90))
			r.add(tok, tok)
		}
		largest := r.largest()
		for tok := range model.Tokens(310) {
			if r.leaves(tok) != (tok <= largest) {
				t.Fatalf("%v: of %d tokens leaves is %v, the largest is %d", r, tok, r.leaves(tok), largest)
			}
		}
	}
}
