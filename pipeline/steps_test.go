package pipeline

import (
	"context"
	"fmt"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
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
	policy := countPolicy(model.Greedy, model.CountQuota{Kind: "Note", Require: 3, Cap: 3})
	policy.Overflow = model.Truncate
	ranking := rankOf(t, policy, setOf(t, pinned("pinned", 30), note("first", 50, 0.9), note("second", 40, 0.8), note("third", 20, 0.7)))
	budget := budgetOf(t, model.BudgetFields{MaxTokens: 100})
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

func TestStepsOfASlicerWithout(t *testing.T) {
	ranking := assembled(t, Parts{Scorer: given{1}, Slicer: takeAll{}}, setOf(t, item("a", 3)))
	budget := budgetOf(t, model.BudgetFields{MaxTokens: 9})
	musttest.Is(t, ranking.Steps(context.Background(), budget, func(Step) {}), slicer.ErrNoSteps)
}
