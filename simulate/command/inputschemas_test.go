package command_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/export"
	"cupelscope/simulate/internal/request"
)

// keeps reports whether a JSON text keeps to a schema.
func keeps(t *testing.T, s *jsonschema.Schema, text []byte) bool {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return s.Validate(value) == nil
}

// TestPolicySchemaIsTheParser: the schema of a policy accepts what ParsePolicy accepts, and
// refuses each member that it does not know or that belongs to another type.
func TestPolicySchemaIsTheParser(t *testing.T) {
	schema := compileSchema(t, "policy")
	var texts []string
	for _, p := range model.Presets() {
		text := musttest.Of(p.JSON())(t)
		texts = append(texts, string(text))
	}
	for _, scorer := range model.ScorerTypes() {
		text := musttest.Of(model.NewPolicy(model.NewScorer(scorer, model.Beginning{Tag: "t"})).JSON())(t)
		texts = append(texts, string(text), strings.Replace(string(text), `"weight"`, `"defaultScore": 0.25, "weight"`, 1), strings.Replace(string(text), `"weight": 1`, `"weight": 0`, 1))
	}
	const recency = `"scorers": [{"type": "recency", "weight": 1}]`
	for _, extra := range []string{
		`"slicerType": "rank"`, `"slicerType": "best"`, `"slicerType": null`, `"slicer": "greedy"`, `"knapsackBucketSize": 0, "slicerType": "knapsack"`, `"keepPairs": true`, `"keepPairs": 1`,
		`"quotas": []`, `"quotas": [{"kind": "Memory", "minPercent": 20}]`, `"quotas": [{"kind": "Memory", "minPercent": 120}]`, `"quotas": [{"min": 20}]`,
		`"countQuotas": [{"kind": "Memory", "requireCount": 1, "capCount": 2}], "scarcityBehavior": "throw"`, `"countQuotas": [{"kind": "Memory"}]`,
	} {
		texts = append(texts, "{"+recency+", "+extra+"}")
	}
	for _, scorer := range []string{
		`{"type": "kind", "weight": 1, "kindWeights": {"Memory": 2}}`, `{"type": "kind", "weight": 1, "kindWeights": {"Memory": -2}}`, `{"type": "scaled", "weight": 1}`,
		`{"type": "power", "weight": 1, "exponent": 65, "innerScorer": {"type": "recency", "weight": 1}}`, `{"type": "composite", "weight": 1, "scorers": []}`, `{"type": "nosuch", "weight": 1}`,
		`{"type": "decay", "weight": 1, "referenceTime": "2026-03-01T09:00:00Z", "curve": {"type": "step", "windows": [{"maxAgeSeconds": 5, "score": 1}]}}`,
		`{"type": "decay", "weight": 1, "referenceTime": "2026-03-01T09:00:00Z", "curve": {"type": "window", "halfLifeSeconds": 5}}`,
	} {
		texts = append(texts, `{"scorers": [`+scorer+`]}`)
	}
	refused := 0
	for _, text := range append(texts, `{}`, `{"scorers": []}`, `[]`) {
		_, err := model.ParsePolicy([]byte(text))
		musttest.Is(t, keeps(t, schema, []byte(text)), err == nil, "the schema says", err, text)
		if err != nil {
			refused++
		}
	}
	if refused < 20 || refused > len(texts)-20 {
		t.Errorf("%d of %d policies are refused", refused, len(texts))
	}
}

// TestScenarioSchemas: scenarios and lines of a batch have the members that the readers
// know and no others, and what the program writes keeps to the schemas.
func TestScenarioSchemas(t *testing.T) {
	musttest.Alone(t)
	clitest.Files(t)
	scenario, line, items := compileSchema(t, "scenario"), compileSchema(t, "batch-line"), compileSchema(t, "items")
	for _, f := range fixtures.All() {
		text := musttest.Of(f.Bytes())(t)
		parts := musttest.JSON[map[string]json.RawMessage](t, text)
		if !keeps(t, scenario, text) || !keeps(t, line, text) || !keeps(t, items, parts["items"]) {
			t.Errorf("the fixture %s does not keep to the schemas", f.Name)
		}
		if f.Name == "large" || f.Name == "agent" {
			continue // one of the small ones shows it as well
		}
		for name := range parts {
			if misspelt := strings.Replace(string(text), `"`+name+`"`, `"`+name+`X"`, 1); keeps(t, scenario, []byte(misspelt)) {
				t.Errorf("%s may be misspelt", name)
			}
		}
	}
	for text, good := range map[string]bool{
		`{"edits": {"pinned": {"1": true}, "excluded": [2], "hints": {"0": 0.5}}, "labels": {"0": 1}, "answers": ["a"]}`: true, `{"edits": {"pinned": {"one": true}}}`: false,
		`{"checks": [{"require": "kind:system"}, {"staysBy": 24000, "for": "3"}, {"minFilled": 80}]}`: true, `{"checks": [{"require": "#1", "forbid": "#2"}]}`: false, `{"checks": [{"for": "#1"}]}`: false,
		`{"id": [1], "query": {"op": "minBudget", "itemIndex": 0, "searchCeiling": 9}, "question": "who?"}`: true, `{"query": {"op": "minBudget"}}`: false, `{"query": {"op": "marginal", "ceiling": 9}}`: false, `{"query": {}}`: true,
		`{"shrink": [{"kind": "ToolOutput", "to": [2000, 500], "how": "tail", "note": true}], "shrinkPinned": true, "missed": [1]}`: true, `{"budget": {"targetTokens": 9}}`: false,
	} {
		musttest.Is(t, keeps(t, line, []byte(text)), good, text)
	}
	for name, want := range map[string][]string{"scenario": itemset.ScenarioFields(), "batch-line": append(itemset.ScenarioFields(), request.Fields()...)} {
		text := musttest.Of(export.SchemaOf(name))(t)
		doc := musttest.JSON[struct {
			ID   string                                         `json:"$id"`
			Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
		}](t, text)
		slices.Sort(want)
		of := doc.Defs[strings.TrimPrefix(name, "batch-")].Properties
		if got := slices.Sorted(maps.Keys(of)); !slices.Equal(got, want) || doc.ID != "urn:cupelscope:"+name+":1" {
			t.Errorf("%s %s has %v, the reader knows %v", doc.ID, name, got, want)
		}
	}
	if code, out, _ := clitest.Run("", "batch", "scenarios.jsonl"); code != command.Fine || out == "" {
		t.Error("the scenarios that keep to the schema are not answered")
	}
}

// TestSchemasHaveEveryFieldOfABudget reads the schemas of scenarios and of answers.
func TestSchemasHaveEveryFieldOfABudget(t *testing.T) {
	var fields []string
	for _, row := range model.FieldsOfBudget() {
		fields = append(fields, row.Name)
	}
	slices.Sort(fields)
	for _, name := range []string{"scenario", "common"} {
		doc := musttest.JSON[struct {
			Defs struct {
				Budget struct{ Properties map[string]any } `json:"budget"`
			} `json:"$defs"`
		}](t, musttest.Of(os.ReadFile("../export/schema/"+name+".json"))(t))
		musttest.Is(t, slices.Sorted(maps.Keys(doc.Defs.Budget.Properties)), fields, "the budget of", name, "json")
	}
}
