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
	for round := range randomtest.Rounds(400, 800, 4000) {
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

// TestFrontHoldsAllThatIsEverIn holds the candidates of a front to what the
// specification selects at every target of the front.
func TestFrontHoldsAllThatIsEverIn(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	dropped := 0
	for round := range randomtest.Rounds(150, 750, 1500) {
		in := randomInput(r, r.IntN(60), 1+r.Int64N(100), round%4 == 0, round%3 != 0)
		g := Greedy{}.Prepare(in).(*greedy)
		upTo := Target(r.IntN(400))
		reachable := NewSelection(nil, in.Len())
		for _, i := range g.frontOf(upTo).at {
			reachable.Add(int(i))
		}
		for i, tok := range in.Tokens {
			if tok > 0 && tok <= model.Tokens(upTo) && !reachable.Has(i) {
				dropped++
			}
		}
		for target := range upTo + 1 {
			sel := naiveGreedy(in, target)
			for i := range in.Len() {
				if sel.Has(i) && in.Tokens[i] > 0 && !reachable.Has(i) {
					t.Fatalf("round %d: position %d is in at %d of %d but not in the front, tokens %v, scores %v", round, i, target, upTo, in.Tokens, in.Scores)
				}
			}
		}
	}
	if dropped < randomtest.Rounds(100, 500, 1000) {
		t.Errorf("%d candidates left out that fit by themselves: the sets show nothing", dropped)
	}
}

func TestFrontOfARealisticSetIsSmall(t *testing.T) {
	in := realistic(20_000)
	if n := len((Greedy{}).Prepare(in).(*greedy).frontOf(32_000).at); n > 4000 {
		t.Errorf("%d of 20,000 candidates in the front for 32,000 tokens", n)
	}
}

// TestSliceAnswersTargetsInAnyOrder asks one prepared slicer for targets that
// rise and fall, and far beyond what a budget can hold.
func TestSliceAnswersTargetsInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	for range 300 {
		in := randomInput(r, r.IntN(40), 1<<r.IntN(42), false, true)
		g := Greedy{}.Prepare(in)
		for range 12 {
			target := Target(r.Int64N(1 << (1 + r.IntN(62))))
			got := musttest.Of(g.Slice(context.Background(), target, nil))(t)
			if want := naiveGreedy(in, target); !slices.Equal(got, want) {
				t.Fatalf("Slice(%d) is %b, want %b, tokens %v", target, got, want, in.Tokens)
			}
		}
	}
}

func TestRankAndPrefixAtEveryTarget(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 96))
	several := 0
	for round := range randomtest.Rounds(300, 600, 3000) {
		in := mixedInput(r, r.IntN(24), 1+r.Int64N(20), round%4 == 0)
		sum := Target(tokensOf(in, allOf(in)))
		for _, s := range []Slicer{Rank{}, Prefix{}} {
			p := s.Prepare(in)
			naive := naiveRank
			_, stops := s.(Prefix)
			if stops {
				naive = naivePrefix
			}
			for target := Target(-1); target <= sum+2; target++ {
				if got, want := must(p.Slice(context.Background(), target, nil)), naive(in, target); !slices.Equal(got, want) {
					t.Fatalf("%T at %d of %v: %b, want %b", s, target, in.Tokens, got, want)
				}
			}
			for _, upTo := range []Target{0, 1, Target(r.Int64N(int64(sum) + 1)), sum, sum + 1 + Target(r.IntN(30))} {
				profile := profileOf(t, p, upTo)
				checkProfile(t, in, p, profile, upTo)
				for i := range in.Len() {
					bands := len(profile.Bands(nil, i))
					if bands > 1 && stops {
						t.Fatalf("prefix has %d bands for %v", bands, in.Tokens)
					}
					several += max(0, bands-1)
				}
			}
		}
	}
	if several < randomtest.Rounds(300, 600, 3000) {
		t.Errorf("%d items under rank have several bands: the sets show nothing", several)
	}
}
