package slicer

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

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
