package command_test

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// verbs returns all commands.
func verbs() []*cobra.Command {
	root := command.Program{Screen: clitest.Explorer{}.Screen()}.Command()
	return append(root.Commands(), root)
}

// TestExamples runs every example of the help.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every example")
	}
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

// TestSamplesAreWritten: fixtures --write makes the folder and names its files; what is there
// and holds something else is kept, and then nothing is written.
func TestSamplesAreWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	for range 2 { // the same files again are fine
		code, out, diagnostics := clitest.Run("", "fixtures", "--write", "a/b")
		if _, err := os.Stat("a/b/session.jsonl"); code != command.Fine || err != nil || !strings.Contains(out, "session.jsonl") {
			t.Fatalf("exit %d, %v, %s%s", code, err, out, diagnostics)
		}
	}
	musttest.Do(t, os.WriteFile("session.jsonl", []byte("mine"), 0o600))
	code, out, diagnostics := clitest.Run("", "fixtures", "--write", ".")
	if files, _ := os.ReadDir("."); code != command.Input || out != "" || len(files) != 2 || !strings.Contains(diagnostics, "session.jsonl is there and holds something else") {
		t.Errorf("exit %d, %d files, %s%s", code, len(files), out, diagnostics)
	}
	// A link that leads nowhere would put a file elsewhere.
	musttest.Do(t, os.Mkdir("links", 0o700))
	musttest.Do(t, os.Symlink("../elsewhere", "links/session.jsonl"))
	code, out, diagnostics = clitest.Run("", "fixtures", "--write", "links")
	if _, err := os.Stat("elsewhere"); code != command.Input || out != "" || err == nil || !strings.Contains(diagnostics, "links/session.jsonl is there and holds something else") {
		t.Errorf("exit %d, %v, %s%s", code, err, out, diagnostics)
	}
}

// A folder is named without the escape sequences that its name may have.
func TestSamplesAreNamedInPlainText(t *testing.T) {
	t.Chdir(t.TempDir())
	code, out, diagnostics := clitest.Run("", "fixtures", "--write", "a\x1b]0;title\x07b\xff")
	if code != command.Fine || strings.ContainsAny(out, "\x1b\x07") || !utf8.ValidString(out) {
		t.Errorf("exit %d, %q%s", code, out, diagnostics)
	}
}

// The manual page names flags as they are typed, each once and none that is
// hidden, and its head is one that fits.
func TestManualPage(t *testing.T) {
	code, page, diagnostics := clitest.Run("", "man")
	if code != command.Fine {
		t.Fatalf("exit %d, %s", code, diagnostics)
	}
	for _, has := range []string{"\"User Commands\"\n", "max-tokens TOKENS", "output FORM, \\-o", "max-below-best PERCENT", "EXIT STATUS", "min-budget", "\n.SH ENVIRONMENT\n", "CUPELSCOPE_OPTS", "\n.SH EXAMPLES\n.nf\ncupelscope session.jsonl\n", "written 80 or 80%; below", ".TH CUPELSCOPE 1 \"\" "} {
		musttest.Says(t, strings.ReplaceAll(page, "\\-", "-"), strings.ReplaceAll(has, "\\-", "-"), "the page")
	}
	for _, not := range []string{"`", "%!", "%%"} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
	musttest.Is(t, strings.Count(strings.ReplaceAll(page, "\\-", "-"), "max-tokens TOKENS"), 1, "--max-tokens is described")
}
