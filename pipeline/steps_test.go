package pipeline

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"cupelscope/model"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// TestStepsEndWhereDryRunDoes for random sets, policies and budgets: the items
// in after their last step are those of the report, and so are the errors.
func TestStepsEndWhereDryRunDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	cases := 6000
	if testing.Short() {
		cases /= 10
	}
	truncated := 0
	for range cases {
		set, err1 := randomSet(r)
		policy := randomPolicy(r)
		budget, err2 := randomBudget(r)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		pipe, err := New(policy)
		if err != nil {
			continue // scorers whose weights do not sum up
		}
		ranking, err := pipe.Rank(context.Background(), set)
		if err != nil {
			t.Fatal(err)
		}
		report, want := ranking.DryRun(budget)
		in := make([]bool, set.Len())
		for _, item := range ranking.Pinned() {
			in[item] = true
		}
		shares := ranking.Shares(budget)
		var got error
		for s, err := range ranking.Steps(context.Background(), budget) {
			if got = err; err != nil {
				break
			}
			if (s.Item < 0) != (s.Opens != nil) || s.After < 0 || s.Left < 0 {
				t.Fatalf("a step about nothing: %+v", s)
			}
			if share, ok := s.Opens.(slicer.KindShare); ok {
				if len(shares) == 0 || shares[0] != share {
					t.Fatalf("the shares are %+v, the step says %+v", shares, share)
				}
				shares = shares[1:]
			}
			if s.Phase == slicer.Truncation {
				truncated++
			}
			if s.Item >= 0 {
				in[s.Item] = s.Verdict.In()
			}
		}
		if len(shares) > 0 && got == nil {
			t.Fatalf("no step says %+v", shares)
		}
		if want != nil || got != nil {
			if want == nil || got == nil || want.Error() != got.Error() {
				t.Fatalf("the steps end with %v, DryRun with %v", got, want)
			}
			continue
		}
		for item := range in {
			if in[item] != report.In(item) {
				t.Fatalf("item %d: by steps %v, in the report %v (%v)", item, in[item], report.In(item), policy)
			}
		}
	}
	if truncated == 0 {
		t.Error("nothing was truncated: these sets show too little")
	}
}

// everything is a slicer of a library user's own.
type everything struct{}

func (everything) Prepare(*slicer.Input) slicer.Prepared { return everything{} }

func (everything) Slice(t slicer.Target, dst slicer.Selection) (slicer.Selection, error) {
	return slicer.NewSelection(dst, 1), nil
}

func TestStepsOfASlicerWithout(t *testing.T) {
	pipe, err := Assemble(Parts{Scorer: scorer.Reflexive{}, Slicer: everything{}, Placer: placer.UShaped{}})
	if err != nil {
		t.Fatal(err)
	}
	set, err1 := model.NewSet([]model.Item{{Content: "a", Tokens: 3}})
	ranking, err2 := pipe.Rank(context.Background(), set)
	budget, err3 := model.NewBudget(model.BudgetFields{MaxTokens: 9, TargetTokens: 9})
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	for _, err := range ranking.Steps(context.Background(), budget) {
		if !errors.Is(err, ErrNoSteps) {
			t.Errorf("%v, want %v", err, ErrNoSteps)
		}
	}
}
