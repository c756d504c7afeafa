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
	"report chat.json --no-color",
	"report chat.json --verify",
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
	"report chat.json --max-tokens many",
	"report chat.json --slack=-1",
	"report chat.json --slot Memory",
	"report chat.json --slot =5",
	"report chat.json --slot Memory=many",
	"report chat.json --slot Memory=5 --slot memory=6",
	"report chat.json --safety-margin some",
	"report chat.json --safety-margin 101",
	"report chat.json --safety-margin NaN",
	"report chat.json --preset chat --policy policy.json",
	"report chat.json --policy broken.json",
	"report chat.json --placer best",
	"report chat.json --overflow best",
	"report chat.json --format best",
	"report chat.json --encoding best",
	"report chat.json --output best",
	"report chat.json --slicer greedy --bucket 5",
	"report --fixture best",
	"report chat.json --fixture agent",
	"report items.json --strict",
	"compare greedy:5 greedy chat.json",
	"compare own knapsack:0 chat.json",
	"compare own knapsack:many chat.json",
	"compare own greedy chat.json --at 8k,many",
	"compare own greedy chat.json --at 0%",
	"compare own greedy chat.json --jobs=-1",
	"compare own greedy chat.json --fixture agent",
	"turns --fixture nonmonotone",
	"turns chat.json --low 0",
	"turns chat.json --at 1k,2k",
	"turns chat.json --cache disk",
	"turns chat.json --cache-read=-1",
	"turns chat.json --cache-step 0",
	"turns chat.json --price 0",
	"turns chat.json --strategy random",
	"turns chat.json --policy-b nothing",
	"turns chat.json --slicer stream --keep-pairs",
	"turns chat.json --plan claer:keep=2",
	"turns chat.json --plan clear:kep=2",
	"turns chat.json --plan clear:keep=-2",
	"turns chat.json --plan drop --plan drop",
	"turns chat.json --plan drop --strategy clear",
	"turns chat.json --output-ratio dear",
	"turns chat.json --fixed-prefix many",
	"turns chat.json --map trigger",
	"turns chat.json --map triger,keep",
	"turns chat.json --map keep=1+1,trigger",
	"turns chat.json --map keep,keep",
	"turns chat.json --map keep=1+x,trigger",
	"turns chat.json --map keep=2000000,trigger=1",
	"batch a.jsonl b.jsonl",
	"batch scenarios.jsonl --format items",
	"batch scenarios.jsonl --encoding best",
	"batch scenarios.jsonl --jobs=-1",
	"batch .",
	"batch scenarios.jsonl --slicer greedy --bucket 5",
	"batch scenarios.jsonl --preset chat --bucket 5",
	"batch scenarios.jsonl --max-tokens 5 --target-tokens 6",
	"batch scenarios.jsonl --max-tokens 5 --output-reserve 6",
	"batch scenarios.jsonl --max-tokens 5 --slack 6",
	"batch scenarios.jsonl --max-tokens 2000000000000",
	"batch utf16.jsonl",
	"tokens chat.json --by letter",
	"tokens chat.json --compare gpt-4",
	"tokens chat.json --output yaml",
	"tune labelled.jsonl --objective fame",
	"tune labelled.jsonl --minimise time",
	"tune labelled.jsonl --objective recall --minimise budget",
	"tune labelled.jsonl --wanted 90%",
	"tune labelled.jsonl --minimise budget --wanted x",
	"tune labelled.jsonl --folds 1",
	"tune labelled.jsonl --seed=-1",
	"tune labelled.jsonl --at 1k,2k",
	"tune labelled.jsonl --at much",
	"tune labelled.jsonl --out nowhere/policy.json",
	"tune labelled.jsonl --at 30 --objective answered",
	"tune -",
	"evaluate labelled.jsonl --wanted 101",
	"evaluate labelled.jsonl --wanted 0",
	"evaluate labelled.jsonl --at 0%",
	"check chat.json --max-tokens 100",
	"report -q pinned.json --max-tokens 10",
	"check chat.json --max-tokens 100 --require is:lost",
	"check chat.json --stable many",
	"check chat.json --max-tokens 100 --stable 101",
	"check chat.json --max-below-best many",
	"check chat.json --min-filled 120",
	"check chat.json --require #1 --for #2",
	"check chat.json --stable 1 --for #1 --for #2",
	"check chat.json --stays-by 5",
	"check chat.json --checks object.json",
	"check chat.json --checks checks.json",
	"check chat.json --checks .",
}

// TestMistakes: each mistake ends with exit code 2 and one line on standard error, whose words
// are in the golden file.
func TestMistakes(t *testing.T) {
	golden := musttest.Of(filepath.Abs("testdata/mistakes.golden"))(t)
	clitest.Files(t)
	for name, text := range map[string]string{
		"policy.json": `{"scorers": [{"type": "recency", "weight": 1}]}`, "broken.json": `{"scorers": []}`, "object.json": "{}", "checks.json": `[{"stable": "x"}]`,
		"items.json": `[{"content": "a", "tokens": 5}, "no item"]`, "pinned.json": `[{"content": "a", "tokens": 20, "pinned": true}]`, "utf16.jsonl": "\xff\xfe{\x00}\x00",
	} {
		musttest.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
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
