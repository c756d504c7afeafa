package simulate

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

func checkOptimum(t *testing.T, o *Optimum, want []float64) {
	t.Helper()
	for target, best := range want {
		got := o.At(slicer.Target(target))
		if got == best {
			continue
		}
		noise := 1e-12 * best
		if !(got <= best+noise && best <= got+o.Within()+noise) {
			t.Fatalf("At(%d) = %v, within %v, want %v", target, got, o.Within(), best)
		}
		if o.Within() > 1e-8*max(want[len(want)-1], 1e-300) {
			t.Fatalf("within %v of %v is too much", o.Within(), want[len(want)-1])
		}
	}
}

// Sets large enough that most cells are left out, of all kinds of scores.
func TestOptimumAgainstThePlainProgramme(t *testing.T) {
	shapes := map[string]func(rng *rand.Rand, tokens model.Tokens) float64{
		"free":       func(rng *rand.Rand, _ model.Tokens) float64 { return rng.Float64() },
		"few":        func(rng *rand.Rand, _ model.Tokens) float64 { return float64(rng.IntN(5)) / 4 },
		"equal":      func(*rand.Rand, model.Tokens) float64 { return 0.3 },
		"by size":    func(_ *rand.Rand, tokens model.Tokens) float64 { return float64(tokens) / 9000 },
		"near size":  func(rng *rand.Rand, tokens model.Tokens) float64 { return (float64(tokens) + 50*rng.Float64()) / 9000 },
		"steep":      func(rng *rand.Rand, _ model.Tokens) float64 { return math.Pow(rng.Float64(), 20) },
		"by density": func(rng *rand.Rand, tokens model.Tokens) float64 { return min(1, float64(tokens)*rng.Float64()/300) },
	}
	for name, score := range shapes {
		t.Run(name, func(t *testing.T) {
			for seed := range randomtest.Rounds(2, 6) {
				rng := rand.New(rand.NewPCG(uint64(seed), 14))
				median := randomtest.Pick(rng, 5.0, 40, 300)
				items := make([]model.Item, 50+rng.IntN(350))
				for i := range items {
					tokens := model.Tokens(min(max(median*math.Exp(rng.NormFloat64()), 1), 9000))
					items[i] = model.Item{Content: "x", Tokens: tokens, FutureRelevanceHint: model.Some(score(rng, tokens))}
				}
				set := musttest.Of(model.NewSet(items))(t)
				policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
				policy.Deduplicate = false
				r := rank(t, policy, set)
				upTo := minTargets/2 + rng.IntN(20_000)
				o := musttest.Of(NewOptimum(context.Background(), r, slicer.Target(upTo)))(t)
				checkOptimum(t, o, bestOfChoices(r.Input(), upTo))
			}
		})
	}
}

// inputOf returns candidates with the given tokens and scores, which are best first.
func inputOf(tokens []model.Tokens, scores []float64) *slicer.Input {
	in := &slicer.Input{Tokens: tokens, Scores: scores}
	for i := range tokens {
		in.Items, in.Kinds = append(in.Items, int32(i)), append(in.Kinds, 0)
	}
	return in
}

func TestOptimumOfExtremeScores(t *testing.T) {
	for _, c := range []struct {
		name   string
		tokens []model.Tokens
		scores []float64
		want   []float64 // by target
	}{
		{"nothing", nil, nil, []float64{0, 0}},
		{"infinite", []model.Tokens{3, 1}, []float64{math.Inf(1), 2}, []float64{0, 2, 2, math.Inf(1), math.Inf(1)}},
		{"infinite for nothing", []model.Tokens{0, 1}, []float64{math.Inf(1), 2}, []float64{0, math.Inf(1)}},
		{"huge", []model.Tokens{1, 2}, []float64{1e308, 0.5e308}, []float64{0, 1e308, 1e308, 1.5e308}},
		{"huge together", []model.Tokens{1, 2}, []float64{1.5e308, 1.5e308}, []float64{0, 1.5e308, 1.5e308, math.Inf(1)}},
		{"tiny", []model.Tokens{1, 2}, []float64{5e-300, 3e-300}, []float64{0, 5e-300, 5e-300, 8e-300}},
		{"not a number", []model.Tokens{1, 2, 1}, []float64{1, -1, math.NaN()}, []float64{0, 1, 1, 1}},
		{"free and negative", []model.Tokens{0, 0, 2}, []float64{0.5, -1, -3}, []float64{0, 0.5, 0.5, 0.5}},
		{"not best first, as pairs under rank", []model.Tokens{1, 2}, []float64{0.5, 1}, []float64{0, 0.5, 1, 1.5}},
		{"room for all", []model.Tokens{2, 1}, []float64{2, 1}, []float64{0, 1, 2, 3, 3, 3, 3, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			upTo := slicer.Target(len(c.want) - 1)
			plan := musttest.Of(planOptimum(context.Background(), inputOf(c.tokens, c.scores), upTo, PlanLimits{}))(t)
			o := musttest.Of(plan.Compute(context.Background()))(t)
			checkOptimum(t, o, c.want)
			if o.upTo != upTo || o.At(-1) != 0 {
				t.Errorf("UpTo is %d, At(-1) %v", o.upTo, o.At(-1))
			}
		})
	}
}

// A bound up to a target is, to the last bit, that of all items it has room for, by density.
func TestABoundSortsOnlyWhatItNeeds(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 8))
	for round := range 300 {
		n := 1 + rng.IntN(randomtest.Pick(rng, 400, 400, 5000))
		tokens, scores := make([]model.Tokens, n), make([]float64, n)
		for i := range tokens {
			tokens[i], scores[i] = model.Tokens(rng.IntN(1<<rng.IntN(12))), math.Ldexp(float64(rng.IntN(5)-1), rng.IntN(90)-45)
			if rng.IntN(20) == 0 {
				scores[i] = []float64{math.Inf(1), math.NaN(), math.SmallestNonzeroFloat64}[rng.IntN(3)]
			}
		}
		in := inputOf(tokens, scores)
		var at []int
		free, want := 0.0, 0.0
		upTo := slicer.Target(1 + rng.IntN(3000))
		for i, score := range scores {
			if score > 0 && !math.IsInf(score, 1) && tokens[i] <= model.Tokens(upTo) {
				at = append(at, i)
				if tokens[i] == 0 {
					at, free = at[:len(at)-1], free+score
				}
			}
		}
		slices.SortStableFunc(at, func(i, j int) int {
			return cmp.Compare(scores[j]/float64(tokens[j]), scores[i]/float64(tokens[i]))
		})
		for b, target := newBound(in, upTo), slicer.Target(1); target <= upTo; target += slicer.Target(1 + rng.IntN(9)) {
			room, values := model.Tokens(target), 0.0
			want = 0
			for _, i := range at {
				if tokens[i] > room {
					want = float64(room) / float64(tokens[i]) * (values + scores[i] - values)
					break
				}
				room -= tokens[i]
				values += scores[i]
			}
			if want += free + values; b.At(target) != want {
				t.Fatalf("round %d, target %d of %d: %v, want %v", round, target, upTo, b.At(target), want)
			}
		}
	}
}

func TestBelowBest(t *testing.T) {
	whole := inputOf([]model.Tokens{2, 1, 9}, []float64{2, 1, math.Inf(1)})
	// Beside a score of 1, one of .5 to the power of 64 is less than a unit, so it is measured only
	// where the large item does not fit.
	small := math.Pow(0.5, 64)
	sharp := inputOf([]model.Tokens{20, 2, 3}, []float64{1, small, small})
	sizes := &slicer.Input{
		Items: []int32{0, 1}, Kinds: []uint32{0, 0}, Tokens: []model.Tokens{10, 4}, Scores: []float64{1, .4},
		Cuts: []slicer.Cut{{Of: 0, Size: 1, Tokens: 6, Score: .9}, {Of: 0, Size: 2, Tokens: 1, Note: true}}, CutFrom: []int32{0, 2, 2},
	}
	of := func(v float64) model.Option[float64] { return model.Some(v) }
	for _, c := range []struct {
		in      *slicer.Input
		upTo, t slicer.Target
		value   float64
		want    model.Option[float64]
	}{
		{whole, 10, 0, 0, of(0)}, {whole, 10, 0, 3, of(0)}, {whole, 10, 1, 1, of(0)}, {whole, 10, 1, 0.75, of(0.25)}, {whole, 10, 3, 1.5, of(0.5)},
		{whole, 10, 3, 3 - 1e-13, of(0)}, {whole, 10, 3, 4, of(0)}, {whole, 10, 3, -3, of(2)}, {whole, 10, 9, 1, of(1)}, {whole, 10, 9, math.Inf(1), of(0)},
		{sharp, 17, 17, 0, of(1)}, {sharp, 17, 17, small, of(0.5)}, {sharp, 17, 17, 2 * small, of(0)}, {sharp, 17, 1, 0, of(0)}, // nothing fits
		{sharp, 20, 17, 0, model.Option[float64]{}}, {sharp, 20, 17, 2 * small, model.Option[float64]{}}, {sharp, 20, 1, 0, of(0)}, {sharp, 20, 20, small, of(1)},
		{sizes, 14, 3, 0, of(0)}, {sizes, 14, 6, .4, of(5. / 9)}, {sizes, 14, 10, 1, of(.3 / 1.3)}, {sizes, 14, 10, 1.3, of(0)}, {sizes, 14, 14, 1.4, of(0)},
	} {
		got := optimumOfSizes(t, c.in, int(c.upTo)).BelowBest(c.value, c.t)
		if got.Set != c.want.Set || math.Abs(got.Value-c.want.Value) > 1e-12 {
			t.Errorf("of %v up to %d: %v at %d is %v below the best, want %v", c.in.Tokens, c.upTo, c.value, c.t, got, c.want)
		}
	}
}

// alike is a ranking for which little can be left out: many cells.
func alike(t testing.TB, n int) *pipeline.Ranking {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 15))
	items := make([]model.Item, n)
	for i := range items {
		tokens := model.Tokens(1000 + 2*rng.IntN(4000))
		items[i] = model.Item{Content: "x", Tokens: tokens, FutureRelevanceHint: model.Some(float64(tokens) / 10_000 * (1 + 1e-7*rng.Float64()))}
	}
	set := musttest.Of(model.NewSet(items))(t)
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	policy.Deduplicate = false
	return rank(t, policy, set)
}

func TestOptimumTellsItsProgressAndCost(t *testing.T) {
	r := alike(t, 200)
	plan := musttest.Of(PlanOptimum(context.Background(), r, 101_000, PlanLimits{}))(t)
	var calls int
	var last int64
	ctx := slicer.WithProgress(context.Background(), func(done, total int64) {
		if done < last || done > total || total != plan.Cells() {
			t.Errorf("%d of %d after %d, planned %d", done, total, last, plan.Cells())
		}
		last = done
		calls++
	})
	musttest.Of(plan.Compute(ctx))(t)
	if last != plan.Cells() || calls < 5 {
		t.Errorf("%d of %d cells in %d calls", last, plan.Cells(), calls)
	}
}

// Cancelled after a number of polls, at every one of them.
func TestOptimumIsCancelled(t *testing.T) {
	r := alike(t, 60)
	for polls := range 40 {
		ctx := polltest.After(t.Context(), polls)
		_, err := NewOptimum(ctx, r, 101_000)
		if err == nil {
			if polls < 4 {
				t.Errorf("there were only %d polls", polls)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

// A million cells take less than 10 ms.
func TestOptimumPollsEveryMillionCells(t *testing.T) {
	plan := musttest.Of(PlanOptimum(context.Background(), alike(t, 200), 101_000, PlanLimits{}))(t)
	ctx := polltest.After(t.Context(), 1<<30)
	musttest.Of(plan.Compute(ctx))(t)
	if polls := int64(ctx.Polls()); polls < plan.Cells()>>20 || plan.Cells() < 4<<20 {
		t.Errorf("%d polls in %d cells", polls, plan.Cells())
	}
}

func TestOptimumRefusesWhatIsTooLarge(t *testing.T) {
	r := alike(t, 60)
	e := musttest.As[*OptimumError](t, musttest.Refusal(PlanOptimum(context.Background(), r, 100_000, PlanLimits{Bytes: 1 << 20})))
	if e.UpTo != 100_000 || e.Needed <= 1<<20 {
		t.Errorf("error %v", e)
	}
	musttest.Is(t, musttest.Refusal(PlanOptimum(context.Background(), r, e.Fits, PlanLimits{Bytes: 1 << 20})), nil, "as far as it fits")
	musttest.Fails(t, musttest.Refusal(PlanOptimum(context.Background(), r, e.Fits+1, PlanLimits{Bytes: 1 << 20})), "one more than", e.Fits)
	for _, upTo := range []slicer.Target{-1, slicer.Target(model.MaxTokens) + 1} {
		musttest.Fails(t, musttest.Refusal(PlanOptimum(context.Background(), r, upTo, PlanLimits{})), "up to", upTo)
	}
	musttest.Is(t, musttest.Refusal(NewOptimum(context.Background(), r, slicer.Target(model.MaxTokens))), nil, "up to where everything fits")
}

func BenchmarkOptimum(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
		upTo slicer.Target
	}{{"1k", 1000, 128_000}, {"10k", 10_000, 128_000}, {"100k", 100_000, 128_000}, {"10kTo850k", 10_000, 850_000}} {
		r := benched(b, c.n)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var cells int64
			for b.Loop() {
				plan := musttest.Of(PlanOptimum(context.Background(), r, c.upTo, PlanLimits{}))(b)
				cells = plan.Cells()
				musttest.Of(plan.Compute(context.Background()))(b)
			}
			b.ReportMetric(float64(cells), "cells")
		})
	}
}

// A plan that may not take long is refused before it does, and else is the same.
func TestAPlanMayBeToldToBeQuick(t *testing.T) {
	r := alike(t, 200)
	free := musttest.Of(PlanOptimum(context.Background(), r, 101_000, PlanLimits{}))(t)
	for cells := int64(1); ; cells *= 4 {
		plan, err := PlanOptimum(context.Background(), r, 101_000, PlanLimits{Cells: cells})
		if err == nil {
			musttest.Is(t, plan.Cells(), free.Cells(), "cells with a limit")
			if cells < 1<<16 {
				t.Errorf("%d cells were enough: nothing was refused", cells)
			}
			return
		}
		if !errors.Is(err, ErrCostly) || plan != nil {
			t.Fatalf("with at most %d cells: %v, %v", cells, plan, err)
		}
	}
}

// Many candidates are not put in order any more once the plan is not wanted.
func TestTheOrderOfAnOptimumIsCancelled(t *testing.T) {
	n := 2 * slicer.MeterStep / sortCells
	in := &slicer.Input{Items: make([]int32, n), Tokens: slices.Repeat([]model.Tokens{7}, n), Scores: make([]float64, n)}
	for i := range in.Scores {
		in.Scores[i] = float64(n - i)
	}
	s := newScale(in, slicer.Target(7*n))
	musttest.Is(t, musttest.Refusal(s.sized(polltest.After(t.Context(), 0), in)), context.Canceled)
}
