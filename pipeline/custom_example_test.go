package pipeline_test

import (
	"context"
	"fmt"
	"sort"
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

// Prepare implements slicer.Slicer. Everything that does not depend on the
// target is done here: sums[k] is what the first k items cost.
func (best) Prepare(in *slicer.Input) slicer.Prepared {
	sums := make([]slicer.Target, in.Len()+1)
	for k, tokens := range in.Tokens {
		sums[k+1] = sums[k] + slicer.Target(tokens)
	}
	return &bestOf{in, sums}
}

type bestOf struct {
	in   *slicer.Input
	sums []slicer.Target
}

// Slice implements slicer.Prepared.
func (b *bestOf) Slice(t slicer.Target, dst slicer.Selection) (slicer.Selection, error) {
	return b.at(t, dst), nil
}

func (b *bestOf) at(t slicer.Target, dst slicer.Selection) slicer.Selection {
	dst = slicer.NewSelection(dst, b.in.Len())
	if t > 0 {
		for k := range b.in.Len() {
			if b.sums[k+1] > t {
				break
			}
			dst.Add(k)
		}
	}
	return dst
}

// Profile implements slicer.Profiler: position k is in from sums[k+1] on, so
// the sums are the answer for every target.
func (b *bestOf) Profile(_ context.Context, upTo slicer.Target) (slicer.Profile, error) {
	return &bestProfile{b, upTo}, nil
}

type bestProfile struct {
	*bestOf
	upTo slicer.Target
}

func (p *bestProfile) UpTo() slicer.Target { return p.upTo }

func (p *bestProfile) FirstIn(k int) (slicer.Target, bool) {
	from := max(1, p.sums[k+1])
	return from, from <= p.upTo
}

func (p *bestProfile) StaysFrom(k int) (slicer.Target, bool) { return p.FirstIn(k) }

func (p *bestProfile) Bands(dst []slicer.Band, k int) []slicer.Band {
	if from, ok := p.FirstIn(k); ok {
		dst = append(dst, slicer.Band{From: from, To: p.upTo})
	}
	return dst
}

func (p *bestProfile) At(t slicer.Target, dst slicer.Selection) slicer.Selection {
	return p.at(min(t, p.upTo), dst)
}

func (p *bestProfile) Next(t slicer.Target) (slicer.Target, bool) {
	k := sort.Search(p.in.Len(), func(k int) bool { return max(1, p.sums[k+1]) > t })
	if k == p.in.Len() {
		return 0, false
	}
	return p.FirstIn(k)
}

func (p *bestProfile) Prev(t slicer.Target) (slicer.Target, bool) {
	k := sort.Search(p.in.Len(), func(k int) bool { return max(1, p.sums[k+1]) > min(t, p.upTo) })
	if k == 0 {
		return 0, false
	}
	return p.FirstIn(k - 1)
}

func (p *bestProfile) Curve() slicer.Curve {
	c := slicer.Curve{Targets: []slicer.Target{0}, Counts: []int32{0}, Used: []model.Tokens{0}, Scores: []float64{0}}
	score := 0.0
	for k := range p.in.Len() {
		from, ok := p.FirstIn(k)
		if !ok {
			break
		}
		score += p.in.Scores[k]
		if last := len(c.Targets) - 1; c.Targets[last] == from { // items without tokens come along
			c.Counts[last], c.Scores[last] = int32(k+1), score
			continue
		}
		c.Targets = append(c.Targets, from)
		c.Counts = append(c.Counts, int32(k+1))
		c.Used = append(c.Used, model.Tokens(p.sums[k+1]))
		c.Scores = append(c.Scores, score)
	}
	return c
}

var (
	_ scorer.Scorer   = mentions(nil)
	_ slicer.Slicer   = best{}
	_ slicer.Profiler = (*bestOf)(nil)
)

// A scorer and a slicer of one's own, the slicer with an exact profile: then
// everything that is built on profiles works for it too.
func ExampleAssemble() {
	items, err := model.NewSet([]model.Item{
		{Content: "The race is in the store.", Tokens: 40},
		{Content: "Lunch is at noon.", Tokens: 10},
		{Content: "The store takes no lock on the way out.", Tokens: 60},
		{Content: "A race needs two goroutines and no lock: see the store.", Tokens: 80},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := pipeline.Assemble(pipeline.Parts{
		Scorer: mentions{"race", "store", "lock"}, Slicer: best{}, Placer: placer.Chronological{}, Deduplicate: true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ranking, err := p.Rank(context.Background(), items)
	if err != nil {
		fmt.Println(err)
		return
	}
	budget, err := model.NewBudget(model.BudgetFields{MaxTokens: 130})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := ranking.DryRun(budget)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("at 130:", report.Included)
	profile, err := ranking.Profile(context.Background(), 200)
	if err != nil {
		fmt.Println(err)
		return
	}
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
