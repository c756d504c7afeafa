package simulate

import (
	"context"
	"errors"
	"math"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// runner runs the pipeline at one value after the other.
type runner struct {
	*over
	now     state
	sel     slicer.Selection
	all     []int32 // numbers of items
	changed []int32 // all that may differ from the value before

	// For a number of the budget: all targets from at on, below next, have the selection sel.
	at, next slicer.Target
	runs     bool
	room     model.Tokens     // targetTokens, where the committed items may overflow it
	follows  bool             // now is the result of sel alone
	spare    slicer.Selection // the memory of the selection before
	few      []int32          // the memory of changed, where it is not all

	weighed *weighed // nil: the slicer runs at every value
}

// to sets now to the result at value i. It returns true if that is known to be the result at
// the value before.
func (r *runner) to(ctx context.Context, i int64) (same bool, err error) {
	r.changed = r.all
	if r.number.OfBudget {
		return r.toBudget(ctx, i)
	}
	if r.weighed != nil {
		if same, err = r.weighed.same(r.values.at(i)); same || err != nil {
			return same, err
		}
	}
	policy, _ := r.number.Set(r.policy, model.BudgetFields{}, r.values.at(i))
	pipe, err := pipeline.New(policy)
	if err != nil {
		return false, err
	}
	ranking, err := pipe.RankLike(ctx, r.ranking, r.ranking.Items())
	if err != nil {
		return false, err
	}
	if err = r.slice(ctx, ranking, r.budget); err == nil && r.weighed != nil {
		r.weighed.keep(ranking, r.now)
	}
	return false, err
}

// slice sets now to what the slicer selects at a budget.
func (r *runner) slice(ctx context.Context, ranking *pipeline.Ranking, b model.Budget) (err error) {
	clear(r.now)
	if r.sel, err = ranking.Select(ctx, b, r.sel); err != nil {
		r.now.idle()
		return unlessIdle(err)
	}
	return r.now.fill(ranking, b, r.sel)
}

// toBudget reads the result from the profile of the ranking.
//
// The larger a reserve, a slot or the margin is, or the smaller targetTokens, the smaller is
// the effective target, and where the pipeline once does not run it does not beyond. So where
// two values have one result of the profile, all values between them have it.
func (r *runner) toBudget(ctx context.Context, i int64) (same bool, err error) {
	b, err := r.budgetAt(i)
	if err != nil {
		return false, err
	}
	if r.profile == nil {
		return false, r.slice(ctx, r.ranking, b)
	}
	if r.like(b) {
		return true, nil
	}
	target := r.target(b)
	r.at, _ = r.profile.Prev(target)
	var more bool
	if r.next, more = r.profile.Next(target); !more {
		r.next = math.MaxInt64
	}
	r.runs, r.room = r.runsAt(b), b.TargetTokens()
	followed := r.follows
	r.follows = r.runs && alone(r.ranking, b)
	if !r.runs {
		r.now.idle()
		return false, nil
	}
	before := r.sel
	r.sel, r.spare = r.profile.At(target, r.spare), before
	if followed && r.follows {
		r.few = r.now.follow(r.ranking, before, r.sel, r.few[:0])
		r.changed = r.few
		return false, nil
	}
	clear(r.now)
	return false, r.now.fill(r.ranking, b, r.sel)
}

// like reports whether now is the result at a budget.
func (r *runner) like(b model.Budget) bool {
	target := r.target(b)
	return r.at >= 0 && r.runsAt(b) == r.runs && r.at <= target && target < r.next && (r.room == b.TargetTokens() || !commits(r.ranking))
}

// runsAt reports whether the pipeline runs at a budget.
func (r *runner) runsAt(b model.Budget) bool {
	pinned := r.ranking.PinnedTokens()
	return b.CheckPinned(pinned) == nil && (pinned == 0 || pinned <= b.TargetTokens() || r.policy.Overflow != model.Throw)
}

// lastLike returns the last value from i on, below to, that has the same result as i, which is
// now. It looks at few values if the last one is near.
func (r *runner) lastLike(i, to int64) int64 {
	like := func(i int64) bool {
		b, err := r.budgetAt(i)
		return err == nil && r.like(b)
	}
	step := int64(1)
	for i+step < to && like(i+step) {
		i += step
		step *= 2
	}
	within := min(step, to-i) // i+within is to, or a value without the result of i
	return i + int64(sort.Search(int(within-1), func(k int) bool { return !like(i + 1 + int64(k)) }))
}

// commits reports whether the slicer commits items whatever they cost.
func commits(r *pipeline.Ranking) bool {
	_, tokens := r.Committed()
	return tokens > 0
}

// unlessIdle returns nil for an error with which the pipeline refuses to run at a budget.
func unlessIdle(err error) error {
	if _, scarce := errors.AsType[*model.ScarcityError](err); scarce || tooSmall(err) {
		return nil
	}
	return err
}
