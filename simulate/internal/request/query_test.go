package request

import (
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
)

func TestQueries(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Query
		refusal    string // "": none
	}{
		{"none", "", Query{Op: OpDryRun}, ""},
		{"without an op", "{}", Query{Op: OpDryRun}, ""},
		{"slack of 0", `{"op":"marginal","slackTokens":0}`, Query{Op: OpMarginal, Slack: model.Some[model.Tokens](0)}, ""},
		{"all fields", `{"op":"minBudget","itemIndex":2,"searchCeiling":1e3,"bare":true}`, Query{Op: OpMinBudget, ItemIndex: 2, SearchCeiling: 1000, Bare: true}, ""},
		{"a recall", `{"op":"quality","wanted":1,"ceiling":5}`, Query{Op: OpQuality, Wanted: model.Some(1.0), Ceiling: 5}, ""},
		{"no object", "[]", Query{}, "query is an array, must be an object"},
		{"an op of another case", `{"op":"Profile"}`, Query{}, `query.op "Profile" is not known`},
		{"a field of another op", `{"slackTokens":1}`, Query{}, "query.slackTokens is not known for op dryRun; known are op"},
		{"a field that lacks", `{"op":"profile"}`, Query{}, "query.ceiling is required for op profile"},
		{"a field twice", `{"op":"profile","ceiling":1,"ceiling":1}`, Query{}, "query.ceiling appears twice"},
		{"a fraction", `{"op":"profile","ceiling":1.5}`, Query{}, "query.ceiling is 1.5, must be a whole number"},
		{"a recall of 0", `{"op":"quality","wanted":0,"ceiling":5}`, Query{}, "query.wanted is 0, must be above 0 and at most 1"},
		{"a number for a truth", `{"op":"minBudget","itemIndex":2,"searchCeiling":9,"bare":1}`, Query{}, "query.bare is a number, must be true or false"},
	} {
		var raw []byte
		if c.text != "" {
			raw = []byte(c.text)
		}
		got, err := parseQuery(raw)
		if c.refusal != "" {
			musttest.Says(t, err, c.refusal, c.name)
		} else if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
}

// An answer carries the id of its line also where the line is no scenario.
func TestTheIDOfALineThatIsNoScenario(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":"a","items":3}`:      `"a"`,
		"{\"id\":{\"n\": 1},\"x\":": `{"n":1}`,
		`{"items":[]}`:              "null",
		"{\"id\":\"\xff\"}":         `"` + "\ufffd" + `"`,
		"no JSON":                   "null",
	} {
		line, err := ReadLine(t.Context(), "-", []byte(text), itemset.Fallback{}, itemset.Options{})
		if err == nil || string(line.ID) != want {
			t.Errorf("%s: id %s, %v, want %s", text, line.ID, err, want)
		}
	}
}
