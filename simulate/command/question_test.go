package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/relevance"
	"cupelscope/simulate/session"
)

// A question scores the items of a line that have no relevance as BM25 does, and
// --query, which is one for all lines, counts before it.
func TestBatchQuestions(t *testing.T) {
	const line = `{"id": 1, %s"policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 100}, "items": [` +
		`{"content": "a cat and a dog", "tokens": 5}, {"content": "a dog", "tokens": 5}, {"content": "a boat", "tokens": 5, "futureRelevanceHint": 0.3}]}` + "\n"
	set := musttest.Of(model.NewSet([]model.Item{
		{Content: "a cat and a dog", Tokens: 5}, {Content: "a dog", Tokens: 5}, {Content: "a boat", Tokens: 5, FutureRelevanceHint: model.Some(0.3)},
	}))(t)
	for _, c := range []struct{ field, flag, question string }{
		{`"question": "cat", `, "", "cat"},
		{`"question": " dog ", `, "", "dog"},
		{`"question": "dog", `, "cat", "cat"},
		{"", "dog", "dog"},
		{`"question": "", `, "", ""},
		{`"question": null, `, "", ""},
	} {
		s, out, told := streams(fmt.Sprintf(line, c.field))
		musttest.Do(t, answerBatch(context.Background(), session.Options{Query: c.flag}, batchOptions{}, s))
		var got struct {
			Included []struct {
				Index int
				Score float64
			}
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || len(got.Included) != 3 {
			t.Fatalf("%s: %v, %s%s", c.field, err, out, told)
		}
		want := []float64{0, 0, 0.3}
		if c.question != "" {
			q := musttest.Of(relevance.Ask(context.Background(), set, c.question))(t)
			scored := musttest.Of(set.With(set.Edits().WithQuery(q)))(t)
			for i := range want {
				want[i] = scored.Hint(i)
			}
			if want[0] == want[1] || want[2] != 0.3 {
				t.Fatalf("%q scores %v", c.question, want)
			}
		}
		for _, in := range got.Included {
			if in.Score != want[in.Index] {
				t.Errorf("%s --query %q: item %d has %v, want %v", c.field, c.flag, in.Index, in.Score, want[in.Index])
			}
		}
	}
	for field, says := range map[string]string{
		`"question": 7, `: "question must be a string",
		`"question": "` + strings.Repeat("word ", 1<<13) + `", `: "question",
	} {
		s, out, _ := streams(fmt.Sprintf(line, field))
		if err := answerBatch(context.Background(), session.Options{}, batchOptions{}, s); err == nil || !strings.Contains(out.String(), `"code":"invalid-input"`) || !strings.Contains(out.String(), says) {
			t.Errorf("%.30s: %v, %.300s", field, err, out)
		}
	}
}
