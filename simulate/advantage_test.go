package simulate

import (
	"context"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
)

// A cause that is named is proven by a run of the policy without it, and the
// figures beside it come from the report.
func TestAdvantageIsProven(t *testing.T) {
	seen := map[Cause]int{}
	for seed := range randomtest.Rounds(3000, 20000) {
		rng := rand.New(rand.NewPCG(uint64(seed), 72))
		set := randomSet(t, rng)
		pa, pb := randomPolicy(rng), randomPolicy(rng)
		pa.Deduplicate, pb.Deduplicate = true, true
		if pa.Scarcity == model.ScarcityFail || pb.Scarcity == model.ScarcityFail {
			continue
		}
		template, at := randomTemplate(t, rng), model.Tokens(rng.IntN(70))
		rb := rank(t, pb, set)
		a, _ := dryRunAt(t, rank(t, pa, set), template, at)
		b, _ := dryRunAt(t, rb, template, at)
		if a == nil || b == nil || a.Value <= b.Value {
			continue
		}
		got := musttest.Of(ExplainAdvantage(context.Background(), a, b, rb))(t)
		seen[got.Cause]++
		if got.Cause == NoSingleCause {
			continue
		}
		p, edits := rb.Policy().Clone(), set.Edits()
		switch got.Cause {
		case BucketRounding:
			p.BucketSize = 1
			free := b.Effective.Target
			for _, i := range b.Included {
				if !set.Pinned(int(i)) {
					free -= set.Tokens(int(i))
				}
			}
			if got.Tokens != max(0, free) {
				t.Fatalf("seed %d: %v stay empty, want %v", seed, got.Tokens, free)
			}
		case ShareQuotas:
			p.Quotas = nil
		case CountQuotas:
			p.CountQuotas, p.Scarcity = nil, ""
		case LargeItem:
			edits = Dropping(set, got.Item)
			if !b.In(got.Item) || a.In(got.Item) || got.Tokens != set.Tokens(got.Item) {
				t.Fatalf("seed %d: item %d of %v tokens is no difference", seed, got.Item, got.Tokens)
			}
		}
		other := musttest.Of(set.With(edits))(t)
		again := musttest.Of(rank(t, p, other).DryRun(b.Budget))(t)
		worth := again.Value
		if got.Cause == LargeItem { // the scores may be others, but not those that count
			worth = 0
			for i := range again.Codes {
				if again.In(i) && b.Codes[i] != model.Pinned {
					worth += b.Scores[i]
				}
			}
		}
		if worth != got.Without || worth < a.Value {
			t.Fatalf("seed %d: without %d the value is %v, told %v, the better one has %v", seed, got.Cause, worth, got.Without, a.Value)
		}
	}
	for c := NoSingleCause; c <= LargeItem; c++ {
		if seen[c] == 0 {
			t.Errorf("cause %d never came up", c)
		}
	}
}

func TestAdvantageRefusesOtherScores(t *testing.T) {
	set := randomSet(t, rand.New(rand.NewPCG(3, 3)))
	other := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 1})
	ra := rank(t, model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}), set)
	rb := rank(t, other, set)
	b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 400}))(t)
	x := musttest.Of(ra.DryRun(b))(t)
	y := musttest.Of(rb.DryRun(b))(t)
	musttest.Is(t, musttest.Refusal(ExplainAdvantage(context.Background(), x, y, rb)), ErrScoredDifferently)
}
