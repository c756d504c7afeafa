package simulate

import (
	"context"
	"fmt"
	"iter"
	"math"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// Optimum is the best value that any selection of the candidates can have, at
// every target up to a limit. Pinned items take no part. Items without tokens
// count where their score is above 0. Quotas play no part either: what they
// ask for may be worth less, and what they commit may cost more than there is.
//
// The arithmetic is in whole units, a fixed part of the value so small that
// all that fits has about fifty bits, and every score is rounded down to it. So
// there is a selection with at least the value told, and none has as much as
// Within more: a thousand-millionth of the whole, nearly always far less.
// Immutable, safe for concurrent use.
type Optimum struct {
	scale
	best   []int64 // by target, in units
	within int64   // in units
}

// NewOptimum computes the optimum at every target up to upTo; see PlanOptimum
// and OptimumPlan.Compute for its cost and errors.
func NewOptimum(ctx context.Context, r *pipeline.Ranking, upTo slicer.Target) (*Optimum, error) {
	plan, err := PlanOptimum(ctx, r, upTo, 0)
	if err != nil {
		return nil, err
	}
	return plan.Compute(ctx)
}

// UpTo is the largest target that the optimum knows.
func (o *Optimum) UpTo() slicer.Target { return o.upTo }

// At is the best value at a target, rounded down by less than Within; targets
// count as 0 to UpTo. It is +Inf where an item of infinite score fits. O(1).
func (o *Optimum) At(t slicer.Target) float64 {
	t = min(t, o.upTo)
	switch {
	case t <= 0:
		return 0
	case t >= o.infinite:
		return math.Inf(1)
	}
	return o.value(o.free + o.best[min(int(t), len(o.best)-1)])
}

// Within bounds by how much At can be too low.
func (o *Optimum) Within() float64 { return o.value(o.within) }

// BelowBest is how far a value that a selection at target t has is below the best
// possible, as a share of that: 0.02 is two percent. It is 0 for one that is
// the best as far as Within and rounding tell, and where nothing above 0 can be
// had.
func (o *Optimum) BelowBest(value float64, t slicer.Target) float64 {
	best := o.At(t)
	switch {
	case !(best > value && best > 0):
		return 0
	case math.IsInf(best, 1):
		return 1
	case best-value <= o.Within()+1e-12*best:
		return 0
	}
	return (best - value) / best
}

// Curve is the targets at which the best value rises, ascending from 0, each
// with the value from there on.
func (o *Optimum) Curve() iter.Seq2[slicer.Target, float64] {
	return func(yield func(slicer.Target, float64) bool) {
		last := math.Inf(-1)
		for t := range min(o.upTo, max(slicer.Target(len(o.best)), o.infinite)) + 1 {
			if value := o.At(t); value > last {
				if last = value; !yield(t, value) {
					return
				}
			}
		}
	}
}

// OptimumError says that an optimum needs more memory than is allowed.
type OptimumError struct {
	UpTo          slicer.Target // as asked for
	Fits          slicer.Target // as far as the limit has room for
	Needed, Limit int64         // bytes
}

func (e *OptimumError) Error() string {
	return fmt.Sprintf("the best possible value up to a target of %v needs %d MiB, at most %d MiB are allowed, which is enough up to %v",
		model.Tokens(e.UpTo), e.Needed>>20, e.Limit>>20, model.Tokens(e.Fits))
}

// DefaultOptimumLimit bounds the memory of an optimum: 1 GiB, enough up to a
// target of 44 million tokens.
const DefaultOptimumLimit = 1 << 30

// targetBytes is what an optimum needs for each target.
const targetBytes = 24

// OptimumPlan is an Optimum laid out, so that its cost is known before the work
// begins. Immutable, safe for concurrent use.
type OptimumPlan struct {
	scale
	fractions
	known []int64 // by target: a value that some selection has, in units
	rows  []span
	cells int64
	loose int64 // units by which a value may be below the best and is left there
}

// PlanOptimum lays out the optimum of a ranking at every target up to upTo, in
// at most limit bytes (0: DefaultOptimumLimit): in all some milliseconds for
// 10,000 candidates up to 128,000 tokens. Errors: an *OptimumError, ctx's, or
// that upTo is out of bounds.
func PlanOptimum(ctx context.Context, r *pipeline.Ranking, upTo slicer.Target, limit int64) (*OptimumPlan, error) {
	return planOptimum(ctx, r.Input(), upTo, limit)
}

func planOptimum(ctx context.Context, in *slicer.Input, upTo slicer.Target, limit int64) (*OptimumPlan, error) {
	if upTo < 0 || upTo > slicer.Target(model.MaxTokens) {
		return nil, fmt.Errorf("the best possible value up to target %v: must be 0 to %v", model.Tokens(upTo), model.MaxTokens)
	}
	if limit <= 0 {
		limit = DefaultOptimumLimit
	}
	p := &OptimumPlan{scale: newScale(in, upTo)}
	sized := p.sized(in)
	var top int64 // beyond it everything fits
	for _, a := range sized {
		if top += int64(a.tokens); top >= int64(upTo) {
			top = int64(upTo)
			break
		}
	}
	if needed := (top + 1) * targetBytes; needed > limit {
		return nil, &OptimumError{UpTo: upTo, Fits: slicer.Target(max(0, limit/targetBytes-1)), Needed: needed, Limit: limit}
	}
	p.loose = p.counted + 64
	return p, p.layOut(ctx, sized, int(top))
}

// Cells is what Compute costs: below a nanosecond each.
func (p *OptimumPlan) Cells() int64 { return p.cells }

// Compute does the work. The error is ctx's, polled every quarter of a million
// cells; progress is told as slicer.WithProgress says.
func (p *OptimumPlan) Compute(ctx context.Context) (*Optimum, error) {
	best, err := p.improved(ctx)
	if err != nil {
		return nil, err
	}
	return &Optimum{scale: p.scale, best: best, within: p.loose + p.counted}, nil
}
