package simulate

import (
	"context"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Effect is what an edit of the items would change of a result: indexes of
// items that would come in and go out, ascending, those edited among them, and
// the result after less the result before.
type Effect struct {
	In, Out []int32
	Tokens  model.Tokens // of Report.Kept
	Value   float64      // of Report.Value, of which pinned items are no part
	// Moved is how many other items would have another score. Scorers that
	// rate an item against all others (recency, priority, frequency, scaled)
	// take in pinned and dropped items no more, so the rest may move.
	Moved  int
	Report *model.Report // the result after
}

// WhatIf runs the pipeline again on the same items under the edits e, which
// take the place of all that were made before, and tells what differs from the
// report, at its budget. The report must be of r. It makes no assumption about
// the slicer or the scorers, and costs what Rank and DryRun cost.
//
// Pinning, Releasing, Dropping and Restoring make such edits. Errors are
// those of Set.With, Rank and DryRun: where pinned items no longer fit, for
// one, a *model.PinnedError.
func WhatIf(ctx context.Context, r *pipeline.Ranking, before *model.Report, e model.Edits) (Effect, error) {
	edited, err := Edited(ctx, r, e)
	if err != nil {
		return Effect{}, err
	}
	return Against(ctx, before, edited)
}

// Edited ranks the items of r under other edits. It does not depend on a
// budget: with Against it answers WhatIf at many of them for one Rank.
func Edited(ctx context.Context, r *pipeline.Ranking, e model.Edits) (*pipeline.Ranking, error) {
	set, err := r.Items().With(e)
	if err != nil {
		return nil, err
	}
	return r.Pipeline().RankLike(ctx, r, set)
}

// Against tells in what the result of r, at the budget of the report, differs
// from the report. Both must be of the same items, but for edits.
func Against(ctx context.Context, before *model.Report, r *pipeline.Ranking) (Effect, error) {
	after, err := r.DryRunContext(ctx, before.Budget)
	if err != nil {
		return Effect{}, err
	}
	f := Effect{Tokens: after.Kept - before.Kept, Value: after.Value - before.Value, Report: after}
	f.In, f.Out = Diff(before, after)
	for i, was := range before.Scores {
		if is := after.Scores[i]; is != was && (is == is || was == was) && scored(before, i) && scored(after, i) {
			f.Moved++
		}
	}
	return f, nil
}

// scored reports whether an item's score in a report is what a scorer gave.
func scored(r *model.Report, i int) bool {
	switch r.Codes[i] {
	case model.Pinned, model.NegativeTokens, model.Filtered:
		return false
	}
	return true
}

// Pinning is the edits of the set with these items pinned as well, and taken
// back where they were excluded.
func Pinning(s *model.Set, items ...int) model.Edits {
	return Restoring(s, items...).WithPinned(s, true, items...)
}

// Releasing is the edits of the set with these items pinned no more.
func Releasing(s *model.Set, items ...int) model.Edits {
	return s.Edits().WithPinned(s, false, items...)
}

// Dropping is the edits of the set with these items excluded as well, pinned
// or not.
func Dropping(s *model.Set, items ...int) model.Edits {
	return s.Edits().WithExcluded(true, items...)
}

// Restoring is the edits of the set with these items excluded no more.
func Restoring(s *model.Set, items ...int) model.Edits {
	return s.Edits().WithExcluded(false, items...)
}
