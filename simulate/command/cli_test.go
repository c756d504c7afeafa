package command_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/session"
)

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
		{"no screen", false, []string{"-", "--max-tokens", "9"}, command.Fine, "room 9 = budget 9", "", ""},
		{"a screen", true, []string{"-", "--max-tokens", "9"}, command.Fine, "", "", "- 9"},
		{"a screen by name", true, []string{"explore", "./x", "--max-tokens", "9"}, command.Fine, "", "", "./x 9"},
		{"the screen fails", true, []string{"./x", "--max-tokens", "0"}, command.Input, "", "cupelscope: no room\n", "./x 0"},
		{"a report on a terminal", true, []string{"report", "-", "--max-tokens", "9"}, command.Fine, "ab", "", ""},
		{"a report that says what it does", false, []string{"report", "-", "-v", "--max-tokens", "9", "--preset", "rag"}, command.Fine, "ab", "cupelscope: - [items]  1 item, 5 tokens", ""},
		{"a report in JSON", false, []string{"report", "-", "-o", "json", "--max-tokens", "9", "--preset", "rag"}, command.Fine, `"totalTokens": 5`, "", ""},
		{"a batch, whose lines are no scenarios", false, []string{"batch", "-"}, command.Failed, `"error":{"code":"invalid-input",`, "cupelscope: no line could be answered\n", ""},
		{"a batch of a missing file", false, []string{"batch", "\x1b[2Jnot there"}, command.Input, "", "not there: no such file", ""},
		{"checks that hold", false, []string{"check", "-", "--preset", "rag", "--max-tokens", "9", "--require", "#0", "--no-split-pairs", "--stays-by", "8", "--for", "#0"}, command.Fine, "3 checks: all hold", "", ""},
		{"a check that fails", false, []string{"check", "-", "--preset", "rag", "--max-tokens", "9", "--forbid", "#0", "--require", "#0"}, command.Failed, "FAIL", "cupelscope: 1 of 2 checks failed\n", ""},
		{"a check that is wrong", false, []string{"check", "-", "--preset", "rag", "--max-tokens", "9", "--require", "is:\x1b[2J"}, command.Input, "", "is not known after is:", ""},
		{"the fixtures", false, []string{"fixtures"}, command.Fine, "agent", "", ""},
		{"a wrong value", false, []string{"-", "--max-tokens", "\x1b[2Jmany"}, command.Input, "", "--max-tokens: not a number of tokens", ""},
		{"a missing file", false, []string{"\x1b[2Jnot there"}, command.Input, "", "not there: no such file", ""},
	} {
		explored := ""
		explorer := clitest.Explorer{Shown: func(o session.Options) error {
			explored = strings.Join(o.Sources, " ") + " " + o.Budget["maxTokens"]
			if o.Budget["maxTokens"] == "0" {
				return errors.New("no \x1b[31mroom")
			}
			return nil
		}}
		code, out, diagnostics := explorer.Run(c.terminal, items, c.args...)
		if code != c.code || explored != c.explored || !strings.Contains(out, c.out) || (out == "") != (c.out == "") ||
			!strings.Contains(diagnostics, c.err) {
			t.Errorf("%s: exit %d, explored %q\nout %q\nerr %q", c.name, code, explored, out, diagnostics)
		}
		if strings.Contains(out+diagnostics, "\x1b") {
			t.Errorf("%s: an escape sequence comes through: %q %q", c.name, out, diagnostics)
		}
	}
}

// TestHelpAndQuiet: help says what it is asked for, and --quiet leaves standard error to errors.
func TestHelpAndQuiet(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{"help", "Commands:"}, {"help sweep", "cupelscope sweep"}, {"help completion bash", "bash-completion"}, {"completion", "bash"},
		{"--version", "version"}, {"check --help", "--max-below-best PERCENT"}, {"report --help", "--max-tokens TOKENS"}, {"report --help", "Budget:"},
	} {
		if code, out, diagnostics := clitest.Run("", strings.Fields(c.line)...); code != command.Fine || !strings.Contains(out, c.says) {
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
	clitest.Files(t)
	musttest.Do(t, os.WriteFile("empty.json", nil, 0o600))
	for line, says := range map[string]string{
		"report -q -v --max-tokens 9":                                              "",
		"tokens -q -v --verify":                                                    "",
		"check -q --max-tokens 9 --min-filled 0 --record base.json":                "",
		"compare -q greedy knapsack chat.json chat.json empty.json":                "cupelscope: 1 case not compared (invalid-input), first empty.json: no usable item: the file is empty\n",
		"evaluate -q labelled.jsonl empty.json --at 30 --worst 0":                  "cupelscope: 1 case not evaluated (invalid-input), first empty.json: no usable item: the file is empty\n",
		"tune -q labelled.jsonl empty.json --at 30 --preset rag --out policy.json": "cupelscope: 1 case not read (invalid-input), first empty.json: no usable item: the file is empty\n",
	} {
		if code, _, diagnostics := clitest.Run(`[{"role": "user", "content": "a"}]`, strings.Fields(line)...); code != command.Fine || diagnostics != says {
			t.Errorf("%s: exit %d, %s, want %q", line, code, diagnostics, says)
		}
	}
	// As usual, and so not worth a line.
	if _, _, diagnostics := clitest.Run(`[{"role": "user", "content": "a"}]`, "report", "--max-tokens", "9"); strings.Contains(diagnostics, "timestamp") {
		t.Error(diagnostics)
	}
	if _, _, diagnostics := clitest.Run(`[{"role": "user", "content": "a"}]`, "report", "-v", "--max-tokens", "9"); !strings.Contains(diagnostics, "message without timestamps: its order") {
		t.Error(diagnostics)
	}
}

// TestNamedSourcesMustExist: a source that is not there ends every verb before any work,
// also beside one that is there.
func TestNamedSourcesMustExist(t *testing.T) {
	clitest.Files(t)
	for _, verb := range [][]string{
		{}, {"explore"}, {"report"}, {"min-budget"}, {"profile"}, {"marginal"}, {"sweep"}, {"compare", "greedy", "knapsack"}, {"evaluate"}, {"evaluate", "greedy"}, {"tune"},
		{"turns"}, {"check", "--require", "#0"}, {"tokens"},
	} {
		for _, second := range []string{"nosuch.json", "nosuch/*.json", "chta.json"} {
			args := slices.Concat(verb, []string{"chat.json", second})
			code, out, diagnostics := clitest.Run("", args...)
			if code != command.Input || out != "" || strings.Count(diagnostics, "\n") != 1 || !strings.HasPrefix(diagnostics, "cupelscope: "+second+": no such file") ||
				second == "chta.json" && !strings.Contains(diagnostics, "did you mean chat.json?") {
				t.Errorf("%q: exit %d, %s%s", args, code, out, diagnostics)
			}
		}
		args := slices.Concat(verb, []string{"stats", "chat.json"})
		if code, out, diagnostics := clitest.Run("", args...); code != command.Input || out != "" || !strings.HasPrefix(diagnostics, "cupelscope: stats: no such file") {
			t.Errorf("%q: exit %d, %s%s", args, code, out, diagnostics)
		}
	}
}

// TestPastedDashes: an argument that begins with any dash is a flag or an error, unless
// it comes after -- or is a value.
func TestPastedDashes(t *testing.T) {
	clitest.Files(t)
	musttest.Do(t, os.WriteFile("–chat.json", []byte(`[{"role": "user", "content": "a", "tokens": 5}]`), 0o600))
	for _, verb := range []string{
		"", "explore", "report", "min-budget", "profile", "marginal", "sweep", "compare greedy knapsack", "evaluate", "tune", "turns", "check", "tokens", "batch", "policy", "schema", "fixtures", "runs", "sessions",
	} {
		for pasted, meant := range map[string]string{
			"–help": "--help", "—help=true": "--help", "−−help": "--help", "-–help": "--help", "‑h": "-h", "–": "-", "—nosuch": "no flag of cupelscope",
		} {
			args := append(strings.Fields(verb), "chat.json", pasted)
			if code, out, diagnostics := clitest.Run("", args...); code != command.Input || out != "" || !strings.Contains(diagnostics, meant) {
				t.Errorf("%q: exit %d, %s%s", args, code, out, diagnostics)
			}
		}
	}
	for line, meant := range map[string]string{
		"–max-tokens 8k report chat.json": "--max-tokens?", "report chat.json --max‑tokens 8k": "--max-tokens?", "report chat.json –max‑tokens=8k": "--max-tokens?",
	} {
		if code, out, diagnostics := clitest.Run("", strings.Fields(line)...); code != command.Input || out != "" || !strings.Contains(diagnostics, "did you mean "+meant) {
			t.Errorf("%s: exit %d, %s%s", line, code, out, diagnostics)
		}
	}
	for _, line := range []string{"report --max-tokens 9 ./–chat.json", "report --max-tokens 9 -- –chat.json", "report --max-tokens 9 --query –chat ./–chat.json"} {
		if code, out, diagnostics := clitest.Run("", strings.Fields(line)...); code != command.Fine || !strings.Contains(out, "–chat.json") {
			t.Errorf("%s: exit %d, %s%s", line, code, out, diagnostics)
		}
	}
}

// TestBatchExitCodes: lines that cannot be answered are a failure if all are such, or if
// --strict asks for all.
func TestBatchExitCodes(t *testing.T) {
	const good, bad = `{"items":[{"content":"a","tokens":5}],"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":9}}` + "\n", "{}\n"
	for _, c := range []struct {
		line, in string
		code     int
		says     string // on standard error
	}{
		{"batch", "", command.Fine, ""},
		{"batch --strict", good + good, command.Fine, ""},
		{"batch", good + bad, command.Fine, "2 lines answered, 1 of them with errors"},
		{"batch --strict", good + bad, command.Failed, "1 of 2 lines could not be answered"},
		{"batch", bad + bad, command.Failed, "no line could be answered"},
	} {
		code, out, diagnostics := clitest.Run(c.in, strings.Fields(c.line)...)
		if code != c.code || !strings.Contains(diagnostics, c.says) || (c.says == "") != (diagnostics == "") || strings.Count(out, "\n") != strings.Count(c.in, "\n") {
			t.Errorf("%s: exit %d, %s%s", c.line, code, out, diagnostics)
		}
	}
}

// TestMaxTokensBesideAt: --max-tokens stays where --at asks for the own budget, and where
// a target's distance from it counts.
func TestMaxTokensBesideAt(t *testing.T) {
	for _, line := range []string{"turns --fixture agent --max-tokens 8k --at own", "compare greedy knapsack --fixture agent --max-tokens 40k --at own,30k", "compare greedy knapsack --fixture agent --max-tokens 32k --target-tokens 30k --at 16k"} {
		if code, _, diagnostics := clitest.Run("", strings.Fields(line)...); code != command.Fine {
			t.Errorf("%s: exit %d, %s", line, code, diagnostics)
		}
	}
}

// TestPercentagesBelowOne: a number between 0 and 1 is refused with both readings by
// every flag that takes a percentage, and needs the sign.
func TestPercentagesBelowOne(t *testing.T) {
	clitest.Files(t)
	taking := 0
	for _, c := range verbs() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			value, _ := pflag.UnquoteUsage(f)
			if value != "PERCENT" || f.Hidden {
				return
			}
			taking++
			args := []string{c.Name(), "chat.json", "--" + f.Name, "0.8"}
			switch c.Name() {
			case "cupelscope":
				args = args[1:]
			case "compare":
				args = slices.Insert(args, 1, "greedy", "knapsack")
			case "tune":
				args = slices.Insert(args, 1, "--minimise", "budget")
			}
			code, out, diagnostics := clitest.Run("", args...)
			if says := "cupelscope: --" + f.Name + ": 0.8: write 80% (a share) or 0.8% (less than one percent)\n"; code != command.Input || out != "" || diagnostics != says {
				t.Errorf("%q: exit %d, %s%s", args, code, out, diagnostics)
			}
			args[len(args)-1] = "0.8%"
			if _, _, diagnostics := clitest.Run("", args...); strings.Contains(diagnostics, "less than one percent") {
				t.Errorf("%q: %s", args, diagnostics)
			}
		})
	}
	if taking < 16 {
		t.Errorf("%d flags take a percentage", taking)
	}
	for _, check := range []string{"minFilled", "minPrefix"} {
		musttest.Do(t, os.WriteFile("checks.json", []byte(`[{"`+check+`": 0.8}]`), 0o600))
		code, out, diagnostics := clitest.Run("", "check", "chat.json", "--max-tokens", "9", "--checks", "checks.json")
		if says := check + " is 0.8 percent: write 80 for a share of 0.8, or check it with --"; code != command.Input || out != "" || !strings.Contains(diagnostics, says) {
			t.Errorf("%s: exit %d, %s%s", check, code, out, diagnostics)
		}
	}
	scenario := `{"items":[{"content":"a","tokens":5}],"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":9,"estimationSafetyMarginPercent":0.5},"checks":[{"minFilled":0.8}]}`
	if code, out, diagnostics := clitest.Run(scenario, "report", "-o", "json"); code != command.Fine || !strings.Contains(out, `"estimationSafetyMarginPercent": 0.5`) {
		t.Errorf("a saved scenario: exit %d, %s%s", code, out, diagnostics)
	}
	if code, _, diagnostics := clitest.Run(scenario, "check"); code != command.Input || !strings.Contains(diagnostics, "minFilled is 0.8 percent") {
		t.Errorf("a saved check: exit %d, %s", code, diagnostics)
	}
}
