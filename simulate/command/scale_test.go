package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// inTen deals the lines of a text out to ten parts, in order.
func inTen(text string) []string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	parts := make([]string, 10)
	for k, line := range lines {
		parts[k*10/len(lines)] += strings.TrimSuffix(line, "\n") + "\n"
	}
	return parts
}

// labelledLines returns 40 labelled cases of several sizes, and the labels.
func labelledLines() (cases, labels string) {
	var lines, qrels strings.Builder
	for k := range 40 {
		fmt.Fprintf(&lines, `{"id": "q%d", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 100}, "items": [`, k)
		for i := range 3 + k%5 {
			if i > 0 {
				lines.WriteString(", ")
			}
			fmt.Fprintf(&lines, `{"content": "q%d item %d", "tokens": %d, "futureRelevanceHint": %g, "id": "i%d"}`, k, i, 10+(k*7+i*13)%40, float64((k*3+i*5)%10)/10, i)
		}
		lines.WriteString("]}\n")
		fmt.Fprintf(&qrels, "q%d 0 i%d 1\nq%d 0 i%d 1\n", k, k%3, k, (k+1)%3)
	}
	return lines.String(), qrels.String()
}

// TestPartsOfAnEvaluationMergeToTheWhole evaluates 40 cases at once and in ten parts, and
// merges the rows of the parts into means.
func TestPartsOfAnEvaluationMergeToTheWhole(t *testing.T) {
	cases, qrels := labelledLines()
	labels := write(t, "labels", qrels)
	run := func(text string, form answerOptions) string {
		t.Helper()
		o := session.Options{Sources: []string{"own", "knapsack:1", write(t, "cases.jsonl", text)}}
		out, _, err := ran(evaluate, "", o, evaluateOptions{
			labelOptions: labelOptions{answerOptions: form, LabelOptions: session.LabelOptions{Labels: labels}}, At: []string{"40", "50%"}, Cases: true,
		})
		musttest.Do(t, err)
		return out
	}
	type key struct{ budget, policy string }
	sums, counts := map[key]float64{}, map[key]float64{}
	merged := ""
	for _, part := range inTen(cases) {
		out := run(part, answerOptions{Output: "csv"})
		_, rows, _ := strings.Cut(out, "\n")
		merged += rows
		all := musttest.Of(csv.NewReader(strings.NewReader(out)).ReadAll())(t)
		column := map[string]int{}
		for c, name := range all[0] {
			column[name] = c
		}
		for _, row := range all[1:] {
			recall := musttest.Of(strconv.ParseFloat(row[column["recall"]], 64))(t)
			k := key{row[column["budget"]], row[column["policy"]]}
			sums[k] += recall
			counts[k]++
		}
	}
	// The groups of cases without one are numbered within a run.
	whole := run(cases, answerOptions{Output: "csv"})
	if _, rows, _ := strings.Cut(whole, "\n"); strings.Count(rows, "\n") != strings.Count(merged, "\n") {
		t.Errorf("%d rows in all, %d in the parts", strings.Count(rows, "\n"), strings.Count(merged, "\n"))
	}
	var answer struct {
		Budgets []struct {
			At       string
			Policies []struct {
				Name   string
				Recall float64
			}
		}
	}
	musttest.Do(t, json.Unmarshal([]byte(run(cases, inJSON)), &answer))
	for _, at := range answer.Budgets {
		for _, p := range at.Policies {
			if k := (key{at.At, p.Name}); counts[k] != 40 || math.Abs(sums[k]/counts[k]-p.Recall) > 1e-9 {
				t.Errorf("%v: %v over %v cases, the whole says %v", k, sums[k]/counts[k], counts[k], p.Recall)
			}
		}
	}
	if len(answer.Budgets) != 2 || len(answer.Budgets[0].Policies) != 4 {
		t.Errorf("%+v", answer)
	}
}

// TestEvaluateTellsWhatGetsWorse: at 60 tokens rank has the long item of q1, which greedy,
// here the second policy, has not.
func TestEvaluateTellsWhatGetsWorse(t *testing.T) {
	source, labels := evaluateFiles(t, qrels)
	out, _, err := ran(evaluate, "", session.Options{Sources: []string{"rank", "greedy", source}}, evaluateOptions{
		labelOptions: labelOptions{answerOptions: inJSON, LabelOptions: session.LabelOptions{Labels: labels, Group: "talk"}}, At: []string{"60"}, Worst: 5,
	})
	musttest.Do(t, err)
	var got struct {
		WorstChanges []struct {
			Case, Policy, Open string
			Difference         float64
		}
	}
	musttest.Do(t, json.Unmarshal([]byte(out), &got))
	if len(got.WorstChanges) != 1 || !strings.HasSuffix(got.WorstChanges[0].Case, " q1") || got.WorstChanges[0].Policy != "greedy" || got.WorstChanges[0].Difference != -1 || !strings.Contains(got.WorstChanges[0].Open, "greedy") {
		t.Errorf("%+v\n%s", got, out)
	}
}
