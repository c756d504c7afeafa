package slicer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/randomtest"
)

// mixedInput is a random Input as a pipeline hands it over: sorted by score,
// the items in any order of the set, of a few kinds.
func mixedInput(r *rand.Rand, n int, largest int64, wild bool) *Input {
	in := randomInput(r, n, largest, wild, true)
	in.KindNames = []model.Kind{"Message", "Document", "Memory", "other"}
	kinds := 1 + r.IntN(4)
	for i, item := range r.Perm(2 * n)[:n] {
		in.Items[i] = int32(item)
		in.Kinds[i] = uint32(r.IntN(kinds))
	}
	return in
}

func TestStreamProfileIsSliceAtEveryTarget(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	shut, targets := 0, 0
	for round := range randomtest.Rounds(600, 3000, 6000) {
		in := mixedInput(r, r.IntN(24), 1+r.Int64N(20), round%4 == 0)
		if round%3 == 0 { // many without tokens
			for i := range in.Tokens {
				if r.IntN(2) == 0 {
					in.Tokens[i] = 0
				}
			}
		}
		p := Stream{1 + r.IntN(6)}.Prepare(in)
		sum := Target(tokensOf(in, allOf(in)))
		for _, upTo := range []Target{0, 1, Target(r.Int64N(int64(sum) + 1)), sum, sum + 1 + Target(r.IntN(30))} {
			profile := profileOf(t, p, upTo)
			checkProfile(t, in, p, profile, upTo)
			targets += int(upTo) + 1
			for i, tok := range in.Tokens {
				if tok == 0 && len(profile.Bands(nil, i)) > 1 {
					shut++
				}
			}
		}
	}
	t.Logf("%d targets compared", targets)
	if shut < randomtest.Rounds(600, 3000, 6000) {
		t.Errorf("only %d items without tokens come and go: the sets test no gates", shut)
	}
}

func TestStreamFrontLeavesOutMostOfALargeSet(t *testing.T) {
	in := realistic(100_000)
	for i, item := range rand.New(rand.NewPCG(55, 56)).Perm(len(in.Items)) {
		in.Items[i] = int32(item)
	}
	s := Stream{32}.Prepare(in).(*stream)
	f, _ := s.front(128_000)
	if len(f.at) > 20_000 {
		t.Errorf("%d of 100,000 candidates are left for 128,000 tokens", len(f.at))
	}
	if !slices.IsSortedFunc(f.at, func(a, b int32) int { return int(in.Items[a]/32) - int(in.Items[b]/32) }) {
		t.Error("the front is not in the order of the batches")
	}
}
