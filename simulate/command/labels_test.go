package command

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// reportOf is the report over a source, with labels of a file if there are any.
func reportOf(t *testing.T, source, labels, form string) string {
	t.Helper()
	o := session.Options{Sources: []string{"-"}, Budget: maximum("20"), Labels: labels}
	out := printed(t, writeReport, source, o, reportOptions{answerOptions: answerOptions{Output: form}})
	return out
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
	file := write(t, "qrels", "q 0 d1 1\nq 0 d4 2\nq 0 d6 0\nq 0 gone 1")
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
	for form, want := range map[string][]string{
		"table":    {"needed", "needed 1 of 2 in, recall 25 %, ", "90 % recall is reached at 60 and held", "an answer is in"},
		"markdown": {"| needed |", "needed 1 of 2 in, recall 25 %"},
		"csv":      {",content,relevance,", ",Paris,1,", ",long,3,", ",c,0,", ",d,,"},
		"json":     {`"needed": 2,`, `"neededIn": 1,`, `"recall": 0.25,`, `"complete": 0,`, `"answered": 1,`, `"reaches": 60,`, `"holds": 60,`, `"wanted": 0.9`, `"relevance": 3,`},
	} {
		got := reportOf(t, source, "", form)
		for _, part := range want {
			musttest.Says(t, got, part, form)
		}
	}
}
