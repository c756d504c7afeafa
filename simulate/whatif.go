package simulate

import (
	"cmp"
	"context"

	"cupelscope/model"
	"cupelscope/pipeline"
)

// Effect is what an edit of the items changes in a result. In and Out hold the
// indexes of the items that come in and go out, ascending, including the
// edited ones. Tokens and Value are the result after less the result before.
type Effect struct {
	In, Out []int32
	Tokens  model.Tokens // the change of Report.Kept
	Value   float64      // the change of Report.Value, which leaves out pinned items
	// Moved is the number of items whose score changes, without those that are
	// pinned, excluded or negative before or after. Scorers that rate an item
	// against all other items (recency, priority, frequency, scaled) leave out
	// pinned and excluded items, so the scores of the remaining items may change.
	Moved  int
	Report *model.Report // the result after
}

// WhatIf runs the pipeline again on the same items under the edits e, at the
// budget of the report, and returns what differs from the report. The edits
// replace all that were made before. The report must be of r. WhatIf makes no
// assumption about the slicer or the scorers, and takes a ranking and a dry
// run.
//
// Pinning, Releasing, Dropping and Restoring make such edits. The error comes
// from Set.With, the ranking or the dry run: for example a *model.PinnedError
// if pinned items no longer fit.
func WhatIf(ctx context.Context, r *pipeline.Ranking, before *model.Report, e model.Edits) (Effect, error) {
	edited, err := Edited(ctx, r, e)
	if err != nil {
		return Effect{}, err
	}
	return Against(ctx, before, edited)
}

// Edited ranks the items of r again under the edits e, which replace all that
// were made before. The ranking does not depend on a budget: with Against, one
// ranking answers WhatIf at many budgets. The error comes from Set.With or
// the ranking.
func Edited(ctx context.Context, r *pipeline.Ranking, e model.Edits) (*pipeline.Ranking, error) {
	set, err := r.Items().With(e)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	return r.Pipeline().RankLike(ctx, r, set)
}

// Against runs r at the budget of the report before and returns what differs
// from that report. Both must be of the same items, which may be edited
// differently. The error comes from the dry run.
func Against(ctx context.Context, before *model.Report, r *pipeline.Ranking) (Effect, error) {
	after, err := r.DryRunContext(ctx, before.Budget)
	if err != nil {
		return Effect{}, err
	}
	f := Effect{Tokens: after.Kept - before.Kept, Value: after.Value - before.Value, Moved: ScoresMoved(before, after), Report: after}
	f.In, f.Out = Diff(before, after)
	return f, nil
}

// ScoresMoved returns how many of the items that are scored in both reports have another score
// after. Both must be of the same items. O(items).
func ScoresMoved(before, after *model.Report) (n int) {
	if len(before.Scores) > 0 && &before.Scores[0] == &after.Scores[0] {
		return 0 // of one ranking, as at another budget
	}
	for i, was := range before.Scores {
		if is := after.Scores[i]; is != was && (is == is || was == was) && scored(before, i) && scored(after, i) {
			n++
		}
	}
	return n
}

// Gain returns the value of a report less the value of the report before, both by the scores
// after: where scores changed, the two values are sums of different scores. It leaves out items
// that lack a score in one of the two; otherItems reports that an item has a score in one alone,
// because it was pinned, released, excluded or restored. Both must be of the same items. O(items).
func Gain(before, after *model.Report) (value float64, otherItems bool) {
	for i, code := range after.Codes {
		if code == before.Codes[i] && !code.Included() {
			continue // nearly all of a long list
		}
		score := after.Scores[i]
		switch was, is := scored(before, i), scored(after, i); {
		case !was || !is:
			otherItems = otherItems || was != is
			continue
		case after.In(i):
			value += score * after.Share(i)
		}
		if before.In(i) {
			value -= score * before.Share(i)
		}
	}
	return value, otherItems
}

// scored reports whether an item's score in a report is what a scorer gave.
func scored(r *model.Report, i int) bool {
	switch r.Codes[i] {
	case model.Pinned, model.NegativeTokens, model.Filtered:
		return false
	}
	return true
}

// Pinning returns the edits of the set with the given items also pinned, and
// no longer excluded.
func Pinning(s *model.Set, items ...int) model.Edits {
	return Restoring(s, items...).WithPinned(s, true, items...)
}

// Releasing returns the edits of the set with the given items no longer
// pinned.
func Releasing(s *model.Set, items ...int) model.Edits {
	return s.Edits().WithPinned(s, false, items...)
}

// Dropping returns the edits of the set with the given items also excluded,
// pinned or not.
func Dropping(s *model.Set, items ...int) model.Edits {
	return s.Edits().WithExcluded(true, items...)
}

// Restoring returns the edits of the set with the given items no longer
// excluded.
func Restoring(s *model.Set, items ...int) model.Edits {
	return s.Edits().WithExcluded(false, items...)
}
