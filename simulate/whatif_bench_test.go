package simulate

import (
	"context"
	"fmt"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
)

// BenchmarkWhatIf measures what the detail asks of an item: one case, and the
// search through all items that are in, under scores that do and that do not
// depend on the other items.
func BenchmarkWhatIf(b *testing.B) {
	ctx := context.Background()
	budget := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 32_000}))(b)
	for _, n := range []int{1_000, 10_000, 100_000} {
		if testing.Short() && n > 10_000 {
			continue
		}
		r := benched(b, n)
		for _, scorer := range []string{"fixed", "relative"} {
			if scorer == "relative" {
				p := r.Policy()
				p.Scorers = []model.Scorer{{Type: model.ScoreScaled, Weight: 1, Inner: &model.Scorer{Type: model.ScoreReflexive, Weight: 1}}}
				pipe, err := pipeline.New(p)
				if err != nil {
					b.Fatal(err)
				}
				if r, err = pipe.Rank(ctx, r.Items()); err != nil {
					b.Fatal(err)
				}
			}
			before := musttest.Of(r.DryRun(budget))(b)
			item := int(before.Excluded[0])
			b.Run(fmt.Sprintf("pin/%s/%d", scorer, n), func(b *testing.B) {
				for b.Loop() {
					musttest.Of(WhatIf(ctx, r, before, Pinning(r.Items(), item)))(b)
				}
			})
			if n > 10_000 {
				continue // seconds
			}
			candidates := Droppable(r, before, item)
			b.Run(fmt.Sprintf("drops/%s/%d", scorer, n), func(b *testing.B) {
				for b.Loop() {
					musttest.Of(NewTrials(r, 0).DropsFor(ctx, before, item, candidates))(b)
				}
				b.ReportMetric(float64(len(candidates)), "candidates/op")
			})
		}
	}
}
