package command_test

import (
	"context"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// TestOptsOfTheEnvironment: the flags of CUPELSCOPE_OPTS hold for every command that has them,
// unless one is typed; what it may not hold is refused before any work.
func TestOptsOfTheEnvironment(t *testing.T) {
	clitest.Files(t)
	run := func(opts, line string) (code int, out, diagnostics string) {
		var o, d strings.Builder
		p := command.Program{Opts: opts, Screen: clitest.Explorer{}.Screen(), Streams: command.Streams{In: strings.NewReader(""), Out: &o, Err: &d}}
		code = p.Run(context.Background(), strings.Fields(line))
		return code, o.String(), d.String()
	}
	for _, c := range []struct{ opts, line, same string }{
		{"", "tokens chat.json", "tokens chat.json"},
		{"--model gpt-4", "tokens chat.json", "tokens chat.json --model gpt-4"},
		{"--model=gpt-4 --ascii", "tokens chat.json --model claude-opus-5", "tokens chat.json --model claude-opus-5 --ascii"},
		{"--price 3 --ascii=false", "turns session.jsonl --at 20k", "turns session.jsonl --at 20k --price 3"},
		{"--price 3 --theme light --no-mouse", "fixtures", "fixtures"},
	} {
		code, out, diagnostics := run(c.opts, c.line)
		if _, want, told := run("", c.same); code != command.Fine || out != want || diagnostics != told {
			t.Errorf("%s with %q: exit %d, %s%s\nwant\n%s%s", c.line, c.opts, code, out, diagnostics, want, told)
		}
	}
	for opts, says := range map[string]string{
		"--max-tokens 8k": "unknown flag: --max-tokens; it may hold --theme", "light": `"light" is no flag`, "--model": "needs an argument", "--model=": "--model is empty", "--no-mouse=often": `"often" must be true or false`,
		"--help": "--help is not for every run", "--theme light --theme dark": `--theme is given twice: "light" and "dark"`,
	} {
		if code, out, diagnostics := run(opts, "fixtures"); code != command.Input || out != "" || !strings.HasPrefix(diagnostics, "cupelscope: CUPELSCOPE_OPTS: ") || !strings.Contains(diagnostics, says) {
			t.Errorf("%q: exit %d, %s%s", opts, code, out, diagnostics)
		}
	}
}

// TestVerdictsAreColoured: on a terminal that shows colours, in a table alone.
func TestVerdictsAreColoured(t *testing.T) {
	check := func(colour bool, form string) string {
		var out, diagnostics strings.Builder
		p := command.Program{Screen: clitest.Explorer{}.Screen(), Streams: command.Streams{Out: &out, Err: &diagnostics, Colour: colour, Width: 100}}
		args := []string{"check", "--fixture", "agent", "--require", "is:pinned", "--forbid", "is:pinned", "-o", form}
		if code := p.Run(t.Context(), args); code != command.Failed {
			t.Fatalf("exit %d, %s", code, diagnostics.String())
		}
		return out.String()
	}
	plainly := check(false, "table")
	got := check(true, "table")
	if !strings.Contains(got, "\n\x1b[32mok\x1b[0m       require") || !strings.Contains(got, "\n\x1b[31mFAIL\x1b[0m     forbid") {
		t.Errorf("got\n%q", got)
	}
	musttest.Is(t, strings.NewReplacer("\x1b[32m", "", "\x1b[31m", "", "\x1b[0m", "").Replace(got), plainly, "without its colours")
	for _, form := range []string{"json", "csv", "markdown"} {
		if strings.Contains(check(true, form), "\x1b") {
			t.Errorf("%s is coloured", form)
		}
	}
}
