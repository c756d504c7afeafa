package simulate

import (
	"context"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/scorer"
)

// counted is a scorer that counts how often items are ranked with it.
type counted struct {
	scorer.Scorer
	ranks *int
}

func (c counted) Score(ctx context.Context, l scorer.List, dst []float64) error {
	*c.ranks++
	return c.Scorer.Score(ctx, l, dst)
}

// Neither another budget nor another item that is asked about ranks again what
// was ranked, as far as there is memory.
func TestTrialsRankOnce(t *testing.T) {
	ctx := context.Background()
	items := make([]model.Item, 40)
	for i := range items {
		items[i] = model.Item{Content: string(rune('a' + i)), Tokens: 10, Priority: model.Some(int64(i))}
	}
	set := musttest.Of(model.NewSet(items))(t)
	parts := musttest.Of(pipeline.PartsOf(model.Policy{Scorers: []model.Scorer{{Type: model.ScorePriority, Weight: 1}}, Slicer: model.Greedy, Placer: model.Chronological, Overflow: model.Throw}))(t)
	ranks := 0
	parts.Scorer = counted{parts.Scorer, &ranks}
	pipe := musttest.Of(pipeline.Assemble(parts))(t)
	r := musttest.Of(pipe.Rank(ctx, set))(t)
	// At 200 tokens 20 items are in, at 300 tokens 30.
	ask := func(trials *Trials, tokens model.Tokens, item int) int {
		t.Helper()
		budget := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: tokens}))(t)
		before := musttest.Of(r.DryRun(budget))(t)
		ranks = 0
		musttest.Of(trials.DropsFor(ctx, before, item, Droppable(r, before, item)))(t)
		return ranks
	}
	one := r.Bytes() + 64 // an edit
	for _, c := range []struct {
		name                              string
		bytes                             int
		first, otherItem, larger, smaller int
	}{
		{"nothing is remembered", 0, 20, 20, 30, 20},
		{"all is", 1 << 30, 20, 0, 10, 0},
		{"there is memory for five", 5 * one, 20, 15, 25, 15},
	} {
		trials := NewTrials(r, c.bytes)
		got := [4]int{ask(trials, 200, 0), ask(trials, 200, 1), ask(trials, 300, 0), ask(trials, 200, 2)}
		musttest.Is(t, got, [4]int{c.first, c.otherItem, c.larger, c.smaller}, c.name, "ranked")
	}
}

// Whichever item is left out, whatever its class, a leaveOut says what ranking anew says, and
// it is asked about only a part of the items.
func TestLeaveOutIsRankingAnew(t *testing.T) {
	ctx := context.Background()
	sets, brought, short := 0, 0, 0
	for seed := range uint64(randomtest.Rounds(400, 800, 6000)) {
		c := randomtest.Seeded(seed, 71)
		set, policy := musttest.Of(randomtest.Set(c))(t), randomtest.Policy(c)
		rng := rand.New(rand.NewPCG(seed, 72))
		policy.Quotas, policy.CountQuotas, policy.Scarcity, policy.BucketSize, policy.BatchSize, policy.KeepPairs = nil, nil, "", 0, 0, false
		policy.Slicer = randomtest.Pick(rng, model.Greedy, model.Rank, model.Prefix)
		r := rank(t, policy, set)
		budget := musttest.Of(randomtest.Budget(c))(t)
		before, err := r.DryRun(budget)
		l := musttest.Of(newLeaveOut(ctx, r, budget))(t)
		if l == nil || err != nil {
			continue
		}
		anew := NewTrials(r, 1<<20)
		for item := range set.Len() {
			for without := range set.Len() {
				got, want := l.has(int32(item), int32(without)), anew.bringsIn(ctx, before, item, int32(without))
				if got != want {
					t.Fatalf("seed %d: #%d is in without #%d: %v, ranked anew %v; %+v at %v", seed, item, without, got, want, policy, budget)
				}
				if got && !before.In(item) {
					brought++
				}
			}
		}
		sets++
		if len(l.places) < len(r.Scored()) {
			short++
		}
	}
	t.Logf("%d sets, of %d only a part is listed, %d items are brought in", sets, short, brought)
	if sets < 50 || brought < 100 || short < sets/10 {
		t.Errorf("%d sets, of %d only a part is listed, %d items are brought in: too few to show anything", sets, short, brought)
	}
}
