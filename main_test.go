package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/cli"
	"cupelscope/simulate/export/schema"
	"cupelscope/simulate/session"
	"cupelscope/tui/signals"
)

// stub is the explorer with its flags, which shows nothing.
type stub struct {
	*screen
	show func(o session.Options) error
}

func (s stub) Show(_ context.Context, o session.Options, _ bool, _ command.Streams) error {
	return s.show(o)
}

// program is the command line without a screen, on a terminal or not.
func program(s command.Streams) cli.Program {
	return cli.Program{Streams: s, Version: version(), Screen: newScreen()}
}

// try runs a command line, on a terminal that can show the explorer or not.
func try(terminal bool, stdin string, args ...string) (code int, out, diagnostics, explored string) {
	var o, e bytes.Buffer
	p := program(command.Streams{In: strings.NewReader(stdin), Out: &o, Err: &e})
	screen := newScreen()
	p.Terminal, p.Screen = terminal, stub{screen, func(o session.Options) error {
		explored = strings.Join(o.Sources, " ") + " " + o.MaxTokens + " " + screen.theme
		if o.MaxTokens == "0" {
			return errors.New("no \x1b[31mroom")
		}
		return nil
	}}
	code = p.Run(context.Background(), args)
	return code, o.String(), e.String(), explored
}

func TestASignalIsSaid(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	stop(signals.Error(syscall.SIGTERM))
	for _, verb := range []string{"report", "min-budget", "compare greedy knapsack -", "batch -", "tokens"} {
		var out, diagnostics bytes.Buffer
		p := program(command.Streams{In: strings.NewReader("{}\n"), Out: &out, Err: &diagnostics})
		code := p.Run(ctx, strings.Fields(verb))
		if code != 143 || !strings.HasPrefix(diagnostics.String(), "cupelscope: stopped by a signal (terminated); what was not answered") {
			t.Errorf("%s: exit %d, %q", verb, code, diagnostics.String())
		}
	}
}

func TestCommandLines(t *testing.T) {
	const items = `[{"content": "a\u001b[2Jb", "tokens": 5}]`
	for _, c := range []struct {
		name     string
		terminal bool
		args     []string
		code     int
		out      string // what the answer holds
		err      string // what the diagnostics hold
		explored string
	}{
		{"no screen", false, []string{"-", "--max-tokens", "9"}, cli.Fine, "room 9 = maxTokens 9", "", ""},
		{"a screen", true, []string{"-", "--max-tokens", "9", "--theme", "light"}, cli.Fine, "", "", "- 9 light"},
		{"a screen by name", true, []string{"explore", "x", "--max-tokens", "9"}, cli.Fine, "", "", "x 9 auto"},
		{"the screen fails", true, []string{"x", "--max-tokens", "0"}, cli.Input, "", "cupelscope: no room\n", "x 0 auto"},
		{"a report on a terminal", true, []string{"report", "-", "--max-tokens", "9"}, cli.Fine, "ab", "", ""},
		{"a report that says what it does", false, []string{"report", "-", "-v", "--max-tokens", "9", "--preset", "rag"}, cli.Fine, "ab", "cupelscope: - [items]  1 item, 5 tokens", ""},
		{"a report in JSON", false, []string{"report", "-", "-o", "json", "--max-tokens", "9", "--preset", "rag"}, cli.Fine, `"totalTokens": 5`, "", ""},
		{"a batch, whose lines are no scenarios", false, []string{"batch", "-"}, cli.Fine, `"error":{"code":"invalid-input",`, "cupelscope: 1 line answered, 1 of them with errors", ""},
		{"a batch of a missing file", false, []string{"batch", "\x1b[2Jnot there"}, cli.Input, "", "not there: no such file", ""},
		{"a batch of two", false, []string{"batch", "a", "b"}, cli.Input, "", "batch takes one source, 2 are given", ""},
		{"flags that contradict each other", false, []string{"report", "-", "--slicer", "greedy", "--bucket", "5"}, cli.Input, "", "only knapsack has buckets", ""},
		{"checks that hold", false, []string{"check", "-", "--preset", "rag", "--max-tokens", "9", "--require", "#0", "--no-split-pairs", "--stays-by", "8", "--for", "#0"}, cli.Fine, "3 checks: all hold", "", ""},
		{"a check that fails", false, []string{"check", "-", "--preset", "rag", "--max-tokens", "9", "--forbid", "#0", "--require", "#0"}, cli.Failed, "FAIL", "cupelscope: 1 of 2 checks failed\n", ""},
		{"a check that is wrong", false, []string{"check", "-", "--preset", "rag", "--max-tokens", "9", "--require", "is:\x1b[2J"}, cli.Input, "", "is not known after is:", ""},
		{"the fixtures", false, []string{"fixtures"}, cli.Fine, "agent", "", ""},
		{"a wrong flag", false, []string{"--colour"}, cli.Input, "", "unknown flag: --colour", ""},
		{"a wrong value", false, []string{"-", "--max-tokens", "\x1b[2Jmany"}, cli.Input, "", "--max-tokens: not a token number", ""},
		{"a view that is not known", true, []string{"-", "--view", "\x1b[2Jall"}, cli.Input, "", "known are items, compare", ""},
		{"a view that is not known, without a screen", false, []string{"-", "--view", "all"}, cli.Input, "", `--view: "all" is not known`, ""},
		{"a theme that is not known, without a screen", false, []string{"explore", "-", "--theme", "blue"}, cli.Input, "", `--theme: "blue" is not known; known are auto, dark`, ""},
		{"a comparison of one", false, []string{"compare", "greedy"}, cli.Input, "", "wants two policies, A and B, before the sources; one is given", ""},
		{"a missing file", false, []string{"\x1b[2Jnot there"}, cli.Input, "", "not there: no such file", ""},
	} {
		code, out, diagnostics, explored := try(c.terminal, items, c.args...)
		if code != c.code || explored != c.explored || !strings.Contains(out, c.out) || (out == "") != (c.out == "") ||
			!strings.Contains(diagnostics, c.err) {
			t.Errorf("%s: exit %d, explored %q\nout %q\nerr %q", c.name, code, explored, out, diagnostics)
		}
		if strings.Contains(out+diagnostics, "\x1b") {
			t.Errorf("%s: an escape sequence comes through: %q %q", c.name, out, diagnostics)
		}
	}
}

// verbs lists all commands that there are.
func verbs() []*cobra.Command {
	root := program(command.Streams{}).Command()
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
			if code, out, diagnostics, _ := try(false, stdin, args[1:]...); code != cli.Fine || out == "" {
				t.Errorf("%s: exit %d, %d bytes, %s", line, code, len(out), diagnostics)
			}
			ran++
		}
	}
	if ran < 15 {
		t.Errorf("only %d examples ran", ran)
	}
}

// blocks are the fenced blocks of the README in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(checkout(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, part := range strings.Split(string(readme), "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		all = append(all, block)
	}
	return all
}

// checkout is the folder of this file.
func checkout(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// TestReadme runs every command of the README as written, with the files that
// it shows.
func TestReadme(t *testing.T) {
	commands, files := blocks(t, "sh"), blocks(t, "json")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(strings.Fields(string(readme))); n > 1500 {
		t.Errorf("the README has %d words, at most 1,500 are to be", n)
	}
	examples(t)
	for name, key := range map[string]string{"policy.json": `"slicerType"`, "scenario.json": `"items"`} {
		at := slices.IndexFunc(files, func(text string) bool { return strings.Contains(text, key) })
		if at < 0 {
			t.Fatalf("the README shows no %s", name)
		}
		if err := os.WriteFile(name, []byte(files[at]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for _, block := range commands {
		for line := range strings.SplitSeq(block, "\n") {
			line, _, _ = strings.Cut(line, "  #")
			args, stdin := words(strings.TrimSpace(line)+" "), ""
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
			onScreen := len(args) == 1 || strings.HasSuffix(args[1], ".jsonl")
			code, out, diagnostics, explored := try(onScreen, stdin, args[1:]...)
			if code != cli.Fine || (out == "") != onScreen || (explored == "") == onScreen {
				t.Errorf("%s: exit %d, %d bytes, %s", line, code, len(out), diagnostics)
			}
			ran++
		}
	}
	if ran < 20 {
		t.Errorf("only %d commands ran", ran)
	}
}

// TestReadmeProgram builds and runs the program of the README in a module of its
// own, made as the README says.
func TestReadmeProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root, programs := checkout(t), blocks(t, "go")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(programs[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		c := exec.Command("go", args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("mod", "init", "example")
	run("mod", "edit", "-require", "cupelscope@v0.0.0", "-replace", "cupelscope="+root)
	run("mod", "tidy")
	_, want, _ := strings.Cut(programs[0], "profile.Bands(nil, 1)) // ")
	want, _, _ = strings.Cut(want, "\n")
	if got := strings.TrimSpace(run("run", ".")); got != want || want == "" {
		t.Errorf("it prints %q, the README says %q", got, want)
	}
}

// TestCommandsDocument holds COMMANDS.md to the commands, their flags and the
// schemas of their answers: go test . -run CommandsDocument -update writes it.
func TestCommandsDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands\n\nDrawn from the program's own help and from the schemas of its answers.\n\n" +
		"Shares are from 0 to 1 in JSON and CSV, and percentages in tables and flags; tokens are whole numbers. " +
		"CSV has the fields of the rows, and as last columns `budgetGuessed` and `estimatedCounts`. " +
		"In CSV a text is one line: `\\n`, `\\\\` and `\\u001b` stand for what cannot stand in it, and a `'` stands before one that begins with `=`, `+`, `-`, `@` or `'`.\n\n" +
		"Exit codes: 0 done; 1 a check failed, or a count is wrong; 2 wrong usage, or a source, budget or policy that cannot be used; 128 and the number of the signal that ended it.\n")
	root := program(command.Streams{}).Command()
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		if !c.IsAvailableCommand() && c != root || c.Name() == "completion" || c.Name() == "help" {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", c.CommandPath(), cmp.Or(c.Long, c.Short))
		fmt.Fprintf(&b, "\n```\n%s\n```\n", cmp.Or(c.Example, c.UseLine()))
		rows := ""
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" || c != root && cli.Group(f) != cli.OwnFlags { // the latter stand with the program
				return
			}
			value, usage := pflag.UnquoteUsage(f)
			short := ""
			if f.Shorthand != "" {
				short = ", `-" + f.Shorthand + "`"
			}
			rows += fmt.Sprintf("| `%s`%s | %s |\n", strings.TrimSpace("--"+f.Name+" "+value), short, strings.ReplaceAll(usage, "|", "\\|"))
		})
		if rows != "" {
			b.WriteString("\n| flag | does |\n|---|---|\n" + rows)
		}
		if slices.Contains(schema.Verbs(), c.Name()) {
			writeFields(t, &b, c.Name())
		}
	}
	path := filepath.Join("simulate", "command", "COMMANDS.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, _ := os.ReadFile(path); string(have) != b.String() {
		t.Errorf("%s is not what the commands are: run go test . -run CommandsDocument -update", path)
	}
}

// writeFields writes the fields of a verb's answer as a table, in the order of
// the schema. What up to 0.1.0 had another name is left out.
func writeFields(t *testing.T, b *strings.Builder, verb string) {
	t.Helper()
	text, err := schema.For(verb)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	var walk func(v any, at string)
	walk = func(v any, at string) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e, at)
			}
		case map[string]any:
			properties, _ := v["properties"].(map[string]any)
			for name, p := range properties {
				p := p.(map[string]any)
				if ref, ok := p["$ref"].(string); ok {
					p = doc["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
				}
				if says, _ := p["description"].(string); p["deprecated"] == nil && says != "" {
					fields[at+name] = says
				}
				if name != "item" && name != "budget" {
					walk(p, at+name+".")
				}
			}
			for _, key := range []string{"items", "oneOf", "anyOf"} {
				if inner, ok := v[key]; ok && properties == nil {
					walk(inner, strings.TrimSuffix(at, ".")+strings.Repeat("[].", min(1, strings.Count(key, "items"))*min(1, len(at))))
				}
			}
		}
	}
	walk(doc, "")
	b.WriteString("\n| field in JSON | is |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fmt.Fprintf(b, "| `%s` | %s |\n", name, strings.ReplaceAll(fields[name], "|", "\\|"))
	}
}

// studies are the verbs about one source, with what each needs.
func studies() [][]string {
	return [][]string{
		{"report"}, {"min-budget"}, {"profile"}, {"marginal"}, {"sweep", "--step", "4k", "--against", "knapsack"},
		{"tokens"}, {"compare", "own", "knapsack:1"}, {"check", "--require", "is:pinned", "--forbid", "is:dup"},
	}
}

// budget is the flag of a maximum, for verbs that have one.
func budget(verb []string, tokens string) []string {
	if len(verb) > 0 && verb[0] == "tokens" {
		return nil
	}
	return []string{"--max-tokens", tokens}
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
			check(append(verb[:len(verb):len(verb)], append([]string{"-", "-v", "-o", form}, budget(verb, "9")...)...), hostile)
		}
		check(append(verb[:len(verb):len(verb)], append([]string{"-"}, budget(verb, "3")...)...), hostile) // the pinned do not fit
		check(append(verb[:len(verb):len(verb)], "\x1b[2Jnot there"), "")
	}
}

// TestSelectors: every sort of term names items in every verb that takes one.
func TestSelectors(t *testing.T) {
	for _, selector := range []string{
		"15", "12-20", "#15", "#12-20", "kind:tool", "firstIn<32k", "staysFrom<32k", "is:in", "is:out", "is:risk", "is:pinned", "-is:dup", "tok>500", "first<32k", "stays<32k", "score>=.5", `"go test"`,
		"kind:tool is:in tok>500 first<32k", "race",
	} {
		for _, line := range [][]string{
			{"min-budget", "--item"}, {"profile", "--item"}, {"marginal", "--item"},
			{"sweep", "--step", "8k", "--item"}, {"check", "--stays-by", "93k", "--for"},
		} {
			args := append(append(line, selector), "--fixture", "agent", "-o", "json")
			code, out, diagnostics, _ := try(false, "", args...)
			if line[0] == "check" && code == cli.Failed { // what is out at the end does not stay
				code = cli.Fine
			}
			if code != cli.Fine || !json.Valid([]byte(out)) || diagnostics != "" && line[0] != "check" {
				t.Errorf("%q: exit %d, %s", args, code, diagnostics)
			}
		}
	}
	for _, c := range []struct{ name, selector, says string }{
		{"none", "kind:nothing", `--item "kind:nothing": none of 65 items matches`},
		{"broken", "is:lost", `--item "is:lost": query, character 4`},
	} {
		code, out, diagnostics, _ := try(false, "", "min-budget", "--fixture", "agent", "--item", c.selector)
		if code != cli.Input || out != "" || !strings.Contains(diagnostics, c.says) {
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
	var answer map[string]any
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(err)
	}
	items := answer["items"].([]any)
	_, table, _, _ := try(false, "", "min-budget", "--fixture", "retrieval", "-o", "csv")
	lines, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(lines) != len(items)+1 {
		t.Fatalf("%d lines for %d items, %v", len(lines), len(items), err)
	}
	for i := range items {
		for k, name := range lines[0] {
			value, ok := items[i].(map[string]any)[name]
			if !ok {
				value, ok = answer[name] // what is the same in each row
			}
			want := ""
			if value != nil {
				bytes, err := json.Marshal(value)
				if err != nil {
					t.Fatal(err)
				}
				want = strings.Trim(string(bytes), `"`)
			}
			if got := lines[i+1][k]; got != want && name != "firstLine" || !ok { // its quotes are CSV's
				t.Errorf("item %d, %s: %q in CSV, %q in JSON", i, name, got, want)
			}
		}
	}
}

// answersInJSON are command lines that between them write every field that
// answers in JSON can have, with what each reads.
func answersInJSON(t *testing.T) (lines [][]string, stdin []string) {
	t.Helper()
	add := func(in, line string) {
		lines, stdin = append(lines, words(line+" ")), append(stdin, in)
	}
	for _, verb := range studies() {
		for _, fixture := range []string{"agent", "retrieval", "nonmonotone", "coarse-knapsack"} {
			add("", strings.Join(verb, " ")+" --fixture "+fixture+" -o json")
		}
	}
	const rich = `{"items": [
		{"content": "rules", "tokens": 5, "kind": "SystemPrompt", "pinned": true, "priority": 3, "tags": ["a"], "timestamp": "2026-01-02T03:04:05Z", "metadata": {"a": 1}, "originalTokens": 9, "futureRelevanceHint": 0.5},
		{"content": "guessed", "kind": "Document"}, {"content": "taken out", "tokens": 4}, {"content": "one", "tokens": 4, "kind": "a"}, {"content": "two", "tokens": 4, "kind": "a"},
		{"content": "two", "tokens": 4, "kind": "a"}, {"content": "withdrawn", "tokens": -1},
		{"content": "image", "tokens": 90, "count": "opaque"}],
		"edits": {"excluded": [2]}, "budget": {"maxTokens": 30, "targetTokens": 25, "outputReserve": 1, "reservedSlots": {"Memory": 1}, "estimationSafetyMarginPercent": 5}, "slackTokens": 3, %s
		"policy": {"scorers": [{"type": "recency", "weight": 1}], %s}}`
	counts := fmt.Sprintf(rich, "", `"countQuotas": [{"kind": "a", "requireCount": 1, "capCount": 1}, {"kind": "b", "requireCount": 2, "capCount": 2}]`)
	quotas := fmt.Sprintf(rich, "", `"quotas": [{"kind": "a", "minPercent": 30, "maxPercent": 40}]`)
	over := `{"items": [{"content": "a", "tokens": 9, "pinned": true}, {"content": "b", "tokens": 4}], "budget": {"maxTokens": 10, "targetTokens": 5}, "policy": {"overflowStrategy": "proceed", "scorers": [{"type": "recency", "weight": 1}]}}`
	for _, in := range []string{counts, quotas, over} {
		for _, verb := range []string{"report", "report --no-content", "report --model claude", "report --timings", "min-budget", "profile", "marginal", "sweep", "check --require is:in --min-filled 1 --max-below-best 5 --no-split-pairs --stable 1 --stays-by 9 --first-in-by 9 --for 0", "compare own greedy", "tokens"} {
			add(in, verb+" - -o json")
		}
	}
	add(strings.Replace(counts, `"excluded": [2]`, `"excluded": [0]`, 1), "report - -o json")
	add("", "min-budget --fixture agent --bare --ceiling 1k -o json")
	add("", "sweep --fixture agent --step 8k --item is:in --against knapsack -o json")
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
	conversation := `{"messages": [{"role": "system", "content": "rules"}, {"role": "user", "content": "many words to say"}, {"role": "assistant", "content": "yes"}, {"role": "user", "content": "and more of them"}]}`
	add(conversation, "turns - --max-tokens 12 --sweep --price 3 --policy-b rag -o json")
	add(conversation, "turns - --max-tokens 12 --strategy watermark --cache openai-5.6 -o json")
	add(conversation, "turns - --max-tokens 12 --cache-read 0.5 --cache-write 1 --cache-min 0 -o json")
	recorded := `{"id": "m%d", "type": "message", "role": "assistant", "content": [{"type": "text", "text": "an answer"}], "usage": {"input_tokens": 90, "cache_read_input_tokens": %d, "cache_creation_input_tokens": 0, "output_tokens": 6}}` + "\n"
	add(fmt.Sprintf(`{"role": "user", "content": "a question"}`+"\n"+recorded+recorded, 1, 0, 2, 10), "turns - --max-tokens 40 -o json")
	add(conversation, "check - --max-tokens 12 --min-prefix 1 --max-cost-ratio 2 -o json")
	examples(t)
	add("", "evaluate questions.jsonl --labels qrels.txt --at 100,50% --preset rag -o json")
	add("", "evaluate own knapsack:1 questions.jsonl --labels qrels.txt --at 100 --group id -o json")
	add("", "tune labelled.jsonl --at 30 --preset rag -o json")
	add("", "tune labelled.jsonl --at 50% --slicer prefix --preset rag -o json --minimise budget --wanted 100%")
	add(strings.Replace(counts, `"policy"`, `"labels": {"0": 1}, "policy"`, 1), "report - -o json")
	line := func(in, query string) string {
		var b bytes.Buffer
		if err := json.Compact(&b, []byte(in)); err != nil {
			t.Fatal(err)
		}
		return `{"id": 1, "query": ` + query + "," + b.String()[1:] + "\n"
	}
	var batch strings.Builder
	for _, in := range []string{strings.Replace(counts, `"policy"`, `"labels": {"0": 1}, "policy"`, 1), counts, quotas, over, strings.Replace(counts, `"policy"`, `"policyB": {"scorers": [{"type": "priority", "weight": 1}]}, "policy"`, 1)} {
		for _, query := range []string{`{}`, `{"op": "marginal", "slackTokens": 2}`, `{"op": "minBudget", "itemIndex": 0, "searchCeiling": 50}`, `{"op": "profile", "ceiling": 50}`, `{"op": "compare"}`, `{"op": "quality", "ceiling": 50}`} {
			batch.WriteString(line(in, query))
		}
	}
	add(batch.String()+"null\n", "batch -")
	add(batch.String(), "batch - --timings")
	return lines, stdin
}

// TestAnswersKeepToTheirSchemas: an answer with a field that is misspelt does not
// keep to its schema, nor one that lacks a field which all others have, and no
// schema has a field that no answer has.
func TestAnswersKeepToTheirSchemas(t *testing.T) {
	lines, stdin := answersInJSON(t)
	compiled, seen := map[string]*jsonschema.Schema{}, map[string]int{}
	optional, mutated := map[string]bool{}, map[string]bool{}
	for k, line := range lines {
		verb := line[0]
		if compiled[verb] == nil {
			compiled[verb] = compileSchema(t, verb)
		}
		var b, diagnostics bytes.Buffer
		program(command.Streams{In: strings.NewReader(stdin[k]), Out: &b, Err: &diagnostics, Now: time.Now}).Run(t.Context(), line)
		out := b.String()
		answers := []string{out}
		if verb == "batch" {
			answers = strings.Split(strings.TrimSpace(out), "\n")
		}
		for _, text := range answers {
			answer, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatalf("%q: %v, %s", line, err, &diagnostics)
			}
			if err := compiled[verb].Validate(answer); err != nil {
				t.Errorf("%q: %v\n%.3000s", line, err, text)
			}
			noteFields(answer, verb, seen)
			mutate(answer, verb, mutated, func(field string, missing bool) {
				if compiled[verb].Validate(answer) != nil {
					return
				}
				if optional[field] = true; !missing {
					t.Errorf("%q: %s may be misspelt", line, field)
				}
			})
		}
	}
	for field := range optional {
		if object := field[:strings.LastIndexByte(field, '.')]; seen[field] == seen[object] {
			t.Errorf("every answer has %s, but its schema lets it be missing", field)
		}
	}
	for _, verb := range schema.Verbs() {
		text, err := schema.For(verb)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		named := map[string]bool{}
		fieldsOf(doc, doc, verb, named)
		for field := range named {
			if seen[field] == 0 && !strings.HasPrefix(field, "tokens.verified[].differences[].") { // no text is known whose counts differ
				t.Errorf("no answer has the field %s", field)
			}
		}
	}
}

func compileSchema(t *testing.T, verb string) *jsonschema.Schema {
	t.Helper()
	code, text, diagnostics, _ := try(false, "", "schema", verb)
	if code != cli.Fine {
		t.Fatal(diagnostics)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// mutate takes each field of each object in v away and gives it another name, and
// calls try each time, with the path of the field. Objects that have the same
// fields at the same place are mutated once: done remembers them.
func mutate(v any, at string, done map[string]bool, try func(field string, missing bool)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			mutate(e, at+"[]", done, try)
		}
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		fresh := fmt.Sprint(at, names)
		for _, name := range names {
			value, field := v[name], at+"."+name
			if !done[fresh] {
				delete(v, name)
				try(field, true)
				v[name+"X"] = value
				try(field, false)
				delete(v, name+"X")
				v[name] = value
			}
			if !free(field) {
				mutate(value, field, done, try)
			}
		}
		done[fresh] = true
	}
}

// noteFields counts all fields and objects in v by path.
func noteFields(v any, at string, seen map[string]int) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			noteFields(e, at+"[]", seen)
		}
	case map[string]any:
		seen[at]++
		for name, e := range v {
			field := at + "." + name
			if _, object := e.(map[string]any); !object || free(field) {
				seen[field]++
			}
			if !free(field) {
				noteFields(e, field, seen)
			}
		}
	}
}

// free reports whether what is in a field is not the answer's own: what a source
// may fill as it likes, and a policy in Cupel's JSON.
func free(field string) bool {
	switch field[strings.LastIndexByte(field, '.')+1:] {
	case "metadata", "reservedSlots", "id":
		return true
	}
	return field == "tune.policies[].policy"
}

// fieldsOf collects the paths of the fields that a schema has, following
// references.
func fieldsOf(v, doc any, at string, named map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			fieldsOf(e, doc, at, named)
		}
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			defs := doc.(map[string]any)["$defs"].(map[string]any)
			fieldsOf(defs[strings.TrimPrefix(ref, "#/$defs/")], doc, at, named)
		}
		properties, _ := v["properties"].(map[string]any)
		for name, inner := range properties {
			named[at+"."+name] = true
			fieldsOf(inner, doc, at+"."+name, named)
		}
		fieldsOf(v["items"], doc, at+"[]", named)
		for _, key := range []string{"oneOf", "anyOf", "allOf", "if", "then", "else"} {
			fieldsOf(v[key], doc, at, named)
		}
	}
}

func TestPolicyIsCupels(t *testing.T) {
	const scenario = `{"items": [], "budget": {"maxTokens": 9}, "policy": {"scorers": [{"type": "decay", "weight": 1, "referenceTime": "2026-01-01T00:00:00Z", "curve": {"type": "step", "windows": [{"maxAgeSeconds": 5, "score": 1}]}},
		{"type": "metadataTrust", "weight": 1}], "countQuotas": [{"kind": "a", "requireCount": 0, "capCount": 1}]}}`
	for _, c := range []struct {
		line, stdin string
		holds       string // the answer
		says        []string
	}{
		{"policy --preset rag", "", `"name": "rag"`, nil},
		{"policy --preset rag --slicer knapsack:7", "", `"knapsackBucketSize": 7`, nil},
		{"policy --fixture agent", "", `"name": "chat"`, nil},
		{"policy --fixture agent --budget", "", `"outputReserve": 8000`, nil},
		{"policy", scenario, `"decay"`, []string{"decay from a policy file: in code it is DecayScorer", "MetadataTrustScorer", "countQuotas from a policy file: in code they are CountQuotaSlice"}},
		{"policy - --slicer knapsack", scenario, `"decay"`, []string{"CountConstrainedKnapsackSlice"}},
		{"policy - --budget", scenario, `"maxTokens": 9`, nil},
	} {
		code, out, diagnostics, _ := try(false, c.stdin, strings.Fields(c.line)...)
		if code != cli.Fine || !strings.Contains(out, c.holds) || len(c.says) == 0 && diagnostics != "" {
			t.Errorf("%s: exit %d\n%s%s", c.line, code, out, diagnostics)
		}
		for _, says := range c.says {
			if !strings.Contains(diagnostics, says) {
				t.Errorf("%s: %s, want %q", c.line, diagnostics, says)
			}
		}
		if strings.Contains(c.line, "--budget") {
			if _, err := model.ParseBudget([]byte(out)); err != nil {
				t.Errorf("%s: %v", c.line, err)
			}
		} else if _, err := model.ParsePolicy([]byte(out)); err != nil {
			t.Errorf("%s: %v", c.line, err)
		}
	}
	if code, out, diagnostics, _ := try(false, "", "policy", "--preset", "rag", "--slicer", "rank"); code != cli.Input || out != "" || !strings.Contains(diagnostics, "rank") {
		t.Errorf("not Cupel's: exit %d, %s%s", code, out, diagnostics)
	}
	if code, _, diagnostics, _ := try(false, "", "policy", "--preset", "rag", "--budget"); code != cli.Input || !strings.Contains(diagnostics, "there is no budget") {
		t.Errorf("a budget out of nothing: exit %d, %s", code, diagnostics)
	}
}

// TestRunsAreAlike: equal command lines give equal bytes, but for --timings.
func TestRunsAreAlike(t *testing.T) {
	run := func(args []string) string {
		var out, diagnostics bytes.Buffer
		p := program(command.Streams{In: strings.NewReader(""), Out: &out, Err: &diagnostics, Now: time.Now})
		p.Run(t.Context(), args)
		return out.String() + diagnostics.String()
	}
	for _, verb := range studies() {
		for _, form := range []string{"table", "json", "csv", "markdown"} {
			args := append(verb[:len(verb):len(verb)], "--fixture", "retrieval", "-v", "-o", form)
			if a, b := run(args), run(args); a != b {
				t.Errorf("%q: %s\nand\n%s", args, a, b)
			}
		}
	}
	if text := run([]string{"report", "--fixture", "retrieval", "-o", "json", "--timings"}); !strings.Contains(text, `"durationMs": `) || !strings.Contains(text, "ran in ") {
		t.Errorf("no timings where they are asked for: %s", text)
	}
}

// TestGuessesAreSaid: a budget that nobody gave is said to be a guess in every
// form, and check does not pass on one.
func TestGuessesAreSaid(t *testing.T) {
	const chat = `[{"role": "user", "content": "hello"}]`
	for _, verb := range studies() {
		if verb[0] == "tokens" { // not about a budget
			continue
		}
		if verb[0] == "check" {
			if code, out, diagnostics, _ := try(false, chat, append(verb[:len(verb):len(verb)], "-")...); code != cli.Input || out != "" ||
				!strings.Contains(diagnostics, "the budget is guessed: maxTokens 8,000, and everything fits; give --max-tokens, or --guess") {
				t.Errorf("check passes on a guess: exit %d, %s%s", code, out, diagnostics)
			}
			verb = append(verb[:len(verb):len(verb)], "--guess")
		}
		for _, given := range []bool{false, true} {
			for form, says := range map[string]string{"table": "guessed", "markdown": "guessed", "json": "uessed", "csv": "true"} {
				args := append(verb[:len(verb):len(verb)], "-", "-o", form)
				if given {
					args = append(args, "--max-tokens", "9")
				}
				_, out, diagnostics, _ := try(false, chat, args...)
				told := strings.Contains(out, says) && !strings.Contains(out, `"budgetGuessed": false`) && !strings.Contains(out, `"guessedBudgets": 0`)
				if form == "csv" {
					_, rows, _ := strings.Cut(out, "\n")
					if told = strings.Contains(rows, ",true,0"); rows == "" { // nothing is marginal: only standard error says it
						continue
					}
				}
				if told == given || verb[0] != "compare" && form != "table" && form != "markdown" && strings.Contains(diagnostics, "the budget is guessed") == given {
					t.Errorf("%q: guessed said %v\n%s%s", args, told, out, diagnostics)
				}
			}
		}
	}
}

// offered is what the shell is offered for the last of some words, without the
// descriptions, and whether it may offer files besides.
func offered(t *testing.T, args ...string) (values []string, files bool) {
	t.Helper()
	code, out, _, _ := try(false, "", append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != cli.Fine || len(lines) == 0 {
		t.Fatalf("%q: exit %d, %q", args, code, out)
	}
	for _, line := range lines[:len(lines)-1] {
		value, _, _ := strings.Cut(line, "\t")
		values = append(values, value)
	}
	return values, lines[len(lines)-1] == ":0"
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  []string
		holds []string
		files bool
	}{
		{"verbs, or a source", []string{""}, []string{"report", "min-budget", "profile", "marginal", "sweep", "compare", "check", "tokens", "batch", "fixtures"}, true},
		{"fixtures", []string{"--fixture", ""}, fixtures.Names(), false},
		{"fixtures of a verb", []string{"sweep", "--fixture", ""}, fixtures.Names(), false},
		{"presets", []string{"report", "--preset", ""}, session.PresetNames(), false},
		{"policies", []string{"compare", ""}, session.PolicyNames(), true},
		{"the second policy", []string{"compare", "greedy", ""}, session.PolicyNames(), true},
		{"sources behind policies", []string{"compare", "greedy", "chat", ""}, nil, true},
		{"another policy", []string{"sweep", "--against", ""}, session.PolicyNames(), true},
		{"forms", []string{"check", "-o", ""}, []string{"table", "json", "csv", "markdown"}, false},
		{"slicers", []string{"--slicer", ""}, []string{"greedy", "knapsack", "stream"}, false},
		{"themes", []string{"--theme", ""}, []string{"auto", "dark", "light", "none"}, false},
		{"flags of checks", []string{"check", "--max-b"}, []string{"--max-below-best"}, false},
		{"nothing behind fixtures", []string{"fixtures", ""}, nil, false},
		{"sources", []string{"profile", ""}, nil, true},
		{"a file of checks", []string{"check", "--checks", ""}, nil, true},
	} {
		values, files := offered(t, c.args...)
		for _, want := range c.holds {
			if !slices.Contains(values, want) {
				t.Errorf("%s: %q is not offered, only %q", c.name, want, values)
			}
		}
		if files != c.files || len(c.holds) == 0 && len(values) > 0 {
			t.Errorf("%s: files %v, %q", c.name, files, values)
		}
	}
}

// TestCompletionScripts: each is there, and its shell reads it where the shell
// is there.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, script, diagnostics, _ := try(false, "", "completion", shell)
		if code != cli.Fine || !strings.Contains(script, "cupelscope") || diagnostics != "" {
			t.Errorf("%s: exit %d, %d bytes, %s", shell, code, len(script), diagnostics)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		c := exec.Command(path, "-n")
		c.Stdin = strings.NewReader(script)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, out)
		}
	}
}

// runAsProgram makes the test's own program the real one.
const runAsProgram = "CUPELSCOPE_TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(runAsProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestBrokenPipe: a reader that has seen enough ends the program quietly.
func TestBrokenPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signal says there that nobody reads any more")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, "sweep", "--fixture", "large", "-o", "csv")
	c.Env = append(os.Environ(), runAsProgram+"=1")
	var diagnostics strings.Builder
	c.Stderr = &diagnostics
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReaderSize(out, 16).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "budget,") {
		t.Errorf("%q, %v", line, err)
	}
	out.Close()
	if err := c.Wait(); err == nil || diagnostics.Len() > 0 {
		t.Errorf("%v, diagnostics %q; want an end by a signal, and nothing said", err, diagnostics.String())
	}
}

// full cannot be written to.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestFullDevice: an answer that cannot be written is said to be so.
func TestFullDevice(t *testing.T) {
	for _, line := range []string{
		"report --fixture agent", "report -o json --fixture agent", "min-budget --fixture agent", "profile -o csv --fixture agent", "marginal -o markdown --fixture agent",
		"sweep --fixture agent", "check --require is:in --fixture agent", "tokens --fixture agent", "compare greedy knapsack --fixture agent",
		"compare greedy knapsack -o csv --fixture agent", "compare greedy knapsack -o json --fixture agent", "fixtures", "man", "--help", "min-budget --help", "--version", "completion bash",
	} {
		var diagnostics strings.Builder
		p := program(command.Streams{In: strings.NewReader(""), Out: full{}, Err: &diagnostics})
		if code := p.Run(t.Context(), strings.Fields(line)); code != cli.Input || !strings.Contains(diagnostics.String(), "no space left on device") ||
			strings.Count(diagnostics.String(), "\n") != 1 {
			t.Errorf("%s: exit %d, %q", line, code, diagnostics.String())
		}
	}
}

// TestVerbsReadStandardInput: no verb falls back on a built-in scenario where
// the - was forgotten.
func TestVerbsReadStandardInput(t *testing.T) {
	const one = `[{"content": "the only item", "tokens": 5}]`
	for _, verb := range append(studies(), []string{"explore"}, nil) {
		args := append(verb[:len(verb):len(verb)], budget(verb, "9")...)
		if len(verb) > 0 && verb[0] == "check" {
			args = append(args[:1:1], "--max-tokens", "9", "--preset", "rag", "--require", `"the only item"`)
		}
		code, out, diagnostics, _ := try(false, one, args...)
		_, want, _, _ := try(false, one, append(args, "-")...)
		if code != cli.Fine || out != want {
			t.Errorf("%q: exit %d, %s\n%s\nwant\n%s", args, code, diagnostics, out, want)
		}
		var terminal bytes.Buffer
		p := program(command.Streams{In: strings.NewReader(one), Typed: true, Out: &terminal, Err: &terminal})
		if code := p.Run(t.Context(), args); code != cli.Input || !strings.Contains(terminal.String(), "there is no source") {
			t.Errorf("%q with a terminal to read: exit %d, %s", args, code, terminal.String())
		}
	}
}

// TestNothingIsAskedOfATerminal: help, errors and answers on a terminal that
// answers no question hold none.
func TestNothingIsAskedOfATerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no pseudo-terminal")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range []string{"TERM=xterm-256color", "TERM=dumb", "NO_COLOR=1"} {
		for _, line := range []string{"--help", "check --help", "help sweep", "--no-such-flag", "report no-such-file", "check --fixture agent --require kind:none", "check --fixture agent --require is:pinned", "fixtures", "--version"} {
			c := exec.Command(self, strings.Fields(line)...)
			c.Env = append(os.Environ(), runAsProgram+"=1", "TERM=xterm-256color", env)
			terminal, err := pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: 80})
			if err != nil {
				t.Skip("no pseudo-terminal here: ", err)
			}
			out, _ := io.ReadAll(terminal) // Linux ends it with an error
			_ = c.Wait()                   // some are to fail
			terminal.Close()
			if len(out) == 0 || bytes.Count(out, []byte("\x1b]11;?")) > 0 || bytes.Count(out, []byte("\x1b[c")) > 0 || bytes.ContainsRune(out, '\x1b') {
				t.Errorf("%s %s: %q", env, line, out)
			}
			for row := range strings.SplitSeq(string(out), "\r\n") {
				if strings.Contains(line, "help") && len(row) > 100 {
					t.Errorf("%s: the line is too long for the terminal: %q", line, row)
				}
			}
		}
	}
}

// TestSlipsAreErrors: what is not known is an error, and a flag that does
// nothing for a verb is not known to it.
func TestSlipsAreErrors(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{"help nosuch", `help: "nosuch" is not known`},
		{"help completion nosuch", `"nosuch" is not known`},
		{"completion nosuch", `completion: "nosuch" is not known`},
		{"fixtures --bucket 5", "unknown flag: --bucket"},
		{"tokens --max-tokens 5", "unknown flag: --max-tokens"},
		{"batch --fixture agent", "unknown flag: --fixture"},
		{"schema", "schema takes the name of one verb, 0 are given: batch, "},
		{"schema nosuch", `"nosuch" has no schema`},
		{"batch no-such-file", "cupelscope: no-such-file: no such file"},
		{"report --policy no-such-file", "--policy: no-such-file: no such file"},
		{"check --no-split-pairs=maybe", `--no-split-pairs: "maybe" is neither true nor false`},
	} {
		if code, out, diagnostics, _ := try(false, "", strings.Fields(c.line)...); code != cli.Input || out != "" || !strings.Contains(diagnostics, c.says) {
			t.Errorf("%s: exit %d, %s%s, want %q", c.line, code, out, diagnostics, c.says)
		}
	}
	for _, c := range []struct{ line, says string }{
		{"help", "Commands:"}, {"help sweep", "cupelscope sweep"}, {"help completion bash", "bash-completion"}, {"completion", "bash"},
		{"--version", "version"}, {"check --help", "--max-below-best PERCENT"}, {"report --help", "--max-tokens TOKENS"}, {"report --help", "Budget:"},
	} {
		if code, out, diagnostics, _ := try(false, "", strings.Fields(c.line)...); code != cli.Fine || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit %d, %s%s, want %q", c.line, code, out, diagnostics, c.says)
		}
	}
	for _, c := range verbs() { // what a flag takes is said in a word of its own
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if value, _ := pflag.UnquoteUsage(f); slices.Contains([]string{"string", "strings", "stringArray", "int"}, value) {
				t.Errorf("%s: --%s %s", c.Name(), f.Name, value)
			}
		})
	}
	if _, _, diagnostics, _ := try(false, `[{"role": "user", "content": "a"}]`, "report", "-q", "--max-tokens", "9"); diagnostics != "" {
		t.Errorf("said although it is to be quiet: %s", diagnostics)
	}
	// As usual, and so not worth a line.
	if _, _, diagnostics, _ := try(false, `[{"role": "user", "content": "a"}]`, "report", "--max-tokens", "9"); strings.Contains(diagnostics, "dated") {
		t.Error(diagnostics)
	}
	if _, _, diagnostics, _ := try(false, `[{"role": "user", "content": "a"}]`, "report", "-v", "--max-tokens", "9"); !strings.Contains(diagnostics, "dated by their order") {
		t.Error(diagnostics)
	}
}

// TestNoContent: --no-content keeps every text out of every answer.
func TestNoContent(t *testing.T) {
	const in = `[{"content": "a secret text", "tokens": 5}, {"content": "a secret text too", "tokens": 50, "kind": "Document"}]`
	for _, verb := range studies() {
		for _, form := range []string{"table", "json", "csv", "markdown"} {
			code, out, diagnostics, _ := try(false, in, append(verb[:len(verb):len(verb)], "--no-content", "--max-tokens", "20", "-o", form)...)
			if verb[0] == "tokens" {
				code, out, diagnostics, _ = try(false, in, "tokens", "--no-content", "-o", form)
			}
			if code == cli.Input || out == "" || strings.Contains(out+diagnostics, "secret") {
				t.Errorf("%s as %s: exit %d, %s%s", verb, form, code, out, diagnostics)
			}
		}
	}
}

func TestMistypedVerb(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{"min-bugdet", "neither a verb nor a file; did you mean min-budget?"},
		{"sweeep", "did you mean sweep?"},
		{"no-file-at-all.json", "no-file-at-all.json: no such file"},
	} {
		if code, _, diagnostics, _ := try(false, "", c.line); code != cli.Input || !strings.Contains(diagnostics, c.says) {
			t.Errorf("%s: exit %d, %q, want %q", c.line, code, diagnostics, c.says)
		}
	}
}

// What Reproduce writes opens the same policy, budget and slack again, read by
// the real flags.
func TestReproduce(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ctx := context.Background()
	for range 60 {
		fixtures := fixtures.Names()
		o := session.Options{Fixture: fixtures[rng.IntN(len(fixtures))]}
		if rng.IntN(2) == 0 {
			presets := session.PresetNames()
			o.Preset = presets[rng.IntN(len(presets))]
		}
		opened, err := session.Open(ctx, o, session.Input{})
		if err != nil {
			t.Fatal(err)
		}
		policy := opened.Policy
		if rng.IntN(2) == 0 {
			presets := model.Presets()
			policy = presets[rng.IntN(len(presets))]
		}
		if rng.IntN(2) == 0 {
			policy.Slicer, policy.BucketSize, policy.BatchSize = model.Knapsack, model.Tokens(rng.IntN(200)+1), 0
			policy.Quotas, policy.CountQuotas = nil, nil
		}
		policy.Deduplicate = rng.IntN(4) > 0
		policy.Overflow = model.OverflowStrategies()[rng.IntN(3)]
		f := opened.Budget.Fields()
		if rng.IntN(2) == 0 {
			f.MaxTokens = model.Tokens(20_000 + rng.IntN(50_000))
			f.TargetTokens = model.Some(f.MaxTokens - model.Tokens(rng.IntN(2)*rng.IntN(3000)))
			f.OutputReserve = model.Tokens(rng.IntN(2) * rng.IntN(9000))
			f.SafetyMargin = float64(rng.IntN(3)) * 2.5
			f.ReservedSlots = [][]model.Slot{nil, {{Kind: model.Memory, Tokens: 700}}, {{Kind: "my kind", Tokens: 5}, {Kind: model.Document, Tokens: 60}}}[rng.IntN(3)]
		}
		budget, err := model.NewBudget(f)
		if err != nil {
			t.Fatal(err)
		}
		slack := min(model.Tokens(rng.IntN(3000)), budget.TargetTokens())

		query := [...]string{"", "what 'is' --in $HOME?"}[rng.IntN(2)]
		words, ok := o.Reproduce(opened, policy, budget.Fields(), slack, query)
		var again session.Options
		p := program(command.Streams{In: strings.NewReader(""), Out: new(bytes.Buffer), Err: new(bytes.Buffer)})
		p.Terminal, p.Screen = true, stub{newScreen(), func(o session.Options) error { again = o; return nil }}
		if code := p.Run(ctx, words); code != cli.Fine {
			t.Fatalf("%q is no command line", words)
		}
		second, err := session.Open(ctx, again, session.Input{})
		if err != nil {
			t.Fatalf("%q: %v", words, err)
		}
		got, want := second.Budget.Fields(), budget.Fields()
		got.ReservedSlots, want.ReservedSlots = present(got.ReservedSlots), present(want.ReservedSlots)
		if !reflect.DeepEqual(got, want) || second.Slack != slack {
			t.Errorf("%q: budget %+v slack %v, want %+v and %v", words, got, second.Slack, want, slack)
		}
		if got := second.Set.Edits().Query; got.Text != query || !got.Scored() {
			t.Errorf("%q: the query is %q, want %q", words, got.Text, query)
		}
		was, is := policy, second.Policy
		was.Name, is.Name, was.Description, is.Description = "", "", "", ""
		if was.Slicer == model.Knapsack {
			was.BucketSize, is.BucketSize = was.Bucket(), is.Bucket()
		}
		if same := reflect.DeepEqual(was, is); same != ok {
			t.Errorf("%q: the policy is the same: %v, said %v\n%+v\n%+v", words, same, ok, was, is)
		}
	}
}

// present are the slots that hold something back.
func present(slots []model.Slot) []model.Slot {
	var some []model.Slot
	for _, s := range slots {
		if s.Tokens > 0 {
			some = append(some, s)
		}
	}
	return some
}

var update = flag.Bool("update", false, "write the golden answers anew")

// TestGoldenAnswers holds answers to files that are named after the command
// line. After a change: go test . -run Golden -update, and read the difference.
func TestGoldenAnswers(t *testing.T) {
	for _, line := range []string{
		"report --fixture nonmonotone -o csv",
		"report --fixture nonmonotone -o markdown",
		"min-budget --fixture nonmonotone",
		"min-budget --fixture nonmonotone -o json",
		"min-budget --fixture agent --only-differing",
		"min-budget --fixture retrieval -o csv",
		"profile --fixture nonmonotone -o csv",
		"profile --fixture nonmonotone -o json",
		"profile --fixture retrieval",
		"marginal --fixture agent",
		"check --fixture agent --require kind:system --stable 1k --min-filled 80 --no-split-pairs",
		"check --fixture retrieval --first-in-by 2k --for #33 --forbid is:dup -o json",
		"fixtures -o markdown",
		"compare greedy knapsack:1 --fixture coarse-knapsack",
		"compare own debugging --fixture agent --at 16k,32k,50% -o json",
		"sweep --fixture nonmonotone",
		"tokens --fixture retrieval --compare all",
		"tokens --fixture agent --by kind --model gpt-4",
		"tokens --fixture nonmonotone -o json",
		"sweep --fixture agent --step 4k --item is:risk",
		"sweep --fixture agent --from 20k --to 22k -o csv",
		"sweep --fixture coarse-knapsack --from 100 --to 400 --step 50 --against knapsack:1",
		"marginal --fixture agent -o json",
	} {
		t.Run(line, func(t *testing.T) {
			code, got, diagnostics, _ := try(false, "", strings.Fields(line)...)
			if code != cli.Fine || diagnostics != "" {
				t.Fatalf("exit %d, diagnostics %q", code, diagnostics)
			}
			path := filepath.Join("simulate", "command", "testdata", strings.NewReplacer(" ", "_", "#", "", ":", "-", ",", "-", "%", "p").Replace(line)+".golden")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant, as in %s\n%s", got, path, want)
			}
		})
	}
}
