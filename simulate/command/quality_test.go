package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// batchOf are the answers to lines.
func batchOf(t *testing.T, lines string) []string {
	t.Helper()
	s, out, _ := streams(lines)
	err := answerBatch(context.Background(), session.Options{}, batchOptions{}, s)
	if err != nil && !ends(err, Failed) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

// TestBatchQuality holds reaches and holds to a dry run at every budget, and the
// figures to the items that it lets in.
func TestBatchQuality(t *testing.T) {
	const ceiling = 60
	r := rand.New(rand.NewPCG(31, 32))
	for range 30 {
		var items []string
		labels, grades := map[string]int{}, 0
		for i := range 6 {
			items = append(items, fmt.Sprintf(`{"content": "item %d", "tokens": %d, "futureRelevanceHint": 0.%d}`, i, 1+r.IntN(15), 1+r.IntN(9)))
			if grade := r.IntN(3); grade > 0 {
				labels[fmt.Sprint(i)] = grade
				grades += grade
			}
		}
		labelled := musttest.Of(json.Marshal(labels))(t)
		line := func(budget int, rest string) string {
			return fmt.Sprintf(`{"items": [%s], "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": %d}, %s}`+"\n", strings.Join(items, ","), budget, rest)
		}
		var lines strings.Builder
		for b := 1; b <= ceiling; b++ {
			lines.WriteString(line(b, `"query": {}`))
			lines.WriteString(line(b, fmt.Sprintf(`"labels": %s, "answers": ["ITEM 2"], "query": {"op": "quality", "wanted": 0.5, "ceiling": %d}`, labelled, ceiling)))
		}
		answers := batchOf(t, lines.String())
		reaches, holds := 0, 0 // 0: none
		for b := 1; b <= ceiling; b++ {
			var run struct{ Included []struct{ Index int } }
			var got struct {
				Recall, Complete *float64
				Answered         float64
				Reaches, Holds   *int
			}
			musttest.Do(t, json.Unmarshal([]byte(answers[2*b-2]), &run))
			musttest.Do(t, json.Unmarshal([]byte(answers[2*b-1]), &got))
			in, needed, answered := 0, 0, 0.0
			for _, it := range run.Included {
				if g := labels[fmt.Sprint(it.Index)]; g > 0 {
					in, needed = in+g, needed+1
				}
				if it.Index == 2 {
					answered = 1
				}
			}
			if got.Answered != answered {
				t.Fatalf("at %d: %s, included are %v", b, answers[2*b-1], run.Included)
			}
			if grades == 0 {
				if got.Recall != nil || got.Complete != nil || got.Reaches != nil || got.Holds != nil {
					t.Fatalf("nothing was needed, but %s", answers[2*b-1])
				}
				continue
			}
			recall := float64(in) / float64(grades)
			if *got.Recall != recall || (*got.Complete == 1) != (needed == len(labels)) {
				t.Fatalf("at %d: %s, the recall is %v", b, answers[2*b-1], recall)
			}
			switch {
			case recall < 0.5:
				holds = 0
			case holds == 0:
				holds = b
			}
			if recall >= 0.5 && reaches == 0 {
				reaches = b
			}
			if b == ceiling && (got.Reaches == nil || *got.Reaches != reaches || got.Holds == nil || *got.Holds != holds) && holds > 0 {
				t.Fatalf("%s, want %d and %d", answers[2*b-1], reaches, holds)
			}
		}
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
