package session

import (
	"context"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
)

// sourceOf is a file with a text.
func sourceOf(t *testing.T, name, text string) string {
	t.Helper()
	return musttest.File(t, name, text)
}

func hints(s *model.Set) []float64 {
	var all []float64
	for i := range s.Len() {
		all = append(all, s.Hint(i))
	}
	return all
}

// What is asked scores the items without relevance; what was given stays; a source
// that is about a question is scored by it unless another is asked.
func TestQueryScoresWhatHasNoRelevance(t *testing.T) {
	for _, c := range []struct {
		name, in, query string
		text, policy    string
		hints           []float64
		note            string
	}{
		{"documents", `[{"page_content":"a cat"},{"page_content":"a dog"}]`, "cat", "cat", "rag", []float64{1, 0}, `the query "cat" scores 2 items`},
		{"some have relevance", `[{"content":"a cat","tokens":1},{"content":"cat","tokens":1,"futureRelevanceHint":0.25}]`, "cat", "cat", "rag", []float64{1, .25}, `the query "cat" scores 1 item; what was given with 1 stays`},
		{"all have relevance", `[{"node":{"text":"a cat"},"score":0.9}]`, "cat", "cat", "rag", []float64{1}, "scores nothing: every item has a relevance of its own, which it keeps"},
		{"no item has a word of it", `[{"page_content":"a dog"}]`, "cat", "cat", "rag", []float64{0}, "scores 1 item, of which none has a word of it"},
		{"a chat", `[{"role":"user","content":"a cat"},{"role":"assistant","content":"no"}]`, "cat", "cat", "chat", []float64{1, 0}, "policy chat does not look at relevance (the scorer reflexive does)"},
		{"the question of the source", `{"question":"which cat?","contexts":["a cat","a dog"],"answer":"r"}`, "", "which cat?", "rag", []float64{1, 0}, `the query "which cat?" scores 2 items`},
		{"another than that of the source", `{"question":"which cat?","contexts":["a cat","a dog"],"answer":"r"}`, "dog", "dog", "rag", []float64{0, 1}, `the query "dog" scores 2 items`},
	} {
		o := Options{Sources: []string{sourceOf(t, "f.json", c.in)}, Query: c.query}
		opened, err := Open(context.Background(), o, Input{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := opened.Set.Edits().Query.Text; got != c.text || opened.Policy.Name != c.policy || !slices.Equal(hints(opened.Set), c.hints) {
			t.Errorf("%s: query %q, policy %s, hints %v; want %q, %s, %v", c.name, got, opened.Policy.Name, hints(opened.Set), c.text, c.policy, c.hints)
		}
		musttest.Says(t, strings.Join(opened.Warnings, "\n"), c.note, c.name, opened.Warnings)
	}
}

func TestQueryThatAsksNothing(t *testing.T) {
	for query, says := range map[string]string{"?!": `--query: the query "?!" has no letter or digit`, strings.Repeat("a", model.MaxQuery+1): "--query: the query has 10,001 bytes, at most 10,000 are allowed"} {
		o := Options{Fixture: "retrieval", Query: query}
		musttest.Says(t, musttest.Refusal(Open(context.Background(), o, Input{})), says, query)
	}
}

// A scenario that was written with a query opens with it, as it scored then; a
// query that is asked for goes before it.
func TestQueryIsKeptInAScenario(t *testing.T) {
	first := musttest.Of(Open(context.Background(), Options{Sources: []string{sourceOf(t, "f.json", `[{"page_content":"a cat"},{"page_content":"a dog and a cat"}]`)}, Query: "cat"}, Input{}))(t)
	data := musttest.Of(itemset.MarshalScenario(model.Scenario{Name: "s", Items: first.Set, Policy: first.Policy, Budget: first.Budget}))(t)
	path := sourceOf(t, "s.json", string(data))
	again, err := Open(context.Background(), Options{Sources: []string{path}}, Input{})
	if err != nil || !again.Set.Edits().Equal(first.Set.Edits()) || !slices.Equal(hints(again.Set), hints(first.Set)) {
		t.Errorf("%+v, want %+v; %v", again.Set.Edits(), first.Set.Edits(), err)
	}
	other, err := Open(context.Background(), Options{Sources: []string{path}, Query: "dog"}, Input{})
	if err != nil || !slices.Equal(hints(other.Set), []float64{0, 1}) {
		t.Errorf("%v, %v", hints(other.Set), err)
	}
	for _, c := range []struct {
		opened *Opened
		query  string
		want   bool
	}{{first, "cat", true}, {again, "cat", false}, {again, "dog", true}, {other, "cat", false}, {first, "", false}} {
		words, _ := Options{}.Reproduce(c.opened, c.opened.Policy, c.opened.Budget.Fields(), 0, model.Edits{Query: model.Query{Text: c.query}})
		musttest.Is(t, slices.Contains(words, "--query"), c.want, c.query, words)
	}
}
