package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"cupelscope/simulate/command"
)

// try runs a command line with an explorer that is there if terminal says so.
func try(terminal bool, stdin string, args ...string) (code int, out, diagnostics, explored string) {
	var o, e bytes.Buffer
	p := program{
		streams:  command.Streams{In: strings.NewReader(stdin), Out: &o, Err: &e},
		terminal: terminal,
		explore: func(_ context.Context, o command.Options, l look, _ command.Streams) error {
			explored = strings.Join(o.Sources, " ") + " " + o.MaxTokens + " " + l.theme
			if o.MaxTokens == "0" {
				return errors.New("no \x1b[31mroom")
			}
			return nil
		},
	}
	code = p.run(context.Background(), args)
	return code, o.String(), e.String(), explored
}

func TestASignalIsSaid(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, verb := range []string{"report", "min-budget", "compare greedy knapsack -", "batch -", "tokens"} {
		var out, diagnostics bytes.Buffer
		p := program{streams: command.Streams{In: strings.NewReader("{}\n"), Out: &out, Err: &diagnostics}}
		code := p.run(ctx, strings.Fields(verb))
		if code != exitInput || !strings.HasPrefix(diagnostics.String(), "cupelscope: stopped by a signal") {
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
		{"no screen", false, []string{"-", "--max-tokens", "9"}, exitFine, "room 9 = maxTokens 9", "", ""},
		{"a screen", true, []string{"-", "--max-tokens", "9", "--theme", "light"}, exitFine, "", "", "- 9 light"},
		{"a screen by name", true, []string{"explore", "x", "--max-tokens", "9"}, exitFine, "", "", "x 9 auto"},
		{"the screen fails", true, []string{"x", "--max-tokens", "0"}, exitInput, "", "cupelscope: no room\n", "x 0 auto"},
		{"a report on a terminal", true, []string{"report", "-", "--max-tokens", "9"}, exitFine, "ab", "", ""},
		{"a report that says what it does", false, []string{"report", "-", "-v", "--max-tokens", "9", "--preset", "rag"}, exitFine, "ab", "cupelscope: - [items]  1 item, 5 tokens", ""},
		{"a report in JSON", false, []string{"report", "-", "-o", "json", "--max-tokens", "9", "--preset", "rag"}, exitFine, `"totalTokens": 5`, "", ""},
		{"a batch, whose lines are no scenarios", false, []string{"batch", "-"}, exitFine, `"error":{"code":"invalid-input",`, "cupelscope: 1 line answered, 1 of them with errors", ""},
		{"a batch of a missing file", false, []string{"batch", "\x1b[2Jnot there"}, exitInput, "", "not there: no such file", ""},
		{"a batch of two", false, []string{"batch", "a", "b"}, exitInput, "", "accepts at most 1 arg", ""},
		{"flags that contradict each other", false, []string{"report", "-", "--slicer", "greedy", "--bucket", "5"}, exitInput, "", "only knapsack has buckets", ""},
		{"checks that hold", false, []string{"check", "-", "--preset", "rag", "--max-tokens", "9", "--require", "#0", "--no-parted", "--stays-by", "8", "--for", "#0"}, exitFine, "3 checks: all hold", "", ""},
		{"a check that fails", false, []string{"check", "-", "--preset", "rag", "--max-tokens", "9", "--forbid", "#0", "--require", "#0"}, exitFailed, "FAIL", "cupelscope: 1 of 2 checks failed\n", ""},
		{"a check that is wrong", false, []string{"check", "-", "--preset", "rag", "--max-tokens", "9", "--require", "is:\x1b[2J"}, exitInput, "", "is not known after is:", ""},
		{"the fixtures", false, []string{"fixtures"}, exitFine, "agent", "", ""},
		{"a wrong flag", false, []string{"--colour"}, exitInput, "", "unknown flag: --colour", ""},
		{"a wrong value", false, []string{"-", "--max-tokens", "\x1b[2Jmany"}, exitInput, "", "--max-tokens: not a token number", ""},
		{"a view that is not known", true, []string{"-", "--view", "\x1b[2Jall"}, exitInput, "", "known are items, compare", ""},
		{"a view that is not known, without a screen", false, []string{"-", "--view", "all"}, exitInput, "", `--view: "all" is not known`, ""},
		{"a theme that is not known, without a screen", false, []string{"explore", "-", "--theme", "blue"}, exitInput, "", `--theme: "blue" is not known; known are auto, dark`, ""},
		{"a comparison of one", false, []string{"compare", "greedy"}, exitInput, "", "wants two policies, A and B, before the sources; one is given", ""},
		{"a missing file", false, []string{"\x1b[2Jnot there"}, exitInput, "", "not there: no such file", ""},
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
