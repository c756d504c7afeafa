package command_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/command/clitest"
)

// A session has many rows that are no messages: without --verbose they are counted, and what is
// damaged or a flag reads otherwise is named.
func TestNotesOfASource(t *testing.T) {
	t.Chdir(t.TempDir())
	var log strings.Builder
	for i, typ := range []string{"user", "ai-title", "permission-mode", "last-prompt", "progress"} {
		fmt.Fprintf(&log, `{"type":%q,"uuid":"%d","sessionId":"s","timestamp":"2026-01-05T10:00:00Z","message":{"role":"user","content":"ask"}}`+"\n", typ, i)
	}
	log.WriteString(`{"type":"user","uuid":"9","isSidechain":true,"sessionId":"s","timestamp":"2026-01-05T10:00:00Z","message":{"role":"user","content":"aside"}}` + "\n" + `{"type":"us`)
	musttest.Do(t, os.WriteFile("session.jsonl", []byte(log.String()), 0o600))
	const damage, choice, more = "damaged: last line ends early (line 7)", "which --sidechains keeps", "4 more notes on how the source was read: --verbose shows them"
	_, _, told := clitest.Run("", "report", "session.jsonl")
	for _, want := range []string{damage, choice, more} {
		musttest.Says(t, told, want, "report")
	}
	musttest.Is(t, strings.Count(told, "\n"), 3, told)
	_, _, told = clitest.Run("", "report", "session.jsonl", "--verbose")
	for _, want := range []string{damage, choice, "left out 1 ai-title row (line 2)", "left out 1 progress row (line 5)"} {
		musttest.Says(t, told, want, "report --verbose")
	}
}

// What is damaged or was skipped is said by every verb that reads it.
func TestEveryVerbTellsDamage(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := `{"role":"user","content":"ask"}` + "\n" + `{"role":"assistant","content":"say"}` + "\n"
	musttest.Do(t, os.WriteFile("cut.jsonl", []byte(whole+`{"role":"user","content":"mo`), 0o600))
	musttest.Do(t, os.WriteFile("broken.jsonl", []byte(whole+"{]\n"+whole), 0o600))
	musttest.Do(t, os.WriteFile("labels.jsonl", []byte(`{"case":"cut.jsonl","item":"#0","relevance":1}`+"\n"+`{"case":"broken.jsonl","item":"#0","relevance":1}`+"\n"), 0o600))
	for _, verb := range []string{
		"report", "tokens", "min-budget", "profile", "marginal --max-tokens 5", "sweep", "check --max-tokens 5 --require 0", "turns", "runs",
		"compare greedy knapsack --at 50%", "evaluate --labels labels.jsonl --at 50%",
	} {
		for file, want := range map[string]string{"cut.jsonl": "damaged: last line ends early", "broken.jsonl": "skipped"} {
			words := strings.Fields(verb)
			at := 1
			if words[0] == "compare" {
				at = 3
			}
			_, _, told := clitest.Run("", append(append(words[:at:at], file), words[at:]...)...)
			musttest.Says(t, told, want, verb+" "+file)
		}
	}
}

// One token is one.
func TestOneTokenIsNotSeveral(t *testing.T) {
	for _, verb := range []string{"report", "tokens --compare o200k_base", "marginal --slack 1 --max-tokens 1", "sweep", "profile", "min-budget"} {
		_, out, told := clitest.Run(`{"items":[{"content":"a","tokens":1}]}`, strings.Fields(verb)...)
		if !strings.Contains(out, "1 item, 1 token") || strings.Contains(" "+out+told, " 1 tokens") {
			t.Errorf("%s: %s%s", verb, out, told)
		}
	}
}
