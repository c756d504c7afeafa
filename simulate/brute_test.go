package simulate

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// scenario is a small random experiment whose answer at every budget is known
// by running the pipeline there.
type scenario struct {
	ranking  *pipeline.Ranking
	axis     Axis
	template model.Budget
	reports  []*model.Report // by budget, 0 to End; nil where the pipeline does not run
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

func randomSet(t *testing.T, rng *rand.Rand) *model.Set {
	t.Helper()
	items := make([]model.Item, rng.IntN(9))
	largest := pick(rng, 4, 9, 20)
	for i := range items {
		items[i] = model.Item{
			Content: pick(rng, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"), // some twice
			Tokens:  model.Tokens(1 + rng.IntN(largest)),
			Kind:    pick(rng, model.Message, model.Document),
			Pinned:  rng.IntN(8) == 0,
			// Few hints, so that scores and densities tie; 0 and below too.
			FutureRelevanceHint: model.Some(pick(rng, 0, .1, .2, .25, .5, .5, .75, 1)),
		}
		switch rng.IntN(12) {
		case 0:
			items[i].Tokens = 0
		case 1:
			items[i].Tokens = -3
		}
	}
	set, err := model.NewSet(items)
	if err != nil {
		t.Fatal(err)
	}
	edits := model.Edits{Excluded: map[int]bool{}}
	for i := range items {
		if rng.IntN(12) == 0 {
			edits.Excluded[i] = true
		}
	}
	if set, err = set.With(edits); err != nil {
		t.Fatal(err)
	}
	return set
}

func randomPolicy(rng *rand.Rand) model.Policy {
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	p.Placer = pick(rng, model.PlacerTypes()...)
	p.Overflow = pick(rng, model.OverflowStrategies()...)
	p.Deduplicate = rng.IntN(4) > 0
	if p.Slicer = pick(rng, model.Greedy, model.Knapsack); p.Slicer == model.Knapsack {
		p.BucketSize = model.Tokens(pick(rng, 1, 1, 2, 3, 7))
	}
	return p
}

func randomTemplate(t *testing.T, rng *rand.Rand) model.Budget {
	t.Helper()
	f := model.BudgetFields{SafetyMargin: pick(rng, 0, 0, 5, 33.3, 50, 99, 100)}
	if rng.IntN(3) == 0 {
		f.OutputReserve = model.Tokens(rng.IntN(12))
	}
	gap := model.Tokens(0)
	if rng.IntN(3) == 0 {
		gap = model.Tokens(rng.IntN(12))
	}
	f.MaxTokens = 40
	f.TargetTokens = f.MaxTokens - gap
	if rng.IntN(4) == 0 {
		f.ReservedSlots = []model.Slot{{Kind: model.Memory, Tokens: model.Tokens(rng.IntN(9))}, {Kind: "x", Tokens: 1}}
	}
	b, err := model.NewBudget(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func rank(t *testing.T, p model.Policy, set *model.Set) *pipeline.Ranking {
	t.Helper()
	pipe, err := pipeline.New(p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := pipe.Rank(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newScenario(t *testing.T, r *pipeline.Ranking, template model.Budget, end model.Tokens) scenario {
	t.Helper()
	axis, err := NewAxis(template, r.PinnedTokens(), r.Policy().Overflow, end)
	if err != nil {
		t.Fatal(err)
	}
	s := scenario{ranking: r, axis: axis, template: template, reports: make([]*model.Report, end+1)}
	for b := range s.reports {
		s.reports[b] = dryRunAt(t, r, template, model.Tokens(b))
	}
	return s
}

// dryRunAt is the report under the template at b; nil if the pipeline does not
// run there.
func dryRunAt(t *testing.T, r *pipeline.Ranking, template model.Budget, b model.Tokens) *model.Report {
	t.Helper()
	f := template.Fields()
	f.TargetTokens = max(0, b-(f.MaxTokens-f.TargetTokens))
	f.MaxTokens = b
	budget, err := model.NewBudget(f)
	if err != nil {
		return nil
	}
	report, err := r.DryRun(budget)
	if err == nil {
		return report
	}
	_, pinned := errors.AsType[*model.PinnedError](err)
	_, overflow := errors.AsType[*model.OverflowError](err)
	if !pinned && !overflow {
		t.Fatal(err)
	}
	return nil
}

func (s scenario) in(item, b int) bool { return s.reports[b] != nil && s.reports[b].In(item) }

func (s scenario) same(b, c int) bool {
	for i := range s.ranking.Items().Len() {
		if s.in(i, b) != s.in(i, c) {
			return false
		}
	}
	return true
}

// change is what differs between two budgets, to being At.
func (s scenario) change(from, to int) Change {
	c := Change{At: model.Tokens(to)}
	for i := range s.ranking.Items().Len() {
		switch was, is := s.in(i, from), s.in(i, to); {
		case is && !was:
			c.In = append(c.In, int32(i))
		case was && !is:
			c.Out = append(c.Out, int32(i))
		}
	}
	return c
}

func (s scenario) next(b int) (Change, bool) {
	for c := max(b, 0) + 1; c < len(s.reports); c++ {
		if !s.same(c-1, c) {
			return s.change(c-1, c), true
		}
	}
	return Change{}, false
}

func (s scenario) prev(b int) (Change, bool) {
	b = min(b, len(s.reports)-1)
	for c := b - 1; c >= 0; c-- {
		if !s.same(b, c) {
			return s.change(b, c), true
		}
	}
	return Change{}, false
}

func (s scenario) bands(item int) []Band {
	var bands []Band
	for b := range s.reports {
		switch {
		case !s.in(item, b):
		case len(bands) > 0 && bands[len(bands)-1].To == model.Tokens(b-1):
			bands[len(bands)-1].To++
		default:
			bands = append(bands, Band{model.Tokens(b), model.Tokens(b)})
		}
	}
	return bands
}

func (s scenario) summary(item int) Summary {
	var sum Summary
	end := len(s.reports) - 1
	first := slices.IndexFunc(s.reports, func(r *model.Report) bool { return r != nil && r.In(item) })
	if first < 0 {
		return sum
	}
	sum.First = model.Some(model.Tokens(first))
	for b := first; b <= end && s.in(item, b); b++ {
		sum.FirstWidth++
	}
	stays := end + 1
	for stays > 0 && s.in(item, stays-1) {
		stays--
	}
	if stays <= end {
		sum.Stays = model.Some(model.Tokens(stays))
	}
	in := 0
	for b := first; b < stays; b++ {
		if s.in(item, b) {
			in++
		}
	}
	sum.Share = 1
	if stays > first {
		sum.Share = float64(in) / float64(stays-first)
	}
	sum.Ranges = len(s.bands(item))
	sum.Always = true
	for b := range s.reports {
		sum.Always = sum.Always && s.in(item, b) == (s.reports[b] != nil)
	}
	return sum
}
