package pipeline

import (
	"context"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

func scoresOf(t *testing.T, s model.Scorer, items ...model.Item) []float64 {
	t.Helper()
	p := musttest.Of(New(model.NewPolicy(s)))(t)
	r := musttest.Of(p.Rank(context.Background(), setOf(t, items...)))(t)
	return r.Scores()
}

// The tag scorer looks tags up as they are spelled, frequency folds their case.
func TestRulingTagCase(t *testing.T) {
	items := []model.Item{
		{Content: "a", Tokens: 1, Tags: []string{"Go"}},
		{Content: "b", Tokens: 1, Tags: []string{"go"}},
		{Content: "c", Tokens: 1, Tags: []string{"rust"}},
	}
	tag := model.Scorer{Type: model.ScoreTag, Weight: 1, TagWeights: []model.TagWeight{{Tag: "Go", Weight: 1}}}
	if got := scoresOf(t, tag, items...); !slices.Equal(got, []float64{1, 0, 0}) {
		t.Errorf("tag scores %v, want 1 for the one spelled alike", got)
	}
	if got := scoresOf(t, model.Scorer{Type: model.ScoreFrequency, Weight: 1}, items...); !slices.Equal(got, []float64{0.5, 0.5, 0}) {
		t.Errorf("frequency scores %v, want that Go and go are one tag", got)
	}
}

// Weights may each be finite and their sum not: that is an invalid policy.
func TestRulingSumsOfWeightsAreFinite(t *testing.T) {
	big := model.Scorer{Type: model.ScoreRecency, Weight: 1.5e308}
	for name, policy := range map[string]model.Policy{
		"scorers":    model.NewPolicy(big, big),
		"tagWeights": model.NewPolicy(model.Scorer{Type: model.ScoreTag, Weight: 1, TagWeights: []model.TagWeight{{Tag: "a", Weight: 1.5e308}, {Tag: "b", Weight: 1.5e308}}}),
	} {
		if _, err := New(policy); err == nil {
			t.Errorf("%s whose sum is infinite are taken", name)
		}
	}
	if _, err := New(model.NewPolicy(big)); err != nil {
		t.Errorf("one large weight is refused: %v", err)
	}
}
