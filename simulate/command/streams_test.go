package command_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// full cannot be written to.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestFullDevice: an answer that cannot be written is said to be so.
func TestFullDevice(t *testing.T) {
	for _, line := range []string{
		"report --fixture agent", "report -o json --fixture agent", "min-budget --fixture agent", "profile -o csv --fixture agent", "marginal -o markdown --fixture agent",
		"sweep --fixture agent", "check --require is:in --fixture agent", "tokens --fixture agent", "compare greedy knapsack --fixture agent",
		"compare greedy knapsack -o csv --fixture agent", "compare greedy knapsack -o json --fixture agent", "fixtures", "man", "--help", "min-budget --help", "--version", "completion bash",
	} {
		var diagnostics strings.Builder
		p := command.Program{Streams: command.Streams{In: strings.NewReader(""), Out: full{}, Err: &diagnostics}, Version: "of a test", Screen: clitest.Explorer{}.Screen()}
		if code := p.Run(t.Context(), strings.Fields(line)); code != command.Input || !strings.Contains(diagnostics.String(), "no space left on device") ||
			strings.Count(diagnostics.String(), "\n") != 1 {
			t.Errorf("%s: exit %d, %q", line, code, diagnostics.String())
		}
	}
}

// TestVerbsReadStandardInput: no verb falls back on a built-in scenario where
// the - was forgotten.
func TestVerbsReadStandardInput(t *testing.T) {
	const one = `[{"content": "the only item", "tokens": 5}]`
	for _, verb := range append(studies(), []string{"explore"}, nil) {
		args := append(verb[:len(verb):len(verb)], budget(verb, "9")...)
		if len(verb) > 0 && verb[0] == "check" {
			args = append(args[:1:1], "--max-tokens", "9", "--preset", "rag", "--require", `"the only item"`)
		}
		code, out, diagnostics := clitest.Run(one, args...)
		_, want, _ := clitest.Run(one, append(args, "-")...)
		if code != command.Fine || out != want {
			t.Errorf("%q: exit %d, %s\n%s\nwant\n%s", args, code, diagnostics, out, want)
		}
		var terminal bytes.Buffer
		p := command.Program{Streams: command.Streams{In: strings.NewReader(one), Typed: true, Out: &terminal, Err: &terminal}, Screen: clitest.Explorer{}.Screen()}
		if code := p.Run(t.Context(), args); code != command.Input || !strings.Contains(terminal.String(), "there is no source") {
			t.Errorf("%q with a terminal to read: exit %d, %s", args, code, terminal.String())
		}
	}
}

// TestNothingForATerminal: no help, no list and no error holds an escape sequence, since none of
// these is a terminal. What answers hold is in TestNoVerbWritesWhatIsHostile.
func TestNothingForATerminal(t *testing.T) {
	check := func(line ...string) {
		t.Helper()
		_, out, diagnostics := clitest.Run("", line...)
		musttest.Is(t, unsafe(out+diagnostics), "", line)
	}
	for _, c := range verbs() {
		line := strings.Fields(c.CommandPath())[1:]
		check(append(line, "--help")...)
		check(append(line, "--no-such-\x1b[2Jflag")...)
	}
	check("--version")
	check("fixtures")
}
