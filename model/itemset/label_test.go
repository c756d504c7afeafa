package itemset

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// What files say was needed goes beside the items, not into them.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		sample, labels, answers string
		missing                 int
	}{
		{"a question of HotpotQA", "map[0:0 1:1]", "[yes]", 0},
		{"a case of DeepEval", "map[0:0 1:1]", "[]", 1},
		{"a question of LoCoMo", "map[0:0 1:1]", "[Rome]", 0},
		{"a question of LongMemEval", "map[0:1 1:0]", "[Rome]", 0},
	} {
		for _, s := range formatSamples {
			if s.name != c.sample {
				continue
			}
			l := mustRead(t, s.in, Options{})
			if fmt.Sprint(l.Labels.Grades) != c.labels || fmt.Sprint(l.Labels.Answers) != c.answers || l.Labels.Unreachable != c.missing || l.Question == "" {
				t.Errorf("%s: labels %v, answers %v, %d of nothing, question %q", s.name, l.Labels.Grades, l.Labels.Answers, l.Labels.Unreachable, l.Question)
			}
		}
	}
	for _, in := range []string{
		`[{"content":"a","relevance":true},{"content":"b","relevance":false},{"content":"c","relevance":101}]`,
		`[{"content":"a","relevance":2},{"content":"b","relevance":0},{"content":"c","relevance":0.5}]`,
		`{"question":"q","answers":["x"],"ctxs":[{"text":"a","isgold":true,"has_answer":false},{"text":"b","isgold":false},{"text":"c"}]}`,
	} {
		l := mustRead(t, in, Options{})
		if not, judged := l.Labels.Grades[1]; len(l.Labels.Grades) != 2 || l.Labels.Grades[0] < 1 || !judged || not != 0 {
			t.Errorf("%s: labels %v", in, l.Labels)
		}
		if all := fmt.Sprintf("%+v", l.Set.Item(0)); strings.Contains(all, "relevance") || strings.Contains(all, "gold") || strings.Contains(all, "has_answer") {
			t.Errorf("%s: %s", in, all)
		}
	}
}

// An answer that no text can have, as the letter of a multiple choice, is left out
// and told.
func TestAnswersWithoutAWord(t *testing.T) {
	l := mustRead(t, `{"question":"q","answers":["A","Rome"],"ctxs":[{"text":"a","isgold":true},{"text":"b"}]}`, Options{})
	musttest.Is(t, fmt.Sprint(l.Labels.Answers), "[Rome]", "answers", l.Labels.Answers, "report")
	musttest.Says(t, l.Report.Summary(), "answers without a word", "answers", l.Labels.Answers, "report")
	musttest.Do(t, l.Labels.Validate(l.Set.Len()))
}

// What a scenario says of its items stands in place of what they say themselves,
// and what a scenario was opened with is what is saved.
func TestLabelsOfScenarios(t *testing.T) {
	const head = `{"policy":{"scorers":[{"type":"kind","weight":1}]},"budget":{"maxTokens":100},"items":[{"content":"a","relevance":2},{"content":"b"}]`
	for _, c := range []struct{ more, grades, answers string }{
		{``, "map[0:2]", "[]"},
		{`,"labels":null,"answers":null`, "map[0:2]", "[]"},
		{`,"labels":{"1":3},"answers":["the Tiber"]`, "map[1:3]", "[the Tiber]"},
		{`,"labels":{}`, "map[]", "[]"},
	} {
		l := mustRead(t, head+c.more+"}", Options{})
		for range 2 {
			labels := l.Scenario.Value.Labels
			if fmt.Sprint(labels.Grades) != c.grades || fmt.Sprint(labels.Answers) != c.answers || !labels.Equal(l.Labels) {
				t.Errorf("%s: got %+v", c.more, labels)
			}
			again := musttest.Of(MarshalScenario(l.Scenario.Value))(t)
			l = mustRead(t, string(again), Options{})
		}
	}
	broken := mustRead(t, head+"}", Options{}).Scenario.Value
	broken.Labels.Grades = map[int]int{7: 1}
	musttest.Says(t, musttest.Refusal(MarshalScenario(broken)), "labels: a label for item 7", "a label of no item is written")
}

// Labels of items that stand in another file go with a hash of these.
func TestLabelsOfAnItemsFile(t *testing.T) {
	dir := t.TempDir()
	items := `[{"content":"a","relevance":1},{"content":"b"}]`
	file, path := filepath.Join(dir, "items.json"), filepath.Join(dir, "s.json")
	musttest.Do(t, os.WriteFile(file, []byte(items), 0o600))
	s := experiment(t)
	s.Items, s.ItemsFile = mustRead(t, items, Options{}).Set, "items.json"
	for _, grades := range []map[int]int{nil, {}, {1: 2}} {
		s.Labels.Grades = grades
		musttest.Do(t, (Saver{}).WriteScenario(path, s))
		l := musttest.Of(Load(context.Background(), []string{path}, Options{}))(t)
		want := grades
		if grades == nil {
			want = map[int]int{0: 1}
		}
		musttest.Is(t, l.Labels.Grades, want, "saved", grades, "opened")
	}
	musttest.Do(t, os.WriteFile(file, []byte(`[{"content":"c"},{"content":"b"}]`), 0o600))
	musttest.Says(t, musttest.Refusal(Load(context.Background(), []string{path}, Options{})), "edits.hash", "labels of other items")
}

// Evidence of LoCoMo may have several names in a string, or one that is none; what an
// adversarial question names is not needed.
func TestEvidenceOfLoCoMo(t *testing.T) {
	const talk = `{"sample_id":"c","conversation":{"session_1":[{"speaker":"Ann","dia_id":"D1:1","text":"hi"},{"speaker":"Bob","dia_id":"D1:2","text":"I moved to Rome"},{"speaker":"Ann","dia_id":"D1:3","text":"oh"}]},"qa":[%s]}`
	for _, c := range []struct{ question, labels, answers string }{
		{`{"question":"q","answer":"Rome","evidence":["D1:1; D1:3","D1:2 D9:9"],"category":1}`, "map[0:1 1:1 2:1] 1", "[Rome]"},
		{`{"question":"q","answer":2022,"evidence":["D"],"category":2}`, "map[0:0 1:0 2:0] 1", "[2022]"},
		{`{"question":"q","adversarial_answer":"Rome","evidence":["D1:2"],"category":5}`, "map[0:0 1:0 2:0] 0", "[]"},
		{`{"question":"q","answer":"no","evidence":["D1:2"],"category":5}`, "map[0:0 1:0 2:0] 0", "[]"},
	} {
		l := mustRead(t, fmt.Sprintf(talk, c.question), Options{})
		if got := fmt.Sprint(l.Labels.Grades, l.Labels.Unreachable); got != c.labels || fmt.Sprint(l.Labels.Answers) != c.answers {
			t.Errorf("%s: %s, %v, want %s, %s", c.question, got, l.Labels.Answers, c.labels, c.answers)
		}
	}
}

// TestMissedLabelsAreSaved: needed items that a search did not find go on counting.
func TestMissedLabelsAreSaved(t *testing.T) {
	const scenario = `{"items": [{"content": "a", "tokens": 1}], "policy": {"scorers": [{"type": "kind", "weight": 1}], "slicerType": "greedy"}, "budget": {"maxTokens": 1}, "labels": {"0": 1}, "missed": %s}`
	l := mustRead(t, fmt.Sprintf(scenario, "[2, 1]"), Options{})
	s := l.Scenario.Value
	s.Labels = l.Labels
	text := musttest.Of(MarshalScenario(s))(t)
	musttest.Is(t, mustRead(t, string(text), Options{}).Labels.Missed, []int{2, 1}, "read again", text)
	for _, bad := range []string{"[0]", "[1.5]", `{"1": 1}`, "[-1]"} {
		musttest.Says(t, musttest.Refusal(Read(t.Context(), "bad.json", []byte(fmt.Sprintf(scenario, bad)), Options{})), "missed", "missed", bad)
	}
}
