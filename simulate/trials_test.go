package simulate

import (
	"context"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
	"cupelscope/model/randomtest"
)

// Whichever item is left out, whatever its class, a leaveOut says what ranking anew says, and
// it is asked about only a part of the items.
func TestLeaveOutIsRankingAnew(t *testing.T) {
	ctx := context.Background()
	sets, brought, short := 0, 0, 0
	for seed := range uint64(randomtest.Rounds(400, 6000)) {
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
		anew := NewTrials(r)
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

// Between the sorts of all items a leaveOut looks whether it is still wanted.
func TestALeaveOutEndsBetweenItsSorts(t *testing.T) {
	r, budget := alike(t, 200), musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 100_000}))(t)
	polls := 0
	for ; ; polls++ {
		l, err := newLeaveOut(polltest.After(t.Context(), polls), r, budget)
		if err == nil {
			break
		}
		if polls < 3 && len(l.places) > 0 {
			t.Errorf("it lists %d items after %d polls", len(l.places), polls)
		}
	}
	if polls < 4 {
		t.Errorf("it looks %d times", polls)
	}
}

// What would be without an item is not computed to the end once it is not wanted any more.
func TestAnEditEndsBetweenItsParts(t *testing.T) {
	r := alike(t, 20)
	for polls := range 2 {
		musttest.Is(t, musttest.Refusal(Edited(polltest.After(t.Context(), polls), r, Dropping(r.Items(), 3))), context.Canceled, "after", polls, "polls")
	}
}
