package command_test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// verbs returns all commands.
func verbs() []*cobra.Command {
	root := command.Program{Screen: clitest.Explorer{}}.Command()
	return append(root.Commands(), root)
}

// TestExamples runs every example of the help.
func TestExamples(t *testing.T) {
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
