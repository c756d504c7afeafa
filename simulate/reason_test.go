package simulate

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
)

// Every number of a reason is recomputed from the report and the policy alone,
// or by another dry run, at random budgets of random sets and policies.
func TestReasonsAgainstTheRules(t *testing.T) {
	seen := map[Obstacle]int{}
	for seed := range randomtest.Rounds(1000, 6000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 71))
		r := rank(t, randomtest.Pick(rng, randomPolicy, randomPolicy, committingPolicy)(rng), randomSet(t, rng))
		if r.Policy().Scarcity == model.ScarcityFail {
			continue
		}
		template := randomTemplate(t, rng)
		for range 3 {
			report, _ := dryRunAt(t, r, template, model.Tokens(rng.IntN(70)))
			if report == nil {
				continue
			}
			reasons := musttest.Of(NewReasons(context.Background(), r, report))(t)
			byStep := musttest.Of(replayed(context.Background(), r, report))(t)
			for i := range report.Items.Len() {
				reason := reasons.Of(i)
				if by := byStep.Of(i); reason != by {
					t.Fatalf("seed %d, budget %v, policy %+v, item %d: %+v, by the steps %+v", seed, report.Budget.MaxTokens(), r.Policy(), i, reason, by)
				}
				if o, share := reasons.Obstacle(i); o != reason.Obstacle || share < 0 && reason.Kind != "" || share >= 0 && reasons.shares[share].kind != reason.Kind {
					t.Fatalf("seed %d, budget %v, policy %+v, item %d: the obstacle alone is %d, of share %d, with its reason %+v", seed, report.Budget.MaxTokens(), r.Policy(), i, o, share, reason)
				}
				seen[reason.Obstacle]++
				checkReason(t, r, report, reasons, i)
				if t.Failed() {
					t.Fatalf("seed %d, budget %v, policy %+v, item %d: %+v", seed, report.Budget.MaxTokens(), r.Policy(), i, reason)
				}
			}
		}
	}
	for o := noObstacle; o < Unknown; o++ {
		if seen[o] == 0 {
			t.Errorf("obstacle %d never came up", o)
		}
	}
}

func checkReason(t *testing.T, r *pipeline.Ranking, report *model.Report, reasons *Reasons, i int) {
	t.Helper()
	reason := reasons.Of(i)
	expect := func(what string, got, want model.Tokens) {
		t.Helper()
		musttest.Is(t, got, want, what)
	}
	tokens, room := report.Items.Tokens(i), report.Effective.Target
	expect("tokens", reason.Tokens, tokens)
	musttest.Is(t, reason.Obstacle == noObstacle, report.In(i), "an item that is in has no obstacle, and one that is out")
	switch reason.Obstacle {
	case IsDuplicate:
		if report.Items.Hash(reason.By) != report.Items.Hash(i) || reason.By == i {
			t.Errorf("item %d is not the same", reason.By)
		}
	case NoRoom:
		if room > 0 {
			t.Errorf("there is room")
		}
	case OverRoom:
		expect("short", reason.Short, reason.Charged-room)
	case OverShare:
		expect("short", reason.Short, reason.Charged-reason.Share)
	case Short, OutsideBest, Stopped, NoValue:
		expect("left", reason.Left, plainLeft(r, report, reasons, i))
		if reason.Obstacle == Short {
			expect("short", reason.Short, tokens-reason.Left)
		}
		if (reason.Obstacle == Short || reason.Obstacle == OutsideBest) && reason.Charged <= reason.Left {
			t.Errorf("it would fit beside what is in")
		}
		if knapsack := r.Policy().Slicer == model.Knapsack; knapsack && reason.Obstacle == Short || !knapsack && reason.Obstacle == OutsideBest {
			t.Errorf("a knapsack has no turns, all others have")
		}
	case NothingLeft:
		if left := plainLeft(r, report, reasons, i); left > 0 && r.Policy().Slicer != model.Stream {
			t.Errorf("%v is left", left)
		}
	case CutOff:
		if !slices.Contains(report.Truncated, int32(i)) {
			t.Errorf("the item was not truncated")
		}
		expect("short", reason.Short, tokens-reason.Left)
		expect("left", reason.Left, leftOfTruncation(r, report, i))
	case OverCap:
		if reason.Place == 0 {
			if kind, limit, _ := report.CountCaps(i); limit > 0 {
				t.Errorf("the cap of %s is %d", kind, limit)
			}
		} else if !raised(t, r, report, i, reason.Place) || raised(t, r, report, i, reason.Place-1) {
			t.Errorf("the cap must be raised by exactly %d", reason.Place)
		}
	}
}

// plainLeft is what is left when the turn of an item comes, by the rules of the
// specification on the items that the slicer had in before it; of a knapsack,
// what all that it has in leaves.
func plainLeft(r *pipeline.Ranking, report *model.Report, reasons *Reasons, item int) model.Tokens {
	in, p, reason := r.Input(), r.Policy(), reasons.Of(item)
	selected := func(k int) bool { // by the slicer, before caps and truncation
		i := in.Items[k]
		return report.In(int(i)) || reasons.Of(int(i)).Place > 0 || slices.Contains(report.Truncated, i)
	}
	committed, cost := r.Committed()
	left := report.Effective.Target
	if len(p.CountQuotas) > 0 {
		left = max(0, left-cost)
	}
	if reason.Kind != "" {
		left = reason.Share
	}
	at, _ := r.Position(item)
	before := func(k int) bool { return k < at }
	density := func(k int) float64 { return in.Scores[k] / float64(in.Tokens[k]) }
	unit := model.Tokens(1)
	switch p.Slicer {
	case model.Greedy:
		before = func(k int) bool { return density(k) > density(at) || density(k) == density(at) && k < at }
	case model.Knapsack:
		unit = p.Bucket()
		left = left / unit * unit
		before = func(int) bool { return true }
	case model.Stream: // batches in input order, the best of a batch first
		order := slices.Clone(in.Items)
		slices.Sort(order)
		batch := func(k int) int { return slices.Index(order, in.Items[k]) / p.Batch() }
		before = func(k int) bool { return batch(k) < batch(at) || batch(k) == batch(at) && k < at }
	}
	for k := range in.Items {
		if in.Tokens[k] == 0 || !selected(k) || slices.Contains(committed, int32(k)) || !before(k) {
			continue
		}
		if reason.Kind != "" && in.Kinds[k] != in.Kinds[at] {
			continue
		}
		left -= (in.Tokens[k] + unit - 1) / unit * unit
	}
	return left
}

// leftOfTruncation is what is left of the target when Truncate comes to an item.
func leftOfTruncation(r *pipeline.Ranking, report *model.Report, item int) model.Tokens {
	left := report.Budget.TargetTokens() - report.PinnedTokens
	at, _ := r.Position(item)
	for k, i := range r.Input().Items {
		if k < at && report.In(int(i)) {
			left -= r.Input().Tokens[k]
		}
	}
	return left
}

// raised reports whether an item that a cap drops is in with the cap raised.
func raised(t *testing.T, r *pipeline.Ranking, report *model.Report, item, by int) bool {
	t.Helper()
	kind, _, _ := report.CountCaps(item)
	p := r.Policy().Clone()
	for k := range p.CountQuotas {
		if kind.Is(p.CountQuotas[k].Kind) {
			p.CountQuotas[k].Cap += by
		}
	}
	again := musttest.Of(rank(t, p, report.Items).DryRun(report.Budget))(t)
	return again.In(item)
}

// An item that a full cap keeps out, and that no smaller budget has, is in at no larger one: the explorer says "never".
func TestWhatACapKeepsOutIsNeverIn(t *testing.T) {
	met := 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 77))
		set := randomSet(t, rng)
		pipe := musttest.Of(pipeline.New(committingPolicy(rng)))(t)
		r, err := pipe.Rank(t.Context(), set)
		if err != nil {
			continue
		}
		in, capped := make([]bool, set.Len()), make([]bool, set.Len()) // so far
		for b := range model.Tokens(160) {
			report, err := r.DryRunContext(t.Context(), musttest.Of(model.BudgetOf(b))(t))
			if err != nil {
				continue
			}
			reasons := musttest.Of(NewReasons(t.Context(), r, report))(t)
			for i := range in {
				reason := reasons.Of(i)
				if in[i] = in[i] || report.In(i); in[i] && capped[i] {
					t.Fatalf("seed %d: #%d is in at %v, and a smaller budget says never", seed, i, b)
				}
				if !in[i] && reason.Obstacle == OverCap && !capped[i] {
					capped[i] = true
					if reason.Cap > 0 {
						met++
					}
				}
			}
		}
	}
	if met < 100 {
		t.Errorf("%d items of kinds with a cap above 0 were met", met)
	}
}
