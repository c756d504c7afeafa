package export

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// names is the table of the names that several answers share: what each stands for, and the
// sort of JSON that it is wherever it stands.
var names = map[string]struct{ sort, is string }{
	"at":              {"string", "a budget as it was asked for: tokens, a percentage, or own"},
	"budget":          {"object", "a budget with all its fields, as scenarios spell it"},
	"maxTokens":       {"number", "the window of a budget, in tokens"},
	"budgets":         {"array", "results, a row for each budget that was asked for"},
	"budgetGuessed":   {"boolean", "nobody gave maxTokens"},
	"guessedCases":    {"number", "how many cases have such a budget"},
	"estimatedCounts": {"number", "token counts that are estimates"},
	"estimatedCases":  {"number", "cases with such counts"},
	"case":            {"string", "the name of a case"},
	"cases":           {"number", "how many cases there are"},
	"leftOut":         {"number", "cases that could not be used"},
	"included":        {"array", "the items that are in, an object each"},
	"excluded":        {"array", "the items that are out, an object each"},
	"includedCount":   {"number", "how many items are in"},
	"includedIndexes": {"array", "the numbers of the items that are in, from 0"},
	"index":           {"number", "the number of an item, from 0"},
	"low":             {"number", "the lower end of an interval"},
	"high":            {"number", "the upper end of an interval"},
	"verdict":         {"string", "ok, failed or undecided"},
	"worst":           {"array", "the worst cases"},
	"ceiling":         {"number", "the largest budget that was looked at"},
	"firstIn":         {"number", "the least budget at which an item is in"},
	"staysFrom":       {"number", "the least budget from which it is always in"},
	"belowBest":       {"number", "how far a value is below the best possible, as a share"},
	"recall":          {"number", "the share of what was needed that is in"},
}

// sorts are the names that are no one sort of JSON over all answers, and why.
var sorts = map[string]string{
	"error":     "why there is no result, as an object in a batch; the difference of a forecast",
	"again":     "a list of what came again, and in its rows how much",
	"policy":    "how items are chosen, as an object; the name of the policy of a row",
	"items":     "the rows about items, and in rows about something else how many there are",
	"item":      "an item as scenarios spell it, and in turns the number of one",
	"recorded":  "what a recorded run did with an item, and the rows about sessions that record what was read",
	"sessions":  "the rows about sessions, and in turns how many there are",
	"requests":  "the rows about requests, and in rows about something else how many there are",
	"overflow":  "the strategy of a policy, and what there was above the target",
	"count":     "where a count of tokens comes from, and of CountCapExceeded how many items",
	"encodings": "rows, and their names",
}

// TestANameHasOneMeaning: over the schemas of all answers, a name of the table is the sort of
// value that stands there, and any other is one sort of value unless sorts says why not.
func TestANameHasOneMeaning(t *testing.T) {
	found := map[string]map[string][]string{} // places by name and sort
	var walk func(v, doc any, at string)
	walk = func(v, doc any, at string) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e, doc, at)
			}
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for name, p := range properties {
				if found[name] == nil {
					found[name] = map[string][]string{}
				}
				for _, sort := range sortsOf(p, doc) {
					found[name][sort] = append(found[name][sort], at+"."+name)
				}
				walk(p, doc, at+"."+name)
			}
			for _, key := range []string{"$ref", "items", "oneOf", "anyOf", "allOf", "then", "else"} {
				if ref, ok := v[key].(string); ok {
					walk(defOf(doc, ref), doc, at)
				} else if v[key] != nil {
					walk(v[key], doc, at)
				}
			}
		}
	}
	for _, name := range SchemaNames() {
		text := musttest.Of(SchemaOf(name))(t)
		if !strings.Contains(string(text), `"cupelscope/`+name+"/") {
			continue // of what is read
		}
		var doc any
		musttest.Do(t, json.Unmarshal(text, &doc))
		walk(doc, doc, name)
	}
	for name, places := range found {
		got := slices.Sorted(maps.Keys(places))
		of, shared := names[name]
		switch {
		case shared && !slices.Equal(got, []string{of.sort}):
			t.Errorf("%s is %v, the table has %s: %v", name, got, of.sort, places)
		case !shared && len(got) > 1 && sorts[name] == "":
			t.Errorf("%s is of several sorts: %v", name, places)
		case len(got) == 1 && sorts[name] != "":
			t.Errorf("%s is one sort: it needs no reason", name)
		}
	}
	for name := range names {
		if found[name] == nil {
			t.Errorf("no answer has %s", name)
		}
	}
}

func defOf(doc any, ref string) any {
	return doc.(map[string]any)["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")]
}

// sortsOf returns the sorts of JSON that a schema allows, without null.
func sortsOf(schema, doc any) (all []string) {
	s, ok := schema.(map[string]any)
	if !ok {
		return nil
	}
	switch of := s["type"].(type) {
	case string:
		all = append(all, of)
	case []any:
		for _, one := range of {
			all = append(all, one.(string))
		}
	}
	for _, value := range append([]any{s["const"]}, listOf(s["enum"])...) {
		if _, text := value.(string); text {
			all = append(all, "string")
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		all = append(all, sortsOf(defOf(doc, ref), doc)...)
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		for _, one := range listOf(s[key]) {
			all = append(all, sortsOf(one, doc)...)
		}
	}
	for i, sort := range all {
		if sort == "integer" {
			all[i] = "number"
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(sort string) bool { return sort == "null" })
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}
