package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// TestMistakes: each command line of the golden file is refused before any work, with exit code
// 2 and the line on standard error that follows it there. What is not known is an error, and a
// flag that does nothing for a verb is not known to it. For a new mistake, write "$ cupelscope"
// and the rest of its command line into the file, and run this with -update.
func TestMistakes(t *testing.T) {
	musttest.Alone(t)
	golden := musttest.Of(filepath.Abs("testdata/mistakes.golden"))(t)
	transcript := string(musttest.Of(os.ReadFile(golden))(t))
	clitest.Files(t)
	for name, text := range map[string]string{
		"policy.json": `{"scorers": [{"type": "recency", "weight": 1}]}`, "broken.json": `{"scorers": []}`, "object.json": "{}", "checks.json": `[{"stable": "x"}]`,
		"items.json": `[{"content": "a", "tokens": 5}, "no item"]`, "pinned.json": `[{"content": "a", "tokens": 20, "pinned": true}]`, "utf16.jsonl": "\xff\xfe{\x00}\x00",
		"nothing.json": "nothing", "nobudget.json": `{"items": [], "policy": {"scorers": [{"type": "kind", "weight": 1}]}}`,
		"quotas.json": `{"items": [], "policy": {"scorers": [{"type": "kind", "weight": 1}], "quotas": [{"kind": "a", "minPercent": 1}]}, "budget": {"maxTokens": 1}}`,
	} {
		musttest.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	files := musttest.Of(os.ReadDir("."))(t)
	var words strings.Builder
	for text := range strings.Lines(transcript) {
		line, typed := strings.CutPrefix(strings.TrimSuffix(text, "\n"), "$ cupelscope ")
		if !typed {
			continue
		}
		code, out, diagnostics := clitest.Run("", strings.Fields(line)...)
		if code != command.Input || out != "" || strings.Count(diagnostics, "\n") != 1 {
			t.Errorf("%s: exit %d, %s%s", line, code, out, diagnostics)
		}
		words.WriteString("$ cupelscope " + line + "\n" + diagnostics + "\n")
	}
	goldentest.Check(t, golden, words.String())
	musttest.Is(t, len(musttest.Of(os.ReadDir("."))(t)), len(files), "files are there when all is refused")
}

// TestACommandLineToBeCopied: it is one line, for which no terminal is too narrow, with the
// flags as they were typed.
func TestACommandLineToBeCopied(t *testing.T) {
	clitest.Files(t)
	var out, diagnostics strings.Builder
	p := command.Program{Screen: clitest.Explorer{}.Screen(), Streams: command.Streams{Out: &out, Err: &diagnostics, Width: 60}}
	args := strings.Fields("evaluate questions.jsonl --labels qrels.txt --at 20 --preset rag --no-dedup --query something --shrink *=9 --shrink-pinned --slack 2")
	if code := p.Run(t.Context(), args); code != command.Fine {
		t.Fatalf("exit %d, %s", code, diagnostics.String())
	}
	_, line, _ := strings.Cut(out.String(), "\ncupelscope ")
	line, _, _ = strings.Cut(line, "\n")
	if want := "questions.jsonl --select 1 --labels qrels.txt --query something --max-tokens 20 --slack 2 --preset rag --shrink '*=9' --shrink-pinned --no-dedup"; line != want {
		t.Errorf("the line to open the worst case is %q in\n%s", line, out.String())
	}
}
