package command_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"cupelscope/model/itemset/sessions"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
)

// TestRunsAreListedAsSelectOpensThem: each number opens the run that the list names, of
// every sort of source that holds several, and what does not open is counted, not listed.
func TestRunsAreListedAsSelectOpensThem(t *testing.T) {
	clitest.Files(t)
	request := `{"custom_id": "r%d", "method": "POST", "url": "/v1/chat/completions", "body": {"model": "gpt-4o", "messages": [{"role": "system", "content": "rules"}, {"role": "user", "content": "question %d"}]}}`
	batch, scenarios := "", ""
	for i := range 12 {
		batch += fmt.Sprintf(request, i, i) + "\n"
		scenarios += fmt.Sprintf(`{"name": "question %d", "items": [{"content": "a %d", "tokens": 3}], "policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 9}}`, i, i) + "\n"
	}
	for name, text := range map[string]string{
		"batch": batch, "scenarios": scenarios,
		"runs":   `{"runs": [{"messages": [{"role": "user", "content": "question 0"}]}, {"messages": []}, {"messages": [{"role": "user", "content": "question 2"}]}]}`,
		"single": `[{"role": "system", "content": "rules"}, {"role": "user", "content": "question 0"}]`,
	} {
		musttest.Do(t, os.WriteFile(name, []byte(text), 0o600))
		code, out, diagnostics := clitest.Run("", "runs", name, "-o", "json")
		var answer struct {
			Runs []struct {
				Number, Items int
				Title         string
			}
		}
		if err := json.Unmarshal([]byte(out), &answer); err != nil || code != command.Fine {
			t.Fatalf("%s: %d, %v, %s%s", name, code, err, out, diagnostics)
		}
		musttest.Is(t, len(answer.Runs), map[string]int{"batch": 12, "scenarios": 12, "runs": 2, "single": 1}[name], name, out)
		musttest.Is(t, strings.Contains(diagnostics, "1 run that cannot be opened; number 2"), name == "runs", name, diagnostics)
		for _, run := range answer.Runs {
			musttest.Is(t, run.Title, fmt.Sprintf("question %d", run.Number-1), name, "number", run.Number)
			_, items, failed := clitest.Run("", "tokens", name, "--select", fmt.Sprint(run.Number), "-o", "csv")
			if lines := strings.Count(items, "\n") - 1; lines != run.Items || !strings.Contains(items, fmt.Sprint(run.Number-1)) {
				t.Errorf("%s: number %d has %d items, listed are %d: %s%s", name, run.Number, lines, run.Items, items, failed)
			}
		}
	}
}

// TestSessionsAreListed: a session in a table of any width, as CSV, and where there are
// none; hostile texts are cleaned for a person.
func TestSessionsAreListed(t *testing.T) {
	home := t.TempDir()
	run := func(home string, args ...string) string {
		var out, diagnostics bytes.Buffer
		p := command.Program{Streams: command.Streams{Out: &out, Err: &diagnostics, Now: time.Now}, Screen: clitest.Explorer{}.Screen(), Sessions: sessions.Places{Home: home}}
		if code := p.Run(t.Context(), args); code != command.Fine || diagnostics.Len() > 0 {
			t.Errorf("%q: exit %d, %s", args, code, &diagnostics)
		}
		return out.String()
	}
	musttest.Says(t, run(home, "sessions"), "there are no sessions", "an empty home")
	writeSessions(t, home)
	if err := os.WriteFile(home+"/.claude/projects/p/\x1b[2J.jsonl", []byte(`{"type":"user","cwd":"/\u001b[2Jw","message":{"role":"user","content":"\u001b]0;mine\u0007 it"}}`), 0o600); err != nil {
		t.Skip("no such names here: ", err)
	}
	out := run(home, "sessions")
	if strings.Contains(out, "\x1b") || strings.Count(out, "\n") != 6 || !strings.Contains(out, "mend the watcher") || !strings.HasPrefix(out, "3 sessions, the newest first; 0 of") {
		t.Errorf("%q", out)
	}
	if csv := run(home, "sessions", "-o", "csv"); strings.Count(csv, "\n") != 4 || strings.Contains(csv, "\x1b") {
		t.Errorf("%q", csv)
	}
}

// TestTheLastSession: --last opens the newest session of the folder's project, which has to
// be the only source.
func TestTheLastSession(t *testing.T) {
	home := t.TempDir()
	writeSessions(t, home)
	for _, c := range []struct {
		folder, line string
		code         int
		want         string
	}{
		{"/w", "--last", command.Fine, "1.jsonl"},
		{"/w", "explore --last", command.Fine, "1.jsonl"},
		{"/other", "--last", command.Input, "no session of this folder's project"},
		{"", "--last", command.Input, "no session of this folder's project"},
		{"/w", "--last chat.json", command.Input, "--last names the source"},
		{"/w", "--last --fixture agent", command.Input, "--last names the source"},
		{"/w", "report --last", command.Input, "last"},
	} {
		var out, diagnostics bytes.Buffer
		clitest.Files(t)
		p := command.Program{Streams: command.Streams{Out: &out, Err: &diagnostics, Now: time.Now}, Screen: clitest.Explorer{}.Screen(), Sessions: sessions.Places{Home: home, Folder: c.folder}}
		code := p.Run(t.Context(), strings.Fields(c.line))
		musttest.Is(t, code, c.code, c.line, "in", c.folder, "exit", &out, &diagnostics)
		musttest.Says(t, out.String()+diagnostics.String(), c.want, c.line, "in", c.folder, "exit", &out, &diagnostics)
	}
}

// TestSelectors: every sort of term names items in every verb that takes one.
func TestSelectors(t *testing.T) {
	musttest.Alone(t)
	for n, selector := range []string{
		"15", "12-20", "#15", "#12-20", "kind:tool", "firstIn<32k", "staysFrom<32k", "is:in", "is:out", "is:risk", "is:pinned", "-is:dup", "tok>500", "score>=.5", `"go test"`,
		"kind:tool is:in tok>500 firstIn<32k", "race",
	} {
		for k, line := range [][]string{
			{"min-budget", "--item"}, {"profile", "--item"}, {"marginal", "--item"},
			{"sweep", "--step", "8k", "--item"}, {"check", "--stays-by", "93k", "--for"},
		} {
			if testing.Short() && (n+k)%4 > 0 {
				continue
			}
			args := append(append(line, selector), "--fixture", "agent", "-o", "json")
			code, out, diagnostics := clitest.Run("", args...)
			if line[0] == "check" && code == command.Failed { // what is out at the end does not stay
				code = command.Fine
			}
			if code != command.Fine || !json.Valid([]byte(out)) || diagnostics != "" && line[0] != "check" {
				t.Errorf("%q: exit %d, %s", args, code, diagnostics)
			}
		}
	}
	// Several name more.
	_, out, _ := clitest.Run("", "profile", "--fixture", "agent", "--item", "#15", "--item", "#3", "-o", "csv")
	if !strings.Contains(out, "\n3,") || !strings.Contains(out, "\n15,") || strings.Contains(out, "\n4,") {
		t.Errorf("two selectors: %s", out)
	}
	// A word that names a kind stands for the kind, and for the text.
	_, word, _ := clitest.Run("", "profile", "--fixture", "agent", "--item", "tool", "-o", "csv")
	_, both, _ := clitest.Run("", "profile", "--fixture", "agent", "--item", "kind:tool", "--item", `"tool"`, "-o", "csv")
	_, kind, _ := clitest.Run("", "profile", "--fixture", "agent", "--item", "kind:tool", "-o", "csv")
	if word != both || word == kind {
		t.Errorf("--item tool lists\n%s, the kind and the text are\n%s", word, both)
	}
}
