package simulate

import (
	"context"
	"fmt"
	"testing"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// BenchmarkWhatIf measures what the detail asks of an item: one case, and the
// search through all items that are in, under scores that do and that do not
// depend on the other items.
func BenchmarkWhatIf(b *testing.B) {
	ctx := context.Background()
	budget, err := model.NewBudget(model.BudgetFields{MaxTokens: 32_000})
	if err != nil {
		b.Fatal(err)
	}
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
			before, err := r.DryRun(budget)
			if err != nil {
				b.Fatal(err)
			}
			item := int(before.Excluded[0])
			b.Run(fmt.Sprintf("pin/%s/%d", scorer, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := WhatIf(ctx, r, before, Pinning(r.Items(), item)); err != nil {
						b.Fatal(err)
					}
				}
			})
			if n > 10_000 {
				continue // seconds
			}
			candidates := Droppable(r, before, item)
			b.Run(fmt.Sprintf("drops/%s/%d", scorer, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := NewTrials(r, 0).DropsFor(ctx, before, item, candidates); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(candidates)), "candidates/op")
			})
		}
	}
}
