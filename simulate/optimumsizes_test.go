package simulate

import (
	"math"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline/slicer"
)

// bestOfChoices is the value of the best selection at each target, by the plain programme
// over every size of every candidate.
func bestOfChoices(in *slicer.Input, upTo int) []float64 {
	best, free := make([]float64, upTo+1), 0.0
	for i, tokens := range in.Tokens {
		if tokens == 0 {
			free += max(0, in.Scores[i])
			continue
		}
		from, to, _ := in.CutsOf(i)
		before := append([]float64(nil), best...)
		for at := from; at <= to; at++ {
			pos := at
			if at == to {
				pos = i
			}
			for t := int(in.TokensAt(pos)); t <= upTo; t++ {
				best[t] = max(best[t], before[t-int(in.TokensAt(pos))]+in.ScoreAt(pos))
			}
		}
	}
	for t := range best[1:] {
		best[t+1] += free
	}
	return best
}

// bestOfAssignments is the same by looking at every way to choose.
func bestOfAssignments(in *slicer.Input, upTo int) []float64 {
	best := make([]float64, upTo+1)
	var choose func(i int, tokens model.Tokens, value float64)
	choose = func(i int, tokens model.Tokens, value float64) {
		if int(tokens) > upTo {
			return
		}
		if i == in.Len() {
			for t := max(int(tokens), 1); t <= upTo; t++ {
				best[t] = max(best[t], value)
			}
			return
		}
		choose(i+1, tokens, value)
		choose(i+1, tokens+in.Tokens[i], value+in.Scores[i])
		from, to, _ := in.CutsOf(i)
		for at := from; at < to; at++ {
			choose(i+1, tokens+in.TokensAt(at), value+in.ScoreAt(at))
		}
	}
	choose(0, 0, 0)
	return best
}

func optimumOfSizes(t *testing.T, in *slicer.Input, upTo int) *Optimum {
	t.Helper()
	plan := musttest.Of(planOptimum(t.Context(), in, slicer.Target(upTo), PlanLimits{}))(t)
	return musttest.Of(plan.Compute(t.Context()))(t)
}

// The best possible is the value of the best choice, whole or in sizes, and the bound is never
// below it; where items are whole, by no more than the one item that it takes in part.
func TestOptimumAndBoundAgainstEveryChoice(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 3))
	cut, whole := 0, 0
	for round := range randomtest.Rounds(800, 8000) {
		set, policy := randomSet(t, rng), randomPolicy(rng)
		if round%2 == 0 {
			set, policy = withSizes(t, rng, set), randomtest.ByHints(rng)
			policy.Slicer, policy.BucketSize, policy.BatchSize = randomtest.Pick(rng, model.Greedy, model.Rank), 0, 0
			policy.KeepPairs = rng.IntN(2) == 0
		}
		r := rank(t, policy, set)
		in, upTo := r.Input(), rng.IntN(70)
		if in.Len() > 9 {
			continue
		}
		o, bound, best := optimumOfSizes(t, in, upTo), NewBound(r, slicer.Target(upTo)), bestOfAssignments(in, upTo)
		checkOptimum(t, o, best)
		checkOptimum(t, o, bestOfChoices(in, upTo))
		if end := slicer.Target(upTo); o.At(end+9) != o.At(end) {
			t.Fatalf("beyond %d the best is %v, not %v", end, o.At(end+9), o.At(end))
		}
		largest := 0.0
		for _, s := range in.Scores {
			largest = max(largest, s)
		}
		for target, best := range best {
			if got := bound.At(slicer.Target(target)); got < best-1e-9 || in.Cuts == nil && got > best+largest+1e-9 {
				t.Fatalf("round %d, target %d: the bound is %v, the best is %v and the largest score %v", round, target, got, best, largest)
			}
		}
		if in.Cuts != nil {
			cut++
		} else {
			whole++
		}
	}
	if cut < 50 || whole < 50 {
		t.Errorf("only %d sets have sizes, %d have none", cut, whole)
	}
}

// manySizes is an Input of n candidates, of which a share may be cut, to sizes that are
// worth their share of the tokens or another one.
func manySizes(rng *rand.Rand, n int, share float64) *slicer.Input {
	in := &slicer.Input{CutFrom: make([]int32, n+1)}
	for i := range n {
		tokens := model.Tokens(1 + 40*math.Exp(rng.NormFloat64()))
		in.Items, in.Kinds = append(in.Items, int32(i)), append(in.Kinds, 0)
		in.Tokens, in.Scores = append(in.Tokens, tokens), append(in.Scores, 1-float64(i)/float64(n+1))
		if rng.Float64() < share {
			for size, last := uint8(1), tokens; size < 4 && last > 1; size++ {
				last = 1 + model.Tokens(rng.Int64N(int64(last-1)))
				worth := float64(last) / float64(tokens)
				if rng.IntN(4) == 0 {
					worth = rng.Float64()
				}
				in.Cuts = append(in.Cuts, slicer.Cut{Of: int32(i), Size: size, Tokens: last, Score: in.Scores[i] * worth})
			}
			if rng.IntN(2) == 0 {
				in.Cuts = append(in.Cuts, slicer.Cut{Of: int32(i), Size: 4, Tokens: 1, Note: true})
			}
		}
		in.CutFrom[i+1] = int32(len(in.Cuts))
	}
	return in
}

func TestOptimumOfManySizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 3))
	for range randomtest.Rounds(10, 60) {
		in := manySizes(rng, 20+rng.IntN(200), randomtest.Pick(rng, .1, .5, 1))
		upTo := minTargets/2 + rng.IntN(8000)
		checkOptimum(t, optimumOfSizes(t, in, upTo), bestOfChoices(in, upTo))
	}
}

// A size that is worth more than a candidate before it, as in a list that a caller made,
// and in a pair of which one member has a score below 0.
func TestOptimumOfSizesThatAreWorthMoreThanWholes(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 3))
	for range randomtest.Rounds(300, 3000) {
		in := manySizes(rng, 1+rng.IntN(6), .7)
		for i := range in.Scores {
			in.Scores[i] = rng.NormFloat64()
		}
		for k := range in.Cuts {
			if c := &in.Cuts[k]; !c.Note {
				c.Score = rng.NormFloat64()
			}
		}
		upTo := rng.IntN(300)
		checkOptimum(t, optimumOfSizes(t, in, upTo), bestOfAssignments(in, upTo))
	}
}

// Of many candidates the bound sorts only the steps that fill the largest target, and a plan that may not
// take long makes no more rows than show that it does.
func TestManySizesAreNotAllLookedAt(t *testing.T) {
	const n = 5000
	rng := rand.New(rand.NewPCG(30, 11))
	in := &slicer.Input{Kinds: make([]uint32, n), CutFrom: []int32{0}}
	for i := range n {
		tokens, score := model.Tokens(10+rng.IntN(900)), 1-float64(i)/n
		in.Items, in.Tokens, in.Scores = append(in.Items, int32(i)), append(in.Tokens, tokens), append(in.Scores, score)
		for size, part := range []float64{.6, .3} {
			in.Cuts = append(in.Cuts, slicer.Cut{Of: int32(i), Size: uint8(size) + 1, Tokens: model.Tokens(part * float64(tokens)), Score: score * part * (1 + .5*rng.Float64())})
		}
		in.CutFrom = append(in.CutFrom, int32(len(in.Cuts)))
	}
	for _, upTo := range []slicer.Target{1, 700, 20_000, 3_000_000} {
		b, all := newBound(in, upTo), stepsOf(in, upTo, 1, math.MaxUint64)
		var tokens model.Tokens
		value := 0.0
		for _, k := range all.order() {
			tokens, value = tokens+all.tokens[k], value+all.scores[k]
			if tokens > model.Tokens(upTo) {
				break
			}
			if got := b.At(slicer.Target(tokens)); got != value {
				t.Fatalf("up to %d: at %d the bound is %v, want %v", upTo, tokens, got, value)
			}
		}
		if len(b.tokens) > len(all.keys)+1 || upTo > 1e6 && len(b.tokens) <= len(all.keys) {
			t.Errorf("up to %d the bound has %d of %d steps", upTo, len(b.tokens)-1, len(all.keys))
		}
	}
	s := newScale(in, 20_000)
	first, cells := s.classes(in, 0, 20_000, 1)
	every, more := s.classes(in, 0, 20_000, 0)
	if len(first) != 1 || cells != first[0].cells() || len(every) < n/10 || more <= cells {
		t.Errorf("%d rows of %d cells, and %d of %d", len(first), cells, len(every), more)
	}
	musttest.Is(t, musttest.Refusal(planOptimum(t.Context(), in, 20_000, PlanLimits{Cells: 1})), ErrCostly, "a plan of one cell")
}
