package pipeline

import (
	"context"
	"errors"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
	"cupelscope/pipeline/slicer"
)

func setOf(t testing.TB, items ...model.Item) *model.Set {
	t.Helper()
	return musttest.Of(model.NewSet(items))(t)
}

func rankOf(t testing.TB, p model.Policy, s *model.Set) *Ranking {
	t.Helper()
	pipe := musttest.Of(New(p))(t)
	return musttest.Of(pipe.Rank(context.Background(), s))(t)
}

func budgetOf(t testing.TB, f model.BudgetFields) model.Budget {
	t.Helper()
	return musttest.Of(model.NewBudget(f))(t)
}

func reflexive() model.Policy {
	return model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
}

// A dry run of a large knapsack stops when it is told to, and says how far it
// is. What it costs is known before.
func TestDryRunIsCancelled(t *testing.T) {
	items := make([]model.Item, 400)
	for i := range items {
		items[i] = model.Item{Content: "x", Tokens: model.Tokens(900 + i), FutureRelevanceHint: model.Some(float64(900+i) / 2000)}
	}
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	policy.Slicer, policy.BucketSize, policy.Deduplicate = model.Knapsack, 1, false
	pipe := musttest.Of(New(policy))(t)
	r := musttest.Of(pipe.Rank(context.Background(), setOf(t, items...)))(t)
	budget := budgetOf(t, model.BudgetFields{MaxTokens: 200_000})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var last, cells int64
	ctx = slicer.WithProgress(ctx, func(done, total int64) {
		last, cells = done, total
		if done > total/10 {
			cancel()
		}
	})
	musttest.Is(t, musttest.Refusal(r.DryRunContext(ctx, budget)), context.Canceled)
	if last == 0 || last > cells/2 {
		t.Errorf("it stopped after %d of %d cells", last, cells)
	}
	musttest.Is(t, musttest.Refusal(r.Select(ctx, budget, nil)), context.Canceled, "cancelled before")
	report, err := r.DryRunContext(context.Background(), budget)
	if err != nil || len(report.Included) == 0 {
		t.Errorf("afterwards: %v, %v", report, err)
	}
}

// A ranking of items in sizes that is not wanted any more ends before and within the pass that makes the
// cuts, also where it takes all but them from another ranking.
func TestCutsAreCancelled(t *testing.T) {
	whole := setOf(t, model.Item{Content: "x", Tokens: 900}, model.Item{Content: "y", Tokens: 800})
	cut := musttest.Of(whole.With(model.Edits{Shrink: model.Shrink{Rules: []model.ShrinkRule{{Kind: model.AnyKind, To: []model.Tokens{100}}}}}))(t)
	pipe := pipelineOf(t, reflexive())
	for _, like := range []*Ranking{nil, rankOf(t, reflexive(), whole)} {
		polls := [2]int{}
		for k, set := range []*model.Set{whole, cut} {
			for ; ; polls[k]++ {
				r, err := pipe.RankLike(polltest.After(t.Context(), polls[k]), like, set)
				if err == nil {
					break
				}
				if !errors.Is(err, context.Canceled) || r != nil {
					t.Fatalf("%v, %v after %d polls", r, err, polls[k])
				}
			}
		}
		if like == nil && polls[1] < polls[0]+3 || polls[1] < 4 {
			t.Errorf("%d polls without cuts and with them", polls)
		}
	}
}
