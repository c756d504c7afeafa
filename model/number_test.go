package model

import (
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// Each number of a policy is tried in the whole policy, so that a policy of very many scorers would keep whoever lists
// its numbers busy for hours: those of its budget are listed alone.
func TestAPolicyOfManyScorersHasNoNumbers(t *testing.T) {
	musttest.Alone(t)
	b := musttest.Of(BudgetOf(1000))(t)
	scorer := Scorer{Type: ScoreRecency, Weight: 1}
	inner := Scorer{Type: ScoreScaled, Weight: 1, Inner: &scorer}
	for _, c := range []struct {
		scorers []Scorer
		weights int
	}{
		{slices.Repeat([]Scorer{scorer}, maxNumbered), maxNumbered},
		{slices.Repeat([]Scorer{scorer}, maxNumbered+1), 0},
		{slices.Repeat([]Scorer{inner}, maxNumbered/2), maxNumbered / 2},
		{slices.Repeat([]Scorer{inner}, maxNumbered/2+1), 0},
	} {
		all := Numbers(NewPolicy(c.scorers...), b, nil)
		weights := len(slices.DeleteFunc(slices.Clone(all), func(n Number) bool { return !strings.HasPrefix(n.Name, "weight:") }))
		if budget := slices.ContainsFunc(all, func(n Number) bool { return n.OfBudget }); weights != c.weights || !budget {
			t.Errorf("%d scorers: %d weights of %d numbers, want %d", len(c.scorers), weights, len(all), c.weights)
		}
	}
}
