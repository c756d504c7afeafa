package slicer

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model/randomtest"
)

func TestRankAndPrefixAtEveryTarget(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 96))
	several := 0
	for round := range randomtest.Rounds(300, 1500, 3000) {
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
	if several < randomtest.Rounds(300, 1500, 3000) {
		t.Errorf("%d items under rank have several bands: the sets show nothing", several)
	}
}
