package pipeline

import (
	"cmp"
	"context"
	"fmt"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// Step is one step of the slicer, or of Place if the result exceeds the target.
type Step struct {
	slicer.Step
	Item int32 // index in the set; for a pair that is one item, of its first member; -1 for a step that opens a phase
}

// Steps tells the steps by which DryRun arrives at its result at budget b: the
// slicer's steps and then, if the result exceeds the target and Overflow is
// model.Truncate, the steps of Place, pinned items included. An item is in the
// result if its last step leaves it in. There are no steps if the pinned items
// leave no room in the target.
//
// The error is one of DryRun, ctx's, or slicer.ErrNoSteps. Steps that come before
// it are told.
func (r *Ranking) Steps(ctx context.Context, b model.Budget, tell func(Step)) error {
	if err := b.CheckPinned(r.pinnedSum); err != nil {
		return err
	}
	in := &r.input
	sel := slicer.NewSelection(nil, in.Positions())
	err := r.slicer().Steps(ctx, r.target(b), func(s slicer.Step) {
		step := Step{s, -1}
		if s.At >= 0 {
			step.Item = in.Items[in.Whole(int(s.At))]
			if s.Verdict.In() {
				sel.Add(int(s.At))
			} else {
				sel.Remove(int(s.At))
			}
		}
		tell(step)
	})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return fmt.Errorf("slice: %w", err)
	}
	kept := r.pinnedSum
	for k := range in.Positions() {
		if sel.Has(k) {
			kept += in.TokensAt(k)
		}
	}
	switch overflow := r.pipeline.parts.Overflow; {
	case kept <= b.TargetTokens() || overflow == model.Proceed:
	case overflow != model.Truncate:
		return &model.OverflowError{Merged: kept, Target: b.TargetTokens()}
	case sel.Count() > 0:
		r.stepTruncate(b, sel, tell)
	}
	return nil
}

// Out returns a function that gives the slicer's step of a candidate that a report of the
// ranking leaves out, by position in Input; without left it need be no more than the verdict and
// its why. It returns nil if only Steps shows the step, or if
// there are no steps (see slicer.Prepared).
func (r *Ranking) Out(report *model.Report) func(at int, left bool) slicer.Step {
	t := r.target(report.Budget)
	if t <= 0 || r.input.Len() == 0 {
		return nil
	}
	sel := slicer.NewSelection(nil, r.input.Positions())
	for _, item := range report.Included {
		at, candidate := r.Position(int(item))
		switch {
		case !candidate:
			continue
		case report.Size(r.SizedMember(at)) > 0:
			at = r.input.Len() + int(r.input.CutFrom[at]) + report.Size(r.SizedMember(at)) - 1
		}
		sel.Add(at)
	}
	return r.slicer().Out(t, sel)
}

// Shares returns each kind's share of the target at budget b and how it is
// computed, in order of the kinds' first appearance in Input. It is nil if the
// slicer does not divide the target by percentages, or if the pinned items
// leave no room.
func (r *Ranking) Shares(b model.Budget) []slicer.KindShare {
	return r.slicer().Shares(r.target(b))
}

// stepTruncate tells the steps of truncate. The caller has checked that
// something is selected; so there was room, and the pinned items alone do not
// exceed the target.
func (r *Ranking) stepTruncate(b model.Budget, sel slicer.Selection, tell func(Step)) {
	left := slicer.Target(b.TargetTokens())
	tell(Step{slicer.Step{
		Phase: slicer.Truncation, At: -1, Left: left, After: left, Unit: 1,
		Opens: slicer.Filling{Candidates: len(r.pinned) + sel.Count()},
	}, -1})
	decide := func(item, at int32, tokens model.Tokens, pinned bool) {
		s := Step{slicer.Step{
			Phase: slicer.Truncation, Verdict: slicer.Kept, At: at,
			Need: slicer.Target(tokens), Left: left, After: left, Unit: 1,
		}, item}
		if s.Need > left && !pinned {
			s.Verdict = slicer.Dropped
		} else {
			left -= s.Need
			s.After = left
		}
		tell(s)
	}
	for _, item := range r.pinned {
		decide(item, -1, r.set.SizeTokens(int(item), r.PinnedSize(int(item))), true)
	}
	for k, item := range r.input.Items {
		if at := r.input.Taken(sel, k); at >= 0 {
			decide(item, int32(at), r.input.TokensAt(at), false)
		}
	}
}
