package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
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
		var got struct {
			Recall, Complete, Answered, ShareNeeded *float64
			Reaches, Holds                          *model.Tokens
		}
		answer := batchOf(t, lineOf(t, s, fmt.Sprintf(`"query": {"op": "quality", "wanted": 0.5, "ceiling": %d},`, ceiling)))[0]
		musttest.Do(t, json.Unmarshal([]byte(answer), &got))
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
		if compared++; everReaches {
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
		{`, "labels": {"3": 1}`, `, "ceiling": 9`, "there are 1 items"},
		{`, "answers": ["the"]`, `, "ceiling": 9`, "contains no words"},
	} {
		if got := batchOf(t, fmt.Sprintf(line, c[0], c[1])); !strings.Contains(got[0], c[2]) {
			t.Errorf("%q: %s", c[2], got)
		}
	}
	if got := batchOf(t, fmt.Sprintf(line, `, "answers": ["a b"]`, `, "ceiling": 9`)); !bytes.Contains([]byte(got[0]), []byte(`"recall":null,"complete":null,"answered":0,"shareNeeded":null,"reaches":null,"holds":null}`)) {
		t.Errorf("with answers alone: %s", got)
	}
}
