package slicer

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

func TestRulingKnapsackValuesAreClamped(t *testing.T) {
	for score, want := range map[float64]int64{-1: 0, 0.00009: 0, 0.0001: 1, 0.00019: 1, 0.5: 5000, 109951162.7775: 1<<40 - 1, 109951162.7776: 1 << 40, 2e8: 1 << 40, math.Inf(1): 1 << 40, math.NaN(): 0} {
		musttest.Is(t, value(score), want, "a score of", score, "has the value")
	}
}

// Slice by way of the core selects what the specification does, where many sets are worth the
// same too, and in the end by a table.
func TestTheCoreOfAKnapsack(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	cores, tables := 0, 0
	for round := range randomtest.Rounds(400, 10_000) {
		in := randomInput(r, r.IntN(40), 1+r.Int64N(60), round%4 == 0, round%3 != 0)
		if round%5 == 0 { // equal densities: no candidate is certain
			for i := range in.Scores {
				in.Scores[i] = float64(in.Tokens[i]) / 100
			}
		}
		for i := range in.Scores {
			in.Scores[i] *= []float64{1, 1, 1e5, 1e12}[round%4] // sums beyond 2^30, values at the bound
		}
		bucket := model.Tokens([]int64{1, 1, 2, 7}[r.IntN(4)])
		k := Knapsack{Bucket: bucket}.Prepare(in).(*knapsack)
		k.small = 0
		for range 4 {
			target := Target(r.Int64N(int64(tokensOf(in, allOf(in))) + 2))
			got := musttest.Of(k.Slice(t.Context(), target, nil))(t)
			if want := naiveKnapsack(in, bucket, target); !slices.Equal(got, want) {
				t.Fatalf("round %d, target %d: %b, want %b", round, target, got, want)
			}
		}
		if k.maxItem.Load() != nil {
			tables++
		} else {
			cores++
		}
	}
	if least := randomtest.Rounds(400, 10_000) / 20; cores < least || tables < least {
		t.Errorf("%d rounds by cores alone, %d by tables", cores, tables)
	}
}

// What a ListSlicer is certain of is what Slice selects from all candidates, also those it has not seen.
func TestAKnapsackFromAList(t *testing.T) {
	r := rand.New(rand.NewPCG(79, 80))
	certain, uncertain := 0, 0
	for round := range randomtest.Rounds(400, 10_000) {
		in := randomInput(r, 1+r.IntN(40), 1+r.Int64N(60), round%4 == 0, true)
		if round%5 == 0 {
			for i := range in.Scores {
				in.Scores[i] = float64(in.Tokens[i]) / 100
			}
			slices.SortFunc(in.Scores, func(a, b float64) int { return cmp.Compare(b, a) })
		}
		k := Knapsack{Bucket: model.Tokens([]int64{1, 1, 2, 7}[r.IntN(4)])}
		list := k.Traits().FromList(in.Len(), Target(in.Len())*60)
		key := func(i int32) uint64 { return list.Key(in.Scores[i], in.Tokens[i]) }
		densest := make([]int32, in.Len())
		for i := range densest {
			densest[i] = int32(i)
		}
		slices.SortStableFunc(densest, func(a, b int32) int { return cmp.Compare(key(a), key(b)) })
		listed := 1 + r.IntN(len(densest))
		rest, least := uint64(math.MaxUint64), model.MaxTokens+1
		for _, i := range densest[listed:] {
			rest, least = min(rest, key(i)), min(least, in.Tokens[i])
		}
		target := Target(1 + r.Int64N(int64(tokensOf(in, allOf(in)))+1))
		got, ok, err := list.Slice(t.Context(), in, densest[:listed], target, rest, least)
		musttest.Do(t, err)
		if !ok && listed < len(densest) {
			uncertain++
			continue
		}
		certain++
		if want := naiveKnapsack(in, k.Bucket, target); !slices.Equal(got, want) {
			t.Fatalf("round %d, %d of %d, target %d: %b, want %b", round, listed, len(densest), target, got, want)
		}
	}
	if few := randomtest.Rounds(400, 10_000) / 10; certain < few || uncertain < few {
		t.Errorf("certain of %d rounds, not of %d", certain, uncertain)
	}
}

func TestRulingKnapsackTableTooLargeNamesABucketThatFits(t *testing.T) {
	const target = 100_000
	r := rand.New(rand.NewPCG(17, 18))
	for _, in := range []*Input{randomInput(r, 400, 5000, false, true), withCuts(r, randomInput(r, 200, 5000, false, true))} {
		for _, limit := range []int64{4 << 10, 40 << 10, 400 << 10} {
			refusal := func(bucket model.Tokens) error {
				return musttest.Refusal(Knapsack{Bucket: bucket, Limit: limit}.Prepare(in).Slice(t.Context(), target, nil))
			}
			full, ok := errors.AsType[*model.TableError](refusal(1))
			if !ok || full.Needed <= full.Limit || full.Limit != limit || full.Capacity != target || full.Bucket <= 1 {
				t.Fatalf("limit %d: %+v", limit, full)
			}
			musttest.Is(t, refusal(full.Bucket), nil, "limit", limit, "and the bucket that would fit")
			if in.Cuts == nil { // of sizes, Slice may do without some rows of the table
				musttest.Says(t, refusal(full.Bucket-1), "bucket", "limit", limit, "and one less than the bucket that fits")
			}
			_, err := Knapsack{Bucket: 1, Limit: limit}.Prepare(in).Profile(t.Context(), target)
			if _, ok := errors.AsType[*model.TableError](err); !ok {
				t.Fatalf("limit %d: profile: %v", limit, err)
			}
		}
	}
}

// The memory of a table is its bits and what its profile needs for each capacity, together: a
// table of which either fits is refused where both do not.
func TestKnapsackTableCountsBitsAndCapacities(t *testing.T) {
	const target = 10_000
	in := randomInput(rand.New(rand.NewPCG(17, 18)), 400, 5000, false, true)
	k := Knapsack{Bucket: 1}.Prepare(in).(*knapsack)
	_, words, top := k.layout(target, 1)
	needed := words*8 + (top+1)*laneBytes
	for _, limit := range []int64{max(words*8, (top+1)*laneBytes) + laneBytes, needed - 1, needed} {
		_, err := Knapsack{Bucket: 1, Limit: limit}.Prepare(in).Profile(t.Context(), target)
		full, refused := errors.AsType[*model.TableError](err)
		if refused != (limit < needed) || refused && full.Needed != needed {
			t.Errorf("limit %d of %d: %v", limit, needed, err)
		}
	}
}

// A profile with more entering and leaving than allowed is refused, and the target up to which
// there is one is told.
func TestTurnsOfAKnapsackProfileAreBounded(t *testing.T) {
	in := randomInput(rand.New(rand.NewPCG(77, 78)), 60, 40, false, true)
	k := Knapsack{Bucket: 2}.Prepare(in).(*knapsack)
	whole := profileOf(t, k, 300)
	toggles := func(upTo Target) (n int) {
		for i := range in.Len() {
			for _, band := range whole.Bands(nil, i) {
				for _, at := range []Target{band.From, band.To + 1} {
					if at <= upTo && in.Tokens[i] > 0 {
						n++
					}
				}
			}
		}
		return n
	}
	for _, limit := range []int{1, 20, toggles(300) - 1, toggles(300)} {
		m := NewMeter(t.Context(), 0)
		_, err := k.maxItem.Load().walkBack(&m, 300, limit)
		full, refused := errors.AsType[*RecordsError](err)
		if refused != (limit < toggles(300)) {
			t.Fatalf("%d of %d: %v", limit, toggles(300), err)
		}
		if refused && (full.UpTo != 300 || toggles(full.Reached) > limit || toggles(full.Reached+1) <= limit) {
			t.Errorf("at most %d: %+v, where %d are reached and then %d", limit, full, toggles(full.Reached), toggles(full.Reached+1))
		}
	}
}

// A table asks for its memory as it is filled, so that one that is cancelled at the start
// has hardly taken any, and cleared none.
func TestACancelledTableHasTakenLittleMemory(t *testing.T) {
	in := randomInput(rand.New(rand.NewPCG(73, 74)), 3000, 400, false, true)
	const upTo = 500_000
	prepared := Knapsack{Bucket: 1}.Prepare(in).(*knapsack)
	_, words, _ := prepared.layout(upTo, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ctx = WithProgress(ctx, func(int64, int64) { cancel() })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := prepared.Profile(ctx, upTo)
	runtime.ReadMemStats(&after)
	whole := uint64(words) * 8
	if taken := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, context.Canceled) || taken > whole/4 {
		t.Errorf("%v; %d bytes were taken of a table of %d", err, taken, whole)
	}
}

// TestTableAgainstPlainProgramme holds every bit and every best value to those
// of the textbook's programme, whether a profile was made before or not.
func TestTableAgainstPlainProgramme(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	bitsSet := 0
	for round := range randomtest.Rounds(80, 400) {
		in := randomInput(r, 1+r.IntN(14), 1+r.Int64N(12), false, round%4 != 0)
		bucket := model.Tokens(1 + r.IntN(3))
		k := Knapsack{Bucket: bucket}.Prepare(in).(*knapsack)
		target := 1 + Target(r.IntN(60))
		if round%3 == 0 {
			profileOf(t, k, target+10)
		}
		var table *Table
		musttest.Do(t, k.Steps(context.Background(), target, func(s Step) {
			if o, ok := s.Opens.(TableOutline); ok {
				table = o.Table
			}
		}))
		if table == nil {
			t.Fatalf("round %d: no table", round)
		}
		top := int(k.capacity(target))
		best := make([]int64, top+1)
		for j := range k.at {
			row, w := int32(j)+1, int(weight(k.tok[j], bucket))
			before := append([]int64(nil), best...)
			takes := make([]bool, top+1)
			for c := top; c >= w; c-- {
				if with := best[c-w] + k.value[j]; with > best[c] {
					best[c], takes[c] = with, true
					bitsSet++
				}
			}
			if got := table.Value(row); got != float64(k.value[j])/valueUnit {
				t.Fatalf("round %d: row %d is worth %v", round, row, got)
			}
			for c := range top + 1 {
				if got := table.Takes(row, Target(c), Target(c)); (got == 1) != takes[c] {
					t.Fatalf("round %d: row %d at %d of %d: %v, want %v (weight %d)", round, row, c, top, got, takes[c], w)
				}
				if got := table.Best(row, Target(c)); got != float64(best[c])/valueUnit {
					t.Fatalf("round %d: rows to %d are worth %v at %d, want %v", round, row, got, c, best[c])
				}
				if got := table.Best(row-1, Target(c)); got != float64(before[c])/valueUnit {
					t.Fatalf("round %d: rows before %d are worth %v at %d, want %v", round, row, got, c, before[c])
				}
			}
			low := r.IntN(top + 1)
			high := low + r.IntN(top+1-low)
			want := Target(0)
			for c := low; c <= high; c++ {
				if takes[c] {
					want++
				}
			}
			if got := table.Takes(row, Target(low), Target(high)); got != want {
				t.Fatalf("round %d: row %d from %d to %d: %v, want %v", round, row, low, high, got, want)
			}
		}
	}
	if bitsSet < randomtest.Rounds(80, 400) {
		t.Errorf("only %d bits are set: the sets test nothing", bitsSet)
	}
}
