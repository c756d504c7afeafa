package model

import (
	"sync"

	"cupelscope/model/internal/jsonwalk"
)

var budgetLayout = layout[BudgetFields]{budgetTable, new(sync.Pool)}

func budgetTable(f *BudgetFields, _ nesting) table {
	tokens := func(to *Tokens) value { return whole[Tokens]{to, -beyondBounds, beyondBounds} } // NewBudget has the bounds
	presences := map[string]presence{FieldMaxTokens: present, FieldTargetTokens: always}
	var t table
	for _, field := range budgetFields {
		m := member{name: field.Name, presence: presences[field.Name]}
		switch {
		case field.Tokens != nil:
			m.value = tokens(field.Tokens(f))
		case field.Percent != nil:
			m.value = real{to: field.Percent(f)}
		default:
			m.value = entries[Slot]{to: field.Slots(f), parts: func(s *Slot) (*string, value) {
				return (*string)(&s.Kind), tokens(&s.Tokens)
			}}
		}
		t.rows = append(t.rows, m)
	}
	return t
}

// MarshalJSON returns the budget as JSON on one line, without outputReserve,
// reservedSlots and estimationSafetyMarginPercent where they are zero or empty.
// UnmarshalJSON reads back the same budget.
func (b Budget) MarshalJSON() ([]byte, error) {
	bound := budgetLayout.bind(&b.f, 0)
	defer budgetLayout.unbind(bound)
	var w writer
	w.table(bound.table)
	return w.Bytes(), nil
}

// UnmarshalJSON sets b to a JSON object with the members maxTokens (required), targetTokens
// (default: maxTokens), outputReserve, reservedSlots (an object of tokens by kind) and
// estimationSafetyMarginPercent. Numbers of tokens are whole. The error is a *BudgetError that
// names the field and what is wrong with it; b then keeps its value.
func (b *Budget) UnmarshalJSON(data []byte) error {
	if err := jsonwalk.Check(data); err != nil {
		return &BudgetError{Problem: "is not JSON: " + err.Error()}
	}
	r := reader{fail: func(field, reason string) error { return &BudgetError{Field: field, Problem: reason} }}
	const unset = -1 << 62
	f := BudgetFields{TargetTokens: Some[Tokens](unset)}
	bound := budgetLayout.bind(&f, 0)
	defer budgetLayout.unbind(bound)
	if err := r.table("", data, bound.table); err != nil {
		return err
	}
	f = bound.value
	f.TargetTokens.Set = f.TargetTokens.Value != unset
	next, err := NewBudget(f)
	if err == nil {
		*b = next
	}
	return err
}
