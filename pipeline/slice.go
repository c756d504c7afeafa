package pipeline

import (
	"context"
	"fmt"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// DryRun slices and places at budget b. Errors: *model.PinnedError,
// *model.OverflowError, and those of the slicer (*model.TableError,
// *model.ScarcityError). Cupel specification, chapters Stage 5: Slice and Stage 6: Place.
func (r *Ranking) DryRun(b model.Budget) (*model.Report, error) {
	return r.DryRunContext(context.Background(), b)
}

// DryRunContext is DryRun under a context: a knapsack's table can take long.
// The error may also be ctx's; slicer.WithProgress reports its progress.
func (r *Ranking) DryRunContext(ctx context.Context, b model.Budget) (*model.Report, error) {
	if err := r.checkPinned(b); err != nil {
		return nil, err
	}
	watch := stopwatch{now: r.pipeline.now}
	watch.start()
	sel, err := slicer.SliceContext(ctx, r.slicer(), r.target(b), nil)
	if err != nil {
		return nil, fmt.Errorf("slice: %w", err)
	}
	return r.place(b, sel, watch)
}

// Select is what the slicer selects in a DryRun at budget b, without the report
// that DryRun makes of it, in dst's memory where that is large enough. An item
// that it leaves out is not in the report; one that it selects is, unless the
// target overflows. Errors: as DryRunContext, but for the overflow.
func (r *Ranking) Select(ctx context.Context, b model.Budget, dst slicer.Selection) (slicer.Selection, error) {
	if err := r.checkPinned(b); err != nil {
		return nil, err
	}
	sel, err := slicer.SliceContext(ctx, r.slicer(), r.target(b), dst)
	if err != nil {
		return nil, fmt.Errorf("slice: %w", err)
	}
	return sel, nil
}

// Place makes the report for a selection that the caller already has: from a
// profile, at the effective target of b. Errors: as DryRun, and a selection of
// another length than Input. The selection is not kept.
func (r *Ranking) Place(b model.Budget, sel slicer.Selection) (*model.Report, error) {
	if err := r.checkPinned(b); err != nil {
		return nil, err
	}
	watch := stopwatch{now: r.pipeline.now}
	watch.start()
	return r.place(b, sel, watch)
}

// target is the effective target of b after the pinned items.
func (r *Ranking) target(b model.Budget) slicer.Target {
	return slicer.Target(b.Effective(r.pinnedSum).Target)
}

// checkPinned is the one check of the budget that comes before slicing.
// Reserved slots are not subtracted here.
func (r *Ranking) checkPinned(b model.Budget) error {
	if available := b.MaxTokens() - b.OutputReserve(); r.pinnedSum > available {
		return &model.PinnedError{Pinned: r.pinnedSum, Available: available}
	}
	return nil
}
