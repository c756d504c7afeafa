package command

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// The long item of q1 and q2 has the best score, and the two short ones more score
// a token. At 60 tokens greedy takes the short ones, rank the long one.
const questions = `{"id": "q1", "talk": "a", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 100}, "items": [{"content": "q1 long", "tokens": 60, "futureRelevanceHint": 0.9, "id": "long"}, {"content": "q1 s1", "tokens": 20, "futureRelevanceHint": 0.4, "id": "s1"}, {"content": "q1 s2", "tokens": 20, "futureRelevanceHint": 0.35, "id": "s2"}]}
{"id": "q2", "talk": "a", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 100}, "items": [{"content": "q2 long", "tokens": 60, "futureRelevanceHint": 0.9, "id": "long"}, {"content": "q2 s1", "tokens": 20, "futureRelevanceHint": 0.4, "id": "s1"}, {"content": "q2 s2", "tokens": 20, "futureRelevanceHint": 0.35, "id": "s2"}]}
{"id": "q3", "talk": "b", "policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 100}, "items": [{"content": "q3 a", "tokens": 50, "futureRelevanceHint": 0.5, "id": "a"}, {"content": "q3 b", "tokens": 50, "futureRelevanceHint": 0.4, "id": "b"}]}
`

// q1 needs the long item, q2 that and a short one; two labels name nothing.
const qrels = "q1 0 long 1\nq2 0 long 1\nq2 0 s1 1\nq2 0 gone 1\nq9 0 a 1\n"

func evaluateFiles(t *testing.T, labels string) (questionsPath, labelsPath string) {
	t.Helper()
	return musttest.File(t, "questions.jsonl", questions), musttest.File(t, "labels", labels)
}

// evaluateAnswer is the answer of evaluate in JSON.
type evaluateAnswer struct {
	Cases, Labelled, Answerable, Groups, Unreachable, UnmatchedCases int
	Budgets                                                          []struct {
		At       string
		Policies []struct {
			Name                                  string
			Ours                                  bool
			Recall, Complete, ShareNeeded, Tokens float64
			VsBaseline                            *struct {
				Win, Tie, Loss        int
				Difference, P, LeastP float64
			}
		}
	}
	Policies []struct{ ReachesMedian, ReachesP90, HoldsP90 int }
	Worst    []struct {
		Case   string
		Recall float64
	}
	WorstChanges []struct {
		Case, Policy, Open string
		Difference         float64
	}
}

func evaluated(t *testing.T, in string, o session.Options, v evaluateOptions) evaluateAnswer {
	t.Helper()
	v.Output = "json"
	return musttest.JSON[evaluateAnswer](t, printed(t, evaluate, in, o, v))
}

func TestEvaluateWorkedValues(t *testing.T) {
	source, labels := evaluateFiles(t, qrels)
	got := evaluated(t, "", session.Options{Sources: []string{source}, Labels: labels}, evaluateOptions{
		labelOptions: labelOptions{Group: "talk"}, At: []string{"60"}, Worst: 1,
	})
	if got.Cases != 3 || got.Labelled != 2 || got.Groups != 1 || got.Unreachable != 1 || got.UnmatchedCases != 1 {
		t.Errorf("counts %+v", got)
	}
	own, rank := got.Budgets[0].Policies[0], got.Budgets[0].Policies[1]
	// Greedy has nothing of q1 and s1 of q2; the tokens are 40, 40 and 50.
	if own.Recall != 0.25 || own.Complete != 0 || own.ShareNeeded != 0.25 || own.Tokens != 130.0/3 || own.VsBaseline != nil {
		t.Errorf("own %+v", own)
	}
	// Rank has all of q1 and the long item of q2.
	if rank.Name != "rank" || !rank.Ours || rank.Recall != 0.75 || rank.Complete != 0.5 || rank.ShareNeeded != 1 {
		t.Errorf("rank %+v", rank)
	}
	if v := rank.VsBaseline; v == nil || v.Win != 1 || v.Tie != 1 || v.Loss != 0 || v.Difference != 0.5 || v.P != 1 || v.LeastP != 1 {
		t.Errorf("rank against own %+v", v)
	}
	// Rank has long from 60 on and s1 from 80 on; greedy has both only with s2, at 100.
	if p := got.Policies; p[0].ReachesMedian != 100 || p[1].ReachesMedian != 60 || p[1].ReachesP90 != 80 || p[1].HoldsP90 != 80 {
		t.Errorf("budgets %+v", p)
	}
	if len(got.Worst) != 1 || !strings.HasSuffix(got.Worst[0].Case, "questions.jsonl:1 q1") || got.Worst[0].Recall != 0 {
		t.Errorf("worst %+v", got.Worst)
	}
}

func TestEvaluateForms(t *testing.T) {
	source, labels := evaluateFiles(t, qrels)
	for form, want := range map[export.Form][]string{
		"table":    {"25.0 %", "rank (not Cupel's)", "1 label without an item", "budgets for a recall of 90 %", "the lowest recall under own"},
		"markdown": {"| 60", "75.0 %"},
		"csv":      {"60,own,false,0.25,0,", "60,rank,true,0.75,0.5,"},
	} {
		out, _, err := ran(evaluate, "", session.Options{Sources: []string{source}, Labels: labels}, evaluateOptions{
			labelOptions: labelOptions{answerOptions: answerOptions{Output: form}, Group: "talk"}, At: []string{"60,100%"}, Worst: 2,
		})
		musttest.Do(t, err)
		for _, text := range want {
			musttest.Says(t, out, text, form)
		}
	}
}

func TestEvaluateErrors(t *testing.T) {
	source, labels := evaluateFiles(t, "q1 0 long 1\nq1 0 s1\n")
	mixed := musttest.File(t, "mixed.jsonl", strings.Replace(questions, `"reflexive"`, `"recency"`, 1))
	alone := musttest.File(t, "alone.jsonl", strings.NewReplacer(`"talk": "a", `, "", `"talk": "b", `, "").Replace(questions))
	_, nothing := evaluateFiles(t, "q1 0 long 0\nq2 0 gone 1\n")
	for _, test := range []struct {
		name, source, labels, group string
		want                        string
	}{
		{"nothing needed", source, nothing, "talk", "no case has labels of needed items; of no item: 1 label"},
		{"a broken label", source, labels, "", "line 2: 3 fields"},
		{"no group", alone, "", "budget", `no text or number in the field "budget"`},
	} {
		_, _, err := ran(evaluate, "", session.Options{Sources: []string{test.source}, Labels: test.labels}, evaluateOptions{labelOptions: labelOptions{Group: test.group}, At: []string{"60"}})
		musttest.Says(t, err, test.want, test.name)
	}
	_, good := evaluateFiles(t, qrels)
	_, told, err := ran(evaluate, "", session.Options{Sources: []string{mixed}, Labels: good}, evaluateOptions{labelOptions: labelOptions{Group: "talk"}, At: []string{"60"}})
	if err != nil || !strings.Contains(told, "2 cases not evaluated") || !strings.Contains(told, "is not that of the first case") {
		t.Errorf("cases with other policies: %q, %v", told, err)
	}
}

// The words before the sources are policies, the first of them the baseline; what a
// case has for a budget is what it is evaluated at, unless another is asked for.
func TestEvaluateNamesPoliciesBeforeSources(t *testing.T) {
	source, labels := evaluateFiles(t, qrels)
	file := musttest.File(t, "mine.json", `{"scorers": [{"type": "reflexive", "weight": 1}], "slicerType": "knapsack", "knapsackBucketSize": 1}`)
	out, _, err := ran(evaluate, "", session.Options{Sources: []string{"knapsack:1", file, "greedy", source}, Labels: labels}, evaluateOptions{
		labelOptions: labelOptions{answerOptions: answerOptions{Output: "csv"}, Group: "talk"},
	})
	musttest.Do(t, err)
	var got []string
	for line := range strings.Lines(out) {
		fields := strings.Split(line, ",")
		got = append(got, fields[0]+" "+fields[1])
	}
	musttest.Is(t, got, []string{"at policy", "own knapsack:1", "own " + file, "own greedy", "own rank", "own " + string(model.Prefix)})
}

// questionsOverTalks is two conversations with two questions each, and one whose
// question has no answer in it.
const questionsOverTalks = `[
{"sample_id": "t1", "conversation": {"speaker_a": "Ada", "speaker_b": "Bo", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [
  {"speaker": "Ada", "dia_id": "D1:1", "text": "I keep bees behind the old mill."}, {"speaker": "Bo", "dia_id": "D1:2", "text": "My boat is called Heron."}]},
 "qa": [{"question": "Where are the bees?", "answer": "behind the old mill", "evidence": ["D1:1"], "category": 1}, {"question": "What is the boat called?", "answer": "Heron", "evidence": ["D1:2", "D9:9"], "category": 4}]},
{"sample_id": "t2", "conversation": {"speaker_a": "Cy", "speaker_b": "Di", "session_1_date_time": "2:10 pm on 9 May, 2023", "session_1": [
  {"speaker": "Cy", "dia_id": "D1:1", "text": "The piano is in the attic [now]."}, {"speaker": "Di", "dia_id": "D1:2", "text": "I paint \"doors\" green."}]},
 "qa": [{"question": "Where is the piano?", "answer": "the attic", "evidence": ["D1:1"], "category": 1}, {"question": "Which colour has Cy?", "adversarial_answer": "green", "evidence": ["D1:2"], "category": 5}]}
]`

// A file of many questions is a case each, by the number that --select opens; those
// over one conversation are a group.
func TestQuestionsOverAConversationAreAGroup(t *testing.T) {
	path := musttest.File(t, "talks.json", questionsOverTalks)
	for _, source := range []string{path, "-"} {
		got := evaluated(t, questionsOverTalks, session.Options{Sources: []string{source}}, evaluateOptions{Worst: 9, At: []string{"1"}})
		if got.Cases != 4 || got.Labelled != 3 || got.Answerable != 3 || got.Groups != 2 || got.Unreachable != 1 {
			t.Errorf("%s: %+v", source, got)
		}
		var names []string
		for _, w := range got.Worst {
			names = append(names, strings.TrimPrefix(w.Case, source))
		}
		musttest.Is(t, names, []string{"[1]", "[2]", "[3]"}, source, "the cases")
	}
	if _, _, err := ran(writeReport, "", session.Options{Sources: []string{path}, Select: "3"}, reportOptions{}); err != nil {
		t.Error(err)
	}
}

// A case that counts twice would make chance look like a difference.
func TestASourceNamedTwiceCountsOnce(t *testing.T) {
	source, labels := evaluateFiles(t, qrels)
	again := filepath.Dir(source) + "/./" + filepath.Base(source)
	v := evaluateOptions{labelOptions: labelOptions{answerOptions: inJSON, Group: "talk"}, At: []string{"60"}}
	cases := func(sources ...string) (n int, diagnostics string) {
		out, diagnostics, err := ran(evaluate, "", session.Options{Sources: sources, Labels: labels}, v)
		musttest.Do(t, err)
		return musttest.JSON[evaluateAnswer](t, out).Cases, diagnostics
	}
	once, _ := cases(source)
	if twice, says := cases(source, again); once == 0 || twice != once || !strings.Contains(says, "1 source named before, read once (") {
		t.Errorf("%d cases, named twice %d; %s", once, twice, says)
	}
}

// Selectors know which calls are split from their results.
func TestSplitIsASelector(t *testing.T) {
	const scenario = `{"items": [
		{"content": "the call", "tokens": 10, "futureRelevanceHint": 1, "metadata": {"part": "toolCall", "callId": "a"}},
		{"content": "the result", "tokens": 90, "futureRelevanceHint": 0.1, "kind": "ToolOutput", "metadata": {"part": "toolResult", "callId": "a"}}],
		"policy": {"scorers": [{"type": "reflexive", "weight": 1}]}, "budget": {"maxTokens": 50}}`
	for _, c := range []struct{ budget, want string }{
		{"50", "FAIL forbid is:split 1 of 2 in: #0"},
		{"100", "ok forbid is:split no item matches"},
		{"5", "ok forbid is:split no item matches"},
	} {
		out, _, _ := ran(check, scenario, session.Options{Sources: []string{"-"}, Budget: maximum(c.budget)}, checkOptions{Typed: typed("--forbid is:split")})
		musttest.Says(t, strings.Join(strings.Fields(out), " "), c.want, "at", c.budget)
	}
}

// Verbs with many cases say once which slot of the flags no case has an item for, as
// those with one source do.
func TestSlotsThatNoCaseHas(t *testing.T) {
	musttest.Alone(t)
	var lines strings.Builder
	for k := range 40 { // enough to tune for
		kind := [...]string{"Message", "Memory"}[k%2]
		fmt.Fprintf(&lines, `{"policy": {"scorers": [{"type": "recency", "weight": 1}]}, "budget": {"maxTokens": 30}, "labels": {"0": 1}, "items": [`+
			`{"content": "a %[1]d", "tokens": 10, "kind": %[2]q}, {"content": "b %[1]d", "tokens": 9}, {"content": "c %[1]d", "tokens": 12}]}`+"\n", k, kind)
	}
	const says = `cupelscope: no item has the kind "Memry", for which the budget holds 5 tokens` + "\n"
	many := " --slot Memory=3 --slot Memry=5 " + musttest.File(t, "many.jsonl", lines.String())
	for _, verb := range []string{
		"compare own knapsack" + many, "compare own knapsack -o csv" + many, "turns --fixture agent --slot Memry=5", "evaluate" + many, "tune --folds 2" + many, "batch" + many,
	} {
		s, _, told := streams("")
		if code := line(t.Context(), s, verb); code != Fine || strings.Count(told.String(), says) != 1 || strings.Contains(told.String(), "Memory") {
			t.Errorf("%s: exit %d\n%s", verb, code, told)
		}
	}
}

// manyCases is a file of cases with 600 items of some 40 tokens, of which a few are
// needed.
func manyCases(b *testing.B, cases int) string {
	b.Helper()
	r := rand.New(rand.NewPCG(41, 42))
	var text strings.Builder
	for k := range cases {
		fmt.Fprintf(&text, `{"id": "q%d", "items": [`, k)
		for i := range 600 {
			if i > 0 {
				text.WriteByte(',')
			}
			tokens, needed := 10+r.IntN(60), r.IntN(200) == 0
			hint := 0.1 + 0.4*r.Float64()
			if needed {
				hint += 0.4
			}
			fmt.Fprintf(&text, `{"content": "%d %s", "tokens": %d, "futureRelevanceHint": %.4f, "relevance": %t}`, i, strings.Repeat("some words ", tokens/3), tokens, hint, needed)
		}
		text.WriteString("]}\n")
	}
	return musttest.File(b, "cases.jsonl", text.String())
}

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
	labels := musttest.File(t, "labels", qrels)
	run := func(text string, form answerOptions) string {
		t.Helper()
		o := session.Options{Sources: []string{"own", "knapsack:1", musttest.File(t, "cases.jsonl", text)}, Labels: labels}
		out, _, err := ran(evaluate, "", o, evaluateOptions{
			labelOptions: labelOptions{answerOptions: form}, At: []string{"40", "50%"}, Cases: true,
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
	answer := musttest.JSON[evaluateAnswer](t, run(cases, inJSON))
	for _, at := range answer.Budgets {
		for _, p := range at.Policies {
			if k := (key{at.At, p.Name}); counts[k] != 40 || math.Abs(sums[k]/counts[k]-p.Recall) > 1e-9 {
				t.Errorf("%v: %v over %v cases, the whole says %v", k, sums[k]/counts[k], counts[k], p.Recall)
			}
		}
	}
	musttest.Is(t, len(answer.Budgets), 2, answer)
	musttest.Is(t, len(answer.Budgets[0].Policies), 4, answer)
}

// TestEvaluateTellsWhatGetsWorse: at 60 tokens rank has the long item of q1, which greedy,
// here the second policy, has not.
func TestEvaluateTellsWhatGetsWorse(t *testing.T) {
	source, labels := evaluateFiles(t, qrels)
	got := evaluated(t, "", session.Options{Sources: []string{"rank", "greedy", source}, Labels: labels}, evaluateOptions{
		labelOptions: labelOptions{Group: "talk"}, At: []string{"60"}, Worst: 5,
	})
	if all := got.WorstChanges; len(all) != 1 || !strings.HasSuffix(all[0].Case, " q1") || all[0].Policy != "greedy" || all[0].Difference != -1 || !strings.Contains(all[0].Open, "greedy") {
		t.Errorf("%+v", got)
	}
}
