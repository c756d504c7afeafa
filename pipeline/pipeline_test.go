package pipeline

import (
	"context"
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
