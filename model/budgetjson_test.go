package model

import (
	"encoding/json"
	"reflect"
	"testing"

	"cupelscope/model/musttest"
)

func TestParseBudget(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     BudgetFields
	}{
		{"target defaults to max", `{"maxTokens":100}`, BudgetFields{MaxTokens: 100, TargetTokens: Some[Tokens](100)}},
		{"a null target too", `{"maxTokens":100,"targetTokens":null}`, BudgetFields{MaxTokens: 100, TargetTokens: Some[Tokens](100)}},
		{"target 0 is 0", `{"maxTokens":100,"targetTokens":0}`, BudgetFields{MaxTokens: 100, TargetTokens: Some[Tokens](0)}},
		{"whole numbers in other spellings", `{"maxTokens":1e2,"targetTokens":12.0}`, BudgetFields{MaxTokens: 100, TargetTokens: Some[Tokens](12)}},
		{"everything", `{"maxTokens":1099511627776,"targetTokens":5,"outputReserve":6,"reservedSlots":{"b":2,"A":0},"estimationSafetyMarginPercent":2.5}`,
			BudgetFields{MaxTokens: MaxTokens, TargetTokens: Some[Tokens](5), OutputReserve: 6, ReservedSlots: []Slot{{"b", 2}, {"A", 0}}, SafetyMargin: 2.5}},
	} {
		var b Budget
		if err := b.UnmarshalJSON([]byte(c.in)); err != nil || !reflect.DeepEqual(b.Fields(), c.want) {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, b.Fields(), err, c.want)
		}
		out := musttest.Of(json.Marshal(b))(t)
		var again Budget
		if err := json.Unmarshal(out, &again); err != nil || !reflect.DeepEqual(again, b) {
			t.Errorf("%s: %s comes back as %+v, %v", c.name, out, again, err)
		}
	}
}

func TestParseBudgetErrorsNameTheField(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"not JSON", `{`, "invalid budget: is not JSON"},
		{"a number", `32000`, "invalid budget: is a number, must be an object"},
		{"no maximum", `{"targetTokens":1}`, "maxTokens: is required"},
		{"unknown", `{"maxTokens":1,"max":1}`, "max: is not known; known are maxTokens"},
		{"twice", `{"maxTokens":1,"maxTokens":1}`, "maxTokens: appears twice"},
		{"text", `{"maxTokens":"32k"}`, "maxTokens: is a string, must be a whole number"},
		{"a fraction", `{"maxTokens":1.5}`, "maxTokens: is 1.5, must be a whole number"},
		{"a tiny fraction", `{"maxTokens":1e-400}`, "maxTokens: is 1e-400, must be a whole number"},
		{"negative", `{"maxTokens":-1}`, "maxTokens is -1, must be 0 to"},
		{"too large", `{"maxTokens":1099511627777}`, "maxTokens is 1,099,511,627,777, must be 0 to 1,099,511,627,776"},
		{"far too large", `{"maxTokens":1e400}`, "maxTokens: is 1e400, must be a whole number of at most"},
		{"target over max", `{"maxTokens":5,"targetTokens":6}`, "targetTokens is 6, must be 0 to maxTokens, which is 5"},
		{"reserve over max", `{"maxTokens":5,"outputReserve":6}`, "outputReserve is 6"},
		{"margin", `{"maxTokens":5,"estimationSafetyMarginPercent":100.5}`, "estimationSafetyMarginPercent is 100.5, must be 0 to 100"},
		{"slots an array", `{"maxTokens":5,"reservedSlots":[]}`, "reservedSlots: is an array"},
		{"slot twice", `{"maxTokens":5,"reservedSlots":{"Memory":1,"Memory":1}}`, "reservedSlots.Memory: appears twice"},
		{"slot twice after folding", `{"maxTokens":5,"reservedSlots":{"Memory":1,"memory":1}}`, "reservedSlots.memory is given twice"},
		{"slot negative", `{"maxTokens":5,"reservedSlots":{"Memory":-1}}`, "reservedSlots.Memory is -1"},
		{"slot null", `{"maxTokens":5,"reservedSlots":{"Memory":null}}`, "reservedSlots.Memory: is null"},
		{"slot blank", `{"maxTokens":5,"reservedSlots":{" ":1}}`, "reservedSlots is"},
	} {
		err := new(Budget).UnmarshalJSON([]byte(c.in))
		musttest.Says(t, musttest.As[*BudgetError](t, err, c.name), c.want, c.name)
	}
}

func FuzzParseBudget(f *testing.F) {
	f.Add([]byte(`{"maxTokens":100,"reservedSlots":{"A":1},"estimationSafetyMarginPercent":1e-7}`))
	f.Add([]byte(`{"maxTokens":1.0e3,"targetTokens":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b, again Budget
		if err := b.UnmarshalJSON(data); err != nil {
			musttest.As[*BudgetError](t, err)
			return
		}
		out := musttest.Of(json.Marshal(b))(t)
		if err := again.UnmarshalJSON(out); err != nil || !reflect.DeepEqual(again, b) {
			t.Fatalf("%q: %s comes back as %+v, %v", data, out, again, err)
		}
	})
}
