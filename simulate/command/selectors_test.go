package command_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// TestSelectors: every sort of term names items in every verb that takes one.
func TestSelectors(t *testing.T) {
	for n, selector := range []string{
		"15", "12-20", "#15", "#12-20", "kind:tool", "firstIn<32k", "staysFrom<32k", "is:in", "is:out", "is:risk", "is:pinned", "-is:dup", "tok>500", "score>=.5", `"go test"`,
		"kind:tool is:in tok>500 firstIn<32k", "race",
	} {
		for k, line := range [][]string{
			{"min-budget", "--item"}, {"profile", "--item"}, {"marginal", "--item"},
			{"sweep", "--step", "8k", "--item"}, {"check", "--stays-by", "93k", "--for"},
		} {
			if testing.Short() && (n+k)%4 > 0 {
				continue
			}
			args := append(append(line, selector), "--fixture", "agent", "-o", "json")
			code, out, diagnostics := clitest.Run("", args...)
			if line[0] == "check" && code == command.Failed { // what is out at the end does not stay
				code = command.Fine
			}
			if code != command.Fine || !json.Valid([]byte(out)) || diagnostics != "" && line[0] != "check" {
				t.Errorf("%q: exit %d, %s", args, code, diagnostics)
			}
		}
	}
	for _, c := range []struct{ name, selector, says string }{
		{"none", "kind:nothing", `--item "kind:nothing": none of 65 items matches`},
		{"broken", "is:lost", `--item "is:lost": query, character 4`},
	} {
		code, out, diagnostics := clitest.Run("", "min-budget", "--fixture", "agent", "--item", c.selector)
		if code != command.Input || out != "" || !strings.Contains(diagnostics, c.says) {
			t.Errorf("%s: exit %d, %q, want %q", c.name, code, diagnostics, c.says)
		}
	}
	// Several name more.
	_, out, _ := clitest.Run("", "profile", "--fixture", "agent", "--item", "#15", "--item", "#3", "-o", "csv")
	if !strings.Contains(out, "\n3,") || !strings.Contains(out, "\n15,") || strings.Contains(out, "\n4,") {
		t.Errorf("two selectors: %s", out)
	}
}
