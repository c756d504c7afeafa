package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/session"
)

// The explorer's flags are checked whether or not there is a screen, and one
// that is known reaches the explorer.
func TestTheExplorersFlags(t *testing.T) {
	for _, c := range []struct {
		name     string
		terminal bool
		args     []string
		code     int
		err      string // what the diagnostics hold
		theme    string // that the explorer is shown with
	}{
		{"a theme", true, []string{"-", "--max-tokens", "9", "--theme", "light"}, command.Fine, "", "light"},
		{"a screen by name", true, []string{"explore", "./x", "--max-tokens", "9"}, command.Fine, "", "auto"},
		{"a view that is not known", true, []string{"-", "--view", "\x1b[2Jall"}, command.Input, "known are items, compare", ""},
		{"a view that is not known, without a screen", false, []string{"-", "--view", "all"}, command.Input, `--view: "all" is not known`, ""},
		{"colours that are not known", true, []string{"-", "--colours", "8"}, command.Input, `--colours: "8" is not known; known are true, 256, 16`, ""},
		{"the usual name of another program's flag", false, []string{"explore", "-", "--no-color"}, command.Input, `has no flag --no-color: did you mean --theme none?`, ""},
		{"a theme that is not known, without a screen", false, []string{"explore", "-", "--theme", "blue"}, command.Input, `--theme: "blue" is not known; known are auto, dark`, ""},
	} {
		flags, theme := newScreen(), ""
		explorer := clitest.Explorer{Flagged: flags.screen(), Shown: func(session.Options) error { theme = flags.theme; return nil }}
		code, out, diagnostics := explorer.Run(c.terminal, `[{"content": "a", "tokens": 5}]`, c.args...)
		if code != c.code || theme != c.theme || out != "" || !strings.Contains(diagnostics, c.err) || strings.Contains(diagnostics, "\x1b") {
			t.Errorf("%s: exit %d, theme %q\nout %q\nerr %q", c.name, code, theme, out, diagnostics)
		}
	}
}

// Every flag of the explorer says in a word of its own what it takes, and the
// shell is offered the values of --theme.
func TestTheExplorersFlagsAreOffered(t *testing.T) {
	explorer := clitest.Explorer{Flagged: newScreen().screen()}
	command.Program{Screen: explorer.Screen()}.Command().LocalFlags().VisitAll(func(f *pflag.Flag) {
		if value, _ := pflag.UnquoteUsage(f); slices.Contains([]string{"string", "strings", "stringArray", "int"}, value) {
			t.Errorf("--%s %s", f.Name, value)
		}
	})
	code, out, _ := explorer.Run(false, "", "__complete", "--theme", "")
	if lines := strings.Fields(out); code != command.Fine || !slices.Equal(lines[:min(5, len(lines))], []string{"auto", "dark", "light", "none", ":4"}) {
		t.Errorf("exit %d, %q", code, out)
	}
}

// shoot runs the program until the screen can be drawn after the keys.
func shoot(t *testing.T, args ...string) (code int, out, said string) {
	t.Helper()
	var answer, diagnostics strings.Builder
	s := command.Streams{In: strings.NewReader(""), Out: &answer, Err: &diagnostics, Now: time.Now}
	code = command.Program{Streams: s, Screen: newScreen().screen()}.Run(t.Context(), args)
	return code, answer.String(), diagnostics.String()
}

// A report that the explorer writes is, byte for byte, what the command report prints: it says that
// a budget was guessed, what is not known, and how much of what is needed is in. Only the ceiling of
// its JSON may be another, for B has a say in it.
func TestTheExplorerWritesTheReportOfTheCommand(t *testing.T) {
	musttest.Alone(t)
	dir := t.TempDir()
	chat, labels := filepath.Join(dir, "chat.json"), filepath.Join(dir, "qrels")
	musttest.Do(t, os.WriteFile(chat, []byte(`[{"role":"system","content":"Answer."},{"role":"user","content":"What is it?"},{"role":"assistant","content":"A test of the report."}]`), 0o600))
	musttest.Do(t, os.WriteFile(labels, []byte("q 0 1 1\n"), 0o600))
	ceiling := regexp.MustCompile(`"ceiling": \d+`)
	for _, flags := range [][]string{{}, {"--max-tokens", "9"}, {"--max-tokens", "9", "--labels", labels}} {
		for key, form := range map[string]string{"t": "table", "m": "markdown", "c": "csv", "r": "json"} {
			written := filepath.Join(dir, "report")
			if err := os.Remove(written); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			source := append([]string{chat}, flags...)
			if code, _, said := shoot(t, append(source, "--shot", filepath.Join(dir, "s.txt"), "--keys", "E"+key+"<ctrl+u>"+written+"<enter>")...); code != command.Fine {
				t.Fatalf("exit %d, %s", code, said)
			}
			code, want, said := shoot(t, append(append([]string{"report"}, source...), "-o", form)...)
			got, err := os.ReadFile(written)
			if err != nil || code != command.Fine || ceiling.ReplaceAllString(string(got), "") != ceiling.ReplaceAllString(want, "") {
				t.Errorf("%v as %s: exit %d, %v, %s\n%s\nthe command prints\n%s", flags, form, code, err, said, got, want)
			}
		}
	}
}

// TestAShotNeedsNoTerminal writes a picture where standard output is no terminal.
func TestAShotNeedsNoTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "map.txt")
	if code, _, said := shoot(t, "--fixture", "agent", "--shot", file, "--size", "80x24", "--keys", "]3"); code != command.Fine || !strings.Contains(said, "wrote "+file) {
		t.Errorf("exit %d, %q", code, said)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "[3 Map]") || !strings.Contains(string(text), "32,048") {
		t.Errorf("%v\n%s", err, text)
	}
	for want, args := range map[string][]string{
		"are for --shot":  {"--fixture", "agent", "--keys", "j"},
		"it is read here": {file, "--shot", file},
		"one moment":      {file, "--shot", file, "--follow"},
		"no-such":         {"no-such.json", "--shot", file},
		"--shot: writing": {"--fixture", "agent", "--shot", t.TempDir() + "/no-such/x.svg"},
	} {
		if code, _, said := shoot(t, args...); code != command.Input || !strings.Contains(said, want) {
			t.Errorf("%v: exit %d, %q, want %q", args, code, said, want)
		}
	}
}
