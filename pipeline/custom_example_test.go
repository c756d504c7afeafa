package pipeline_test

import (
	"context"
	"fmt"
	"strings"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// mentions is a scorer: the share of its words that an item's text contains.
type mentions []string

// Score implements scorer.Scorer.
func (words mentions) Score(ctx context.Context, l scorer.List, dst []float64) error {
	for k, item := range l.Items {
		if k%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		text := strings.ToLower(l.Set.Loaded(int(item)).Content)
		found := 0
		for _, word := range words {
			if strings.Contains(text, word) {
				found++
			}
		}
		dst[k] = float64(found) / float64(len(words))
	}
	return nil
}

// best is a slicer: items by falling score, up to the first that does not fit.
type best struct{}

// Traits implements slicer.Slicer.
func (best) Traits() slicer.Traits { return slicer.Traits{ByScore: true} }

// Prepare implements slicer.Slicer. Everything that does not depend on the
// target is done here: sums[k] is what the first k items cost.
func (best) Prepare(in *slicer.Input) slicer.Prepared {
	sums := make([]slicer.Target, in.Len()+1)
	for k, tokens := range in.Tokens {
		sums[k+1] = sums[k] + slicer.Target(tokens)
	}
	return &bestOf{in: in, sums: sums}
}

type bestOf struct {
	slicer.Defaults // no steps, and a profile that is tabulated
	in              *slicer.Input
	sums            []slicer.Target
}

// Slice implements slicer.Prepared.
func (b *bestOf) Slice(_ context.Context, t slicer.Target, dst slicer.Selection) (slicer.Selection, error) {
	dst = slicer.NewSelection(dst, b.in.Len())
	if t > 0 {
		for k := range b.in.Len() {
			if b.sums[k+1] > t {
				break
			}
			dst.Add(k)
		}
	}
	return dst, nil
}

var (
	_ scorer.Scorer = mentions(nil)
	_ slicer.Slicer = best{}
)

// A scorer and a slicer of one's own. The slicer only selects: its profile is
// tabulated, so everything that is built on profiles works for it too.
func ExampleAssemble() {
	items := must(model.NewSet([]model.Item{
		{Content: "The race is in the store.", Tokens: 40},
		{Content: "Lunch is at noon.", Tokens: 10},
		{Content: "The store takes no lock on the way out.", Tokens: 60},
		{Content: "A race needs two goroutines and no lock: see the store.", Tokens: 80},
	}))
	p := must(pipeline.Assemble(pipeline.Parts{
		Scorer: mentions{"race", "store", "lock"}, Slicer: best{}, Placer: placer.Chronological{}, Deduplicate: true,
	}))
	ranking := must(p.Rank(context.Background(), items))
	budget := must(model.NewBudget(model.BudgetFields{MaxTokens: 130}))
	report := must(ranking.DryRun(budget))
	fmt.Println("at 130:", report.Included)
	profile := must(ranking.Profile(context.Background(), 200))
	for item := range items.Len() {
		k, _ := ranking.Position(item)
		least, in := profile.FirstIn(k)
		fmt.Printf("item %d scores %.2f: %v from target %d\n", item, ranking.Scores()[item], in, least)
	}
	// Output:
	// at 130: [3 0]
	// item 0 scores 0.67: true from target 120
	// item 1 scores 0.00: true from target 190
	// item 2 scores 0.67: true from target 180
	// item 3 scores 1.00: true from target 80
}
