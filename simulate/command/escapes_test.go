package command_test

import (
	"strings"
	"testing"

	"cupelscope/simulate/command/clitest"
)

// TestNothingForATerminal: no help, no list and no error holds an escape sequence, since none of
// these is a terminal. What answers hold is in TestNoVerbWritesWhatIsHostile.
func TestNothingForATerminal(t *testing.T) {
	check := func(line ...string) {
		t.Helper()
		_, out, diagnostics := clitest.Run("", line...)
		if why := unsafe(out + diagnostics); why != "" {
			t.Errorf("%q: %s", line, why)
		}
	}
	for _, c := range verbs() {
		line := strings.Fields(c.CommandPath())[1:]
		check(append(line, "--help")...)
		check(append(line, "--no-such-\x1b[2Jflag")...)
	}
	check("--version")
	check("fixtures")
}
