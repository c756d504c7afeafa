package simulate

import (
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
)

// Axis is a line of budgets from 0 to End for a ranking. The budget at B is the template
// with maxTokens = B and targetTokens = max(0, B - gap), where the gap is the
// template's maxTokens less its targetTokens; everything else is kept. Only
// the axis maps a budget to the effective target.
//
// The pipeline runs at B if the budget is valid (Budget.Least <= B), if the
// pinned items fit (pinned <= B - ofMax) and, where overflow is an error, if
// they fit the target too (pinned <= B - gap). Once these hold, they hold for
// every larger budget. For nearly all slicers that is enough: a
// selection takes at most the effective target, which is at most target -
// pinned whenever it is above 0, so only pinned items can overflow the target.
// The exception is the items that count quotas commit whatever they cost. The
// axis does not know about them; a Profile does.
//
// With the template's Deducted and offset = pinned + ofBoth + max(gap, ofMax)
// the effective target is T(B) = floor(max(0, B - offset) * (1 - margin/100)), which is the formula
// of the Cupel specification, chapter Slice, with its two minima merged. T
// never falls as B grows. It may stand still (with a margin), stay 0 (with a
// margin of 100) or, above 2^29, jump by more than one (float64).
type Axis struct {
	template model.Budget
	end      model.Tokens
	start    model.Tokens // the smallest budget that runs, also beyond end; never: none up to MaxTokens
	offset   model.Tokens // largest budget that leaves no room; meaningless if it never runs
	margin   float64      // the safety margin in percent
}

// never stands for a budget beyond all budgets.
const never = model.MaxTokens + 1

// newAxis returns the axis of the template for the ranking, up to end. The error
// is a *model.BudgetError if end is not 0 to model.MaxTokens.
func newAxis(r *pipeline.Ranking, template model.Budget, end model.Tokens) (Axis, error) {
	if err := model.ValidateCeiling(end); err != nil {
		return Axis{}, err
	}
	return axisFor(r.PinnedTokens(), r.Policy().Overflow, template, end), nil
}

// axisFor is newAxis for any ranking with that many pinned tokens, at least 0,
// under that overflow strategy, and for an end within bounds.
func axisFor(pinned model.Tokens, overflow model.OverflowStrategy, template model.Budget, end model.Tokens) Axis {
	a := Axis{template: template, end: end, start: never, margin: template.Fields().SafetyMargin}
	if pinned > model.MaxTokens { // also keeps the sums below from overflowing
		return a
	}
	ofMax, ofBoth := template.Deducted()
	a.offset = pinned + ofBoth + max(template.Gap(), ofMax)
	a.start = max(template.Least(), pinned+ofMax)
	if overflow == model.Throw && pinned > 0 {
		a.start = max(a.start, pinned+template.Gap())
	}
	return a
}

// End returns the last budget of the axis.
func (a Axis) End() model.Tokens { return a.end }

// Start returns the smallest budget from 0 to End at which the pipeline runs
// without error, or false if there is none. The effective target at Start is
// 0, so only pinned items are in, whatever the slicer.
func (a Axis) Start() (model.Tokens, bool) {
	if a.start > a.end {
		return 0, false
	}
	return a.start, true
}

// Budget returns the template at maxTokens b. The error is a
// *model.BudgetError.
func (a Axis) Budget(b model.Tokens) (model.Budget, error) { return a.template.At(b) }

// Target returns the effective target at b, and whether the pipeline runs as
// far as the slicer at b. It answers for every b, also beyond End.
// Profile.Selection tells whether the result then fits the budget.
func (a Axis) Target(b model.Tokens) (slicer.Target, bool) {
	if b < a.start || b > model.MaxTokens {
		return 0, false
	}
	return a.room(b - a.offset), true
}

// room is the target that free tokens make.
func (a Axis) room(free model.Tokens) slicer.Target {
	return slicer.Target(model.AfterMargin(max(0, free), a.margin))
}

// Least returns the smallest budget from 0 to End at which the pipeline runs and
// the target is at least t, or false if there is none. It takes a handful of
// multiplications.
func (a Axis) Least(t slicer.Target) (model.Tokens, bool) {
	b := a.least(t)
	return b, b <= a.end
}

// least is Least over all budgets up to MaxTokens; never if there is none.
func (a Axis) least(t slicer.Target) model.Tokens {
	if t <= 0 || a.start >= never {
		return a.start
	}
	limit := never - a.offset // free tokens that no budget has
	if limit <= 0 || a.room(limit-1) < t {
		return never
	}
	free := model.Tokens(t)
	if a.margin > 0 {
		// The division finds it to within a token; rounding is then settled
		// by the formula itself, over all free tokens if need be.
		guess := model.Tokens(float64(t) / (1 - a.margin/100))
		lo, hi := max(0, guess-2), min(limit-1, guess+2)
		if a.room(lo) >= t {
			lo = 0
		}
		if hi < lo || a.room(hi) < t {
			hi = limit - 1
		}
		free = lo + model.Tokens(sort.Search(int(hi-lo), func(i int) bool { return a.room(lo+model.Tokens(i)) >= t }))
	}
	return max(a.start, a.offset+free)
}

// same reports whether two axes map every budget to the same target and end at
// the same budget, so that answers along one hold along the other.
func (a Axis) same(b Axis) bool {
	return a.end == b.end && a.start == b.start && a.offset == b.offset && a.margin == b.margin
}
