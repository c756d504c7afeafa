package slicer

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/randomtest"
)

// takenByScore is Rank, and with stops Prefix, as they are described.
func takenByScore(in *Input, t Target, stops bool) Selection {
	sel := NewSelection(nil, in.Len())
	if t <= 0 {
		return sel
	}
	room, stopped := model.Tokens(t), false
	for i, tokens := range in.Tokens {
		switch {
		case tokens == 0:
			sel.Add(i)
		case stopped:
		case tokens > room:
			stopped = stops
		default:
			sel.Add(i)
			room -= tokens
		}
	}
	return sel
}

func TestRankAndPrefixAtEveryTarget(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 96))
	several := 0
	for round := range randomtest.Rounds(300, 1500, 3000) {
		in := mixedInput(r, r.IntN(24), 1+r.Int64N(20), round%4 == 0)
		sum := Target(tokensOf(in, allOf(in)))
		for _, s := range []Slicer{Rank{}, Prefix{}} {
			p := s.Prepare(in)
			_, stops := s.(Prefix)
			for target := Target(-1); target <= sum+2; target++ {
				if got, want := must(p.Slice(context.Background(), target, nil)), takenByScore(in, target, stops); !slices.Equal(got, want) {
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

func TestRankAndPrefixOfLargeSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(97, 98))
	for range 100 {
		in := mixedInput(r, 1+r.IntN(12), 1<<38, false)
		for _, s := range []Slicer{Rank{}, Prefix{}} {
			_, stops := s.(Prefix)
			profile := profileOf(t, s.Prepare(in), 1<<40)
			for change, ok := profile.Next(0); ok; change, ok = profile.Next(change) {
				for _, target := range []Target{change - 1, change} {
					if got, want := profile.At(target, nil), takenByScore(in, target, stops); !slices.Equal(got, want) {
						t.Fatalf("%T at %d of %v: %b, want %b", s, target, in.Tokens, got, want)
					}
				}
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range []Slicer{Rank{}, Prefix{}} {
		if _, err := s.Prepare(inputOf(kinded{"a", 1, 1})).Profile(ctx, 10); !errors.Is(err, context.Canceled) {
			t.Errorf("%T, cancelled: %v", s, err)
		}
	}
}
