package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command/clitest"
)

// answersInJSON are command lines that between them write every field that
// answers in JSON can have, with what each reads.
func answersInJSON(t *testing.T) (lines [][]string, stdin []string) {
	t.Helper()
	add := func(in, line string) {
		args, _ := clitest.Line(t, "cupelscope "+line)
		lines, stdin = append(lines, args), append(stdin, in)
	}
	for _, verb := range studies() {
		for _, fixture := range []string{"agent", "retrieval", "nonmonotone", "coarse-knapsack"} {
			add("", strings.Join(verb, " ")+" --fixture "+fixture+" -o json")
		}
	}
	rich := `{"items": [
		{"content": "rules", "tokens": 5, "kind": "SystemPrompt", "pinned": true, "priority": 3, "tags": ["a"], "timestamp": "2026-01-02T03:04:05Z", "metadata": {"a": 1}, "originalTokens": 9, "futureRelevanceHint": 0.5},
		{"content": "guessed", "kind": "Document"}, {"content": "taken out", "tokens": 4}, {"content": "one", "tokens": 4, "kind": "a"}, {"content": "two", "tokens": 4, "kind": "a"},
		{"content": "two", "tokens": 4, "kind": "a"}, {"content": "withdrawn", "tokens": -1},
		{"content": "image", "tokens": 90, "count": "opaque"}],
		"edits": {"excluded": [2]}, "budget": ` + budgetOfAllFields(t) + `, "slackTokens": 3, %s
		"policy": {"scorers": [{"type": "recency", "weight": 1}], %s}}`
	counts := fmt.Sprintf(rich, "", `"countQuotas": [{"kind": "a", "requireCount": 1, "capCount": 1}, {"kind": "b", "requireCount": 2, "capCount": 2}]`)
	quotas := fmt.Sprintf(rich, "", `"quotas": [{"kind": "a", "minPercent": 30, "maxPercent": 40}]`)
	over := `{"items": [{"content": "a", "tokens": 9, "pinned": true}, {"content": "b", "tokens": 4}], "budget": {"maxTokens": 10, "targetTokens": 5}, "policy": {"overflowStrategy": "proceed", "scorers": [{"type": "recency", "weight": 1}]}}`
	for _, in := range []string{counts, quotas, over} {
		for _, verb := range []string{"report", "report --no-content", "report --model claude", "report --timings", "min-budget", "profile", "marginal", "sweep", "check --require is:in --min-filled 1 --max-below-best 5 --no-split-pairs --stable 1 --stays-by 9 --first-in-by 9 --for 0", "compare own greedy", "tokens"} {
			add(in, verb+" - -o json")
		}
	}
	cut := `{"items": [{"content": "many words", "tokens": 30, "futureRelevanceHint": 0.9, "sizes": [{"tokens": 20, "content": "words", "label": "summary", "worth": 0.9}, {"tokens": 2, "note": true}]},
		{"content": "more words", "tokens": 40, "kind": "ToolOutput", "futureRelevanceHint": 0.1, "sizes": [{"tokens": 39, "content": "more", "label": "most", "worth": 0.5}, {"tokens": 3, "note": true}]}, {"content": "whole", "tokens": 1}], "budget": {"maxTokens": 25}, "slackTokens": 1,
		"policy": {"scorers": [{"type": "reflexive", "weight": 1}], "slicerType": "greedy", "placerType": "chronological"}}`
	for _, verb := range []string{"report", "min-budget --ceiling 100", "profile --ceiling 100", "marginal --slack 6", "sweep --policy-b rank", "check --require is:in --min-filled 100"} {
		add(cut, verb+" - -o json")
	}
	needed := strings.Replace(cut, `"policy"`, `"labels": {"0": 1}, "policy"`, 1)
	add(needed, "report - -o json")
	add(needed, "evaluate - --cases -o json")
	add(`{"id": 1, "query": {"op": "quality", "ceiling": 90}, `+strings.ReplaceAll(needed, "\n", "")[1:], "batch")
	add("", "compare greedy rag --fixture agent --shrink tool=1k,100 --at 16k,32k -o json")
	add("", "sweep --fixture agent --shrink tool=1k,100 --over safety-margin --from 4 --to 5 -o json")
	add("", "compare greedy rag --fixture agent --shrink tool=1k,100 --max-tokens 20k -o json")
	add(strings.Replace(counts, `"excluded": [2]`, `"excluded": [0]`, 1), "report - -o json")
	add("", "min-budget --fixture agent --bare --ceiling 1k -o json")
	add("", "sweep --fixture agent --step 8k --item is:in --policy-b knapsack -o json")
	for _, verb := range []string{"sweep", "profile"} {
		add("", verb+" --fixture agent --over weight:recency --from 2.8 --to 2.9 -o json")
	}
	add("", "compare chat rag --fixture agent --at 1k,16k,50% -o json")
	add("", "tokens --fixture agent --compare all --verify -o json")
	add("", "tokens --fixture agent --by kind --compare all -o json")
	add("", "tokens --fixture agent --by count --compare all -o json")
	add(`[{"content": "many words", "kind": "Document"}]`, "tokens - --model claude --token-factor 2 --message-overhead 3 -o json")
	for _, more := range []string{"- --at 4,50% --no-best", "own knapsack:1 - --at 4 --group source --worst 1"} {
		add(`[{"id": "a", "text": "one two three", "score": 0.9, "isgold": true}, {"id": "b", "text": "four", "score": 0.5, "isgold": false}]`, "evaluate -o json "+more)
	}
	add(`[{"id": "a", "text": "one two three", "score": 0.9, "isgold": true}, {"id": "b", "text": "four", "score": 0.5, "isgold": true}]`, "report - --max-tokens 3 -o json")
	add(`{"included": [{"item": {"content": "a", "tokens": 3}, "score": 0.75, "reason": "scored"}], "excluded": [{"item": {"content": "b", "tokens": 9}, "score": 0.5, "reason": "budgetExceeded"}], "totalCandidates": 2}`, "report - --max-tokens 20 -o json")
	add(`{"events": [], "included": [{"item": {"content": "a", "tokens": 3}, "score": 0.75, "reason": "scored"}], "excluded": [{"item": {"content": "b", "tokens": 9}, "score": 0.5, "reason": "budgetExceeded"}], "totalCandidates": 2}`,
		"report - --preset rag --max-tokens 5 -o json")
	add("", "fixtures -o json")
	add("", "sessions -o json")
	for _, line := range []string{"runs - -o json", "runs - --no-content -o json"} {
		add(`{"runs": [{"messages": [{"role": "user", "content": "a", "timestamp": "2026-01-02T03:04:05Z"}]}, {"messages": [{"role": "user", "content": "b"}]}]}`, line)
	}
	conversation := `{"messages": [{"role": "system", "content": "rules"}, {"role": "user", "content": "many words to say"}, {"role": "assistant", "content": "yes"}, {"role": "user", "content": "and more of them"}]}`
	add(conversation, "turns - --max-tokens 12 --sweep --map trigger,keep --plan clear:trigger=5 --price 3 --policy-b rag -o json")
	row := func(text string) string {
		return `{"timestamp":"2026-01-02T03:04:05Z","type":"response_item","payload":` + text + "}\n"
	}
	read := row(`{"type":"function_call","call_id":"c","name":"read","arguments":"{}"}`) + row(`{"type":"function_call_output","call_id":"c","output":"lines"}`)
	add(row(`{"type":"message","role":"user","content":[{"type":"input_text","text":"ask"}]}`)+read+
		`{"timestamp":"2026-01-02T03:04:06Z","type":"compacted","payload":{"message":"done","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"done"}]}]}}`+"\n"+
		row(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"again"}]}`)+read, "turns - --max-tokens 100 --compactions -o json")
	add(conversation, "turns - --max-tokens 12 --strategy watermark --cache openai-5.6 -o json")
	add(conversation, "turns - --max-tokens 12 --cache-read 0.5 --cache-write 1 --cache-min 0 -o json")
	recorded := `{"id": "m%d", "type": "message", "role": "assistant", "content": [{"type": "text", "text": "an answer"}], "usage": {"input_tokens": 90, "cache_read_input_tokens": %d, "cache_creation_input_tokens": 0, "output_tokens": 6}}` + "\n"
	add(fmt.Sprintf(`{"role": "user", "content": "a question"}`+"\n"+recorded+recorded, 1, 0, 2, 10), "turns - --max-tokens 40 -o json")
	add(conversation, "check - --max-tokens 12 --min-prefix 1 --max-cost-ratio 2 -o json")
	clitest.Files(t)
	add("", "evaluate questions.jsonl --labels qrels.txt --at 100,50% --preset rag -o json")
	add("", "evaluate own knapsack:1 questions.jsonl --labels qrels.txt --at 100 --group id -o json")
	add("", "evaluate rank greedy questions.jsonl --labels qrels.txt --at 60 --cases -o json")
	add("", "tune labelled.jsonl --at 30 --preset rag -o json")
	add("", "tune labelled.jsonl --at 50% --slicer prefix --preset rag -o json --minimise budget --wanted 100%")
	add(strings.Replace(counts, `"policy"`, `"labels": {"0": 1}, "policy"`, 1), "report - -o json")
	line := func(in, query string) string {
		var b bytes.Buffer
		musttest.Do(t, json.Compact(&b, []byte(in)))
		return `{"id": 1, "query": ` + query + "," + b.String()[1:] + "\n"
	}
	var batch strings.Builder
	for _, in := range []string{strings.Replace(counts, `"policy"`, `"labels": {"0": 1}, "policy"`, 1), counts, quotas, over, strings.Replace(counts, `"policy"`, `"policyB": {"scorers": [{"type": "priority", "weight": 1}]}, "policy"`, 1)} {
		for _, query := range []string{`{}`, `{"op": "marginal", "slackTokens": 2}`, `{"op": "minBudget", "itemIndex": 0, "searchCeiling": 50}`, `{"op": "profile", "ceiling": 50}`, `{"op": "compare"}`, `{"op": "quality", "ceiling": 50}`} {
			batch.WriteString(line(in, query))
		}
	}
	cut = strings.Replace(cut, `"policy"`, `"policyB": {"scorers": [{"type": "reflexive", "weight": 1}], "slicerType": "rank"}, "policy"`, 1)
	for _, query := range []string{`{}`, `{"op": "marginal", "slackTokens": 6}`, `{"op": "minBudget", "itemIndex": 0, "searchCeiling": 50}`, `{"op": "profile", "ceiling": 50}`, `{"op": "compare"}`} {
		batch.WriteString(line(cut, query))
	}
	add(batch.String()+"null\n", "batch -")
	add(batch.String(), "batch - --timings")
	return lines, stdin
}

// budgetOfAllFields is the JSON of a budget that has each field.
func budgetOfAllFields(t *testing.T) string {
	t.Helper()
	f := model.BudgetFields{MaxTokens: 30, TargetTokens: model.Some[model.Tokens](25)}
	for _, field := range model.FieldsOfBudget() {
		switch {
		case field.Name == model.FieldMaxTokens || field.Name == model.FieldTargetTokens:
		case field.Slots != nil:
			*field.Slots(&f) = []model.Slot{{Kind: model.Memory, Tokens: 1}}
		default:
			field.SetNumber(&f, 1)
		}
	}
	return string(musttest.Of(musttest.Of(model.NewBudget(f))(t).MarshalJSON())(t))
}
