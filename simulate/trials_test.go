package simulate

import (
	"context"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
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
		if want := [4]int{c.first, c.otherItem, c.larger, c.smaller}; got != want {
			t.Errorf("%s: ranked %v times, want %v", c.name, got, want)
		}
	}
}
