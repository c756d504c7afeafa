package relevance

import (
	"context"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func TestAsk(t *testing.T) {
	set, err := model.NewSet([]model.Item{
		{Content: "a cat"}, {Content: "Cat, cat and dog"}, {Content: "a red fish"}, {Content: "cat", FutureRelevanceHint: model.Some(.25)},
	})
	musttest.Do(t, err)
	q, err := Ask(context.Background(), set, " cat ")
	if err != nil || q.Text != "cat" || !q.Scored() {
		t.Fatalf("%+v, %v", q, err)
	}
	asked := musttest.Of(set.With(model.Edits{Query: q, Hints: map[int]float64{0: .5}}))(t)
	raw := score(t, "cat", "a cat", "Cat, cat and dog", "a red fish", "cat")
	if want := []float64{raw[0] / max(raw[0], raw[1]), raw[1] / max(raw[0], raw[1]), 0, 0}; !equal(q.Hints, want) {
		t.Errorf("hints %v, want %v", q.Hints, want)
	}
	for i, want := range []float64{.5, q.Hints[1], 0, .25} {
		if got := asked.Hint(i); got != want {
			t.Errorf("item %d: %v, want %v", i, got, want)
		}
	}
	if got, want := Count(asked, q), (Tally{Scored: 2, Found: 1, Given: 2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if q, err := Ask(context.Background(), set, "bird"); err != nil || !equal(q.Hints, []float64{0, 0, 0, 0}) {
		t.Errorf("nothing has the word: %v, %v", q, err)
	}
	for question, says := range map[string]string{
		"": "", "  ": "", "?!": "no letter or digit", strings.Repeat("a ", model.MaxQuery): "at most 10,000 are allowed",
	} {
		q, err := Ask(context.Background(), set, question)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) || !q.IsZero() {
			t.Errorf("%.20q: %+v, %v", question, q, err)
		}
	}
}
