package model

import (
	"fmt"
	"slices"
	"strings"
)

// BudgetError says which field of a budget is outside its bounds or cannot be
// read.
type BudgetError struct {
	Field  string // as in the budget's JSON: "maxTokens", "reservedSlots.Memory", ...; "" for all of it
	Value  string
	Bounds string
	// MaxTokens is set where Bounds are 0 to maxTokens.
	MaxTokens Option[Tokens]
	// Problem is set instead of Value and Bounds when the JSON itself is wrong: "is
	// not known; known are ...", "appears twice", "is required".
	Problem string
}

func (e *BudgetError) Error() string {
	if e.Problem != "" {
		return "invalid budget: " + strings.TrimPrefix(e.Field+": ", ": ") + e.Problem
	}
	return fmt.Sprintf("invalid budget: %s is %s, must be %s", e.Field, e.Value, e.Bounds)
}

// Slot reserves tokens for items of a kind. Cupel subtracts them from the
// budget and does no more: items of that kind are guaranteed nothing.
type Slot struct {
	Kind   Kind
	Tokens Tokens
}

// BudgetFields are the fields of a Budget before they are validated.
type BudgetFields struct {
	MaxTokens     Tokens         // size of the context window, 0 to the constant MaxTokens
	TargetTokens  Option[Tokens] // what the selection aims at, 0 to the MaxTokens of this budget; not set: all of it
	OutputReserve Tokens         // 0 to the MaxTokens of this budget
	ReservedSlots []Slot         // at most 65,536 slots, no kind twice, each of 0 to MaxTokens
	SafetyMargin  float64        // percent, 0 to 100
}

// Target returns TargetTokens, or MaxTokens if TargetTokens is not set.
func (f BudgetFields) Target() Tokens { return f.TargetTokens.Or(f.MaxTokens) }

// WithSlot returns the fields with t tokens held for a kind; 0 removes the slot.
func (f BudgetFields) WithSlot(k Kind, t Tokens) BudgetFields {
	slots := slices.Clone(f.ReservedSlots)
	i := slices.IndexFunc(slots, func(slot Slot) bool { return slot.Kind.Is(k) })
	switch {
	case i >= 0 && t == 0:
		slots = slices.Delete(slots, i, i+1)
	case i >= 0:
		slots[i].Tokens = t
	case t != 0:
		slots = append(slots, Slot{Kind: k, Tokens: t})
	}
	f.ReservedSlots = slots
	return f
}

// Budget is a valid token budget. The zero value is the budget of 0 tokens. A
// Budget is safe for concurrent use.
type Budget struct {
	f             BudgetFields
	least         Tokens // see Least
	ofMax, ofBoth Tokens // see Deducted; they are asked for at every budget that is tried
}

// NewBudget returns the budget with the given fields, of which it makes a copy.
// The error is a *BudgetError that names the field, its value and its bounds.
func NewBudget(f BudgetFields) (Budget, error) {
	fail := func(field string, v Tokens) (Budget, error) {
		return Budget{}, &BudgetError{Field: field, Value: v.String(), Bounds: fmt.Sprintf("0 to %v", MaxTokens)}
	}
	if f.MaxTokens < 0 || f.MaxTokens > MaxTokens {
		return fail(FieldMaxTokens, f.MaxTokens)
	}
	f.TargetTokens = Some(f.Target())
	least := Tokens(0)
	for _, field := range budgetFields {
		switch {
		case field.Tokens != nil:
			v := *field.Tokens(&f)
			if v < 0 || v > f.MaxTokens {
				return Budget{}, &BudgetError{
					Field: field.Name, Value: v.String(), Bounds: fmt.Sprintf("0 to maxTokens, which is %v", f.MaxTokens), MaxTokens: Some(f.MaxTokens),
				}
			}
			if field.Name != FieldMaxTokens && field.Name != FieldTargetTokens { // Budget.At moves these two
				least = max(least, v)
			}
		case field.Percent != nil:
			if v := *field.Percent(&f); !(v >= 0 && v <= 100) {
				return Budget{}, &BudgetError{Field: field.Name, Value: fmt.Sprint(v), Bounds: "0 to 100"}
			}
		}
	}
	f.ReservedSlots = append([]Slot(nil), f.ReservedSlots...) // nil where there are none
	seen := map[Kind]bool{}
	name := func(kind Kind) string { return FieldReservedSlots + "." + string(kind) }
	for _, slot := range f.ReservedSlots {
		if slot.Kind.IsBlank() {
			return Budget{}, &BudgetError{Field: FieldReservedSlots, Value: fmt.Sprintf("%q", slot.Kind), Bounds: "a kind that is not blank"}
		}
		if len(f.ReservedSlots) > 1 {
			kind := slot.Kind.Fold()
			if seen[kind] {
				return Budget{}, &BudgetError{Field: name(slot.Kind), Value: "given twice", Bounds: "given once; upper and lower case are the same"}
			}
			seen[kind] = true
		}
		if slot.Tokens < 0 || slot.Tokens > MaxTokens {
			return fail(name(slot.Kind), slot.Tokens)
		}
	}
	if len(f.ReservedSlots) > maxSlots {
		return Budget{}, &BudgetError{Field: FieldReservedSlots, Value: fmt.Sprint(len(f.ReservedSlots), " entries"), Bounds: fmt.Sprint("at most ", maxSlots)}
	}
	b := Budget{f: f, least: least}
	f.deduct(func(d Deduction) {
		if d.OnlyMax {
			b.ofMax += d.Tokens
		} else {
			b.ofBoth += d.Tokens
		}
	})
	return b, nil
}

// BudgetOf returns the budget of maxTokens without reserves and margin, with
// all of it as the target. The error is as for NewBudget.
func BudgetOf(maxTokens Tokens) (Budget, error) {
	return NewBudget(BudgetFields{MaxTokens: maxTokens})
}

// maxSlots keeps the sum of the slots far from overflow.
const maxSlots = 1 << 16

// Fields returns a copy of the fields, to change some and make another Budget
// with NewBudget. TargetTokens is always set, so it does not follow a change of
// MaxTokens; Budget.At moves both.
func (b Budget) Fields() BudgetFields {
	f := b.f
	f.TargetTokens = Some(b.TargetTokens())
	f.ReservedSlots = slices.Clone(f.ReservedSlots)
	return f
}

// MaxTokens returns the size of the context window in tokens.
func (b Budget) MaxTokens() Tokens { return b.f.MaxTokens }

// TargetTokens returns the number of tokens that the selection aims at, at most
// MaxTokens.
func (b Budget) TargetTokens() Tokens { return b.f.TargetTokens.Value }

// Deducted returns the tokens that come off MaxTokens alone, and the tokens that come off both
// MaxTokens and TargetTokens. Pinned items are in neither.
func (b Budget) Deducted() (ofMax, ofBoth Tokens) { return b.ofMax, b.ofBoth }

// Gap returns MaxTokens - TargetTokens. Budget.At keeps it, so it is the same
// along the whole budget axis of package simulate, unless it exceeds the
// maximum.
func (b Budget) Gap() Tokens { return b.f.MaxTokens - b.TargetTokens() }

// Least returns the least maximum that At takes: what the other fields allow.
func (b Budget) Least() Tokens { return b.least }

// At returns the budget with another maximum and the target moved with it, to
// max(0, maxTokens - Gap). All other fields stay the same. The error is a
// *BudgetError if maxTokens is not Least to MaxTokens. At is O(1).
func (b Budget) At(maxTokens Tokens) (Budget, error) {
	b.f.MaxTokens, b.f.TargetTokens = maxTokens, Some(max(0, maxTokens-b.Gap())) // shares the slots: nobody changes them
	if maxTokens < b.least || maxTokens > MaxTokens {
		return NewBudget(b.f) // its error says what is wrong
	}
	return b, nil
}

// Less returns the budget with slack tokens less, in the maximum and in the
// target. The error is a *BudgetError if slack is below 0 or above the target,
// or if the output reserve no longer fits.
func (b Budget) Less(slack Tokens) (Budget, error) {
	if err := ValidateSlack(slack, b); err != nil {
		return Budget{}, err
	}
	return b.At(b.f.MaxTokens - slack)
}

// ValidateCeiling reports whether end, the largest budget to look at, is 0 to
// MaxTokens, where 0 leaves the choice to simulate.Ceiling. The error is a
// *BudgetError that names the bounds.
func ValidateCeiling(end Tokens) error {
	if end < 0 || end > MaxTokens {
		return &BudgetError{Field: "ceiling", Value: end.String(), Bounds: fmt.Sprintf("0 to %v", MaxTokens)}
	}
	return nil
}

// ValidateSlack reports whether slack is 0 to the target of b. The error is a
// *BudgetError that names the bounds.
func ValidateSlack(slack Tokens, b Budget) error {
	if slack < 0 || slack > b.TargetTokens() {
		return &BudgetError{
			Field: "slackTokens", Value: slack.String(), Bounds: fmt.Sprintf("0 to targetTokens, which is %v", b.TargetTokens()),
		}
	}
	return nil
}
