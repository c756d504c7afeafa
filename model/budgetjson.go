package model

import (
	"cupelscope/model/internal/jsonwalk"
)

func budgetFields() []string {
	return []string{"maxTokens", "targetTokens", "outputReserve", "reservedSlots", "estimationSafetyMarginPercent"}
}

// ParseBudget reads a budget's JSON: maxTokens (required), targetTokens
// (default: maxTokens), outputReserve, reservedSlots (an object of tokens by
// kind) and estimationSafetyMarginPercent. Token numbers are whole. The error
// is a *BudgetError that names the field, the value and the bound.
func ParseBudget(data []byte) (Budget, error) {
	if err := jsonwalk.Check(data); err != nil {
		return Budget{}, &BudgetError{Field: "budget", Problem: "is not JSON: " + err.Error()}
	}
	r := reader{fail: func(field, reason string) error {
		if field == "" {
			field = "budget"
		}
		return &BudgetError{Field: field, Problem: reason}
	}}
	var f BudgetFields
	hasMax, hasTarget := false, false
	err := r.object("", data, budgetFields(), func(field, key string, raw []byte) (err error) {
		switch key {
		case "maxTokens":
			hasMax = true
			f.MaxTokens, err = r.tokens(field, raw)
		case "targetTokens":
			hasTarget = true
			f.TargetTokens, err = r.tokens(field, raw)
		case "outputReserve":
			f.OutputReserve, err = r.tokens(field, raw)
		case "estimationSafetyMarginPercent":
			f.SafetyMargin, err = r.float(field, raw)
		case "reservedSlots":
			err = r.object(field, raw, nil, func(field, kind string, raw []byte) error {
				n, err := r.tokens(field, raw)
				f.ReservedSlots = append(f.ReservedSlots, Slot{Kind(kind), n})
				return err
			})
		}
		return err
	})
	if err == nil && !hasMax {
		err = r.fail("maxTokens", "is required")
	}
	if err != nil {
		return Budget{}, err
	}
	if !hasTarget {
		f.TargetTokens = f.MaxTokens
	}
	return NewBudget(f)
}

// MarshalJSON writes the budget on one line; slots and percentages that are
// zero are left out. ParseBudget reads back the same budget.
func (b Budget) MarshalJSON() ([]byte, error) {
	var w writer
	w.open('{')
	w.number("maxTokens", b.f.MaxTokens)
	w.number("targetTokens", b.f.TargetTokens)
	if b.f.OutputReserve != 0 {
		w.number("outputReserve", b.f.OutputReserve)
	}
	if len(b.f.ReservedSlots) > 0 {
		w.key("reservedSlots")
		w.open('{')
		for _, s := range b.f.ReservedSlots {
			w.number(string(s.Kind), s.Tokens)
		}
		w.shut('}')
	}
	if b.f.SafetyMargin != 0 {
		w.float("estimationSafetyMarginPercent", b.f.SafetyMargin)
	}
	w.shut('}')
	return w.Bytes(), nil
}

// UnmarshalJSON is ParseBudget.
func (b *Budget) UnmarshalJSON(data []byte) error {
	next, err := ParseBudget(data)
	if err == nil {
		*b = next
	}
	return err
}
