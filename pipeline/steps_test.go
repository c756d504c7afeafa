package pipeline

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// checkSteps holds the steps to the result of a dry run: the items that are in
// after their last step are those of the report, the errors are the same, and
// the shares are those that Shares tells.
func checkSteps(r *Ranking, b model.Budget, report *model.Report, failed error) error {
	in := make([]bool, r.set.Len())
	for _, item := range r.Pinned() {
		in[item] = true
	}
	shares := r.Shares(b)
	var wrong error
	end := r.Steps(context.Background(), b, func(s Step) {
		if (s.Item < 0) != (s.Opens != nil) || s.After < 0 || s.Left < 0 {
			wrong = fmt.Errorf("a step about nothing: %+v", s)
		}
		if share, ok := s.Opens.(slicer.KindShare); ok {
			if len(shares) == 0 || shares[0] != share {
				wrong = fmt.Errorf("the shares left are %+v, a step says %+v", shares, share)
			}
			shares = shares[min(1, len(shares)):]
		}
		if s.Item >= 0 {
			in[s.Item] = s.Verdict.In()
			if mate := r.mate(s.Item); mate >= 0 && s.At >= 0 {
				in[mate] = s.Verdict.In()
			}
		}
	})
	switch {
	case wrong != nil:
		return wrong
	case failed != nil || end != nil:
		if failed == nil || end == nil || failed.Error() != end.Error() {
			return fmt.Errorf("the steps end with %v, the dry run with %v", end, failed)
		}
		return nil
	case len(shares) > 0:
		return fmt.Errorf("no step says %+v", shares)
	}
	for item := range in {
		if in[item] != report.In(item) {
			return fmt.Errorf("item %d: by its steps %v, in the report %v", item, in[item], report.In(item))
		}
	}
	return nil
}

func TestStepsOfTruncateTellOfPinnedItemsToo(t *testing.T) {
	set, err1 := model.NewSet([]model.Item{
		{Content: "pinned", Tokens: 30, Pinned: true},
		{Content: "first", Tokens: 50, FutureRelevanceHint: model.Some(0.9)},
		{Content: "second", Tokens: 40, FutureRelevanceHint: model.Some(0.8)},
		{Content: "third", Tokens: 20, FutureRelevanceHint: model.Some(0.7)},
	})
	policy := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	policy.Overflow = model.Truncate
	policy.CountQuotas = []model.CountQuota{{Kind: model.Message, Require: 3, Cap: 3}}
	pipe, err2 := New(policy)
	budget, err3 := model.NewBudget(model.BudgetFields{MaxTokens: 100})
	musttest.Do(t, errors.Join(err1, err2, err3))
	ranking := musttest.Of(pipe.Rank(context.Background(), set))(t)
	type told struct {
		item        int32
		verdict     slicer.Verdict
		left, after slicer.Target
	}
	var got []told
	musttest.Do(t, ranking.Steps(context.Background(), budget, func(s Step) {
		if s.Phase == slicer.Truncation && s.Opens == nil {
			got = append(got, told{s.Item, s.Verdict, s.Left, s.After})
		}
	}))
	want := []told{{0, slicer.Kept, 100, 70}, {1, slicer.Kept, 70, 20}, {2, slicer.Dropped, 20, 20}, {3, slicer.Kept, 20, 0}}
	musttest.Is(t, got, want)
}

// everything is a slicer of a library user's own.
type everything struct{ slicer.Defaults }

func (everything) Traits() slicer.Traits                 { return slicer.Traits{} }
func (everything) Prepare(*slicer.Input) slicer.Prepared { return everything{} }

func (everything) Slice(_ context.Context, t slicer.Target, dst slicer.Selection) (slicer.Selection, error) {
	return slicer.NewSelection(dst, 1), nil
}

func TestStepsOfASlicerWithout(t *testing.T) {
	pipe := musttest.Of(Assemble(Parts{Scorer: scorer.Reflexive{}, Slicer: everything{}, Placer: placer.UShaped{}}))(t)
	set, err1 := model.NewSet([]model.Item{{Content: "a", Tokens: 3}})
	ranking, err2 := pipe.Rank(context.Background(), set)
	budget, err3 := model.NewBudget(model.BudgetFields{MaxTokens: 9})
	musttest.Do(t, errors.Join(err1, err2, err3))
	musttest.Is(t, ranking.Steps(context.Background(), budget, func(Step) {}), slicer.ErrNoSteps)
}
