package pipeline

import (
	"context"
	"fmt"
	"iter"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// ErrNoSteps says that a pipeline's slicer cannot replay itself.
var ErrNoSteps = slicer.ErrNoSteps

// Step is a step of the slicer, or of Place where the result overflows.
type Step struct {
	slicer.Step
	Item int32 // index in the set, of a pair that is one item its first; -1 for a step that opens a phase
}

// Steps is how DryRun comes to its result at budget b: the slicer's steps, and
// where the result exceeds the target and is truncated, those of Place, pinned
// items included. The items that are in after their last step are those that
// the slicer selects and Place keeps. Without room there are no steps.
//
// An error ends the sequence: those of DryRun, ctx's, and ErrNoSteps for a
// slicer that has none. A sequence can be run again.
func (r *Ranking) Steps(ctx context.Context, b model.Budget) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		if err := r.checkPinned(b); err != nil {
			yield(Step{Item: -1}, err)
			return
		}
		in := &r.input
		sel := slicer.NewSelection(nil, in.Len())
		for s, err := range slicer.StepsOf(ctx, r.slicer(), r.target(b)) {
			if err != nil {
				yield(Step{Item: -1}, fmt.Errorf("slice: %w", err))
				return
			}
			step := Step{s, -1}
			if s.At >= 0 {
				step.Item = in.Items[s.At]
				if s.Verdict.In() {
					sel.Add(int(s.At))
				} else {
					sel.Remove(int(s.At))
				}
			}
			if !yield(step, nil) {
				return
			}
		}
		kept := r.pinnedSum
		for k, tokens := range in.Tokens {
			if sel.Has(k) {
				kept += tokens
			}
		}
		if kept <= b.TargetTokens() {
			return
		}
		switch r.pipeline.parts.Overflow {
		case model.Truncate:
			if sel.Count() > 0 {
				r.stepTruncate(b, sel, yield)
			}
		case model.Proceed:
		default:
			yield(Step{Item: -1}, &model.OverflowError{Merged: kept, Target: b.TargetTokens()})
		}
	}
}

// Shares is how the shares of all kinds come about at budget b; nil for a
// slicer that does not divide the room, and without room.
func (r *Ranking) Shares(b model.Budget) []slicer.KindShare {
	if sharer, ok := r.slicer().(slicer.Sharer); ok {
		return sharer.Shares(r.target(b))
	}
	return nil
}

// stepTruncate is truncate, step by step. Something is selected, so that there
// was room, and the pinned items do not exceed the target by themselves.
func (r *Ranking) stepTruncate(b model.Budget, sel slicer.Selection, yield func(Step, error) bool) {
	left := slicer.Target(b.TargetTokens())
	s := Step{slicer.Step{
		Phase: slicer.Truncation, At: -1, Left: left, After: left, Unit: 1,
		Opens: slicer.Filling{Candidates: len(r.pinned) + sel.Count()},
	}, -1}
	if !yield(s, nil) {
		return
	}
	decide := func(item, at int32, tokens model.Tokens, pinned bool) bool {
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
		return yield(s, nil)
	}
	for _, item := range r.pinned {
		if !decide(item, -1, r.set.Tokens(int(item)), true) {
			return
		}
	}
	for k, item := range r.input.Items {
		if sel.Has(k) && !decide(item, int32(k), r.input.Tokens[k], false) {
			return
		}
	}
}
