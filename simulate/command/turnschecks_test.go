package command_test

import (
	"encoding/json"
	"testing"

	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

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
		{"20", command.Failed, [2]string{"ok", "failed"}, true},
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
