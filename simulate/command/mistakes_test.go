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

// mistakes are command lines that are refused before any work. What is not known is an
// error, and a flag that does nothing for a verb is not known to it.
var mistakes = []string{
	"help nosuch",
	"help completion nosuch",
	"completion nosuch",
	"fixtures --bucket 5",
	"tokens --max-tokens 5",
	"compare greedy knapsack --fixture agent --verbose",
	"turns --fixture agent --timings",
	"tokens --fixture agent --timings",
	"tokens --fixture agent --estimate chars/4 --verify",
	"policy --preset rag --encoding nosuch",
	"policy a.json --scenario b.json",
	"evaluate a.json --ceiling 0",
	"batch --fixture agent",
	"turns --fixture agent --max-tokens 8k --at 50%",
	"tune a.json --max-tokens 8k --at 50%",
	"evaluate --fixture agent --max-tokens 8k --at 8k,50%",
	"compare greedy knapsack --fixture agent --max-tokens 8k --at 8k --at 50%",
	"schema",
	"schema nosuch",
	"sweep --fixture agent --over recency",
	"sweep --fixture agent --over weight:recency --from 0",
	"sweep --fixture agent --over weight:recency --to 0.0005",
	"sweep --fixture agent --over weight:recency --from 2 --to 1",
	"sweep --fixture agent --over weight:recency --step 1k",
	"sweep --fixture agent --over slot:Memory --to lots",
	"sweep --fixture agent --over weight:recency --to 5000000",
	"profile --fixture agent --over max-tokens --ceiling 9k",
	"profile --fixture agent --from 3",
	"batch no-such-file",
	"report --policy no-such-file",
	"check --no-split-pairs=maybe",
	"report --strict=maybe",
	"batch --jobs two",
	"tune --seed 99999999999999999999",
	"report --fixture agent --policy=",
	"report --fixture agent --max-tokens=",
	"profile --fixture agent --item 3 --item=",
	"compare greedy knapsack --at=",
	"report chat.json --max-token 8k",
	"report chat.json --max 8k",
	"report chat.json --json",
	"report chat.json --rag",
	"report chat.json --budget 8k",
	"tune labelled.jsonl --minimize budget",
	"report -version",
	"report chat.json -preset rag",
	"--colour",
	"report chta.json",
	"compare chat.json",
	"compare greedy chat.json",
	"compare chat.json greedy knapsack",
	"compare greedy policy2.json chat.json",
	"report chat.json --policy rag",
	"report chat.json --policy greedy",
	"report policy.json",
	"report chat.json --preset ragg",
	"report chat.json --slicer greddy",
	"report chat.json --model gpt-foo",
	"report chat.json --model calude-opus",
	"report",
	"version",
	"man report",
	"fixtures nosuch",
	"https://example.com/chat.json",
	"report https://example.com/chat.json",
	"min-bugdet",
	"sweeep",
	"stats",
	"no-file-at-all.json",
	"report chat.json –max-tokens 8k",
	"check chat.json --min-filled 0.8",
	"report chat.json --max-tokens 8k --max-tokens 9k",
	"sweep chat.json --step 1 --to 1000000000",
	"report chat.json --shrink tool=2000 --shrink off",
}

// TestMistakes: each mistake ends with exit code 2 and one line on standard error, whose words
// are in the golden file.
func TestMistakes(t *testing.T) {
	golden := musttest.Of(filepath.Abs("testdata/mistakes.golden"))(t)
	clitest.Files(t)
	musttest.Do(t, os.WriteFile("policy.json", []byte(`{"scorers": [{"type": "recency", "weight": 1}]}`), 0o600))
	var words strings.Builder
	for _, line := range mistakes {
		code, out, diagnostics := clitest.Run("", strings.Fields(line)...)
		if code != command.Input || out != "" || strings.Count(diagnostics, "\n") != 1 {
			t.Errorf("%s: exit %d, %s%s", line, code, out, diagnostics)
		}
		words.WriteString("$ cupelscope " + line + "\n" + diagnostics + "\n")
	}
	goldentest.Check(t, golden, words.String())
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
