package command_test

import (
	"strings"
	"testing"

	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// The manual page names flags as they are typed, each once and none that is
// hidden, and its head is one that fits.
func TestManualPage(t *testing.T) {
	code, page, diagnostics := clitest.Run("", "man")
	if code != command.Fine {
		t.Fatalf("exit %d, %s", code, diagnostics)
	}
	for _, has := range []string{"\"User Commands\"\n", "max-tokens TOKENS", "output FORM, \\-o", "max-below-best PERCENT", "EXIT STATUS", "min-budget", "\n.SH ENVIRONMENT\n", "CUPELSCOPE_OPTS", "\n.SH EXAMPLES\n.nf\ncupelscope session.jsonl\n", "as in 80 or 80%; one", ".TH CUPELSCOPE 1 \"\" "} {
		if !strings.Contains(strings.ReplaceAll(page, "\\-", "-"), strings.ReplaceAll(has, "\\-", "-")) {
			t.Errorf("the page lacks %q", has)
		}
	}
	for _, not := range []string{"`", "%!", "%%"} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
	if n := strings.Count(strings.ReplaceAll(page, "\\-", "-"), "max-tokens TOKENS"); n != 1 {
		t.Errorf("--max-tokens is described %d times", n)
	}
}
