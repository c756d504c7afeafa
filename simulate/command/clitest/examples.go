package clitest

import (
	"os"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
)

// Line returns the arguments of a command line as the help and the README write
// it, and the file that it pipes in. It fails the test if the line runs another
// program than cupelscope.
func Line(t *testing.T, line string) (args []string, stdin string) {
	t.Helper()
	args = Words(line)
	if len(args) > 3 && args[0] == "cat" && args[2] == "|" {
		text := musttest.Of(os.ReadFile(args[1]))(t)
		args, stdin = args[3:], string(text)
	}
	if n := len(args); n > 2 && args[n-2] == ">" {
		args = args[:n-2]
	}
	if len(args) == 0 || args[0] != "cupelscope" {
		t.Fatalf("%q does not run cupelscope", line)
	}
	return args[1:], stdin
}

// Words splits a command line as a shell does, without the quotes.
func Words(line string) []string {
	var all []string
	var b strings.Builder
	quote, open := rune(0), false
	for _, r := range line + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ':
			if open {
				all = append(all, b.String())
			}
			b.Reset()
			open = false
		default:
			b.WriteRune(r)
			open = true
		}
	}
	return all
}

// Files makes a temporary folder the current one, and writes the files to it
// that the examples of the help and of the documents name.
func Files(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if code, _, diagnostics := Run("", "fixtures", "--write", "."); code != command.Fine {
		t.Fatal(diagnostics)
	}
}
