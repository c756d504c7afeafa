package pipeline

import (
	"context"
	"fmt"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// DryRun slices and places at budget b and returns the report. See the Cupel
// specification, chapters Stage 5: Slice and Stage 6: Place.
//
// The error is a *model.PinnedError if the pinned items exceed the budget, a
// *model.OverflowError if the result exceeds the target and Overflow is
// model.Throw, or an error of the slicer: a *model.TableError of a knapsack, a
// *model.ScarcityError of a count quota. It may be wrapped: use errors.As.
func (r *Ranking) DryRun(b model.Budget) (*model.Report, error) {
	return r.DryRunContext(context.Background(), b)
}

// DryRunContext is DryRun with a context, because the table of a knapsack can
// take long to compute. The error may also be ctx's. If ctx is one of
// slicer.WithProgress, the knapsack reports its progress.
func (r *Ranking) DryRunContext(ctx context.Context, b model.Budget) (*model.Report, error) {
	watch := r.pipeline.watch()
	sel, err := r.Select(ctx, b, nil)
	if err != nil {
		return nil, err
	}
	return r.place(b, sel, watch)
}

// Select returns the positions in Input that the slicer selects in a DryRun at
// budget b, without the cost of a report. The report of that DryRun includes
// exactly these candidates and the pinned items, unless they exceed the target.
// Select reuses dst's memory if it is large enough; dst may be nil. Errors are
// as for DryRunContext, except *model.OverflowError.
func (r *Ranking) Select(ctx context.Context, b model.Budget, dst slicer.Selection) (slicer.Selection, error) {
	if err := b.CheckPinned(r.pinnedSum); err != nil {
		return nil, err
	}
	err := ctx.Err()
	if err == nil {
		dst, err = r.slicer().Slice(ctx, r.target(b), dst)
	}
	if err != nil {
		return nil, fmt.Errorf("slice: %w", err)
	}
	return dst, nil
}

// Place returns the report for a selection that the caller already has, for
// example from a profile at the effective target of b. It is an error if sel
// does not have the length that slicer.NewSelection gives for Input; other
// errors are *model.PinnedError and *model.OverflowError, as for DryRun. Place
// neither changes nor keeps sel.
func (r *Ranking) Place(b model.Budget, sel slicer.Selection) (*model.Report, error) {
	if err := b.CheckPinned(r.pinnedSum); err != nil {
		return nil, err
	}
	return r.place(b, sel, r.pipeline.watch())
}

// target returns the effective target of b: what the pinned items leave.
func (r *Ranking) target(b model.Budget) slicer.Target {
	return slicer.Target(b.Effective(r.pinnedSum).Target)
}
