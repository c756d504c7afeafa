package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// review is four items of a code review whose diff does not fit the window: 130,000 tokens
// of a target of 128,000.
func review(t *testing.T) string {
	t.Helper()
	var diff strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&diff, "+ line %d of the diff\n", i)
	}
	var items []map[string]any
	for _, it := range []struct {
		kind, content string
		tokens        int
		relevance     float64
	}{{"spec-kind", "the specification", 2500, 0.9}, {"criteria-kind", "the criteria", 800, 0.9}, {"prompt-kind", "the prompt", 600, 1}, {"diff-kind", diff.String(), 130_000, 0.8}} {
		items = append(items, map[string]any{"kind": it.kind, "content": it.content, "tokens": it.tokens, "futureRelevanceHint": it.relevance})
	}
	data := musttest.Of(json.Marshal(items))(t)
	return musttest.File(t, "review.json", data)
}

func sizedReport(t *testing.T, o session.Options) map[string]any {
	t.Helper()
	return musttest.JSON[map[string]any](t, printed(t, writeReport, "", o, reportOptions{answerOptions: inJSON}))
}

func TestADiffThatMayBeCutFillsTheWindow(t *testing.T) {
	o := session.Options{Sources: []string{review(t)}, Budget: maximum("128k"), Preset: "rag"}
	whole := sizedReport(t, o)
	if filled := whole["filled"].(float64); filled > 0.04 {
		t.Fatalf("whole, the four items fill %v of the room", filled)
	}
	if text, _ := json.Marshal(whole); strings.Contains(string(text), `"size"`) {
		t.Error("a report without sizes speaks of them")
	}
	o.Shrink = []string{"diff-kind=120k,32k,8k"}
	cut := sizedReport(t, o)
	if filled := cut["filled"].(float64); filled < 0.95 {
		t.Errorf("cut, the four items fill %v of the room", filled)
	}
	sizes := map[float64]float64{}
	for _, in := range cut["included"].([]any) {
		it := in.(map[string]any)
		sizes[it["index"].(float64)] = it["size"].(float64)
		if it["index"].(float64) == 3 && it["tokens"].(float64) != 120_000 {
			t.Errorf("the diff takes %v", it["tokens"])
		}
	}
	if len(sizes) != 4 || sizes[3] != 1 || sizes[0] != 0 {
		t.Errorf("in are, with their sizes, %v", sizes)
	}
}

func TestLeastBudgetsSayInAtAllAndWhole(t *testing.T) {
	o := session.Options{Sources: []string{review(t)}, Budget: maximum("128k"), Preset: "rag", Shrink: []string{"diff-kind=32k,8k,note"}}
	text := printed(t, writeMinBudgets, "", o, minBudgetOptions{studyOptions: studyOptions{answerOptions: inJSON, Ceiling: model.Some(model.Tokens(200_000))}})
	least := musttest.JSON[struct {
		Items []struct{ FirstIn, FirstWhole, BinarySearch *int }
	}](t, text)
	if d := least.Items[3]; *d.FirstIn != 11_900 || *d.FirstWhole != 133_900 || *d.BinarySearch != 133_900 {
		t.Errorf("the diff is in from %d, whole from %d, by Cupel's search from %d", *d.FirstIn, *d.FirstWhole, *d.BinarySearch)
	}
	text = printed(t, writeProfile, "", o, profileOptions{studyOptions: studyOptions{answerOptions: inJSON, Ceiling: model.Some(model.Tokens(140_000))}})
	profile := musttest.JSON[struct {
		Items []struct {
			Bands [][2]int
			Sizes []struct {
				Size, Tokens int
				Note         bool
				Bands        [][2]int
			}
		}
	}](t, text)
	diff := profile.Items[3]
	if got := fmt.Sprint(diff.Bands, diff.Sizes); got != "[[11900 140000]] [{0 130000 false [[133900 140000]]} {1 32000 false [[35900 133899]]} {2 8000 false [[11900 35899]]} {3 10 true "+fmt.Sprint(diff.Sizes[3].Bands)+"}]" || len(diff.Sizes[3].Bands) == 0 {
		t.Errorf("the profile of the diff is %s", got)
	}
	musttest.Is(t, profile.Items[0].Sizes, nil, "an item of one size has several")
}

func TestBatchAnswersInSizes(t *testing.T) {
	line := func(query string) string {
		return `{"id":1,"policy":{"scorers":[{"type":"reflexive","weight":1}],"slicerType":"greedy","placerType":"chronological"},"budget":{"maxTokens":60},` +
			`"shrink":[{"kind":"doc","to":[40,20],"note":true}],` + query +
			`"items":[{"content":"a","tokens":50,"kind":"Document","futureRelevanceHint":0.9},{"content":"b","tokens":30,"kind":"Document","futureRelevanceHint":0.5},` +
			`{"content":"c","tokens":9,"kind":"Memory","sizes":[{"tokens":4,"content":"c4"},{"tokens":1,"note":true}]}]}` + "\n"
	}
	for query, want := range map[string]string{
		``: `"included":[{"index":0,"score":0.9,"reason":"Scored","tokens":50,"size":0},{"index":2,"score":0,"reason":"Scored","tokens":9,"size":0}]`,
		`"query":{"op":"profile","ceiling":100},`:    `"sizeBands":[[[[50,100]],[[40,49]],[[20,39]],[[19,19]]],`,
		`"query":{"op":"marginal","slackTokens":5},`: `"marginal":[2]`,
		`"query":{"op":"compare"},"policyB":{"scorers":[{"type":"reflexive","weight":1}],"slicerType":"knapsack","knapsackBucketSize":45},`: `"both":[],"onlyA":[2],"onlyB":[],"resized":[0],"tokensA":59,"tokensB":40,"valueA":0.9,"valueB":0.7200000000000001,"valueBByA":0.7200000000000001}`,
	} {
		if out, _, err := ran(answerBatch, line(query), session.Options{}, batchOptions{}); !strings.Contains(out, want) {
			t.Errorf("%s: %s (%v)", query, out, err)
		}
	}
}

// sizedQuestions is a file of 32 cases: the item that is needed has the answer, and so has
// its shorter size. At 60 tokens greedy, which begins with the short item, has it cut, rank
// whole where it has 60 tokens, and else cut.
func sizedQuestions(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for k := range 32 {
		fmt.Fprintf(&b, `{"talk": "t%d", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 60}, "answers": ["harbour"], "items": [`+
			`{"content": "the harbour %[2]d", "tokens": %[3]d, "futureRelevanceHint": 0.9, "relevance": 1, "sizes": [{"tokens": 30, "content": "a harbour"}]}, `+
			`{"content": "short %[2]d", "tokens": 20, "futureRelevanceHint": 0.8}]}`+"\n", k%8, k, 60+k%2)
	}
	return musttest.File(t, "sized.jsonl", b.String())
}

func TestEvaluateCountsWhatIsCutAndWhatIsWhole(t *testing.T) {
	source := sizedQuestions(t)
	by := labelOptions{answerOptions: inJSON, Group: "talk"}
	v := evaluateOptions{labelOptions: by, At: []string{"60"}, Cases: true}
	text, _, err := ran(evaluate, "", session.Options{Sources: []string{source}}, v)
	musttest.Do(t, err)
	got := musttest.JSON[struct {
		Budgets []struct {
			Policies []struct {
				Name                                               string
				Recall, WholeRecall, Answered, ShareNeeded, Tokens *float64
			}
		}
		ByCase []struct {
			Policy      string
			WholeRecall *float64
		}
	}](t, text)
	for k, want := range map[int][5]float64{0: {1, 0, 1, 0.6, 50}, 1: {1, 0.5, 1, 0.8, 55}} {
		if p := got.Budgets[0].Policies[k]; [5]float64{*p.Recall, *p.WholeRecall, *p.Answered, *p.ShareNeeded, *p.Tokens} != want {
			t.Errorf("%s: recall %v, whole %v, answered %v, %v of %v tokens needed, want %v", p.Name, *p.Recall, *p.WholeRecall, *p.Answered, *p.ShareNeeded, *p.Tokens, want)
		}
	}
	whole := map[string]float64{}
	for _, c := range got.ByCase {
		whole[c.Policy] += *c.WholeRecall
	}
	musttest.Is(t, whole, map[string]float64{"own": 0, string(model.Rank): 16, string(model.Prefix): 16}, "whole in the cases")
	v.Output = "table"
	text, _, err = ran(evaluate, "", session.Options{Sources: []string{source}}, v)
	if err != nil || !strings.Contains(text, "recall  whole recall  ") || !strings.Contains(text, "32 cases with items that may be cut, which is not Cupel's") {
		t.Errorf("the table says (%v)\n%.900s", err, text)
	}
	if best, said, err := runTune(t, source, byTalk(func(v *tuneOptions) { v.At = "60" })); err != nil || best.Cases != 32 || best.Policies[0].HeldOut != 1 {
		t.Errorf("tune has a recall of %+v, %s (%v)", best.Policies, said, err)
	}
}

// The text of a cut that the source counts, and does not give, may have the answer or not.
func TestAnAnswerInATextThatIsNotKnownIsUndecided(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	scenario := func(size string) string {
		return `{"items": [{"content": "the harbour and the sea", "tokens": 50, "futureRelevanceHint": 1, "sizes": [{"tokens": 30` + size + `}]}],
			"policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 40}, "labels": {"0": 1}, "answers": ["harbour"], "checks": [{"answered": true}]}`
	}
	for size, want := range map[string]struct {
		answered any
		says     string
	}{
		``:                           {nil, "cut to a text that the source does not give"},
		`, "content": "the harbour"`: {1.0, "an item with an answer is in"},
		`, "content": "the sea"`:     {0.0, "none of 1 answer is in"},
	} {
		musttest.Do(t, os.WriteFile(path, []byte(scenario(size)), 0o600))
		answer := sizedReport(t, session.Options{Sources: []string{path}})["quality"].(map[string]any)
		if answer["answered"] != want.answered || answer["recall"] != 1.0 || answer["wholeRecall"] != 0.0 {
			t.Errorf("%q: answered %v, recall %v, whole recall %v", size, answer["answered"], answer["recall"], answer["wholeRecall"])
		}
		said, _, err := ran(check, "", session.Options{Sources: []string{path}}, checkOptions{})
		musttest.Says(t, said, want.says, size, "check says", err)
	}
}
