package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// Optimum is the best value that any selection of the candidates can have, at
// every target up to a limit. Pinned items are left out. Items without tokens
// count if their score is above 0. Quotas are ignored: the items that they ask
// for may be worth less, and those that they commit may not fit.
//
// The arithmetic is in whole units, a fixed part of the value so small that
// everything that fits adds up to about fifty bits. Every score is rounded
// down to whole units. So some selection has at least the value that At
// returns, and none exceeds it by Within or more, which is at most a billionth
// of the whole and nearly always far less. An Optimum is immutable and safe
// for concurrent use.
type Optimum struct {
	scale
	best   []int64 // by target, in units
	within int64   // in units
}

// NewOptimum computes the optimum at every target up to upTo, within 1 GiB of
// memory. See PlanOptimum and OptimumPlan.Compute for its cost and errors.
func NewOptimum(ctx context.Context, r *pipeline.Ranking, upTo slicer.Target) (*Optimum, error) {
	plan, err := PlanOptimum(ctx, r, upTo, PlanLimits{})
	if err != nil {
		return nil, err
	}
	return plan.Compute(ctx)
}

// At returns the best value at a target, too low by less than Within, in O(1).
// It is 0 for a target of 0 or less. A target above the largest that was asked for counts as
// the largest. It is +Inf where an item of infinite score fits.
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

// Within returns the bound on how far At can be too low.
func (o *Optimum) Within() float64 { return o.value(o.within) }

// resolution is the largest error of the best value, as a share of it, with which
// BelowBest answers.
const resolution = 1e-5

// BelowBest returns how far value, which a selection has at target t, is below
// the best possible, as a share of the best: 0.02 is two percent. It is 0 if
// value is the best but for Within and rounding, or if nothing that fits is
// worth anything; it is 1 if the best is infinite and value is not. It is not known
// where Within is more than a hundred thousandth of the best: what fits t is then
// worth next to nothing beside what fits the largest target, as with sharpened scores.
func (o *Optimum) BelowBest(value float64, t slicer.Target) model.Option[float64] {
	best := o.At(t)
	switch {
	case t <= 0 || t < min(o.least, o.infinite):
		return model.Some(0.0)
	case math.IsInf(best, 1) && !math.IsInf(value, 1):
		return model.Some(1.0)
	case math.IsInf(best, 1):
		return model.Some(0.0)
	case o.Within() > resolution*best:
		return model.Option[float64]{}
	case best-value <= o.Within()+1e-12*best:
		return model.Some(0.0)
	}
	return model.Some((best - value) / best)
}

// OptimumError is returned if an optimum needs more memory than is allowed.
type OptimumError struct {
	UpTo          slicer.Target // the target that was asked for
	Fits          slicer.Target // the largest target that the limit has room for
	Needed, Limit int64         // bytes
}

func (e *OptimumError) Error() string {
	return fmt.Sprintf("the best possible value up to a target of %v needs %d MiB, at most %d MiB are allowed, which is enough up to %v",
		model.Tokens(e.UpTo), e.Needed>>20, e.Limit>>20, model.Tokens(e.Fits))
}

// defaultOptimumLimit bounds the memory of an optimum: 1 GiB, enough up to a
// target of 44 million tokens.
const defaultOptimumLimit = 1 << 30

// targetBytes is what an optimum needs for each target.
const targetBytes = 24

// OptimumPlan prepares an Optimum, so that its cost is known before it is
// computed. An OptimumPlan is immutable and safe for concurrent use.
type OptimumPlan struct {
	scale
	fractions
	known []int64 // by target: a value that some selection has, in units
	rows  []segment
	cut   []class
	cells int64
	loose int64 // units by which a value may be below the best and is left there
}

// ErrCostly is the error for an optimum whose plan alone would fill more cells
// than PlanLimits allows.
var ErrCostly = errors.New("planning the best possible value takes too long")

// PlanLimits bounds what a plan may take.
type PlanLimits struct {
	Bytes int64 // of memory, for plan and optimum; 0 or less: 1 GiB
	Cells int64 // that one pass of the plan may fill; 0 or less: as many as it takes
}

// PlanOptimum prepares the optimum of a ranking at every target up to upTo,
// which must be 0 to model.MaxTokens. For 10,000 candidates up to 128,000
// tokens it takes some milliseconds; for 100,000 of nearly the same density it
// takes seconds, unless limits.Cells forbids that. The error is an
// *OptimumError, ErrCostly, ctx's, or says that upTo is out of bounds.
func PlanOptimum(ctx context.Context, r *pipeline.Ranking, upTo slicer.Target, limits PlanLimits) (*OptimumPlan, error) {
	return planOptimum(ctx, r.Input(), upTo, limits)
}

func planOptimum(ctx context.Context, in *slicer.Input, upTo slicer.Target, limits PlanLimits) (*OptimumPlan, error) {
	if upTo < 0 || upTo > slicer.Target(model.MaxTokens) {
		return nil, fmt.Errorf("the best possible value up to target %v: must be 0 to %v", model.Tokens(upTo), model.MaxTokens)
	}
	limit := limits.Bytes
	if limit <= 0 {
		limit = defaultOptimumLimit
	}
	p := &OptimumPlan{scale: newScale(in, upTo)}
	sized, err := p.sized(ctx, in)
	if err != nil {
		return nil, err
	}
	var used int64 // beyond it every item that cannot be cut fits
	for _, a := range sized {
		used = min(used+int64(a.tokens), int64(upTo))
	}
	top := used // beyond it everything fits
	for i := range in.Items {
		if isCut(in, i) {
			top = min(top+int64(in.Tokens[i]), int64(upTo))
		}
	}
	if needed := (top + 1) * targetBytes; needed > limit {
		return nil, &OptimumError{UpTo: upTo, Fits: slicer.Target(max(0, limit/targetBytes-1)), Needed: needed, Limit: limit}
	}
	p.loose = p.counted + 64
	var cells int64
	p.cut, cells = p.classes(in, used, int(top), limits.Cells)
	if limits.Cells > 0 && cells > limits.Cells {
		return nil, ErrCostly
	}
	if err := p.layOut(ctx, sized, int(used), limits.Cells); err != nil {
		return nil, err
	}
	p.cells += cells
	return p, nil
}

// Cells returns the number of table cells that Compute fills, at less than a
// nanosecond each.
func (p *OptimumPlan) Cells() int64 { return p.cells }

// Compute computes the optimum. The only error is ctx's, which is polled every
// quarter of a million cells. Progress is reported as slicer.WithProgress
// describes.
func (p *OptimumPlan) Compute(ctx context.Context) (*Optimum, error) {
	best, err := p.improved(ctx)
	if err != nil {
		return nil, err
	}
	return &Optimum{scale: p.scale, best: best, within: p.loose + p.counted}, nil
}
