package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"cupelscope/fixtures"
)

// verbs lists all commands that there are.
func verbs() []*cobra.Command {
	root := program{}.root()
	return append(root.Commands(), root)
}

// words splits a command line as a shell does, quotes taken off.
func words(line string) []string {
	var all []string
	var b strings.Builder
	quote, open := rune(0), false
	for _, r := range line {
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
	if open {
		all = append(all, b.String())
	}
	return all
}

// examples are files that the examples of the help name.
func examples(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	agent, _ := fixtures.Find("agent")
	scenario, err := agent.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(scenario, &parts); err != nil {
		t.Fatal(err)
	}
	var line bytes.Buffer
	if err := json.Compact(&line, scenario); err != nil {
		t.Fatal(err)
	}
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
	for name, text := range map[string]string{
		"session.jsonl": session, "items.json": string(parts["items"]), "chat.json": `[{"role": "user", "content": "hello"}]`, "scenarios.jsonl": line.String() + "\n" + line.String() + "\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestExamples runs every example of the help.
func TestExamples(t *testing.T) {
	examples(t)
	ran := 0
	for _, c := range verbs() {
		if c.Example == "" && c.Name() != "explore" && c.Name() != "help" && c.Name() != "completion" {
			t.Errorf("%s has no example", c.Name())
		}
		for line := range strings.SplitSeq(c.Example, "\n") {
			if line == "" {
				continue
			}
			args, stdin := words(line), ""
			if args[0] == "cat" && args[2] == "|" {
				text, err := os.ReadFile(args[1])
				if err != nil {
					t.Fatal(err)
				}
				args, stdin = args[3:], string(text)
			}
			if n := len(args); n > 2 && args[n-2] == ">" {
				args = args[:n-2]
			}
			if args[0] != "cupelscope" {
				t.Errorf("%q is no line of ours", line)
				continue
			}
			if code, out, diagnostics, _ := try(false, stdin, args[1:]...); code != exitFine || out == "" {
				t.Errorf("%s: exit %d, %d bytes, %s", line, code, len(out), diagnostics)
			}
			ran++
		}
	}
	if ran < 15 {
		t.Errorf("only %d examples ran", ran)
	}
}

// studies are the verbs about one source, with what each needs.
func studies() [][]string {
	return [][]string{
		{"report"}, {"min-budget"}, {"profile"}, {"marginal"}, {"sweep", "--step", "4k", "--against", "knapsack"},
		{"tokens"}, {"compare", "own", "knapsack:1"}, {"check", "--require", "is:pinned", "--forbid", "is:dup"},
	}
}

// TestNothingForATerminal: no answer, no help and no error holds an escape
// sequence, whatever the source holds, since none of these is a terminal.
func TestNothingForATerminal(t *testing.T) {
	const hostile = `[{"content": "red \u001b[31mred\u0007 \u009b2J \u202e=1\n\u001b]0;title\u0007", "tokens": 5, "kind": "\u001b[1mkind", "pinned": true},
		{"content": "=cmd|'/c x'!A1", "tokens": 7, "kind": "@kind"}]`
	check := func(line []string, stdin string) {
		t.Helper()
		_, out, diagnostics, _ := try(false, stdin, line...)
		for _, text := range []string{out, diagnostics} {
			if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' || 0x7f <= r && r < 0xa0 }); i >= 0 {
				t.Errorf("%q: %q", line, text[max(0, i-20):min(len(text), i+20)])
			}
		}
	}
	for _, c := range verbs() {
		line := strings.Fields(c.CommandPath())[1:]
		check(append(line, "--help"), "")
		check(append(line, "--no-such-\x1b[2Jflag"), "")
	}
	check([]string{"--version"}, "")
	check([]string{"fixtures"}, "")
	check([]string{"batch"}, hostile)
	for _, verb := range studies() {
		for _, form := range []string{"table", "json", "csv", "markdown"} {
			check(append(verb[:len(verb):len(verb)], "-", "-v", "--max-tokens", "9", "-o", form), hostile)
		}
		check(append(verb[:len(verb):len(verb)], "-", "--max-tokens", "3"), hostile) // the pinned do not fit
		check(append(verb[:len(verb):len(verb)], "\x1b[2Jnot there"), "")
	}
}

// TestSelectors: every sort of term names items in every verb that takes one.
func TestSelectors(t *testing.T) {
	for _, selector := range []string{
		"#15", "kind:tool", "is:in", "is:out", "is:risk", "is:pinned", "-is:dup", "tok>500", "first<32k", "stays<32k", "score>=.5", `"go test"`,
		"kind:tool is:in tok>500 first<32k", "race",
	} {
		for _, line := range [][]string{
			{"min-budget", "--item"}, {"profile", "--item"}, {"marginal", "--item"},
			{"sweep", "--step", "8k", "--item"}, {"check", "--stays-by", "93k", "--for"},
		} {
			args := append(append(line, selector), "--fixture", "agent", "-o", "json")
			code, out, diagnostics, _ := try(false, "", args...)
			if line[0] == "check" && code == exitFailed { // what is out at the end does not stay
				code = exitFine
			}
			if code != exitFine || !json.Valid([]byte(out)) || diagnostics != "" && line[0] != "check" {
				t.Errorf("%q: exit %d, %s", args, code, diagnostics)
			}
		}
	}
	for _, c := range []struct{ name, selector, says string }{
		{"none", "kind:nothing", `--item "kind:nothing": none of 65 items is so`},
		{"broken", "is:lost", `--item "is:lost": query, character 4`},
	} {
		code, out, diagnostics, _ := try(false, "", "min-budget", "--fixture", "agent", "--item", c.selector)
		if code != exitInput || out != "" || !strings.Contains(diagnostics, c.says) {
			t.Errorf("%s: exit %d, %q, want %q", c.name, code, diagnostics, c.says)
		}
	}
	// Several name more.
	_, out, _, _ := try(false, "", "profile", "--fixture", "agent", "--item", "#15", "--item", "#3", "-o", "csv")
	if !strings.Contains(out, "\n3,") || !strings.Contains(out, "\n15,") || strings.Contains(out, "\n4,") {
		t.Errorf("two selectors: %s", out)
	}
}

// TestFormsAgree: what is in JSON is in CSV, number by number.
func TestFormsAgree(t *testing.T) {
	_, text, _, _ := try(false, "", "min-budget", "--fixture", "retrieval", "-o", "json")
	var answer struct{ Items []map[string]any }
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(err)
	}
	_, table, _, _ := try(false, "", "min-budget", "--fixture", "retrieval", "-o", "csv")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	names := strings.Split(lines[0], ",")
	if len(lines) != len(answer.Items)+1 {
		t.Fatalf("%d lines for %d items", len(lines), len(answer.Items))
	}
	for i, item := range answer.Items {
		cells := strings.SplitN(lines[i+1], ",", len(names))
		for k, name := range names[:len(names)-1] {
			want := ""
			if item[name] != nil {
				bytes, err := json.Marshal(item[name])
				if err != nil {
					t.Fatal(err)
				}
				want = strings.Trim(string(bytes), `"`)
			}
			if cells[k] != want {
				t.Errorf("item %d, %s: %q in CSV, %q in JSON", i, name, cells[k], want)
			}
		}
	}
}
