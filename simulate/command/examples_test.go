package command_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/session"
)

// verbs returns all commands.
func verbs() []*cobra.Command {
	root := command.Program{Screen: clitest.Explorer{}.Screen()}.Command()
	return append(root.Commands(), root)
}

// TestExamples runs every example of the help.
func TestExamples(t *testing.T) {
	musttest.Alone(t)
	clitest.Files(t)
	ran := 0
	for _, c := range verbs() {
		if c.Example == "" && c.Name() != "explore" && c.Name() != "help" && c.Name() != "completion" {
			t.Errorf("%s has no example", c.Name())
		}
		for line := range strings.SplitSeq(c.Example, "\n") {
			if line == "" {
				continue
			}
			args, stdin := clitest.Line(t, line)
			if code, out, diagnostics := clitest.Run(stdin, args...); code != command.Fine || out == "" && !strings.Contains(diagnostics, "wrote ") {
				t.Errorf("%s: exit %d, %d bytes, %s", line, code, len(out), diagnostics)
			}
			ran++
		}
	}
	if ran < 15 {
		t.Errorf("only %d examples ran", ran)
	}
}

// TestSamplesAreWritten: fixtures --write makes the folder and names its files; what is there
// and holds something else is kept, and then nothing is written.
func TestSamplesAreWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 2 { // the same files again are fine
		code, out, diagnostics := clitest.Run("", "fixtures", "--write", "a/b")
		if _, err := os.Stat("a/b/session.jsonl"); code != command.Fine || err != nil || !strings.Contains(out, "session.jsonl") {
			t.Fatalf("exit %d, %v, %s%s", code, err, out, diagnostics)
		}
	}
	musttest.Do(t, os.WriteFile("session.jsonl", []byte("mine"), 0o600))
	code, out, diagnostics := clitest.Run("", "fixtures", "--write", ".")
	if files, _ := os.ReadDir("."); code != command.Input || out != "" || len(files) != 2 || !strings.Contains(diagnostics, "session.jsonl is there and holds something else") {
		t.Errorf("exit %d, %d files, %s%s", code, len(files), out, diagnostics)
	}
	// A link that leads nowhere would put a file elsewhere.
	musttest.Do(t, os.Mkdir("links", 0o700))
	musttest.Do(t, os.Symlink("../elsewhere", "links/session.jsonl"))
	code, out, diagnostics = clitest.Run("", "fixtures", "--write", "links")
	if _, err := os.Stat("elsewhere"); code != command.Input || out != "" || err == nil || !strings.Contains(diagnostics, "links/session.jsonl is there and holds something else") {
		t.Errorf("exit %d, %v, %s%s", code, err, out, diagnostics)
	}
}

// A folder is named without the escape sequences that its name may have.
func TestSamplesAreNamedInPlainText(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, diagnostics := clitest.Run("", "fixtures", "--write", "a\x1b]0;title\x07b\xff")
	if code != command.Fine || strings.ContainsAny(out, "\x1b\x07") || !utf8.ValidString(out) {
		t.Errorf("exit %d, %q%s", code, out, diagnostics)
	}
}

// The manual page names flags as they are typed, each once and none that is
// hidden, and its head is one that fits.
func TestManualPage(t *testing.T) {
	code, page, diagnostics := clitest.Run("", "man")
	if code != command.Fine {
		t.Fatalf("exit %d, %s", code, diagnostics)
	}
	for _, has := range []string{"\"User Commands\"\n", "max-tokens TOKENS", "output FORM, \\-o", "max-below-best PERCENT", "EXIT STATUS", "min-budget", "\n.SH ENVIRONMENT\n", "CUPELSCOPE_OPTS", "\n.SH EXAMPLES\n.nf\ncupelscope session.jsonl\n", "written 80 or 80%; below", ".TH CUPELSCOPE 1 \"\" "} {
		musttest.Says(t, strings.ReplaceAll(page, "\\-", "-"), strings.ReplaceAll(has, "\\-", "-"), "the page")
	}
	for _, not := range []string{"`", "%!", "%%"} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
	musttest.Is(t, strings.Count(strings.ReplaceAll(page, "\\-", "-"), "max-tokens TOKENS"), 1, "--max-tokens is described")
}

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

// What Reproduce writes opens the same policy, budget and slack again, read by
// the real flags.
func TestReproduce(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ctx := context.Background()
	for range randomtest.Rounds(15, 60) {
		fixtures := fixtures.Names()
		o := session.Options{Fixture: fixtures[rng.IntN(len(fixtures))]}
		if rng.IntN(2) == 0 {
			presets := model.PresetNames()
			o.Preset = presets[rng.IntN(len(presets))]
		}
		opened := musttest.Of(session.Open(ctx, o, session.Input{}))(t)
		policy := opened.Policy
		if rng.IntN(2) == 0 {
			presets := model.Presets()
			policy = presets[rng.IntN(len(presets))]
		}
		if rng.IntN(2) == 0 {
			policy.Slicer, policy.BucketSize, policy.BatchSize = model.Knapsack, model.Tokens(rng.IntN(200)+1), 0
			policy.Quotas, policy.CountQuotas = nil, nil
		}
		if rng.IntN(4) == 0 {
			policy.Slicer, policy.BucketSize, policy.BatchSize = model.Stream, 0, rng.IntN(9)+1
			policy.Quotas, policy.CountQuotas = nil, nil
		}
		policy.Deduplicate = rng.IntN(4) > 0
		policy.Overflow = model.OverflowStrategies()[rng.IntN(3)]
		f := opened.Budget.Fields()
		if rng.IntN(2) == 0 {
			f = model.BudgetFields{MaxTokens: model.Tokens(20_000 + rng.IntN(50_000))}
			f.TargetTokens = model.Some(f.MaxTokens - model.Tokens(rng.IntN(2)*rng.IntN(3000)))
			randomtest.Reserve(randomtest.Seeded(rng.Uint64(), 1), &f, 9000)
			f.ReservedSlots = [][]model.Slot{nil, {{Kind: model.Memory, Tokens: 700}}, {{Kind: "my kind", Tokens: 5}, {Kind: model.Document, Tokens: 60}}}[rng.IntN(3)]
		}
		budget := musttest.Of(model.NewBudget(f))(t)
		slack := min(model.Tokens(rng.IntN(3000)), budget.TargetTokens())

		query := [...]string{"", "what 'is' --in $HOME?"}[rng.IntN(2)]
		words, ok := o.Reproduce(opened, policy, budget.Fields(), slack, model.Edits{Query: model.Query{Text: query}})
		var again session.Options
		explorer := clitest.Explorer{Shown: func(o session.Options) error { again = o; return nil }}
		if code, _, diagnostics := explorer.Run(true, "", words...); code != command.Fine {
			t.Fatalf("%q is no command line: %s", words, diagnostics)
		}
		second, err := session.Open(ctx, again, session.Input{})
		if err != nil {
			t.Fatalf("%q: %v", words, err)
		}
		got, want := second.Budget.Fields(), budget.Fields()
		got.ReservedSlots, want.ReservedSlots = present(got.ReservedSlots), present(want.ReservedSlots)
		musttest.Is(t, got, want, words, "budget")
		musttest.Is(t, second.Slack, slack, words, "budget")
		if got := second.Set.Edits().Query; got.Text != query || !got.Scored() {
			t.Errorf("%q: the query is %q, want %q", words, got.Text, query)
		}
		was, is := policy, second.Policy
		was.Name, is.Name, was.Description, is.Description = "", "", "", ""
		if was.Slicer == model.Knapsack {
			was.BucketSize, is.BucketSize = was.Bucket(), is.Bucket()
		}
		musttest.Is(t, reflect.DeepEqual(was, is), ok, words, "the policy is the same", was, is)
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
