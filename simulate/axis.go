package simulate

import (
	"fmt"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// Axis is a line of budgets from 0 to End: the template with maxTokens = B,
// targetTokens = max(0, B - gap), everything else kept. It alone maps a budget
// to the effective target.
//
// The pipeline runs at B when the budget is valid (outputReserve <= B), when
// the pinned items fit (pinned <= B - outputReserve) and, where overflow is an
// error, when they fit the target too (pinned <= B - gap). All three hold for
// every larger budget once they hold. More is not needed for nearly all
// slicers: what one selects is at most the effective target, which is at most
// target - pinned whenever it is above 0, so a selection never overflows the
// target by itself; pinned items alone can. Only what count quotas commit, at
// whatever cost, can as well: that the axis does not know, see Profile.
//
// With offset = pinned + slots + max(gap, outputReserve) the effective target
// is T(B) = floor(max(0, B - offset) * (1 - margin/100)): the formula of the
// Cupel specification, chapter Slice, with its two minima drawn together. It
// never falls as B grows. It may stand still (margin), stay 0 (margin 100) or,
// above 2^29, jump by more than one (float64).
//
// The zero Axis holds the single budget 0.
type Axis struct {
	template model.Budget
	end      model.Tokens
	start    model.Tokens // least running budget, whatever end is; never: more than MaxTokens
	offset   model.Tokens // largest budget that leaves no room; meaningless if it never runs
	margin   float64      // the safety margin in percent
}

// never stands for a budget beyond all budgets.
const never = model.MaxTokens + 1

// NewAxis makes the axis of the template up to end (0 to model.MaxTokens) for
// a set whose pinned items hold pinned tokens (at least 0) under an overflow
// strategy. The error names what is out of bounds.
func NewAxis(template model.Budget, pinned model.Tokens, overflow model.OverflowStrategy, end model.Tokens) (Axis, error) {
	switch {
	case end < 0 || end > model.MaxTokens:
		return Axis{}, &model.BudgetError{Field: "axis end", Value: end.String(), Bounds: "0 to " + model.MaxTokens.String()}
	case pinned < 0:
		return Axis{}, &model.BudgetError{Field: "pinned tokens", Value: pinned.String(), Bounds: "at least 0"}
	case !slices.Contains(model.OverflowStrategies(), overflow):
		return Axis{}, fmt.Errorf("overflow strategy %q is not known; known are %v", string(overflow), model.OverflowStrategies())
	}
	a := Axis{template: template, end: end, start: never, margin: template.SafetyMargin()}
	if pinned > model.MaxTokens { // also keeps the sums below from overflowing
		return a, nil
	}
	a.offset = pinned + template.Reserved() + max(template.Gap(), template.OutputReserve())
	a.start = pinned + template.OutputReserve()
	if overflow == model.Throw && pinned > 0 {
		a.start = max(a.start, pinned+template.Gap())
	}
	return a, nil
}

// Template is the budget whose maxTokens the axis varies.
func (a Axis) Template() model.Budget { return a.template }

// End is the last budget of the axis.
func (a Axis) End() model.Tokens { return a.end }

// Start is the least budget in 0..End at which the pipeline runs without
// error; false: none. Only pinned items are in at Start, because the effective
// target there is 0, so it is the same for every slicer.
func (a Axis) Start() (model.Tokens, bool) {
	if a.start > a.end {
		return 0, false
	}
	return a.start, true
}

// Budget is the template at maxTokens b; the error is that of model.NewBudget.
func (a Axis) Budget(b model.Tokens) (model.Budget, error) { return a.template.At(b) }

// Target is the effective target at b, and whether the pipeline slices at b at
// all. It answers for every b, also beyond End. Whether the result then has
// room is asked of Profile.Selection.
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

// Least is the least running budget in 0..End whose target is >= t; false:
// none. It costs a handful of multiplications.
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

// Same reports whether two axes map every budget to the same target and end
// alike: answers along one hold along the other.
func (a Axis) Same(b Axis) bool {
	return a.end == b.end && a.start == b.start && a.offset == b.offset && a.margin == b.margin
}
