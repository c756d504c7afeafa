package clitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"cupelscope/fixtures"
	"cupelscope/model/musttest"
)

// Line returns the arguments of a command line as the help and the README write
// it, and the file that it pipes in. It fails the test if the line runs another
// program than cupelscope.
func Line(t *testing.T, line string) (args []string, stdin string) {
	t.Helper()
	args = Words(line)
	if len(args) > 3 && args[0] == "cat" && args[2] == "|" {
		text := musttest.Of(os.ReadFile(args[1]))(t)
		args, stdin = args[3:], string(text)
	}
	if n := len(args); n > 2 && args[n-2] == ">" {
		args = args[:n-2]
	}
	if len(args) == 0 || args[0] != "cupelscope" {
		t.Fatalf("%q does not run cupelscope", line)
	}
	return args[1:], stdin
}

// Words splits a command line as a shell does, without the quotes.
func Words(line string) []string {
	var all []string
	var b strings.Builder
	quote, open := rune(0), false
	for _, r := range line + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ':
			if open {
				all = append(all, b.String())
			}
			b.Reset()
			open = false
		default:
			b.WriteRune(r)
			open = true
		}
	}
	return all
}

// Files makes a temporary folder the current one, and writes the files to it
// that the examples of the help and of the README name.
func Files(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	agent, _ := fixtures.Find("agent")
	scenario := musttest.Of(agent.Bytes())(t)
	var parts map[string]json.RawMessage
	musttest.Do(t, json.Unmarshal(scenario, &parts))
	var line bytes.Buffer
	musttest.Do(t, json.Compact(&line, scenario))
	session := ""
	for _, row := range []string{
		`{"type":"user","uuid":"1","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"What is in the file?"}}`,
		`{"type":"assistant","uuid":"2","timestamp":"2026-03-01T10:00:01Z","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"read","input":{"path":"a"}}]}}`,
		`{"type":"user","uuid":"3","timestamp":"2026-03-01T10:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"a line\nanother"}]}}`,
	} {
		session += row + "\n"
	}
	for i := range 20 { // #12 is there
		session += strings.ReplaceAll(`{"type":"user","uuid":"u%","timestamp":"2026-03-01T11:00:0%Z","message":{"role":"user","content":"question % of many more to come"}}`, "%", string(rune('a'+i))) + "\n"
	}
	question := `{"id": "q%", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 100}, "items": [
		{"content": "long %", "tokens": 60, "futureRelevanceHint": 0.9, "id": "long"}, {"content": "short %", "tokens": 10, "futureRelevanceHint": 0.3, "id": "short"}]}`
	questions := ""
	for _, id := range []string{"1", "2"} {
		questions += strings.ReplaceAll(strings.ReplaceAll(question, "%", id), "\n", " ") + "\n"
	}
	labelled := ""
	for k := range 40 {
		labelled += fmt.Sprintf(`{"id": "q%[1]d", "items": [{"content": "long %[1]d", "tokens": %[2]d, "futureRelevanceHint": 0.9, "relevance": 1}, `+
			`{"content": "short %[1]d", "tokens": 10, "futureRelevanceHint": 0.3}, {"content": "other %[1]d", "tokens": 10, "futureRelevanceHint": 0.25}]}`, k, 21+k%9) + "\n"
	}
	for name, text := range map[string]string{
		"labelled.jsonl":  labelled,
		"questions.jsonl": questions, "qrels.txt": "q1 0 long 1\nq2 0 long 1\nq2 0 short 1\n",
		"session.jsonl": session, "items.json": string(parts["items"]), "chat.json": `[{"role": "user", "content": "hello"}]`, "scenarios.jsonl": line.String() + "\n" + line.String() + "\n",
	} {
		musttest.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
}
