package pipeline

import (
	"context"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
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

func TestDryRunOfASmallSet(t *testing.T) {
	hint := func(v float64) model.Option[float64] { return model.Some(v) }
	s := setOf(t,
		model.Item{Content: "a", Tokens: 10, FutureRelevanceHint: hint(0.5)},
		model.Item{Content: "b", Tokens: 100, FutureRelevanceHint: hint(0.9)},
		model.Item{Content: "a", Tokens: 10, FutureRelevanceHint: hint(0.6)},
		model.Item{Content: "n", Tokens: -1},
		model.Item{Content: "p", Tokens: 5, Pinned: true},
		model.Item{Content: "z", Tokens: 0, FutureRelevanceHint: hint(0.1)},
	)
	r := musttest.Of(rankOf(t, reflexive(), s).DryRun(budgetOf(t, model.BudgetFields{MaxTokens: 50})))(t)
	if want := []int32{4, 2, 5}; !slices.Equal(r.Included, want) {
		t.Errorf("included %v, want %v", r.Included, want)
	}
	if want := []int32{1, 0, 3}; !slices.Equal(r.Excluded, want) {
		t.Errorf("excluded %v, want %v", r.Excluded, want)
	}
	wantCodes := []model.Code{model.Deduplicated, model.BudgetExceeded, model.Scored, model.NegativeTokens, model.Pinned, model.ZeroToken}
	if !slices.Equal(r.Codes, wantCodes) {
		t.Errorf("codes %v, want %v", r.Codes, wantCodes)
	}
	if r.Reason(0).By != 2 {
		t.Errorf("the duplicate names %d, want 2", r.Reason(0).By)
	}
}
