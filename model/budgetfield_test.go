package model

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/model/plain"
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

// TestFieldsOfABudgetAreCupels: a field that Cupel does not have is marked, so that policy --budget
// does not write it for Cupel.
func TestFieldsOfABudgetAreCupels(t *testing.T) {
	cupels := []string{FieldMaxTokens, FieldTargetTokens, FieldOutputReserve, FieldReservedSlots, FieldSafetyMargin}
	for _, row := range FieldsOfBudget() {
		musttest.Is(t, row.NotCupel, !slices.Contains(cupels, row.Name), row.Name, "is marked as not Cupel's")
	}
}

// What is kept back is explained by the names of the fields that items lose tokens to.
func TestKeptBackNamesItsFields(t *testing.T) {
	for _, term := range plain.Terms() {
		if term.Name != "kept back" {
			continue
		}
		for _, row := range FieldsOfBudget() {
			loses := row.Deducted || row.Percent != nil
			musttest.Is(t, strings.Contains(term.Means, row.Label), loses, row.Name, "in", term.Means)
		}
		return
	}
	t.Error("kept back is not explained")
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
			musttest.Is(t, err == nil, valid, row.Name, "of", v, err)
			if after := b.Fields(); valid && row.Number(&after) != v {
				t.Errorf("%s of %v is %v", row.Name, v, row.Number(&after))
			}
		}
	}
}

// A number between 0 and 1 may be a share or a percentage; only the sign says which.
func TestParsePercent(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "1": 1, "80": 80, "2.5": 2.5, "100": 100, "1.0": 1, "0.8%": .8, " .05 % ": .05, "80%": 80, "0%": 0, "0.0": 0, "1e1": 10,
	} {
		musttest.Is(t, musttest.Of(ParsePercent(text))(t), want, text)
	}
	for text, says := range map[string]string{
		"0.8":  "0.8: write 80% (a share) or 0.8% (less than one percent)",
		".07":  ".07: write 7% (a share) or .07% (less than one percent)",
		"0.29": "0.29: write 29% (a share) or 0.29%", "0.999": "write 99.9% (a share)", "1e-9": "write 0.0000001% (a share) or 1e-9%",
		"-0.5": `"-0.5" must be 0 to 100 percent`, "100.1": "must be 0 to 100", "NaN": "must be 0 to 100", "Inf": "must be 0 to 100",
		"": "is not a percentage", "%": "is not a percentage", "many": "is not a percentage", "50%%": "is not a percentage",
	} {
		musttest.Says(t, musttest.Refusal(ParsePercent(text)), says, text)
	}
}
