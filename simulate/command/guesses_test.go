package command_test

import (
	"strings"
	"testing"

	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

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
				!strings.Contains(diagnostics, "the budget is guessed: 8,000, enough for all items; give --max-tokens, or --guess") {
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
					if told = strings.Contains(rows, ",true,0"); rows == "" { // nothing is marginal: only standard error says it
						continue
					}
				}
				if told == given || verb[0] != "compare" && verb[0] != "turns" && form != "table" && form != "markdown" && strings.Contains(diagnostics, "the budget is guessed") == given {
					t.Errorf("%q: guessed said %v\n%s%s", args, told, out, diagnostics)
				}
			}
		}
	}
}
