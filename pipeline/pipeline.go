// Package pipeline runs the six stages of the Cupel pipeline, one file a
// stage: Classify, Score, Deduplicate, Sort, Slice, Place.
//
// Everything up to Sort does not depend on the budget. So Rank does it once
// and returns a Ranking, which answers a dry run at any budget in one or two
// passes over the items, the exact answer over all budgets (Profile), and how
// the slicer comes to its selection, step by step (Steps).
package pipeline

import (
	"context"
	"fmt"
	"time"

	"cupelscope/model"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// ErrNoProfile says that a pipeline's slicer cannot profile itself: run DryRun
// at the budgets of interest instead.
var ErrNoProfile = slicer.ErrNoProfile

// Parts are what a Pipeline is made of. Scorer, Slicer and Placer are required.
type Parts struct {
	Scorer      scorer.Scorer // parts of a *scorer.Composite show in Ranking.ScorerParts
	Slicer      slicer.Slicer
	Placer      placer.Placer
	Deduplicate bool
	Overflow    model.OverflowStrategy // "" stands for Throw
	// KeepPairs makes the call of a tool and its result one item; see pairs.go. Not
	// with a slicer that goes by kind or by arrival.
	KeepPairs bool
}

// Pipeline ranks sets of items. It is immutable and safe for concurrent use.
type Pipeline struct {
	policy model.Policy
	parts  Parts
	now    func() time.Time // nil: stages are not timed
}

// Option changes how a pipeline runs, never what it selects.
type Option func(*Pipeline)

// WithClock has the durations of stages measured by now; without it they are 0.
func WithClock(now func() time.Time) Option { return func(p *Pipeline) { p.now = now } }

// New builds the pipeline that the policy describes; the error is a *model.PolicyError.
func New(p model.Policy, options ...Option) (*Pipeline, error) {
	p = p.Clone()
	parts, err := PartsOf(p)
	if err != nil {
		return nil, err
	}
	pipe, err := Assemble(parts, options...)
	if err != nil {
		return nil, err
	}
	pipe.policy = p
	return pipe, nil
}

// PartsOf returns the parts of a policy's pipeline, for a caller that replaces one
// of them with its own. The error is a *model.PolicyError.
func PartsOf(p model.Policy) (Parts, error) {
	if err := p.Validate(); err != nil {
		return Parts{}, err
	}
	parts := Parts{Deduplicate: p.Deduplicate, Overflow: p.Overflow, KeepPairs: p.KeepPairs}
	var err error
	if parts.Scorer, err = scorer.FromPolicy(p.Scorers); err != nil {
		return Parts{}, &model.PolicyError{Field: "scorers", Reason: err.Error()}
	}
	if parts.Slicer, err = slicer.FromPolicy(p); err != nil {
		return Parts{}, &model.PolicyError{Field: "slicerType", Reason: err.Error()}
	}
	switch p.Placer {
	case model.Chronological:
		parts.Placer = placer.Chronological{}
	case model.UShaped:
		parts.Placer = placer.UShaped{}
	}
	return parts, nil
}

// Assemble builds a pipeline from parts of the caller's own. Its rankings have
// a Policy with nothing but Deduplicate, Overflow and KeepPairs. The error is a
// *model.PolicyError that names the part.
func Assemble(parts Parts, options ...Option) (*Pipeline, error) {
	missing := func(part string) error {
		return &model.PolicyError{Field: part, Reason: "is required"}
	}
	switch {
	case parts.Scorer == nil:
		return nil, missing("scorers")
	case parts.Slicer == nil:
		return nil, missing("slicerType")
	case parts.Placer == nil:
		return nil, missing("placerType")
	}
	if shifts := slicer.ShiftsOf(parts.Slicer); parts.KeepPairs && (shifts.Percentages || shifts.Counts) {
		return nil, &model.PolicyError{Field: "slicerType", Reason: "goes by kind, which cannot be combined with pairs as one item: a pair has two kinds"}
	}
	if _, arrives := parts.Slicer.(slicer.Stream); parts.KeepPairs && arrives {
		return nil, &model.PolicyError{Field: "slicerType", Reason: "stream cannot be combined with pairs as one item: call and result arrive apart"}
	}
	switch parts.Overflow {
	case "":
		parts.Overflow = model.Throw
	case model.Throw, model.Truncate, model.Proceed:
	default:
		return nil, &model.PolicyError{Field: "overflowStrategy", Reason: fmt.Sprintf("%q is not known", parts.Overflow)}
	}
	p := &Pipeline{parts: parts, policy: model.Policy{Deduplicate: parts.Deduplicate, Overflow: parts.Overflow, KeepPairs: parts.KeepPairs}}
	for _, option := range options {
		option(p)
	}
	return p, nil
}

// Rank runs Classify, Score, Deduplicate and Sort: everything that does not
// depend on the budget. The only error is ctx's, which is polled between stages
// and within Score and Deduplicate. O(n), but for frequency with many tags an item.
func (p *Pipeline) Rank(ctx context.Context, s *model.Set) (*Ranking, error) {
	r := &Ranking{&ranked{set: s, inOrder: slicer.InOrder(p.parts.Slicer)}, p, new(slicing), new(placing)}
	watch := stopwatch{now: p.now}
	watch.start()
	if p.parts.KeepPairs {
		r.pair()
	}
	r.classify()
	r.stages[0] = watch.event(model.Classify, s.Len(), len(r.pinned)+len(r.scoreable))
	if err := r.score(ctx); err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	r.stages[1] = watch.event(model.Score, len(r.scoreable), len(r.scoreable))
	survivors := r.firsts(r.scoreable)
	if p.parts.Deduplicate {
		deduplicate := r.deduplicate
		if r.mates != nil {
			deduplicate = r.deduplicatePairs
		}
		var err error
		if survivors, err = deduplicate(ctx); err != nil {
			return nil, fmt.Errorf("deduplicate: %w", err)
		}
	}
	r.stages[2] = watch.event(model.Deduplicate, len(r.scoreable), len(r.scoreable)-len(r.duplicates))
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	r.sort(survivors)
	return r, nil
}

// stopwatch times one stage after the other.
type stopwatch struct {
	now  func() time.Time
	last time.Time
}

func (w *stopwatch) start() {
	if w.now != nil {
		w.last = w.now()
	}
}

// event is the report of the stage that just ended; the next one begins.
func (w *stopwatch) event(stage model.Stage, in, out int) model.StageEvent {
	e := model.StageEvent{Stage: stage, In: in, Out: out}
	if w.now != nil {
		now := w.now()
		e.Duration = now.Sub(w.last)
		w.last = now
	}
	return e
}
