package tui

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// runAs makes the test's own program one of programs.
const runAs = "CUPELSCOPE_TEST_RUN"

// real is cupelscope itself.
const real = "real"

var programs = map[string]func(){real: func() { os.Exit(Main(os.Args[1:])) }}

func TestMain(m *testing.M) {
	if run := programs[os.Getenv(runAs)]; run != nil {
		run()
	}
	var err error
	if folder, err = os.MkdirTemp("", "cupelscope"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// folder holds what the tests build. It is made before any test sets another TMPDIR.
var folder string

// TestBrokenPipe: a reader that has seen enough ends the program quietly.
func TestBrokenPipe(t *testing.T) {
	musttest.Alone(t)
	if runtime.GOOS == "windows" {
		t.Skip("no signal says there that nobody reads any more")
	}
	self := musttest.Of(os.Executable())(t)
	c := exec.Command(self, "sweep", "--fixture", "large", "-o", "csv")
	c.Env = append(os.Environ(), runAs+"="+real)
	var diagnostics strings.Builder
	c.Stderr = &diagnostics
	out := musttest.Of(c.StdoutPipe())(t)
	musttest.Do(t, c.Start())
	line, err := bufio.NewReaderSize(out, 16).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "maxTokens,") {
		t.Errorf("%q, %v", line, err)
	}
	out.Close()
	if err := c.Wait(); err == nil || diagnostics.Len() > 0 {
		t.Errorf("%v, diagnostics %q; want an end by a signal, and nothing said", err, diagnostics.String())
	}
}

// TestNothingIsAskedOfATerminal: help, errors and answers on a terminal that
// answers no question hold none. Verdicts are coloured where that is wanted.
func TestNothingIsAskedOfATerminal(t *testing.T) {
	musttest.Alone(t)
	if runtime.GOOS == "windows" {
		t.Skip("there is no pseudo-terminal")
	}
	self := musttest.Of(os.Executable())(t)
	for _, env := range []string{"TERM=xterm-256color", "TERM=dumb", "NO_COLOR=1"} {
		for _, line := range []string{"--help", "check --help", "help sweep", "--no-such-flag", "report no-such-file", "check --fixture agent --require kind:none", "check --fixture agent --require is:pinned", "fixtures", "--version"} {
			c := exec.Command(self, strings.Fields(line)...)
			c.Env = append(os.Environ(), runAs+"="+real, "TERM=xterm-256color", env)
			terminal, err := pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: 80})
			if err != nil {
				t.Skip("no pseudo-terminal here: ", err)
			}
			out, _ := io.ReadAll(terminal) // Linux ends it with an error
			_ = c.Wait()                   // some are to fail
			terminal.Close()
			coloured := bytes.Contains(out, []byte("\x1b[32mok\x1b[0m")) || bytes.Contains(out, []byte("\x1b[31mFAIL\x1b[0m"))
			musttest.Is(t, coloured, env == "TERM=xterm-256color" && strings.Contains(line, "--require"), env, line, "a verdict in colour")
			out = regexp.MustCompile("\x1b\\[(3[12]|0)m").ReplaceAll(out, nil)
			if len(out) == 0 || bytes.Count(out, []byte("\x1b]11;?")) > 0 || bytes.Count(out, []byte("\x1b[c")) > 0 || bytes.ContainsRune(out, '\x1b') {
				t.Errorf("%s %s: %q", env, line, out)
			}
			for row := range strings.SplitSeq(string(out), "\r\n") {
				if strings.Contains(line, "help") && len(row) > 100 {
					t.Errorf("%s: the line is too long for the terminal: %q", line, row)
				}
			}
		}
	}
}

func TestASignalIsSaid(t *testing.T) {
	ctx, stop := context.WithCancelCause(context.Background())
	stop(signalError(syscall.SIGTERM))
	for _, verb := range []string{"report", "min-budget", "compare greedy knapsack -", "batch -", "tokens"} {
		var out, diagnostics bytes.Buffer
		p := command.Program{Streams: command.Streams{In: strings.NewReader("{}\n"), Out: &out, Err: &diagnostics}, Screen: clitest.Explorer{}.Screen()}
		code := p.Run(ctx, strings.Fields(verb))
		if code != 143 || !strings.HasPrefix(diagnostics.String(), "cupelscope: stopped by a signal (terminated); what was not answered") {
			t.Errorf("%s: exit %d, %q", verb, code, diagnostics.String())
		}
	}
}
