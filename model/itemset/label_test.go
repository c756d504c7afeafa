package itemset

import (
	"fmt"
	"strings"
	"testing"
)

// What files say was needed goes beside the items, not into them.
func TestLabels(t *testing.T) {
	for _, c := range []struct {
		sample, labels, answers string
		missing                 int
	}{
		{"a question of HotpotQA", "[{0 0} {1 1}]", "[yes]", 0},
		{"a case of DeepEval", "[{0 0} {1 1}]", "[]", 1},
		{"a question of LoCoMo", "[{0 0} {1 1}]", "[Rome]", 0},
		{"a question of LongMemEval", "[{0 1} {1 0}]", "[Rome]", 0},
	} {
		for _, s := range formatSamples {
			if s.name != c.sample {
				continue
			}
			l := mustRead(t, s.in, Options{})
			if fmt.Sprint(l.Labels) != c.labels || fmt.Sprint(l.Answers) != c.answers || l.Unlabelled != c.missing || l.Question == "" {
				t.Errorf("%s: labels %v, answers %v, %d of nothing, question %q", s.name, l.Labels, l.Answers, l.Unlabelled, l.Question)
			}
		}
	}
	for _, in := range []string{
		`[{"content":"a","relevance":2},{"content":"b","relevance":0},{"content":"c","relevance":0.5}]`,
		`{"question":"q","answers":["x"],"ctxs":[{"text":"a","isgold":true,"has_answer":false},{"text":"b","isgold":false},{"text":"c"}]}`,
	} {
		l := mustRead(t, in, Options{})
		if len(l.Labels) != 2 || l.Labels[0].Grade < 1 || l.Labels[1].Grade != 0 {
			t.Errorf("%s: labels %v", in, l.Labels)
		}
		if all := fmt.Sprintf("%+v", l.Set.Item(0)); strings.Contains(all, "relevance") || strings.Contains(all, "gold") || strings.Contains(all, "has_answer") {
			t.Errorf("%s: %s", in, all)
		}
	}
}
