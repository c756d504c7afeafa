package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"cupelscope/simulate/command"
)

// offered is what the shell is offered for the last of some words, without the
// descriptions, and whether it may offer files besides.
func offered(t *testing.T, args ...string) (values []string, files bool) {
	t.Helper()
	code, out, _, _ := try(false, "", append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitFine || len(lines) == 0 {
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
		{"fixtures", []string{"--fixture", ""}, command.FixtureNames(), false},
		{"fixtures of a verb", []string{"sweep", "--fixture", ""}, command.FixtureNames(), false},
		{"presets", []string{"report", "--preset", ""}, command.PresetNames(), false},
		{"policies", []string{"compare", ""}, command.PolicyNames(), true},
		{"the second policy", []string{"compare", "greedy", ""}, command.PolicyNames(), true},
		{"sources behind policies", []string{"compare", "greedy", "chat", ""}, nil, true},
		{"another policy", []string{"sweep", "--against", ""}, command.PolicyNames(), true},
		{"forms", []string{"check", "-o", ""}, []string{"table", "json", "csv", "markdown"}, false},
		{"slicers", []string{"--slicer", ""}, []string{"greedy", "knapsack", "stream"}, false},
		{"themes", []string{"--theme", ""}, []string{"auto", "dark", "light", "none"}, false},
		{"flags of checks", []string{"check", "--max-g"}, []string{"--max-gap"}, false},
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
		if code != exitFine || !strings.Contains(script, "cupelscope") || diagnostics != "" {
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
		"report", "report -o json", "min-budget", "profile -o csv", "marginal -o markdown", "sweep", "check --require is:in", "tokens", "compare greedy knapsack",
		"compare greedy knapsack -o csv", "compare greedy knapsack -o json", "fixtures", "--help", "min-budget --help", "--version", "completion bash",
	} {
		var diagnostics strings.Builder
		p := program{streams: command.Streams{In: strings.NewReader(""), Out: full{}, Err: &diagnostics}}
		if code := p.run(t.Context(), strings.Fields(line)); code != exitInput || !strings.Contains(diagnostics.String(), "no space left on device") ||
			strings.Count(diagnostics.String(), "\n") != 1 {
			t.Errorf("%s: exit %d, %q", line, code, diagnostics.String())
		}
	}
}

func TestMistypedVerb(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{"min-bugdet", "neither a verb nor a file; did you mean min-budget?"},
		{"sweeep", "did you mean sweep?"},
		{"no-file-at-all.json", "no-file-at-all.json: no such file"},
	} {
		if code, _, diagnostics, _ := try(false, "", c.line); code != exitInput || !strings.Contains(diagnostics, c.says) {
			t.Errorf("%s: exit %d, %q, want %q", c.line, code, diagnostics, c.says)
		}
	}
}
