package slicer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// checkProfile holds every method of a profile to what Slice selects at every
// target from 0 to the profile's end.
func checkProfile(t *testing.T, in *Input, prepared Prepared, p Profile, upTo Target) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s\nup to %d, tokens %v, scores %v", fmt.Sprintf(format, args...), upTo, in.Tokens, in.Scores)
	}
	if p.UpTo() != upTo {
		fail("UpTo is %d", p.UpTo())
	}
	at := make([]Selection, upTo+1)
	for target := range at {
		sel := musttest.Of(prepared.Slice(context.Background(), Target(target), nil))(t)
		at[target] = sel
		if got := p.At(Target(target), nil); !slices.Equal(got, sel) {
			fail("At(%d) is %b, Slice selects %b", target, got, sel)
		}
	}
	if got := p.At(upTo+7, nil); !slices.Equal(got, at[upTo]) {
		fail("At beyond the end is %b, want %b", got, at[upTo])
	}
	if got := p.At(-3, nil); !slices.Equal(got, at[0]) {
		fail("At below 0 is %b", got)
	}
	for i := range in.Positions() {
		var bands []Band
		for target, sel := range at {
			if !sel.Has(i) {
				continue
			}
			if k := len(bands) - 1; k >= 0 && bands[k].To == Target(target)-1 {
				bands[k].To++
			} else {
				bands = append(bands, Band{Target(target), Target(target)})
			}
		}
		prefix := []Band{{-1, -1}}
		if got := p.Bands(prefix, i); !slices.Equal(got[1:], bands) || got[0] != prefix[0] {
			fail("Bands(%d) is %v, want %v", i, got[1:], bands)
		}
		first, ok := p.FirstIn(i)
		if ok != (len(bands) > 0) || ok && first != bands[0].From {
			fail("FirstIn(%d) is %d, %v, bands are %v", i, first, ok, bands)
		}
		stays, ok := p.StaysFrom(i)
		if want := len(bands) > 0 && bands[len(bands)-1].To == upTo; ok != want || ok && stays != bands[len(bands)-1].From {
			fail("StaysFrom(%d) is %d, %v, bands are %v", i, stays, ok, bands)
		}
	}
	changes := []Target{}
	for target := Target(1); target <= upTo; target++ {
		if !slices.Equal(at[target], at[target-1]) {
			changes = append(changes, target)
		}
	}
	for target := Target(-1); target <= upTo+1; target++ {
		k, exact := slices.BinarySearch(changes, target)
		prev := k - 1
		if exact {
			prev, k = k, k+1
		}
		next, ok := p.Next(target)
		if ok != (k < len(changes)) || ok && next != changes[k] {
			fail("Next(%d) is %d, %v, changes are %v", target, next, ok, changes)
		}
		last, ok := p.Prev(target)
		if ok != (prev >= 0) || ok && last != changes[prev] {
			fail("Prev(%d) is %d, %v, changes are %v", target, last, ok, changes)
		}
	}
	c := p.Series()
	if !slices.Equal(c.Targets, append([]Target{0}, changes...)) {
		fail("Series has targets %v, changes are %v", c.Targets, changes)
	}
	for k, target := range c.Targets {
		sel := at[target]
		score, count := 0.0, int32(0)
		for i := range in.Positions() {
			if sel.Has(i) {
				score += in.ScoreAt(i)
				count += in.Size(i)
			}
		}
		if c.Counts[k] != count || c.Used[k] != tokensOf(in, sel) || !near(c.Scores[k], score) {
			fail("Series at %d is %d items, %d tokens, score %v; want %d, %d, %v", target, c.Counts[k], c.Used[k], c.Scores[k],
				count, tokensOf(in, sel), score)
		}
	}
}

func near(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return a == b || math.IsNaN(a) && math.IsNaN(b)
	}
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}

func profileOf(t *testing.T, p Prepared, upTo Target) Profile {
	t.Helper()
	return musttest.Of(p.Profile(context.Background(), upTo))(t)
}

// Targets of more than 31 bits, of which most are passed over.
func TestProfilesOfVeryLargeSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range randomtest.Rounds(60, 400) {
		in := mixedInput(r, 1+r.IntN(12), 1<<40, false)
		for _, c := range []struct {
			slicer Slicer
			naive  func(*Input, Target) Selection // nil: Slice alone says what is right
		}{
			{Greedy{}, naiveGreedy}, {Rank{}, naiveRank}, {Prefix{}, naivePrefix},
			{must(NewCountQuota(Greedy{}, model.Degrade, randomNumbers(r)...)), nil},
			{must(NewQuota(Greedy{}, model.Quota{Kind: "Message", MinPercent: model.Some(20.0), MaxPercent: model.Some(60.0)})), nil},
		} {
			p := c.slicer.Prepare(in)
			for _, upTo := range []Target{1<<31 - 1, 1 << 31, 1 << 40} {
				profile := profileOf(t, p, upTo)
				same := func(target Target) Selection {
					want := must(p.Slice(context.Background(), target, nil))
					if got := profile.At(target, nil); !slices.Equal(got, want) || c.naive != nil && !slices.Equal(got, c.naive(in, target)) {
						t.Fatalf("%T at %d of %d: %b, Slice selects %b, tokens %v", c.slicer, target, upTo, got, want, in.Tokens)
					}
					return want
				}
				changes := 0
				for target, ok := profile.Next(-1); ok && changes < 500; target, ok = profile.Next(target) {
					changes++
					if slices.Equal(same(target-1), same(target)) {
						t.Fatalf("%T: nothing changes at %d", c.slicer, target)
					}
				}
				for range 20 {
					same(Target(r.Int64N(int64(upTo) + 1)))
					// Slice answers in any order, and far beyond what a budget can hold.
					beyond := Target(r.Int64N(1 << (1 + r.IntN(62))))
					if c.naive != nil && !slices.Equal(must(p.Slice(context.Background(), beyond, nil)), c.naive(in, beyond)) {
						t.Fatalf("%T at %d selects otherwise, tokens %v", c.slicer, beyond, in.Tokens)
					}
				}
				for i := range in.Len() {
					for _, b := range profile.Bands(nil, i) {
						if b.From > b.To || b.To > upTo || !profile.At(b.From, nil).Has(i) || !profile.At(b.To, nil).Has(i) {
							t.Fatalf("%T: band %v of item %d is wrong", c.slicer, b, i)
						}
					}
				}
			}
		}
	}
}

func allOf(in *Input) Selection {
	sel := NewSelection(nil, in.Positions())
	for i := range in.Len() {
		sel.Add(i)
	}
	return sel
}

// fallingPowers is candidates of all powers of two below 2^bits tokens, of which greedy has
// another choice at every target.
func fallingPowers(bits int) *Input {
	in := &Input{}
	for k := range bits {
		tokens := model.Tokens(1) << (bits - 1 - k)
		in.Items, in.Kinds = append(in.Items, int32(k)), append(in.Kinds, 0)
		in.Tokens, in.Scores = append(in.Tokens, tokens), append(in.Scores, 1e9*float64(tokens)-float64(k)) // densities fall too
	}
	return in
}

func TestGreedyProfileOfFallingPowersOfTwoCountsInBinary(t *testing.T) {
	const bits = 12
	in := fallingPowers(bits)
	p := Greedy{}.Prepare(in)
	profile := profileOf(t, p, 1<<bits)
	if n := len(profile.Series().Targets); n != 1<<bits {
		t.Fatalf("%d changes, want one at every target below %d", n, 1<<bits)
	}
	checkProfile(t, in, p, profile, 1<<bits)
}

func TestGreedyProfileBounds(t *testing.T) {
	in := fallingPowers(10)
	g := Greedy{}.Prepare(in).(*greedy)
	_, err := g.profile(context.Background(), 5000, 100)
	full, ok := err.(*RecordsError)
	if !ok || *full != (RecordsError{Candidates: 10, UpTo: 5000, Reached: 100, Limit: 100}) {
		t.Fatalf("a profile of 1,023 changes with room for 100: %v", err)
	}
	if _, err := g.profile(context.Background(), 100, 100); err != nil {
		t.Fatalf("a profile of 100 changes with room for 100: %v", err)
	}
	for _, upTo := range []Target{-1, Target(model.MaxTokens) + 1} {
		if _, err := g.Profile(context.Background(), upTo); err == nil {
			t.Fatalf("a profile up to %d is no error", upTo)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range []Slicer{Greedy{}, Rank{}, Prefix{}} {
		musttest.Is(t, musttest.Refusal(s.Prepare(in).Profile(ctx, 100)), context.Canceled, fmt.Sprintf("%T, cancelled", s))
	}
}

func TestMinimaFindTheFirstOfTheSmallest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 15, 16, 17, 33, 100, 300} {
		tok := make([]model.Tokens, n)
		for i := range tok {
			tok[i] = 1 + model.Tokens(r.IntN(9))
		}
		minima := newMinima(tok)
		for from := range n + 1 {
			least := uint64(noNode)
			for to := from; to <= n; to++ {
				if to > from {
					least = min(least, node(tok[to-1], to-1))
				}
				if got := minima.first(int32(from), int32(to)); got != least {
					t.Fatalf("%d ranks: first(%d, %d) is %x, want %x", n, from, to, got, least)
				}
			}
		}
	}
}

// TestProfilesOfLargerSets walks the changes of sets that need more than one
// block or word of everything.
func TestProfilesOfLargerSets(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for round := range randomtest.Rounds(6, 12) {
		in := randomInput(r, 300, 150, round%4 == 0, round%3 != 0)
		upTo := Target(1500 + r.IntN(2000))
		bucket := model.Tokens(1 + round%3*4)
		for k, p := range []Prepared{Greedy{}.Prepare(in), Knapsack{Bucket: bucket}.Prepare(in)} {
			// Slice of a knapsack reads one table for all targets here; smaller sets hold it to the specification.
			checkProfile(t, in, p, profileOf(t, p, upTo), upTo)
			for range 4 {
				target := Target(r.Int64N(int64(upTo)))
				want := [...]Selection{naiveGreedy(in, target), naiveKnapsack(in, bucket, target)}[k]
				if got := musttest.Of(p.Slice(context.Background(), target, nil))(t); !slices.Equal(got, want) {
					t.Fatalf("round %d: %T at %d: %b, want %b", round, p, target, got, want)
				}
			}
		}
	}
	for _, c := range []struct {
		name    string
		largest int64
		slicer  func(round int) Slicer
	}{
		{"stream", 150, func(round int) Slicer { return Stream{1 + round*3} }},
		{"quotas", 60, func(int) Slicer { return must(NewQuota(randomFill(r), randomShares(r)...)) }},
		{"counts", 60, func(int) Slicer {
			return must(NewCountQuota(Greedy{}, model.Degrade, model.CountQuota{Kind: "Message", Require: 3, Cap: 7}, model.CountQuota{Kind: "document", Cap: 30}))
		}},
	} {
		for round := range 16 {
			in := mixedInput(r, 300, c.largest, round%4 == 0)
			p, upTo := c.slicer(round).Prepare(in), Target(1500+r.IntN(2500))
			checkProfile(t, in, p, profileOf(t, p, upTo), upTo)
			if t.Failed() {
				t.Fatalf("%s, round %d", c.name, round)
			}
		}
	}
}

// TestProfilesOfNestedQuotas fills shares by quotas again, of percent or of numbers, whose
// selections may come back as a share rises and falls.
func TestProfilesOfNestedQuotas(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	for round := range randomtest.Rounds(200, 2000) {
		in := mixedInput(r, r.IntN(20), 1+r.Int64N(12), false)
		inner := randomCounted(r)
		if round%4 == 0 {
			inner = must(NewQuota(Greedy{}, randomShares(r)...))
		}
		p := must(NewQuota(inner, randomShares(r)...)).Prepare(in)
		upTo := Target(r.Int64N(300))
		checkProfile(t, in, p, profileOf(t, p, upTo), upTo)
	}
}

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
	for round := range randomtest.Rounds(600, 6000) {
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
	if shut < randomtest.Rounds(600, 6000) {
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

// A slicer without a profile has the one that Slice at every target gives, also
// within the slicers that divide the target.
func TestProfilesAreTabulated(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	for range 200 {
		in := mixedInput(r, 1+r.IntN(12), 30, false)
		for _, s := range []Slicer{
			mute{Greedy{}}, mute{Knapsack{Bucket: 2}}, last{},
			must(NewQuota(mute{Greedy{}}, randomShares(r)...)),
			must(NewCountQuota(mute{Rank{}}, model.Degrade, randomNumbers(r)...)),
		} {
			p := s.Prepare(in)
			upTo := Target(r.IntN(150))
			profile := musttest.Of(ProfileOf(context.Background(), in, p, upTo))(t)
			checkProfile(t, in, p, profile, upTo)
		}
	}
}

func TestTabulationIsBounded(t *testing.T) {
	in := inputOf(kinded{"a", 5, 1})
	p := mute{Greedy{}}.Prepare(in)
	musttest.Is(t, musttest.Refusal(ProfileOf(context.Background(), in, p, MaxTabulated)), nil)
	_, err := ProfileOf(context.Background(), in, p, MaxTabulated+1)
	if !errors.Is(err, ErrNoProfile) || !strings.Contains(err.Error(), "131,072") || !strings.Contains(err.Error(), "131,073") {
		t.Errorf("beyond the bound: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	musttest.Is(t, musttest.Refusal(ProfileOf(ctx, in, p, 10)), context.Canceled, "cancelled")
	failing := Knapsack{Bucket: 1, Limit: 8}.Prepare(inputOf(kinded{"a", 50, 1}))
	_, err = ProfileOf(context.Background(), in, mutePrepared{failing}, 100)
	if _, ok := errors.AsType[*model.TableError](err); !ok {
		t.Errorf("an error of Slice: %v", err)
	}
}

// A profile of more changes than MaxRecords is refused, at that number.
func TestChangesOfAProfileAreBounded(t *testing.T) {
	musttest.Alone(t)
	recordsSoFar.Lend(MaxRecords).Return() // at once: growing to that takes as long as all other tests
	_, err := Greedy{}.Prepare(fallingPowers(25)).(*greedy).Profile(context.Background(), 1<<25)
	if full, ok := errors.AsType[*RecordsError](err); !ok || full.Reached != 1<<24 || full.Limit != 1<<24 {
		t.Errorf("2^25 changes: %v", err)
	}
}
