package command

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// batchOf are the answers to lines.
func batchOf(t *testing.T, lines string) []string {
	t.Helper()
	out, _, err := ran(answerBatch, lines, session.Options{}, batchOptions{})
	if err != nil && !ends(err, Failed) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out), "\n")
}

// TestBatchQuality holds the answers to what package quality says of the labels, which its own
// tests hold to dry runs at every budget.
func TestBatchQuality(t *testing.T) {
	const ceiling = 60
	compared, reached := 0, 0
	eachExperiment(t, 7, func(rng *rand.Rand, s model.Scenario, r *pipeline.Ranking) {
		s.Labels = model.Labels{Grades: map[int]int{}, Answers: [][]string{nil, {s.Items.Loaded(0).Content}}[rng.IntN(2)]}
		for i := range s.Items.Len() {
			if grade := rng.IntN(3); grade > 0 || rng.IntN(2) == 0 {
				s.Labels.Grades[i] = grade
			}
		}
		report, err := r.DryRun(s.Budget)
		judge, judgeErr := quality.NewJudge(r, s.Labels, nil)
		profile, profileErr := profileOf(t, r, s.Budget, ceiling)
		if errors.Join(err, judgeErr, profileErr) != nil || len(s.Labels.Grades)+len(s.Labels.Answers) == 0 {
			return
		}
		answer := batchOf(t, lineOf(t, s, fmt.Sprintf(`"query": {"op": "quality", "wanted": 0.5, "ceiling": %d},`, ceiling)))[0]
		got := musttest.JSON[struct {
			Recall, Complete, Answered, ShareNeeded *float64
			Reaches, Holds                          *model.Tokens
		}](t, answer)
		m, curve := judge.Measure(report), musttest.Of(quality.NewCurve(t.Context(), profile, judge))(t)
		same := func(got *float64, want model.Option[float64]) bool {
			return (got != nil) == want.Set && (got == nil || *got == want.Value)
		}
		at := func(got *model.Tokens, want model.Tokens, ok bool) bool {
			return (got != nil) == ok && (got == nil || *got == want)
		}
		reaches, everReaches := curve.Reaches(0.5)
		holds, everHolds := curve.Holds(0.5)
		if !same(got.Recall, m.Recall) || !same(got.Complete, quality.Share(m.Complete)) || !same(got.Answered, quality.Share(m.Answered)) ||
			!same(got.ShareNeeded, m.ShareNeeded) || !at(got.Reaches, reaches, everReaches) || !at(got.Holds, holds, everHolds) {
			t.Fatalf("%s, want %+v, reaches %v %v, holds %v %v", answer, m, reaches, everReaches, holds, everHolds)
		}
		compared++
		if everReaches {
			reached++
		}
	})
	if compared < 100 || reached < 50 {
		t.Errorf("%d compared, %d reach half of the recall", compared, reached)
	}
}

func TestBatchQualityRefuses(t *testing.T) {
	const line = `{"items": [{"content": "a", "tokens": 5}], "policy": {"scorers": [{"type": "kind", "weight": 1}]}, "budget": {"maxTokens": 9}%s, "query": {"op": "quality"%s}}` + "\n"
	for _, c := range [][3]string{
		{"", `, "ceiling": 9`, "neither labels nor answers"},
		{`, "labels": {"0": 1}`, "", "query.ceiling is required"},
		{`, "labels": {"0": 1}`, `, "ceiling": 9, "wanted": 0`, "query.wanted is 0, must be above 0"},
		{`, "labels": {"0": 1}`, `, "ceiling": 9, "wanted": "all"`, "query.wanted is"},
		{`, "labels": {"3": 1}`, `, "ceiling": 9`, "there is 1 item, numbered from 0"},
		{`, "answers": ["the"]`, `, "ceiling": 9`, "contains no words"},
	} {
		musttest.Says(t, batchOf(t, fmt.Sprintf(line, c[0], c[1]))[0], c[2])
	}
	got := batchOf(t, fmt.Sprintf(line, `, "answers": ["a b"]`, `, "ceiling": 9`))
	musttest.Says(t, got[0], `"recall":null,"complete":null,"answered":0,"shareNeeded":null,"reaches":null,"holds":null}`, "with answers alone")
}

// reportOf is the report over a source, with labels of a file if there are any.
func reportOf(t *testing.T, source, labels string, form export.Form) string {
	t.Helper()
	o := session.Options{Sources: []string{"-"}, Budget: maximum("20"), Labels: labels}
	return printed(t, writeReport, source, o, reportOptions{answerOptions: answerOptions{Output: form}})
}

// policiesByScorer is a policy for every scorer that there is.
func policiesByScorer(t *testing.T) map[model.ScorerType]string {
	t.Helper()
	all := map[model.ScorerType]string{}
	for _, kind := range model.ScorerTypes() {
		scorer := model.NewScorer(kind, model.Beginning{Tag: "x", Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
		if kind == model.ScoreMetadataKey {
			scorer.Key, scorer.Value = "relevance", "1" // which labels have too
		}
		all[kind] = string(musttest.Of(model.NewPolicy(scorer).JSON())(t))
	}
	return all
}

// ofLabels are the members of a report in JSON that labels add.
var ofLabels = regexp.MustCompile(`(?m)^  "quality": \{[^}]*\},\n|^ +"relevance": \d+,\n`)

// TestLabelsChangeNoReportUnderAnyScorer: under every scorer, the report with labels is byte for
// byte that without, but for what is said of quality, wherever the labels stand.
func TestLabelsChangeNoReportUnderAnyScorer(t *testing.T) {
	item := func(i int, label string) string {
		return fmt.Sprintf(`{"content":"text %d","tokens":%d,"tags":["x"],"metadata":{"id":"d%d","cupel:trust":"0.%d"},"timestamp":"2025-12-0%dT00:00:00Z","futureRelevanceHint":0.%d%s}`,
			i%5, 3+i%4, i, 1+i%7, 1+i, 1+i%6, label)
	}
	file := musttest.File(t, "qrels", "q 0 d1 1\nq 0 d4 2\nq 0 d6 0\nq 0 gone 1")
	for kind, policy := range policiesByScorer(t) {
		source := func(more string, labels map[int]string) string {
			var items []string
			for i := range 8 {
				items = append(items, item(i, labels[i]))
			}
			return fmt.Sprintf(`{"policy":%s,"budget":{"maxTokens":20}%s,"items":[%s]}`, policy, more, strings.Join(items, ","))
		}
		plain := reportOf(t, source("", nil), "", "json")
		if strings.Contains(plain, "quality") || ofLabels.MatchString(plain) {
			t.Fatalf("%s: without labels something is said of them: %s", kind, plain)
		}
		for name, with := range map[string]string{
			"in the items":    reportOf(t, source("", map[int]string{1: `,"relevance":1`, 4: `,"relevance":2`, 6: `,"relevance":false`}), "", "json"),
			"in the scenario": reportOf(t, source(`,"labels":{"1":1,"4":2,"6":0},"answers":["text 3"]`, nil), "", "json"),
			"in a file":       reportOf(t, source("", nil), file, "json"),
		} {
			musttest.Is(t, len(ofLabels.FindAllString(with, -1)), 4, kind, "labels", name, with)
			musttest.Is(t, ofLabels.ReplaceAllString(with, ""), plain, kind, "labels", name, "the report is another")
		}
	}
}

// The verbs that take selectors know what is needed.
func TestSelectorsKnowWhatIsNeeded(t *testing.T) {
	o := session.Options{Sources: []string{"-"}, Budget: maximum("2")}
	out := printed(t, writeProfile, `[{"content":"a","tokens":1,"relevance":1},{"content":"b","tokens":1,"relevance":0},{"content":"c","tokens":1,"relevance":2}]`, o, profileOptions{studyOptions: studyOptions{answerOptions: answerOptions{Output: "csv"}, Items: []string{"is:needed"}}})
	if rows := strings.Split(strings.TrimSpace(out), "\n")[1:]; len(rows) != 2 || !strings.HasPrefix(rows[0], "0,") || !strings.HasPrefix(rows[1], "2,") {
		t.Errorf("rows %q, want those of #0 and #2", rows)
	}
}

// The report says in every form what was needed.
func TestReportTellsWhatWasNeeded(t *testing.T) {
	const source = `{"policy":{"scorers":[{"type":"reflexive","weight":1}]},"budget":{"maxTokens":20},"answers":["paris"],"labels":{"0":1,"1":3,"2":0},"items":[` +
		`{"content":"Paris","tokens":5,"futureRelevanceHint":0.9},{"content":"long","tokens":40,"futureRelevanceHint":0.8},{"content":"c","tokens":15,"futureRelevanceHint":0.7},{"content":"d","tokens":1}]}`
	// By score per token the second comes after the first and the third.
	for form, want := range map[export.Form][]string{
		"table":    {"needed", "needed 1 of 2 in, recall 25 %, ", "90 % recall is reached at 60 and held", "an answer is in"},
		"markdown": {"| needed |", "needed 1 of 2 in, recall 25 %"},
		"csv":      {",content,relevance,", ",Paris,1,", ",long,3,", ",c,0,", ",d,,"},
		"json":     {`"needed": 2,`, `"neededIn": 1,`, `"recall": 0.25,`, `"complete": 0,`, `"answered": 1,`, `"reaches": 60,`, `"holds": 60,`, `"wanted": 0.9`, `"relevance": 3,`},
	} {
		got := reportOf(t, source, "", form)
		for _, part := range want {
			musttest.Says(t, got, part, string(form))
		}
	}
}

// beirFolder is three documents, and two queries that labels name.
func beirFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"corpus.jsonl": `{"_id": "d1", "title": "Bees", "text": "The hives stand behind the mill."}` + "\n" + `{"_id": "d2", "title": "", "text": "Boats have names, as herons do not."}` + "\n\n" +
			`{"_id": "d3", "title": "Mills", "text": "A mill grinds corn."}` + "\n",
		"queries.jsonl":   `{"_id": "q1", "text": "Where do the hives stand?"}` + "\n" + `{"_id": "q2", "text": "What grinds corn?"}` + "\n" + `{"_id": "q3", "text": "Nobody judged this."}` + "\n",
		"qrels/test.tsv":  "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td3\t2\nq2\tgone\t1\nq9\td1\t1\n",
		"qrels/train.tsv": "query-id\tcorpus-id\tscore\nq3\td1\t1\n",
		"run.txt":         "q1 Q0 d2 1 -1.5 tag\nq1 Q0 d1 2 -3.5 tag\nq2 Q0 d3 1 4 tag\n",
	} {
		path := filepath.Join(dir, name)
		musttest.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func TestBEIRFolderIsACaseAQuery(t *testing.T) {
	dir := beirFolder(t)
	for _, c := range []struct {
		name, at    string
		run, labels string
		want        string // cases, labelled, unreachable; the recall of own; the worst case
	}{
		{"BM25", "13", "", "", "2 2 1; 1; [q1 q2]"},
		{"a run", "9", filepath.Join(dir, "run.txt"), "", "2 2 1; 0.5; [q1 q2]"},
		{"labels in place of the folder's", "13", "", filepath.Join(dir, "qrels", "train.tsv"), "1 1 0; 1; [q3]"},
	} {
		got := evaluated(t, "", session.Options{Sources: []string{dir}, Slicer: "rank", Estimate: "chars/4", Preset: "rag", Run: c.run, Labels: c.labels}, evaluateOptions{At: []string{c.at}, Worst: 3})
		var worst []string
		for _, w := range got.Worst {
			worst = append(worst, strings.TrimPrefix(w.Case, dir+" "))
		}
		musttest.Is(t, fmt.Sprintf("%d %d %d; %v; %v", got.Cases, got.Labelled, got.Unreachable, got.Budgets[0].Policies[0].Recall, worst), c.want, c.name)
	}
}

// TestNeededDocumentsThatAreNotFound: of the 1,001 needed documents one is behind the
// first 1,000, and the run does not list it either. A label of grade 0 is none that lacks
// an item.
func TestNeededDocumentsThatAreNotFound(t *testing.T) {
	dir := t.TempDir()
	corpus, labels, run := "", "query-id\tcorpus-id\tscore\nq\tgone\t0\n", ""
	for i := range 1001 {
		corpus += fmt.Sprintf(`{"_id": "d%d", "title": "", "text": "bees %d"}`+"\n", i, i)
		labels += fmt.Sprintf("q\td%d\t1\n", i)
		if i < 3 {
			run += fmt.Sprintf("q Q0 d%d 1 %d tag\n", i, 9-i)
		}
	}
	path := map[string]string{}
	for name, text := range map[string]string{"corpus.jsonl": corpus, "queries.jsonl": `{"_id": "q", "text": "bees"}`, "labels.tsv": labels, "run.txt": run} {
		path[name] = filepath.Join(dir, name)
		musttest.Do(t, os.WriteFile(path[name], []byte(text), 0o600))
	}
	for _, c := range []struct {
		run, want string
		recall    float64
	}{{"", "needed 1,000 of 1,001 in", 1000.0 / 1001}, {path["run.txt"], "needed 3 of 1,001 in", 3.0 / 1001}} {
		o := session.Options{Sources: []string{dir}, Select: "q", Labels: path["labels.tsv"], Run: c.run, Preset: "rag", Budget: maximum("1M"), Estimate: "chars/4"}
		if out, _, err := ran(writeReport, "", o, reportOptions{}); err != nil || !strings.Contains(out, c.want) || strings.Contains(out, "without an item") {
			t.Errorf("report: %v, want %s:\n%s", err, c.want, out)
		}
		o.Select, o.Budget = "", nil
		got := evaluated(t, "", o, evaluateOptions{At: []string{"1M"}})
		if recall := got.Budgets[0].Policies[0].Recall; got.Unreachable != 0 || recall != c.recall {
			t.Errorf("evaluate: recall %v, %d labels without an item, want %v", recall, got.Unreachable, c.recall)
		}
	}
}

func TestBEIRFolderRefuses(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"run.txt", "q1 Q0 d1 1 x tag", `line 1: the score "x" is not a finite number`},
		{"run.txt", "q1 Q0 d1 1", "line 1: 4 fields in place of 6"},
		{"run.txt", "q1 Q0 d9 1 1 tag", `the document "d9" is not in the corpus`},
		{"corpus.jsonl", `{"text": "no name", "title": "t"}`, "document 0 of the corpus has no _id"},
		{"queries.jsonl", "{}", "line 1: not a query"},
		{"qrels/test.tsv", "", "no label"},
	} {
		dir := beirFolder(t)
		musttest.Do(t, os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o600))
		_, _, err := ran(evaluate, "", session.Options{Sources: []string{dir}, Run: filepath.Join(dir, "run.txt")}, evaluateOptions{At: []string{"9"}})
		musttest.Says(t, err, c.want, c.file)
	}
}
