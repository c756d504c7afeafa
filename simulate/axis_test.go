package simulate

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline/slicer"
)

func TestEndOfAnAxisIsBounded(t *testing.T) {
	r := rank(t, model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1}), sized(t, 1, 5, 0))
	for _, end := range []model.Tokens{-1, model.MaxTokens + 1} {
		err := musttest.Refusal(NewProfile(t.Context(), r, model.Budget{}, end))
		musttest.Is(t, musttest.As[*model.BudgetError](t, err, end).Field, "ceiling", end, err)
	}
}

func TestAxisThatNeverRuns(t *testing.T) {
	for _, pinned := range []model.Tokens{model.MaxTokens + 1, model.MaxTokens * (1<<23 - 1)} {
		a := axisFor(pinned, model.Throw, model.Budget{}, model.MaxTokens)
		if start, ok := a.Start(); ok {
			t.Errorf("pinned %v: starts at %v", pinned, start)
		}
		if b, ok := a.Least(0); ok {
			t.Errorf("pinned %v: runs at %v", pinned, b)
		}
		if _, runs := a.Target(model.MaxTokens); runs {
			t.Errorf("pinned %v: runs at the largest budget", pinned)
		}
	}
}

// TestLeastOfLargeBudgets holds Least to a binary search over the effective
// budget itself, where float64 begins to round.
func TestLeastOfLargeBudgets(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	reached := 0
	for range 20_000 {
		size := model.Tokens(1) << rng.IntN(41)
		f := model.BudgetFields{MaxTokens: model.MaxTokens, TargetTokens: model.Some(model.MaxTokens - model.Tokens(rng.Int64N(int64(size))))}
		randomtest.Reserve(randomtest.Seeded(rng.Uint64(), 1), &f, size-1)
		f.SafetyMargin = randomtest.Pick(rng, 0, 1e-20, 1e-9, 0.00024419, 5, 33.3, 99.9, 99.99999999999999, 100, 100*rng.Float64())
		template := musttest.Of(model.NewBudget(f))(t)
		pinned := model.Tokens(rng.Int64N(int64(size)))
		axis := axisFor(pinned, model.Proceed, template, model.MaxTokens)
		want := slicer.Target(1 + rng.Int64N(int64(size)))
		start := sort.Search(int(model.MaxTokens)+1, func(b int) bool {
			budget, err := template.At(model.Tokens(b))
			return err == nil && budget.CheckPinned(pinned) == nil && slicer.Target(budget.Effective(pinned).Target) >= want
		})
		got, ok := axis.Least(want)
		if ok != (start <= int(model.MaxTokens)) || ok && int(got) != start {
			t.Fatalf("Least(%d) = %v, %v, want %d; pinned %v, template %+v", want, got, ok, start, pinned, f)
		}
		if ok {
			reached++
		}
	}
	if reached < 5_000 {
		t.Errorf("only %d targets can be reached: the budgets test nothing", reached)
	}
}

const (
	below   model.Tokens  = 549757156340 // with target skipped-1
	skipped slicer.Target = 1 << 39      // no budget has it
)

func jumping(t *testing.T) model.Budget {
	t.Helper()
	return budgetOf(t, model.BudgetFields{MaxTokens: below, SafetyMargin: 0.00024419000000000003})
}

// TestTargetsThatAreJumpedOver: at this margin the target goes from 2^39-1 to
// 2^39+1 between two budgets, because float64 rounds to twice the step above
// 2^39. A band that holds the target between them only is no band, and a gap
// there is no gap.
func TestTargetsThatAreJumpedOver(t *testing.T) {
	template := jumping(t)
	set := musttest.Of(model.NewSet([]model.Item{
		{Content: "enters at the skipped target", Tokens: model.Tokens(skipped), FutureRelevanceHint: model.Some(1.0)},
		{Content: "leaves at the skipped target only", Tokens: 1, FutureRelevanceHint: model.Some(1e-13)},
	}))(t)
	r := rank(t, model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1}), set)
	p := musttest.Of(NewProfile(t.Context(), r, template, below+100))(t)
	axis := p.Axis()
	if a, _ := axis.Target(below); a != skipped-1 {
		t.Fatalf("target %d just below the jump, want %d", a, skipped-1)
	}
	if a, _ := axis.Target(below + 1); a != skipped+1 {
		t.Fatalf("target %d just above the jump, want %d", a, skipped+1)
	}
	targets := p.inner.Bands(nil, 1)
	if want := []slicer.Band{{From: 1, To: skipped - 1}, {From: skipped + 1, To: p.last}}; !slices.Equal(targets, want) {
		t.Fatalf("the slicer has the item at %v, want %v", targets, want)
	}
	first, _ := axis.Least(1)
	musttest.Is(t, p.Bands(nil, 1), []Band{{first, below + 100}}, "Bands")
	if got, ok := p.StaysFrom(1); !ok || got != first {
		t.Errorf("Stays = %v, %v, want %v", got, ok, first)
	}
	if got, ok := p.FirstIn(0); !ok || got != below+1 {
		t.Errorf("First = %v, %v, want %v", got, ok, below+1)
	}
	if c, ok := p.Next(first); !ok || c.At != below+1 || !slices.Equal(c.In, []int32{0}) || c.Out != nil {
		t.Errorf("Next = %+v, %v", c, ok)
	}
	if c, ok := p.Prev(below + 50); !ok || c.At != below || !slices.Equal(c.Out, []int32{0}) || c.In != nil {
		t.Errorf("Prev = %+v, %v", c, ok)
	}
}

// flash selects its only candidate at the skipped target and nowhere else.
type flash struct{ slicer.Profile }

func (flash) UpTo() slicer.Target                 { return 1 << 40 }
func (flash) FirstIn(int) (slicer.Target, bool)   { return skipped, true }
func (flash) StaysFrom(int) (slicer.Target, bool) { return 0, false }
func (flash) Bands(dst []slicer.Band, _ int) []slicer.Band {
	return append(dst, slicer.Band{From: skipped, To: skipped})
}
func (flash) At(t slicer.Target, dst slicer.Selection) slicer.Selection {
	dst = slicer.NewSelection(dst, 1)
	if t == skipped {
		dst.Add(0)
	}
	return dst
}
func (flash) Series() slicer.Series {
	return slicer.Series{Targets: []slicer.Target{0, skipped, skipped + 1}, Counts: []int32{0, 1, 0}, Used: []model.Tokens{0, 5, 0}, Scores: []float64{0, 1, 0}}
}
func (flash) Next(t slicer.Target) (slicer.Target, bool) {
	switch {
	case t < skipped:
		return skipped, true
	case t == skipped:
		return skipped + 1, true
	}
	return 0, false
}
func (flash) Prev(t slicer.Target) (slicer.Target, bool) {
	switch {
	case t > skipped:
		return skipped + 1, true
	case t == skipped:
		return skipped, true
	}
	return 0, false
}

// What comes and goes between two budgets never happens.
func TestAnItemThatIsJumpedOver(t *testing.T) {
	r := rank(t, model.NewPolicy(model.Scorer{Type: model.ScoreKind, Weight: 1}), sized(t, 1, 5, 0))
	axis := musttest.Of(newAxis(r, jumping(t), below+100))(t)
	last, _ := axis.Target(axis.End())
	p := &Profile{r, axis, flash{}, last, excess{to: -1}}
	if b, ok := p.FirstIn(0); ok {
		t.Errorf("First = %v", b)
	}
	if bands := p.Bands(nil, 0); len(bands) > 0 {
		t.Errorf("Bands = %v", bands)
	}
	if c, ok := p.Next(below - 5); ok {
		t.Errorf("Next = %+v", c)
	}
	if c, ok := p.Prev(below + 50); ok {
		t.Errorf("Prev = %+v", c)
	}
	musttest.Is(t, len(slices.Collect(p.Points())), 1, "points")
}
