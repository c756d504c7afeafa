package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"cupelscope/model"
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
	musttest.Alone(t)
	for _, c := range []struct{ line, says string }{
		{"help", "Commands:"}, {"help sweep", "cupelscope sweep"}, {"help completion bash", "bash-completion"}, {"completion", "bash"},
		{"check --help", "--max-below-best PERCENT"}, {"report --help", "--max-tokens TOKENS"}, {"report --help", "Budget:"},
	} {
		if code, out, diagnostics := clitest.Run("", strings.Fields(c.line)...); code != command.Fine || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit %d, %s%s, want %q", c.line, code, out, diagnostics, c.says)
		}
	}
	if _, out, _ := clitest.Run("", "--version"); out != "cupelscope of a test\n" {
		t.Errorf("--version: %q", out)
	}
	for _, c := range verbs() { // what a flag takes is said in a word of its own
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if value, _ := pflag.UnquoteUsage(f); slices.Contains([]string{"string", "strings", "stringArray", "int"}, value) {
				t.Errorf("%s: --%s %s", c.Name(), f.Name, value)
			}
		})
		if c.HasParent() {
			_, out, _ := clitest.Run("", "help", c.Name())
			_, flag, _ := clitest.Run("", c.Name(), "--help")
			musttest.Is(t, out, flag, c.Name(), "by the command and by the flag")
		}
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
		for sources, says := range map[string]string{
			"chat.json nosuch.json": "nosuch.json: no such file", "chat.json nosuch/*.json": "nosuch/*.json: no such file", "stats chat.json": "stats: no such file",
			"chat.json chta.json": "chta.json: no such file or directory; did you mean chat.json?",
		} {
			args := slices.Concat(verb, strings.Fields(sources))
			code, out, diagnostics := clitest.Run("", args...)
			if code != command.Input || out != "" || strings.Count(diagnostics, "\n") != 1 || !strings.HasPrefix(diagnostics, "cupelscope: "+says) {
				t.Errorf("%q: exit %d, %s%s", args, code, out, diagnostics)
			}
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
		code, out, diagnostics := clitest.Run(c.stdin, strings.Fields(c.line)...)
		if code != command.Fine || !strings.Contains(out, c.holds) || len(c.says) == 0 && diagnostics != "" {
			t.Errorf("%s: exit %d\n%s%s", c.line, code, out, diagnostics)
		}
		for _, says := range c.says {
			musttest.Says(t, diagnostics, says, c.line)
		}
		if strings.Contains(c.line, "--budget") {
			musttest.Is(t, json.Unmarshal([]byte(out), new(model.Budget)), nil, c.line)
		} else if _, err := model.ParsePolicy([]byte(out)); err != nil {
			t.Errorf("%s: %v", c.line, err)
		}
	}
}

// TestOptsOfTheEnvironment: the flags of CUPELSCOPE_OPTS hold for every command that has them,
// unless one is typed; what it may not hold is refused before any work.
func TestOptsOfTheEnvironment(t *testing.T) {
	musttest.Alone(t)
	clitest.Files(t)
	run := func(opts, line string) (code int, out, diagnostics string) {
		var o, d strings.Builder
		p := command.Program{Opts: opts, Screen: clitest.Explorer{}.Screen(), Streams: command.Streams{In: strings.NewReader(""), Out: &o, Err: &d}}
		code = p.Run(context.Background(), strings.Fields(line))
		return code, o.String(), d.String()
	}
	for _, c := range []struct{ opts, line, same string }{
		{"", "tokens chat.json", "tokens chat.json"},
		{"--model gpt-4", "tokens chat.json", "tokens chat.json --model gpt-4"},
		{"--model=gpt-4 --ascii", "tokens chat.json --model claude-opus-5", "tokens chat.json --model claude-opus-5 --ascii"},
		{"--price 3 --ascii=false", "turns session.jsonl --at 20k", "turns session.jsonl --at 20k --price 3"},
		{"--price 3 --theme light --no-mouse", "fixtures", "fixtures"},
	} {
		code, out, diagnostics := run(c.opts, c.line)
		if _, want, told := run("", c.same); code != command.Fine || out != want || diagnostics != told {
			t.Errorf("%s with %q: exit %d, %s%s\nwant\n%s%s", c.line, c.opts, code, out, diagnostics, want, told)
		}
	}
	for opts, says := range map[string]string{
		"--max-tokens 8k": "unknown flag: --max-tokens; it may hold --theme", "light": `"light" is no flag`, "--model": "needs an argument", "--model=": "--model is empty", "--no-mouse=often": `"often" must be true or false`,
		"--help": "--help is not for every run", "--theme light --theme dark": `--theme is given twice: "light" and "dark"`,
	} {
		if code, out, diagnostics := run(opts, "fixtures"); code != command.Input || out != "" || !strings.HasPrefix(diagnostics, "cupelscope: CUPELSCOPE_OPTS: ") || !strings.Contains(diagnostics, says) {
			t.Errorf("%q: exit %d, %s%s", opts, code, out, diagnostics)
		}
	}
}

// TestVerdictsAreColoured: on a terminal that shows colours, in a table alone.
func TestVerdictsAreColoured(t *testing.T) {
	check := func(colour bool, form string) string {
		var out, diagnostics strings.Builder
		p := command.Program{Screen: clitest.Explorer{}.Screen(), Streams: command.Streams{Out: &out, Err: &diagnostics, Colour: colour, Width: 100}}
		args := []string{"check", "--fixture", "agent", "--require", "is:pinned", "--forbid", "is:pinned", "-o", form}
		if code := p.Run(t.Context(), args); code != command.Failed {
			t.Fatalf("exit %d, %s", code, diagnostics.String())
		}
		return out.String()
	}
	plainly := check(false, "table")
	got := check(true, "table")
	musttest.Says(t, got, "\n\x1b[32mok\x1b[0m       require")
	musttest.Says(t, got, "\n\x1b[31mFAIL\x1b[0m     forbid")
	musttest.Is(t, strings.NewReplacer("\x1b[32m", "", "\x1b[31m", "", "\x1b[0m", "").Replace(got), plainly, "without its colours")
	for _, form := range []string{"json", "csv", "markdown"} {
		if strings.Contains(check(true, form), "\x1b") {
			t.Errorf("%s is coloured", form)
		}
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
		p := command.Program{Streams: command.Streams{In: strings.NewReader(""), Out: full{}, Err: &diagnostics}, Version: "of a test", Screen: clitest.Explorer{}.Screen()}
		if code := p.Run(t.Context(), strings.Fields(line)); code != command.Input || !strings.Contains(diagnostics.String(), "no space left on device") ||
			strings.Count(diagnostics.String(), "\n") != 1 {
			t.Errorf("%s: exit %d, %q", line, code, diagnostics.String())
		}
	}
}

// A note that cannot be written makes no good answer bad, and hides no bad one.
func TestALostNoteChangesNoExitCode(t *testing.T) {
	for line, want := range map[string]int{
		"batch --verbose": command.Fine, "report --verbose": command.Fine, "check --verbose --require is:in": command.Fine, "check --verbose --forbid is:in": command.Failed,
		"check --require is:": command.Input,
	} {
		stdin := "" // for a fixture
		if strings.HasPrefix(line, "batch") {
			stdin = `{"items":[{"content":"a"}],"budget":{"maxTokens":9},"policy":{"scorers":[{"type":"recency","weight":1}]}}`
		} else {
			line += " --fixture agent"
		}
		var out strings.Builder
		p := command.Program{Streams: command.Streams{In: strings.NewReader(stdin), Out: &out, Err: full{}}, Screen: clitest.Explorer{}.Screen()}
		if code := p.Run(t.Context(), strings.Fields(line)); code != want || (out.Len() == 0) != (want == command.Input) {
			t.Errorf("%s: exit %d, want %d; %d bytes of an answer", line, code, want, out.Len())
		}
	}
}

// TestVerbsReadStandardInput: no verb falls back on a built-in scenario where
// the - was forgotten.
func TestVerbsReadStandardInput(t *testing.T) {
	const one = `[{"content": "the only item", "tokens": 5}]`
	for _, verb := range append(studies(), []string{"explore"}, []string{"runs"}, nil) {
		args := append(verb[:len(verb):len(verb)], budget(verb, "9")...)
		if len(verb) > 0 && verb[0] == "check" {
			args = append(args[:1:1], "--max-tokens", "9", "--preset", "rag", "--require", `"the only item"`)
		}
		code, out, diagnostics := clitest.Run(one, args...)
		_, want, _ := clitest.Run(one, append(args, "-")...)
		musttest.Is(t, code, command.Fine, args, "exit", diagnostics)
		musttest.Is(t, out, want, args, "exit", diagnostics)
		var terminal bytes.Buffer
		p := command.Program{Streams: command.Streams{In: strings.NewReader(one), Typed: true, Out: &terminal, Err: &terminal}, Screen: clitest.Explorer{}.Screen()}
		if code := p.Run(t.Context(), args); code != command.Input || !strings.Contains(terminal.String(), "there is no source") {
			t.Errorf("%q with a terminal to read: exit %d, %s", args, code, terminal.String())
		}
	}
}

// TestNothingForATerminal: no help, no list and no error holds an escape sequence, since none of
// these is a terminal. What answers hold is in TestNoVerbWritesWhatIsHostile.
func TestNothingForATerminal(t *testing.T) {
	check := func(line ...string) {
		t.Helper()
		_, out, diagnostics := clitest.Run("", line...)
		musttest.Is(t, unsafe(out+diagnostics), "", line)
	}
	for _, c := range verbs() {
		line := strings.Fields(c.CommandPath())[1:]
		check(append(line, "--help")...)
		check(append(line, "--no-such-\x1b[2Jflag")...)
	}
	check("--version")
	check("fixtures")
}

// A run makes the flags of its own command, not the thousand of all commands.
func TestARunMakesTheFlagsOfOneCommand(t *testing.T) {
	one := testing.AllocsPerRun(1, func() { clitest.Run("", "schema", "budget") })
	all := testing.AllocsPerRun(1, func() { clitest.Run("", "--version") })
	if one > all/2 {
		t.Errorf("schema allocates %.0f times, --version %.0f times", one, all)
	}
}
