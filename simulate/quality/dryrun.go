package quality

import (
	"context"
	"errors"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// dryRun returns the report at a budget, or nil if the pipeline does not run there.
func dryRun(ctx context.Context, r *pipeline.Ranking, template model.Budget, tokens model.Tokens) (*model.Report, error) {
	b, err := template.At(tokens)
	if err == nil {
		var report *model.Report
		if report, err = r.DryRunContext(ctx, b); err == nil {
			return report, nil
		}
	}
	if runs(err) {
		return nil, err
	}
	return nil, nil
}

// runs reports whether an error of a dry run is other than those that say that the
// pipeline does not run at the budget, where nothing is in.
func runs(err error) bool {
	_, budget := errors.AsType[*model.BudgetError](err)
	_, pinned := errors.AsType[*model.PinnedError](err)
	_, overflow := errors.AsType[*model.OverflowError](err)
	return !budget && !pinned && !overflow
}
