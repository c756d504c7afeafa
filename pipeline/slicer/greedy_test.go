package slicer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
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
		slices.SortStableFunc(in.Scores, func(a, b float64) int {
			switch {
			case a > b, math.IsNaN(b) && !math.IsNaN(a):
				return -1
			case a < b, math.IsNaN(a) && !math.IsNaN(b):
				return 1
			}
			return 0
		})
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

// What greedy and a knapsack select is what their chapters say, and no more than the target.
func TestSlicersSelectAsSpecified(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range randomtest.Rounds(400, 2000, 4000) {
		in := randomInput(r, r.IntN(80), 1+r.Int64N(60), round%2 == 0, round%3 != 0)
		bucket := randomtest.Pick[model.Tokens](r, 1, 2, 3, 7, 10)
		for _, c := range []struct {
			slicer    Slicer
			specified func(in *Input, target Target) Selection
		}{
			{Greedy{}, naiveGreedy},
			{Knapsack{Bucket: bucket}, func(in *Input, target Target) Selection { return naiveKnapsack(in, bucket, target) }},
		} {
			p := c.slicer.Prepare(in)
			for range 5 {
				target := Target(r.Int64N(900) - 5)
				got := musttest.Of(p.Slice(context.Background(), target, nil))(t)
				if want := c.specified(in, target); !slices.Equal(got, want) {
					t.Fatalf("round %d, %#v, target %d: %b, want %b\ntokens %v\nscores %v", round, c.slicer, target, got, want, in.Tokens, in.Scores)
				}
				if used := tokensOf(in, got); used > model.Tokens(max(target, 0)) {
					t.Fatalf("round %d, %#v: %d tokens selected for a target of %d", round, c.slicer, used, target)
				}
			}
		}
	}
}
