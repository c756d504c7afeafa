package command_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/session"
)

// offered is what the shell is offered for the last of some words, without the
// descriptions, and whether it may offer files besides.
func offered(t *testing.T, args ...string) (values []string, files bool) {
	t.Helper()
	code, out, _ := clitest.Run("", append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != command.Fine || len(lines) == 0 {
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
		{"presets", []string{"report", "--preset", ""}, model.PresetNames(), false},
		{"policies", []string{"compare", ""}, session.PolicyNames(), true},
		{"the second policy", []string{"compare", "greedy", ""}, session.PolicyNames(), true},
		{"sources behind policies", []string{"compare", "greedy", "chat", ""}, nil, true},
		{"another policy", []string{"sweep", "--policy-b", ""}, session.PolicyNames(), true},
		{"forms", []string{"check", "-o", ""}, []string{"table", "json", "csv", "markdown"}, false},
		{"slicers", []string{"--slicer", ""}, []string{"greedy", "knapsack", "stream"}, false},
		{"flags of checks", []string{"check", "--max-b"}, []string{"--max-below-best"}, false},
		{"nothing behind fixtures", []string{"fixtures", ""}, nil, false},
		{"sources", []string{"profile", ""}, nil, true},
		{"another policy of turns", []string{"turns", "--policy-b", ""}, session.PolicyNames(), true},
		{"the filter", []string{"profile", "--item", ""}, []string{"kind:", "is:"}, false},
		{"kinds in the filter", []string{"check", "--require", "kind:t"}, []string{"kind:tool"}, false},
		{"kinds of slots", []string{"report", "--slot", ""}, []string{"Memory=", "ToolOutput="}, false},
		{"no number", []string{"report", "--max-tokens", ""}, nil, false},
		{"schemas", []string{"schema", ""}, []string{"policy", "report"}, false},
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

// TestCompletionIsPlain: what is offered has no marks of the help's own.
func TestCompletionIsPlain(t *testing.T) {
	for _, verb := range []string{"report", "check", "turns"} {
		if _, out, _ := clitest.Run("", "__complete", verb, "--"); !strings.Contains(out, "--max-tokens\tthe context window in TOKENS") || strings.Contains(out, "`") {
			t.Errorf("%s offers\n%s", verb, out)
		}
	}
}

// TestCompletionScripts: each is there, and its shell reads it where the shell
// is there.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		code, script, diagnostics := clitest.Run("", "completion", shell)
		if code != command.Fine || !strings.Contains(script, "cupelscope") || diagnostics != "" {
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
