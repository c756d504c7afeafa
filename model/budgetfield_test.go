package model

import (
	"reflect"
	"testing"
)

// TestEveryFieldOfABudgetHasItsRow holds that no field is forgotten, and that no two rows
// are of the same one.
func TestEveryFieldOfABudgetHasItsRow(t *testing.T) {
	var f BudgetFields
	at := map[uintptr]string{}
	for _, row := range FieldsOfBudget() {
		var to reflect.Value
		switch {
		case row.Tokens != nil:
			to = reflect.ValueOf(row.Tokens(&f))
		case row.Percent != nil:
			to = reflect.ValueOf(row.Percent(&f))
		default:
			to = reflect.ValueOf(row.Slots(&f))
		}
		if was, ok := at[to.Pointer()]; ok {
			t.Errorf("%s and %s are the same field", was, row.Name)
		}
		at[to.Pointer()] = row.Name
		if row.Flag == "" || row.Usage == "" || row.Label == "" || row.Help == "" || row.Words == "" || row.OnlyMax && row.Short == "" {
			t.Errorf("a word of %s is missing: %+v", row.Name, row)
		}
		if found, ok := FieldOfBudget(row.Name + ".Memory"); !ok || found.Flag != row.Flag {
			t.Errorf("%s is not found by its name", row.Name)
		}
	}
	fields := reflect.ValueOf(&f).Elem()
	for i := range fields.NumField() {
		if at[fields.Field(i).Addr().Pointer()] == "" {
			t.Errorf("%s has no row", fields.Type().Field(i).Name)
		}
	}
}

// TestFieldsHoldTheirBounds sets each number of a budget to values at its bounds and
// beyond.
func TestFieldsHoldTheirBounds(t *testing.T) {
	for _, row := range FieldsOfBudget() {
		if row.Slots != nil || row.Name == FieldMaxTokens {
			continue
		}
		most := 100.0 // percent
		if row.Tokens != nil {
			most = 50 // the maximum below
		}
		for v, valid := range map[float64]bool{-1: false, 0: true, most: true, most + 1: false} {
			f := BudgetFields{MaxTokens: 50, TargetTokens: Some[Tokens](50)}
			row.SetNumber(&f, v)
			b, err := NewBudget(f)
			if (err == nil) != valid {
				t.Errorf("%s of %v: %v", row.Name, v, err)
			}
			if after := b.Fields(); valid && row.Number(&after) != v {
				t.Errorf("%s of %v is %v", row.Name, v, row.Number(&after))
			}
		}
	}
}
