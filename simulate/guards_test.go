package simulate

import (
	"errors"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

// TestRulingGuardsByPolicy: the guards see through a policy which slicer it means.
func TestRulingGuardsByPolicy(t *testing.T) {
	set := randomSet(t, rand.New(rand.NewPCG(1, 2)))
	quotas := func(p *model.Policy) { p.Quotas = []model.Quota{{Kind: model.Message, MinPercent: model.Some(10.0)}} }
	counts := func(p *model.Policy) { p.CountQuotas = []model.CountQuota{{Kind: model.Message, Cap: 3}} }
	for _, c := range []struct {
		name             string
		slicer           model.SlicerType
		wrap             func(*model.Policy)
		search, marginal error
	}{
		{"greedy", model.Greedy, nil, nil, nil},
		{"knapsack", model.Knapsack, nil, nil, nil},
		{"stream", model.Stream, nil, nil, nil},
		{"quotas over greedy", model.Greedy, quotas, ErrSearchNotMonotonic, ErrMarginalNotMonotonic},
		{"quotas over knapsack", model.Knapsack, quotas, ErrSearchNotMonotonic, ErrMarginalNotMonotonic},
		{"count quotas over greedy", model.Greedy, counts, ErrSearchNotMonotonic, nil},
		{"count quotas over knapsack", model.Knapsack, counts, ErrSearchNotMonotonic, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
			p.Slicer, p.Overflow = c.slicer, model.Proceed
			if c.wrap != nil {
				c.wrap(&p)
			}
			r := rank(t, p, set)
			if _, err := FindMinBudgetFor(r, 0, 100, nil); !errors.Is(err, c.search) {
				t.Errorf("search: %v, want %v", err, c.search)
			}
			b := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 500}))(t)
			if _, err := MarginalItems(t.Context(), r, b, 5); !errors.Is(err, c.marginal) {
				t.Errorf("marginal: %v, want %v", err, c.marginal)
			}
		})
	}
}
