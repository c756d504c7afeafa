package model

import (
	"errors"
	"fmt"
	"slices"
)

// ErrInvalidBudget is wrapped by every *BudgetError.
var ErrInvalidBudget = errors.New("invalid budget")

// BudgetError names the field of a budget that is out of its bounds, or that
// cannot be read.
type BudgetError struct {
	Field  string // as in the budget's JSON: "maxTokens", "reservedSlots.Memory", ...
	Value  string
	Bounds string
	// Problem is set instead of Value and Bounds when the JSON itself is
	// wrong: "is not known; known are ...", "is there twice", "is required".
	Problem string
}

func (e *BudgetError) Error() string {
	if e.Problem != "" {
		return fmt.Sprintf("invalid budget: %s: %s", e.Field, e.Problem)
	}
	return fmt.Sprintf("invalid budget: %s is %s, must be %s", e.Field, e.Value, e.Bounds)
}

func (e *BudgetError) Unwrap() error { return ErrInvalidBudget }

// Slot holds back tokens for a kind. Cupel only subtracts them: nothing is
// guaranteed to that kind.
type Slot struct {
	Kind   Kind
	Tokens Tokens
}

// BudgetFields are the fields of a Budget before they are validated.
type BudgetFields struct {
	MaxTokens     Tokens         // the context window, 0 to MaxTokens
	TargetTokens  Option[Tokens] // what the selection aims at, 0 to MaxTokens of this budget; unset: all of it
	OutputReserve Tokens         // 0 to MaxTokens of this budget
	ReservedSlots []Slot         // no kind twice, each 0 to MaxTokens
	SafetyMargin  float64
}

// Target is TargetTokens, and where that is not set MaxTokens.
func (f BudgetFields) Target() Tokens {
	if f.TargetTokens.Set {
		return f.TargetTokens.Value
	}
	return f.MaxTokens
}

// Budget is a valid token budget. The zero value is the budget of 0 tokens.
type Budget struct{ f BudgetFields }

// NewBudget validates the fields; the error is a *BudgetError that names the
// field, the value and the bound.
func NewBudget(f BudgetFields) (Budget, error) {
	upTo := func(field string, v, limit Tokens, bounds string) error {
		if v < 0 || v > limit {
			return &BudgetError{Field: field, Value: v.String(), Bounds: bounds}
		}
		return nil
	}
	if err := upTo("maxTokens", f.MaxTokens, MaxTokens, "0 to "+MaxTokens.String()); err != nil {
		return Budget{}, err
	}
	within := fmt.Sprintf("0 to maxTokens, which is %v", f.MaxTokens)
	f.TargetTokens = Some(f.Target())
	if err := upTo("targetTokens", f.Target(), f.MaxTokens, within); err != nil {
		return Budget{}, err
	}
	if err := upTo("outputReserve", f.OutputReserve, f.MaxTokens, within); err != nil {
		return Budget{}, err
	}
	if !finite(f.SafetyMargin) || f.SafetyMargin < 0 || f.SafetyMargin > 100 {
		return Budget{}, &BudgetError{
			Field: "estimationSafetyMarginPercent", Value: fmt.Sprint(f.SafetyMargin), Bounds: "0 to 100",
		}
	}
	f.ReservedSlots = append([]Slot(nil), f.ReservedSlots...) // nil where there are none
	seen := make(map[Kind]bool, len(f.ReservedSlots))
	for _, slot := range f.ReservedSlots {
		field := "reservedSlots." + string(slot.Kind)
		switch {
		case slot.Kind.IsBlank():
			return Budget{}, &BudgetError{Field: "reservedSlots", Value: fmt.Sprintf("%q", slot.Kind), Bounds: "a kind that is not blank"}
		case seen[slot.Kind.Fold()]:
			return Budget{}, &BudgetError{Field: field, Value: "there twice", Bounds: "one entry a kind, upper and lower case being the same"}
		}
		seen[slot.Kind.Fold()] = true
		if err := upTo(field, slot.Tokens, MaxTokens, "0 to "+MaxTokens.String()); err != nil {
			return Budget{}, err
		}
	}
	if len(f.ReservedSlots) > maxSlots {
		return Budget{}, &BudgetError{Field: "reservedSlots", Value: fmt.Sprint(len(f.ReservedSlots), " entries"), Bounds: fmt.Sprint("at most ", maxSlots)}
	}
	return Budget{f}, nil
}

// BudgetOf returns the budget of maxTokens with nothing taken from it: the
// target is all of it. The error is that of NewBudget.
func BudgetOf(maxTokens Tokens) (Budget, error) {
	return NewBudget(BudgetFields{MaxTokens: maxTokens})
}

// maxSlots keeps the sum of the slots far from overflow.
const maxSlots = 1 << 16

// Fields returns the fields, to change some of them and make another Budget. The
// target is set: it does not move with MaxTokens, see At.
func (b Budget) Fields() BudgetFields {
	f := b.f
	f.TargetTokens = Some(b.TargetTokens())
	f.ReservedSlots = slices.Clone(f.ReservedSlots)
	return f
}

// MaxTokens is the whole context window, in tokens.
func (b Budget) MaxTokens() Tokens { return b.f.MaxTokens }

// TargetTokens is what the selection aims at, at most MaxTokens.
func (b Budget) TargetTokens() Tokens { return b.f.TargetTokens.Value }

// OutputReserve is what is kept free for the model's answer.
func (b Budget) OutputReserve() Tokens { return b.f.OutputReserve }

// SafetyMargin is the estimation safety margin in percent, 0 to 100.
func (b Budget) SafetyMargin() float64 { return b.f.SafetyMargin }

// ReservedSlots lists the slots in the order given. Read only.
func (b Budget) ReservedSlots() []Slot { return b.f.ReservedSlots }

// Reserved is the sum of the reserved slots.
func (b Budget) Reserved() Tokens {
	var sum Tokens
	for _, s := range b.f.ReservedSlots {
		sum += s.Tokens
	}
	return sum
}

// Gap is how far the target lies below the maximum. Along the budget axis
// both move together and the gap stays (see simulate.Axis).
func (b Budget) Gap() Tokens { return b.f.MaxTokens - b.TargetTokens() }

// At returns this budget with another maximum, the target moving along:
// targetTokens becomes max(0, maxTokens - Gap). Everything else is kept, so
// that there is no such budget, a *BudgetError, where maxTokens is outside 0 to
// MaxTokens, or below the outputReserve.
func (b Budget) At(maxTokens Tokens) (Budget, error) {
	gap := b.Gap()
	if maxTokens < 0 || maxTokens > MaxTokens || b.f.OutputReserve > maxTokens {
		f := b.f
		f.MaxTokens, f.TargetTokens = maxTokens, Some(max(0, maxTokens-gap))
		return NewBudget(f)
	}
	b.f.MaxTokens, b.f.TargetTokens = maxTokens, Some(max(0, maxTokens-gap)) // shares the slots: nobody changes them
	return b, nil
}

// Less returns the budget smaller by slack, maximum and target alike. A slack
// below 0 or above the target, and a budget that is then invalid, are a
// *BudgetError.
func (b Budget) Less(slack Tokens) (Budget, error) {
	if err := ValidateSlack(slack, b); err != nil {
		return Budget{}, err
	}
	return b.At(b.f.MaxTokens - slack)
}
