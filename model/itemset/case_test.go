package itemset

import (
	"encoding/json"
	"testing"
)

func TestIsCase(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       bool
	}{
		{"a scenario", `{"id":1,"items":[],"policy":{},"budget":{}}`, true},
		{"a scenario of a file", `{"itemsFile":"a.json","budget":{"maxTokens":1}}`, true},
		{"items", ` {"items":[{"content":"a"}]} `, true},
		{"a request", `{"model":"gpt-4o","messages":[{"role":"user","content":"a"}]}`, true},
		{"a request of a batch file", `{"custom_id":"1","body":{"messages":[{"role":"user","content":"a"}]}}`, true},
		{"retrieval results", `{"query":"q","results":[{"page_content":"a","score":0.5}]}`, true},
		{"an item", `{"content":"a","tokens":1}`, false},
		{"a message", `{"role":"user","content":"a"}`, false},
		{"a row of a session", `{"type":"user","uuid":"1","message":{"role":"user","content":"a"}}`, false},
		{"a row of a rollout", `{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message"}}`, false},
		{"a document", `{"page_content":"a","metadata":{}}`, false},
		{"an array", `[{"role":"user","content":"a"}]`, false},
		{"the beginning of a file", `{`, false},
		{"no JSON", `hello`, false},
		{"nothing", ``, false},
	} {
		if got := IsCase([]byte(c.line)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func FuzzIsCase(f *testing.F) {
	f.Add(`{"id":1,"items":[],"policy":{},"budget":{}}`)
	f.Add(`{"query":"q","results":[{"page_content":"a","score":0.5}]}`)
	f.Add(`{"body":{"messages":[{"role":"user","content":"a"}]}}`)
	f.Fuzz(func(t *testing.T, line string) {
		if IsScenario([]byte(line)) && !IsCase([]byte(line)) && json.Valid([]byte(line)) {
			t.Fatalf("%q is a scenario, and no case", line)
		}
	})
}
