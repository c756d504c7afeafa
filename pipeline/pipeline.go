// Package pipeline runs the six stages of the Cupel pipeline: Classify, Score,
// Deduplicate, Sort, Slice and Place. Each stage has a file of its own.
//
// The stages up to Sort do not depend on the budget. Pipeline.Rank runs them
// once and returns a Ranking. Ranking.DryRun then slices and places at any
// budget, Ranking.Profile returns the selection at every budget at once, and
// Ranking.Steps replays step by step how the slicer arrives at its selection.
//
// New builds the pipeline of a policy. To use a scorer, slicer or placer of
// your own, pass it to Assemble, on its own or in the Parts that PartsOf
// returns for a policy.
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

// Parts holds the parts of a Pipeline. Scorer, Slicer and Placer are required.
type Parts struct {
	Scorer      scorer.Scorer // Ranking.ScorerParts lists the parts of a *scorer.Composite
	Slicer      slicer.Slicer
	Placer      placer.Placer
	Deduplicate bool
	Overflow    model.OverflowStrategy // "" means model.Throw
	// KeepPairs makes a tool call and its result one candidate; pairs.go has the
	// rules. It cannot be combined with quotas or with slicer.Stream.
	KeepPairs bool
}

// Pipeline ranks sets of items. It is immutable and safe for concurrent use.
type Pipeline struct {
	policy model.Policy
	parts  Parts
	now    func() time.Time
}

// Option changes how a pipeline runs, never what it selects.
type Option func(*Pipeline)

// WithClock makes the pipeline measure the duration of each stage with now.
// Without it the durations in reports are 0.
func WithClock(now func() time.Time) Option { return func(p *Pipeline) { p.now = now } }

// New builds the pipeline that the policy describes. It keeps a copy of p. The
// error is a *model.PolicyError.
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

// Assemble builds a pipeline from parts that the caller supplies. Ranking.Policy
// of its rankings has only Deduplicate, Overflow and KeepPairs set. The error
// is a *model.PolicyError that names the part that is missing or invalid.
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
	traits := parts.Slicer.Traits()
	if parts.KeepPairs && traits.Shifts != (slicer.Shifts{}) {
		return nil, &model.PolicyError{Field: "slicerType", Reason: "goes by kind, which cannot be combined with pairs as one item: a pair has two kinds"}
	}
	if parts.KeepPairs && traits.Batch > 0 {
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
	if p.now == nil { // stages are not timed
		p.now = func() time.Time { return time.Time{} }
	}
	return p, nil
}

// Rank runs Classify, Score, Deduplicate and Sort, the stages that do not
// depend on the budget. It polls ctx between stages and within Score,
// Deduplicate and the cuts of items. The error is ctx's or a custom scorer's, both wrapped,
// or a *model.PolicyError if items may be cut and the slicer takes whole ones
// only. Rank takes O(n) time, or more if a frequency scorer meets items with
// many tags.
func (p *Pipeline) Rank(ctx context.Context, s *model.Set) (*Ranking, error) {
	return p.rank(ctx, s, nil)
}

// rank is Rank, but takes the scores that like already has; like may be nil.
func (p *Pipeline) rank(ctx context.Context, s *model.Set, like *Ranking) (*Ranking, error) {
	if err := p.sizesFit(s); err != nil {
		return nil, err
	}
	r := &Ranking{&ranked{set: s, inOrder: p.parts.Slicer.Traits().ByScore, outline: new(outline)}, p, new(slicing)}
	watch := p.watch()
	patched, err := r.patch(ctx, like, &watch)
	if patched && err == nil {
		err = r.cut(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	if patched {
		return r, nil
	}
	if p.parts.KeepPairs {
		r.pair()
	}
	r.classify()
	r.stages[0] = watch.event(model.Classify, s.Len(), len(r.pinned)+len(r.scoreable))
	if err := r.score(ctx, like); err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	r.stages[1] = watch.event(model.Score, len(r.scoreable), len(r.scoreable))
	survivors := r.firsts(r.scoreable)
	if p.parts.Deduplicate {
		survivors = r.deduplicate()
	}
	r.stages[2] = watch.event(model.Deduplicate, len(r.scoreable), len(r.scoreable)-len(r.duplicates))
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	r.sort(survivors)
	if err := r.cut(ctx); err != nil {
		return nil, fmt.Errorf("sort: %w", err)
	}
	return r, nil
}

// stopwatch times one stage after the other.
type stopwatch struct {
	now  func() time.Time
	last time.Time
}

func (p *Pipeline) watch() stopwatch { return stopwatch{p.now, p.now()} }

// event returns the report of the stage that just ended and starts timing the
// next one.
func (w *stopwatch) event(stage model.Stage, in, out int) model.StageEvent {
	now := w.now()
	e := model.StageEvent{Stage: stage, Duration: now.Sub(w.last), In: in, Out: out}
	w.last = now
	return e
}
