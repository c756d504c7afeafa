package model

import (
	"slices"

	"cupelscope/model/plain"
)

// Effective is the effective budget: the tokens of a Budget that remain for the
// items that compete.
type Effective struct {
	Max    Tokens // what remains of maxTokens, at least 0
	Target Tokens // what remains of targetTokens, 0 to Max; called "the room"
	Margin Tokens // what the safety margin takes off Target
}

// Effective returns the effective budget beside pinned items of the given total
// (Cupel specification, chapter Slice, COMPUTE-EFFECTIVE-BUDGET).
func (b Budget) Effective(pinned Tokens) Effective {
	ofMax, ofBoth := b.Deducted()
	ofBoth += pinned
	maxLeft := max(0, b.f.MaxTokens-ofMax-ofBoth)
	target := min(maxLeft, max(0, b.TargetTokens()-ofBoth))
	e := Effective{Max: AfterMargin(maxLeft, b.f.SafetyMargin), Target: AfterMargin(target, b.f.SafetyMargin)}
	e.Margin = target - e.Target
	return e
}

// CheckPinned returns nil, or a *PinnedError if pinned items of the given total do not fit in
// MaxTokens less what comes off MaxTokens alone, such as the output reserve. Slots are not
// subtracted.
func (b Budget) CheckPinned(pinned Tokens) error {
	ofMax, _ := b.Deducted()
	available := b.f.MaxTokens - ofMax
	if pinned <= available {
		return nil
	}
	less, before := "", " less "
	for _, d := range b.f.Deductions(0) {
		if d.OnlyMax && d.Tokens > 0 {
			less, before = less+before+d.Label(), " and "
		}
	}
	return &PinnedError{pinned, available, less}
}

// Deduction is a number of tokens that a budget loses before items compete for
// what remains.
type Deduction struct {
	Field   string // of the budget, see FieldOfBudget; "" for the pinned items
	Kind    Kind   // set for a slot only
	Tokens  Tokens
	OnlyMax bool // it reduces maxTokens and not the target
}

// Deductions returns what the budget loses beside pinned items of the given
// total, in the order of the Cupel specification, chapter Slice. Slots of 0
// tokens are left out. The safety margin is not listed: it applies to what remains,
// see Effective.Margin.
func (f BudgetFields) Deductions(pinned Tokens) []Deduction {
	var ofMax, ofBoth []Deduction
	f.deduct(func(d Deduction) {
		if d.OnlyMax {
			ofMax = append(ofMax, d)
		} else {
			ofBoth = append(ofBoth, d)
		}
	})
	return slices.Concat(ofMax, []Deduction{{Tokens: pinned}}, ofBoth)
}

// deduct calls lose for each of Deductions except the pinned items, in the order of the fields.
func (f *BudgetFields) deduct(lose func(Deduction)) {
	for i := range budgetFields {
		field := &budgetFields[i]
		switch {
		case !field.Deducted:
		case field.Slots != nil:
			for _, slot := range *field.Slots(f) {
				if slot.Tokens > 0 {
					lose(Deduction{Field: field.Name, Kind: slot.Kind, Tokens: slot.Tokens})
				}
			}
		default:
			lose(Deduction{Field: field.Name, Tokens: *field.Tokens(f), OnlyMax: field.OnlyMax})
		}
	}
}

// From returns how many tokens the deduction takes of the tokens that the deductions before it
// leave. A slot takes at most all of them, as in the pipeline; any other deduction takes its
// Tokens.
func (d Deduction) From(left Tokens) Tokens {
	if d.Kind == "" {
		return d.Tokens
	}
	return min(d.Tokens, max(0, left))
}

// Label returns what a deduction is for: "output reserve", "pinned", "held".
func (d Deduction) Label() string {
	if d.Field == "" {
		return plain.Pinned
	}
	field, _ := FieldOfBudget(d.Field)
	return field.Label
}

// AfterMargin returns what a safety margin of percent, 0 to 100, leaves of free
// tokens, at least 0: floor(free * (1 - percent/100)), computed as float64. The
// result never falls as free grows.
func AfterMargin(free Tokens, percent float64) Tokens {
	if percent == 0 {
		return free
	}
	// Tokens below 2^41 are exact as float64; conversion truncates, which is
	// floor for numbers >= 0.
	return Tokens(float64(float64(free) * (1.0 - percent/100.0)))
}
