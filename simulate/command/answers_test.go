package command_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// studies are the verbs about one source, with what each needs.
func studies() [][]string {
	return [][]string{
		{"report"}, {"min-budget"}, {"profile"}, {"marginal"}, {"sweep", "--step", "4k", "--policy-b", "knapsack"},
		{"tokens"}, {"compare", "own", "knapsack:1"}, {"check", "--require", "is:pinned", "--forbid", "is:dup"},
	}
}

// budget is the flag of a maximum, for verbs that have one.
func budget(verb []string, tokens string) []string {
	if len(verb) > 0 && (verb[0] == "tokens" || verb[0] == "runs") {
		return nil
	}
	return []string{"--max-tokens", tokens}
}

// TestFormsAgree: what is in JSON is in CSV, number by number.
func TestFormsAgree(t *testing.T) {
	_, text, _ := clitest.Run("", "min-budget", "--fixture", "retrieval", "-o", "json")
	answer := musttest.JSON[map[string]any](t, text)
	items := answer["items"].([]any)
	_, table, _ := clitest.Run("", "min-budget", "--fixture", "retrieval", "-o", "csv")
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
				bytes := musttest.Of(json.Marshal(value))(t)
				want = strings.Trim(string(bytes), `"`)
			}
			if got := lines[i+1][k]; got != want && name != "firstLine" || !ok { // its quotes are CSV's
				t.Errorf("item %d, %s: %q in CSV, %q in JSON", i, name, got, want)
			}
		}
	}
}

// TestRunsAreAlike: equal command lines give equal bytes, but for --timings.
func TestRunsAreAlike(t *testing.T) {
	run := func(args []string) string {
		var out, diagnostics bytes.Buffer
		p := command.Program{Streams: command.Streams{In: strings.NewReader(""), Out: &out, Err: &diagnostics, Now: time.Now}, Screen: clitest.Explorer{}.Screen()}
		p.Run(t.Context(), args)
		return out.String() + diagnostics.String()
	}
	for _, verb := range studies() {
		for _, form := range []string{"table", "json", "csv", "markdown"} {
			args := append(verb[:len(verb):len(verb)], "--fixture", "retrieval", "-v", "-o", form)
			musttest.Is(t, run(args), run(args), args)
		}
	}
	if text := run([]string{"report", "--fixture", "retrieval", "-o", "json", "--timings"}); !strings.Contains(text, `"durationMs": `) || !strings.Contains(text, "ran in ") {
		t.Errorf("no timings where they are asked for: %s", text)
	}
}

// TestNoContent: --no-content keeps every text out of every answer.
func TestNoContent(t *testing.T) {
	const in = `[{"content": "a secret text", "tokens": 5}, {"content": "a secret text too", "tokens": 50, "kind": "Document"}]`
	for _, verb := range studies() {
		for _, form := range []string{"table", "json", "csv", "markdown"} {
			code, out, diagnostics := clitest.Run(in, append(verb[:len(verb):len(verb)], "--no-content", "--max-tokens", "20", "-o", form)...)
			if verb[0] == "tokens" {
				code, out, diagnostics = clitest.Run(in, "tokens", "--no-content", "-o", form)
			}
			if code == command.Input || out == "" || strings.Contains(out+diagnostics, "secret") || strings.Contains(out, `"firstLine": ""`) {
				t.Errorf("%s as %s: exit %d, %s%s", verb, form, code, out, diagnostics)
			}
		}
	}
}

// TestGuessesAreSaid: a budget that nobody gave is said to be a guess in every
// form, and check does not pass on one.
func TestGuessesAreSaid(t *testing.T) {
	const chat = `[{"role": "user", "content": "hello"}]`
	for _, verb := range append(studies(), []string{"turns"}) {
		if verb[0] == "tokens" { // not about a budget
			continue
		}
		if verb[0] == "check" {
			if code, out, diagnostics := clitest.Run(chat, append(verb[:len(verb):len(verb)], "-")...); code != command.Input || out != "" ||
				!strings.Contains(diagnostics, "guessed budget: 8,000, enough for all items; give --max-tokens, or --guess") {
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
				_, out, diagnostics := clitest.Run(chat, args...)
				told := strings.Contains(out, says) && !strings.Contains(out, `"budgetGuessed": false`) && !strings.Contains(out, `"guessedCases": 0`)
				if form == "csv" {
					_, rows, _ := strings.Cut(out, "\n")
					told = strings.Contains(rows, ",true,0")
					if rows == "" { // nothing is marginal: only standard error says it
						continue
					}
				}
				if told == given || verb[0] != "compare" && verb[0] != "turns" && form != "table" && form != "markdown" && strings.Contains(diagnostics, "guessed budget") == given {
					t.Errorf("%q: guessed said %v\n%s%s", args, told, out, diagnostics)
				}
			}
		}
	}
}

// Checks of all requests tell their bound and what was measured, and their exit code
// says whether they hold, fail, or could not be decided.
func TestChecksOfRequestsAsJSON(t *testing.T) {
	const talk = `[{"role":"system","content":"aaaa bbbb cccc dddd eeee ffff gggg"},{"role":"user","content":"one two three four five"},
		{"role":"assistant","content":"six seven eight"},{"role":"user","content":"nine ten eleven"},{"role":"assistant","content":"twelve"},{"role":"user","content":"more"}]`
	type row struct {
		Verdict, Check string
		Limit, Actual  *float64
	}
	for _, c := range []struct {
		room     string
		code     int
		verdicts [2]string
		measured bool
	}{
		{"40", command.Fine, [2]string{"ok", "ok"}, true},
		{"30", command.Failed, [2]string{"ok", "failed"}, true},
		{"3", command.Input, [2]string{"undecided", "undecided"}, false},
	} {
		ratio := "2"
		if c.code == command.Failed {
			ratio = "0.1"
		}
		code, out, diagnostics := clitest.Run(talk, "check", "-", "--max-tokens", c.room, "--estimate", "chars/4", "--overflow", "truncate", "--min-prefix", "30", "--max-cost-ratio", ratio, "-o", "json")
		var answer struct{ Checks []row }
		if err := json.Unmarshal([]byte(out), &answer); err != nil || code != c.code || len(answer.Checks) != 2 {
			t.Fatalf("%s tokens: exit %d, want %d; %v; %s%s", c.room, code, c.code, err, out, diagnostics)
		}
		for k, check := range answer.Checks {
			if check.Check != [...]string{"minPrefix", "maxCostRatio"}[k] || check.Verdict != c.verdicts[k] || check.Limit == nil || (check.Actual != nil) != c.measured {
				t.Errorf("%s tokens: %+v, want %q", c.room, check, c.verdicts[k])
			}
		}
	}
}

// TestGoldenAnswers holds answers to files that are named after the command
// line. After a change: go test ./simulate/command -run Golden -update, and read the difference.
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
		"sweep --fixture coarse-knapsack --from 100 --to 400 --step 50 --policy-b knapsack:1",
		"marginal --fixture agent -o json",
		"sweep --fixture agent --over weight:recency",
		"sweep --fixture agent --over output-reserve --from 7k --to 9k -o csv",
		"profile --fixture nonmonotone --over safety-margin -o json",
	} {
		t.Run(line, func(t *testing.T) {
			code, got, diagnostics := clitest.Run("", strings.Fields(line)...)
			if code != command.Fine || diagnostics != "" {
				t.Fatalf("exit %d, diagnostics %q", code, diagnostics)
			}
			name := strings.NewReplacer(" ", "_", "#", "", ":", "-", ",", "-", "%", "p").Replace(line)
			goldentest.Check(t, filepath.Join("testdata", name+".golden"), got)
		})
	}
}
