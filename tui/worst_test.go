package tui

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/command/clitest"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/explorer"
)

// manyCases writes sources of many labelled cases into dir, one of every kind, and
// returns what evaluate is given to read each.
func manyCases(t *testing.T, dir string) map[string][]string {
	t.Helper()
	var scenarios, items, results, samples, labels []string
	for k := range 5 {
		scenarios = append(scenarios, fmt.Sprintf(`{"id": "s%d", "talk": "t%[1]d", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": %d}, "items": [`+
			`{"content": "long %[1]d", "tokens": 21, "futureRelevanceHint": 0.9, "relevance": 1}, {"content": "short %[1]d", "tokens": 10, "futureRelevanceHint": 0.5, "relevance": %[3]d}]}`, k, 20+5*(k%3), k%2))
		items = append(items, fmt.Sprintf(`{"id": "i%d", "items": [{"content": "long %[1]d", "tokens": %d, "futureRelevanceHint": 0.9, "relevance": 1}, {"content": "short", "tokens": 10, "futureRelevanceHint": 0.5, "relevance": %[3]d}]}`, k, 8+k, k%2))
		results = append(results, fmt.Sprintf(`{"query_id": "r%d", "query": "where?", "contexts": [{"id": "x%[1]d", "text": "the mill of the town %[1]d", "score": 0.9}, {"id": "y%[1]d", "text": "boats", "score": 0.4}]}`, k))
		labels = append(labels, fmt.Sprintf(`{"case": "r%d", "item": "%c%[1]d", "relevance": 1}`, k, 'x'+rune(k%2)))
		samples = append(samples, fmt.Sprintf(`{"_id": "h%d", "question": "Who built mill %[1]d?", "answer": "Jonas", "supporting_facts": [["%s", 0]], "context": [["Mill", ["Jonas built mill %[1]d.", " It stands."]], ["Boat", ["A boat floats."]]]}`, k, [...]string{"Mill", "Boat"}[k%2]))
	}
	for name, text := range map[string]string{
		"scenarios.jsonl":       strings.Join(scenarios, "\n\n") + "\n",
		"items.jsonl":           strings.Join(items, "\n") + "\n",
		"results.jsonl":         strings.Join(results, "\n") + "\n",
		"labels.jsonl":          strings.Join(labels, "\n") + "\n",
		"samples.json":          "[" + strings.Join(samples, ",\n") + "]",
		"folder/corpus.jsonl":   `{"_id": "d1", "title": "Bees", "text": "The hives stand behind the mill."}` + "\n" + `{"_id": "d2", "title": "", "text": "A mill grinds corn."}` + "\n",
		"folder/queries.jsonl":  `{"_id": "1", "text": "Where do the hives stand?"}` + "\n" + `{"_id": "22", "text": "What grinds corn?"}` + "\n",
		"folder/qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\td2\t1\n22\td2\t1\n",
		"run.txt":               "1 Q0 d1 1 4 tag\n1 Q0 d2 2 3 tag\n22 Q0 d2 1 4 tag\n",
	} {
		path := filepath.Join(dir, name)
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	return map[string][]string{
		"scenarios":    {in("scenarios.jsonl"), "--group", "talk"},
		"items":        {in("items.jsonl"), "--at", "9"},
		"results":      {in("results.jsonl"), "--labels", in("labels.jsonl"), "--at", "9"},
		"samples":      {in("samples.json"), "--at", "9,70%"},
		"folder":       {in("folder"), "--at", "9"},
		"folder, run":  {in("folder"), "--run", in("run.txt"), "--at", "9"},
		"two files":    {in("samples.json"), in("results.jsonl"), "--labels", in("labels.jsonl"), "--at", "9"},
		"a policy":     {"knapsack:1", in("samples.json"), "--at", "9"},
		"a target":     {in("samples.json"), "--at", "12", "--max-tokens", "30", "--target-tokens", "22"},
		"a bucket":     {"knapsack", in("samples.json"), "--at", "9", "--preset", "rag", "--slicer", "knapsack", "--bucket", "7"},
		"selected":     {in("samples.json"), in("results.jsonl"), "--labels", in("labels.jsonl"), "--at", "9", "--select", "2"},
		"several":      {string(model.Prefix), "greedy", in("scenarios.jsonl"), "--group", "talk"},
		"other counts": {in("samples.json"), "--at", "12", "--estimate", "chars/2", "--preset", "rag", "--output-reserve", "2"},
	}
}

// The command line that evaluate gives for each of the worst cases opens that case
// in the explorer, and under it the same items that were needed are in.
func TestWorstCasesOpen(t *testing.T) {
	ui := clitest.Explorer{Flagged: newScreen().screen()}
	for name, args := range manyCases(t, t.TempDir()) {
		t.Run(name, func(t *testing.T) {
			code, out, told := ui.Run(false, "", append([]string{"evaluate", "--worst", "9", "-o", "json"}, args...)...)
			var got struct {
				Worst []struct {
					Case, Open string
					Recall     float64
				}
			}
			if err := json.Unmarshal([]byte(out), &got); err != nil || code != command.Fine {
				t.Fatalf("exit %d, %v: %s", code, err, told)
			}
			if len(got.Worst) < 2 {
				t.Fatalf("%d cases", len(got.Worst))
			}
			seen := map[string]bool{}
			for _, w := range got.Worst {
				line := clitest.Words(w.Open)
				if seen[w.Open] || line[0] != "cupelscope" {
					t.Errorf("%s: %q", w.Case, w.Open)
				}
				seen[w.Open] = true
				_, report, told := ui.Run(false, "", append(append([]string{"report"}, line[1:]...), "-o", "json")...)
				var here struct{ Quality struct{ Recall float64 } }
				if err := json.Unmarshal([]byte(report), &here); err != nil || here.Quality.Recall != w.Recall {
					t.Errorf("%s: recall %v, evaluate has %v; %v %s", w.Open, here.Quality.Recall, w.Recall, err, told)
				}
				shown := clitest.Explorer{Flagged: newScreen().screen(), Shown: func(o session.Options) error {
					choices, err := o.Choices(context.Background(), session.Input{})
					if err != nil {
						return err
					}
					s, err := explorer.OpenChosen(context.Background(), choices)
					if err == nil && (len(s.Labels.Needed()) == 0 || s.SavePath != "") {
						t.Errorf("%s: needed %v, saved to %q", w.Open, s.Labels.Needed(), s.SavePath)
					}
					return err
				}}
				if code, _, told := shown.Run(true, "", line[1:]...); code != command.Fine {
					t.Errorf("%s: exit %d, %s", w.Open, code, told)
				}
			}
			_, table, _ := ui.Run(false, "", append([]string{"evaluate", "-q"}, args...)...)
			musttest.Says(t, table, "open the worst case with:\ncupelscope ", "the table says not how to open a case")
		})
	}
}

// A source of many cases says so, and which numbers there are.
func TestSelectRefuses(t *testing.T) {
	ui := clitest.Explorer{Flagged: newScreen().screen()}
	dir := t.TempDir()
	cases := manyCases(t, dir)
	for line, says := range map[string]string{
		"report " + cases["scenarios"][0]:                                              "scenarios.jsonl holds 5 cases: choose one with --select N, from 1 to 5",
		"report " + cases["scenarios"][0] + " --select 6":                              "there is no number 6",
		"report " + cases["scenarios"][0] + " --select s1":                             `--select: "s1" is not the number of a case`,
		"report " + cases["folder"][0] + " --select 3":                                 `no query with labels has the id "3"`,
		"report " + cases["samples"][0] + " --run " + dir + "/run.txt":                 "--run is for a folder of BEIR",
		"report --fixture agent --run run.txt":                                         "--run is for a folder of BEIR",
		"report " + cases["samples"][0] + " " + cases["results"][0] + " --run run.txt": "--run is for a folder of BEIR",
		cases["samples"][0] + " --ceiling many":                                        "--ceiling: not a number of tokens",
		"evaluate " + cases["folder"][0] + " --at 9 --select 3":                        "there is nothing to evaluate",
		"evaluate " + cases["scenarios"][0] + " --group talk --select 77":              "there is nothing to evaluate",
	} {
		if code, _, told := ui.Run(false, "", clitest.Words(line)...); code == command.Fine || !strings.Contains(told, says) {
			t.Errorf("%s: exit %d, %s, want %s", line, code, told, says)
		}
	}
}

// A build checks one case of a source that holds many, by the labels of the source or
// of a file; without --select there is nothing to hold the checks against.
func TestCheckOfOneCase(t *testing.T) {
	ui := clitest.Explorer{Flagged: newScreen().screen()}
	dir := t.TempDir()
	cases := manyCases(t, dir)
	labels := " --labels " + filepath.Join(dir, "labels.jsonl")
	for line, code := range map[string]int{
		cases["scenarios"][0] + " --select 1 --min-recall 100 --max-tokens 31": command.Fine,
		cases["scenarios"][0] + " --select 2 --min-recall 60 --max-tokens 30":  command.Failed,
		cases["scenarios"][0] + " --min-recall 60 --max-tokens 30":             command.Input,
		cases["results"][0] + " --select 2 --min-recall 1 --max-tokens 3":      command.Input, // nothing says what is needed
		cases["results"][0] + labels + " --select 1 --min-recall 100 --guess":  command.Fine,
		cases["samples"][0] + " --select 1 --answered --max-tokens 12":         command.Fine,
		cases["samples"][0] + " --select 1 --answered --max-tokens 1":          command.Failed,
		cases["folder"][0] + " --select 1 --min-recall 100 --max-tokens 99":    command.Fine,
		cases["folder"][0] + " --select 1 --min-recall 100 --max-tokens 4":     command.Failed,
		cases["folder"][0] + " --min-recall 100 --max-tokens 99":               command.Input,
	} {
		if got, out, told := ui.Run(false, "", append([]string{"check"}, clitest.Words(line)...)...); got != code {
			t.Errorf("check %s: exit %d, want %d: %s%s", line, got, code, out, told)
		}
	}
}
