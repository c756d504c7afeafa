package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// neededScenario needs two items, of which greedy at 60 tokens takes the short one,
// and at 100 both.
const neededScenario = `{"items": [{"content": "the long answer", "tokens": 60, "futureRelevanceHint": 0.5}, {"content": "short", "tokens": 20, "futureRelevanceHint": 0.4},
	{"content": "another", "tokens": 20, "futureRelevanceHint": 0.3}], "labels": {"0": 3, "1": 1}, "answers": ["Long answer!"],
	"policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 60}}`

func runCheck(t *testing.T, in string, o session.Options, a checkOptions) (string, error) {
	t.Helper()
	o.Sources = []string{"-"}
	out, _, err := ran(check, in, o, a)
	return out, err
}

func TestCheckOfWhatWasNeeded(t *testing.T) {
	for _, c := range []struct {
		max, line, says string
		failed, unknown bool
	}{
		{"60", "--min-recall 25", "recall 25 %: 1 of 2 needed items in", false, false},
		{"60", "--min-recall 25.1", "out: #0", true, false},
		{"100", "--min-recall 100", "2 of 2 needed items in", false, false},
		{"60", "--answered true", "none of 1 answer is in", true, false},
		{"100", "--answered true", "an item with an answer is in", false, false},
	} {
		out, err := runCheck(t, neededScenario, session.Options{Budget: maximum(c.max)}, checkOptions{Flags: flags(c.line)})
		if failed := ends(err, Failed); failed != c.failed || !failed && err != nil || !strings.Contains(out, c.says) {
			t.Errorf("%s at %s: %v\n%s", c.line, c.max, err, out)
		}
	}
	bare := strings.NewReplacer(`"labels": {"0": 3, "1": 1}, "answers": ["Long answer!"],`, "").Replace(neededScenario)
	for _, line := range []string{"--min-recall 1", "--answered true"} {
		if out, err := runCheck(t, bare, session.Options{}, checkOptions{Flags: flags(line)}); err == nil || !strings.Contains(err.Error(), "could not be decided") {
			t.Errorf("%s without labels: %v\n%s", line, err, out)
		}
	}
	own := strings.Replace(neededScenario, `"policy"`, `"checks": [{"minRecall": 0.25}, {"answered": true}], "policy"`, 1)
	if _, err := runCheck(t, own, session.Options{}, checkOptions{}); err == nil || err.Error() != "1 of 2 checks failed" {
		t.Errorf("checks of the scenario: %v", err)
	}
}

func TestRatchet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "base.json")
	musttest.Of(runCheck(t, neededScenario, session.Options{Budget: maximum("100")}, checkOptions{Record: file}))(t)
	text := musttest.Of(os.ReadFile(file))(t)
	var recorded base
	musttest.Do(t, json.Unmarshal(text, &recorded))
	if want := map[string]float64{"recall": 1, "complete": 1, "answered": 1, "shareNeeded": 0.8, "belowBest": 0}; recorded.MaxTokens != 100 || len(recorded.Figures) != len(want) {
		t.Errorf("recorded is %+v, want %v", recorded, want)
	} else {
		for name, value := range want {
			musttest.Is(t, recorded.Figures[name], value, name)
		}
	}
	// Recall falls to .25, the answer falls out, the best of 60 tokens is .7.
	out, err := runCheck(t, neededScenario, session.Options{}, checkOptions{Against: file, Record: file, Tolerance: "70"})
	if !ends(err, Failed) || err.Error() != "3 of 5 checks failed" || !strings.Contains(out, "25.00 %, was 100.00 %") {
		t.Errorf("%v\n%s", err, out)
	}
	if after, _ := os.ReadFile(file); string(after) != string(text) {
		t.Error("a result that is worse is recorded")
	}
	if out, err := runCheck(t, neededScenario, session.Options{}, checkOptions{Against: file, Tolerance: "100"}); err != nil {
		t.Errorf("within the tolerance: %v\n%s", err, out)
	}
	// A worse recorded result is moved on.
	musttest.Of(runCheck(t, neededScenario, session.Options{}, checkOptions{Record: file}))(t)
	if out, err := runCheck(t, neededScenario, session.Options{Budget: maximum("100")}, checkOptions{Against: file, Record: file}); err != nil {
		t.Errorf("better: %v\n%s", err, out)
	}
	if after, _ := os.ReadFile(file); string(after) != string(text) {
		t.Errorf("recorded is %s, want %s", after, text)
	}
	bare := strings.NewReplacer(`"labels": {"0": 3, "1": 1}, "answers": ["Long answer!"],`, "").Replace(neededScenario)
	musttest.Says(t, refusal(runCheck(t, bare, session.Options{}, checkOptions{Against: file})), "4 of 5 checks could not be decided", "without labels")
}

func TestRatchetRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "base.json")
	for text, want := range map[string]string{
		`{`: "not what --record writes",
		`{"schema": "x", "figures": {"recall": 1}}`:                                 "its schema is",
		`{"schema": "cupelscope/base/1", "figures": {}}`:                            "no figures",
		`{"schema": "cupelscope/base/1", "figures": {"fame": 1}}`:                   `the figure "fame" is 1`,
		`{"schema": "cupelscope/base/1", "figures": {"recall": 1.5}}`:               "shares from 0 to 1",
		`{"schema": "cupelscope/base/1", "figures": {"recall": 1}, "recall": true}`: "unknown field",
	} {
		musttest.Do(t, os.WriteFile(file, []byte(text), 0o600))
		musttest.Says(t, refusal(runCheck(t, neededScenario, session.Options{}, checkOptions{Against: file})), want, text)
	}
	for _, a := range []checkOptions{{Against: file + "x"}, {Tolerance: "2"}, {Against: file, Tolerance: "101"}, {Against: file, Tolerance: "x"}, {Record: filepath.Join(file, "x")}} {
		if _, err := runCheck(t, neededScenario, session.Options{}, a); err == nil {
			t.Errorf("%+v is taken", a)
		}
	}
}
