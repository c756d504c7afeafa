package slicer

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// withCuts gives candidates of an Input random sizes: of one token, with a note, worth more
// or less than their share of the tokens.
func withCuts(r *rand.Rand, in *Input) *Input {
	in.CutFrom = make([]int32, in.Len()+1)
	in.Cuts = []Cut{}
	for i, whole := range in.Tokens {
		last, size := whole, uint8(0)
		add := func(tokens model.Tokens, note bool) {
			worth := in.Scores[i] * float64(tokens) / float64(whole)
			switch {
			case note:
				worth = 0
			case r.IntN(6) == 0:
				worth = in.Scores[i] * r.Float64()
			}
			size, last = size+1, tokens
			in.Cuts = append(in.Cuts, Cut{Of: int32(i), Size: size, Note: note, Tokens: tokens, Score: worth})
		}
		for range r.IntN(4) {
			if last > 1 && r.IntN(3) > 0 {
				add(1+model.Tokens(r.Int64N(int64(last-1))), false)
			}
		}
		if last > 1 && r.IntN(2) == 0 {
			add(1+model.Tokens(r.Int64N(int64(min(last-1, 4)))), true)
		}
		in.CutFrom[i+1] = int32(len(in.Cuts))
	}
	return in
}

// Whole items and items in sizes are taken as the chapters say, at every target, and the profile
// and the steps are those of the selection.
func TestSlicersSelectAsSpecifiedAtEveryTarget(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 41))
	several := 0
	for round := range randomtest.Rounds(600, 7000) {
		var in *Input
		n, largest, wild := r.IntN(24), 1+r.Int64N(24), round%4 == 0
		switch round % 4 {
		case 0, 1:
			in = withCuts(r, randomInput(r, n/2, largest, wild, round%3 != 0))
		case 2:
			in = mixedInput(r, n, largest, round%8 == 2)
		default:
			in = randomInput(r, n, largest, false, round%3 != 0)
		}
		bucket, sum := randomtest.Pick[model.Tokens](r, 1, 1, 2, 3, 4, 7, 50), Target(tokensOf(in, allOf(in)))
		for _, c := range []struct {
			slicer Slicer
			naive  func(*Input, Target) Selection
		}{
			{Greedy{}, naiveGreedy}, {Rank{}, naiveRank}, {Prefix{}, naivePrefix},
			{Knapsack{Bucket: bucket}, func(in *Input, target Target) Selection { return naiveKnapsack(in, bucket, target) }},
		} {
			p := c.slicer.Prepare(in)
			upTo := randomtest.Pick(r, 0, 1, Target(r.Int64N(int64(sum)+1)), sum+Target(r.IntN(9)), sum, 2*sum+1+Target(r.IntN(30)))
			for target := Target(-1); target <= upTo; target++ {
				got := musttest.Of(p.Slice(t.Context(), target, nil))(t)
				if want := c.naive(in, target); !slices.Equal(got, want) {
					t.Fatalf("%#v at %d selects %b, want %b: tokens %v, scores %v, cuts %v", c.slicer, target, got, want, in.Tokens, in.Scores, in.Cuts)
				}
				if _, table := c.slicer.(Knapsack); !table && in.Cuts != nil {
					checkSizedSteps(t, in, p, target, got)
				}
			}
			profile := profileOf(t, c.slicer.Prepare(in), upTo)
			checkProfile(t, in, p, profile, upTo)
			for i := range in.Len() {
				bands := len(profile.Bands(nil, i))
				if _, stops := c.slicer.(Prefix); stops && in.Cuts == nil && bands > 1 {
					t.Fatalf("prefix has %d bands for %v", bands, in.Tokens)
				}
				several += max(0, bands-1)
			}
		}
	}
	if several < randomtest.Rounds(600, 7000) {
		t.Errorf("%d items have several bands: the sets show nothing", several)
	}
}

// checkSizedSteps holds steps to a selection: what is in after the last one of a position
// is selected, and each step begins with what the one before left.
func checkSizedSteps(t *testing.T, in *Input, p Prepared, target Target, sel Selection) {
	t.Helper()
	taken := NewSelection(nil, in.Positions())
	seen := NewSelection(nil, in.Len())
	var steps []Step
	musttest.Do(t, p.Steps(t.Context(), target, func(s Step) {
		if s.At < 0 {
			return
		}
		if s.Phase != Notes {
			steps = append(steps, s)
		}
		seen.Add(in.Whole(int(s.At)))
		taken.follow(s)
		if s.After > s.Left || s.After < 0 {
			t.Fatalf("a step leaves %d of %d", s.After, s.Left)
		}
	}))
	if !slices.Equal(taken, sel) || target > 0 && seen.Count() != in.Len() {
		t.Fatalf("the steps at %d select %b of %d candidates, want %b", target, taken, seen.Count(), sel)
	}
	if len(steps) > 0 {
		checkOut(t, steps, p.Out(target, sel))
	}
}

// Where scores are not negative and sizes are worth their share, more room is worth as much or
// more: what leaves is no denser than what enters and holds fewer tokens.
func TestGreedyNeverLosesWorth(t *testing.T) {
	r := rand.New(rand.NewPCG(59, 26))
	fell := false
	for round := range randomtest.Rounds(300, 3000) {
		in := randomInput(r, 1+r.IntN(60), 50, round%2 == 0, true)
		for i, s := range in.Scores {
			in.Scores[i] = math.Abs(s)
			if s != s || math.IsInf(s, 0) {
				in.Scores[i] = 1
			}
		}
		if round%4 < 2 {
			in = withCuts(r, in)
			for k, c := range in.Cuts {
				if !c.Note {
					in.Cuts[k].Score = in.Scores[c.Of] * float64(c.Tokens) / float64(in.Tokens[c.Of])
				}
			}
		}
		series := profileOf(t, Greedy{}.Prepare(in), Target(tokensOf(in, allOf(in)))).Series()
		for k := 1; k < len(series.Scores); k++ {
			if noise := 1e-9 * max(1, series.Scores[k]); series.Scores[k] < series.Scores[k-1]-noise {
				t.Fatalf("worth falls from %v to %v at %d, tokens %v, scores %v", series.Scores[k-1], series.Scores[k], series.Targets[k], in.Tokens, in.Scores)
			}
			fell = fell || series.Counts[k] < series.Counts[k-1]
		}
	}
	if !fell {
		t.Error("the count of items never falls either: these sets show nothing")
	}
}

// The bound of a row is the sharper the more candidates stand before it: of many in their
// share of worth, without notes, so that the profile is the walk over the table.
func TestKnapsackOfManyCandidatesInSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 18))
	for round := range randomtest.Rounds(20, 300) {
		in := randomInput(r, 20+r.IntN(30), 1+r.Int64N(300), false, true)
		if round%3 == 0 {
			in = withCuts(r, in)
			withoutNotes(in)
		} else {
			in = inThirds(in)
		}
		bucket := 1 + model.Tokens(r.IntN(30))
		upTo := Target(r.Int64N(40*int64(bucket)*int64(1+r.IntN(8))) + 9)
		p := Knapsack{Bucket: bucket}.Prepare(in)
		profile := profileOf(t, p, upTo)
		for range 12 {
			target := Target(r.Int64N(int64(upTo) + 1))
			want := naiveKnapsack(in, bucket, target)
			if got := musttest.Of(p.Slice(t.Context(), target, nil))(t); !slices.Equal(got, want) {
				t.Fatalf("at %d in buckets of %d: %b, want %b: tokens %v, scores %v, cuts %v", target, bucket, got, want, in.Tokens, in.Scores, in.Cuts)
			}
			if got := profile.At(target, nil); !slices.Equal(got, want) {
				t.Fatalf("profile at %d in buckets of %d: %b, want %b", target, bucket, got, want)
			}
		}
		checkProfile(t, in, Knapsack{Bucket: bucket}.Prepare(in), profile, upTo)
	}
}

// withoutNotes drops the notes of an Input.
func withoutNotes(in *Input) {
	cuts, from := in.Cuts[:0], make([]int32, 1, len(in.CutFrom))
	for i := range in.Len() {
		for _, c := range in.Cuts[in.CutFrom[i]:in.CutFrom[i+1]] {
			if !c.Note {
				cuts = append(cuts, c)
			}
		}
		from = append(from, int32(len(cuts)))
	}
	in.Cuts, in.CutFrom = cuts, from
}

// The steps of many candidates end soon after they are not wanted any more.
func TestStepsAreCancelled(t *testing.T) {
	for name, s := range map[string]Slicer{"greedy": Greedy{}, "rank": Rank{}, "prefix": Prefix{}} {
		in, told := realistic(4*stepsPolled), 0
		ctx, cancel := context.WithCancel(t.Context())
		err := s.Prepare(in).Steps(ctx, 10_000, func(Step) { told++; cancel() })
		if !errors.Is(err, context.Canceled) || told > 2*stepsPolled {
			t.Errorf("%s: %v after %d steps", name, err, told)
		}
	}
}
