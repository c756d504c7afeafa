package command

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/pipeline"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
)

// lineOf is a scenario on one line, with what else is to be in it.
func lineOf(t *testing.T, s model.Scenario, more string) string {
	t.Helper()
	text := musttest.Of(itemset.MarshalScenario(s))(t)
	var line bytes.Buffer
	musttest.Do(t, json.Compact(&line, text))
	return "{" + more + string(line.Bytes()[1:]) + "\n"
}

// both runs two policies over items at a budget; false: one has no result.
func both(t *testing.T, set *model.Set, a, b model.Policy, budget model.Budget) (reports [2]*model.Report, ok bool) {
	t.Helper()
	for k, p := range [...]model.Policy{a, b} {
		pipe, err := pipeline.New(p)
		if err != nil {
			return reports, false
		}
		r := musttest.Of(pipe.Rank(context.Background(), set))(t)
		if reports[k], err = r.DryRun(budget); err != nil {
			return reports, false
		}
	}
	return reports, true
}

// TestBatchCompares: op compare says what two runs say.
func TestBatchCompares(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	var in strings.Builder
	var scenarios []model.Scenario
	for i := range 300 {
		s := randomExperiment(t, rng)
		other := randomExperiment(t, rng).Policy
		if i%10 > 0 {
			s.PolicyB = model.Some(other)
		}
		scenarios = append(scenarios, s)
		in.WriteString(lineOf(t, s, fmt.Sprintf(`"id":%d,"query":{"op":"compare"},`, i)))
	}
	out, _ := runBatch(t, session.Options{}, batchOptions{Jobs: 2}, in.String())
	compared := 0
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		got := musttest.JSON[struct {
			ID                 int
			Both, OnlyA, OnlyB []int32
			TokensA, TokensB   model.Tokens
			ValueA, ValueB     float64
			ValueBByA          float64
			Error              *struct{ Code, Message string }
		}](t, line)
		s := scenarios[i]
		if !s.PolicyB.Set {
			if got.Error == nil || got.Error.Code != string(invalidQuery) || !strings.Contains(got.Error.Message, "no policyB") {
				t.Fatalf("%s, want that there is no policyB", line)
			}
			continue
		}
		reports, ok := both(t, s.Items, s.Policy, s.PolicyB.Value, s.Budget)
		if ok == (got.Error != nil) {
			t.Fatalf("%s, runs: %v", line, ok)
		}
		if !ok {
			continue
		}
		c := simulate.Compare(reports[0], reports[1])
		byA := 0.0
		for i := range s.Items.Len() {
			if code := reports[1].Codes[i]; code.Included() && code != model.Pinned {
				byA += reports[0].Scores[i]
			}
		}
		if got.ID != i || fmt.Sprint(got.Both, got.OnlyA, got.OnlyB) != fmt.Sprint(c.Both, c.OnlyA, c.OnlyB) || got.TokensA != reports[0].Kept ||
			got.TokensB != reports[1].Kept || got.ValueA != reports[0].Value || got.ValueB != reports[1].Value || math.Abs(got.ValueBByA-byA) > 1e-9 {
			t.Fatalf("%s, want %+v, %v", line, c, byA)
		}
		compared++
	}
	if compared < 100 {
		t.Errorf("only %d compared", compared)
	}
}

type compareAnswer struct {
	A, B                                                   string
	Cases, Comparisons, LeftOut, Differing, EstimatedCases int
	SameScores                                             bool
	Budgets                                                []struct {
		At                                                             string
		Cases, Differing                                               int
		DifferingShare                                                 *float64
		OnlyACount, OnlyBCount                                         int
		OnlyATokens, OnlyBTokens                                       model.Tokens
		ValueA, ValueB, ValueBByA                                      float64
		Worth                                                          *float64
		Worse, Better                                                  int
		MeanBelowBestA, MostBelowBestA, MeanBelowBestB, MostBelowBestB *float64
	}
	Kinds []struct {
		Kind                     string
		OnlyACount, OnlyBCount   int
		OnlyATokens, OnlyBTokens model.Tokens
	}
	Worst []struct {
		Case                          string
		MaxTokens                     model.Tokens
		OnlyACount, OnlyBCount        int
		OnlyATokens, OnlyBTokens      model.Tokens
		ValueA, ValueBByA             float64
		Worth, BelowBestA, BelowBestB *float64
	}
}

// TestCompareSums: over files and lines, at several budgets, the sums are those
// of running both policies everywhere.
func TestCompareSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	folder := t.TempDir()
	lines := filepath.Join(folder, "many.jsonl")
	var text strings.Builder
	var scenarios []model.Scenario
	sources := []string{lines}
	for i := range 200 {
		s := randomExperiment(t, rng)
		if s.Items.Len() == 0 {
			continue
		}
		scenarios = append(scenarios, s)
		if i%20 == 0 { // a file of its own
			path := filepath.Join(folder, fmt.Sprintf("one%d.json", i))
			musttest.Do(t, (itemset.Saver{}).WriteScenario(path, s))
			sources = append(sources, path)
			continue
		}
		text.WriteString(lineOf(t, s, fmt.Sprintf(`"id":%d,`, i)))
	}
	musttest.Do(t, os.WriteFile(lines, []byte(text.String()), 0o600))
	at := []string{"20", "50%,35"}
	before := ""
	for _, jobs := range []int{1, 3} {
		s, out, _ := streams("")
		c := compareOptions{answerOptions: inJSON, A: "own", B: "knapsack:2", At: at, Worst: 3, Jobs: jobs}
		musttest.Do(t, compare(context.Background(), session.Options{Sources: sources}, c, s))
		if before != "" && before != out.String() {
			t.Errorf("%d workers answer otherwise:\n%s\nand\n%s", jobs, out, before)
		}
		before = out.String()
		var got compareAnswer
		decoder := json.NewDecoder(out)
		musttest.Do(t, decoder.Decode(&got))
		if got.Cases != len(scenarios) || len(got.Budgets) != 4 || got.Budgets[3].At != "all" || got.Budgets[1].At != "50%" {
			t.Fatalf("%+v", got)
		}
		kinds := map[model.Kind]int{}
		worst := 0.0
		for k := range 3 {
			want := got.Budgets[k]
			cases, differing, onlyA, onlyB, worse, better := 0, 0, 0, 0, 0, 0
			var tokensA, tokensB model.Tokens
			var valueA, valueB, byA float64
			for _, s := range scenarios {
				half := model.Tokens(0)
				for i := range s.Items.Len() {
					if !s.Items.Excluded(i) {
						half += max(0, s.Items.Tokens(i))
					}
				}
				budget := [...]model.Tokens{20, half / 2, 35}[k]
				of, err := s.Budget.At(budget)
				if err != nil {
					continue
				}
				b := s.Policy.Clone()
				b.Slicer, b.BucketSize, b.BatchSize = model.Knapsack, 2, 0
				reports, ok := both(t, s.Items, s.Policy, b, of)
				if !ok {
					continue
				}
				cases++
				c := simulate.Compare(reports[0], reports[1])
				if len(c.OnlyA)+len(c.OnlyB) > 0 {
					differing++
				}
				onlyA, onlyB = onlyA+len(c.OnlyA), onlyB+len(c.OnlyB)
				tokensA, tokensB = tokensA+c.OnlyATokens, tokensB+c.OnlyBTokens
				valueA, valueB = valueA+reports[0].Value, valueB+reports[1].Value
				own := c.BothValueA
				for _, i := range c.OnlyB {
					own += reports[0].Scores[i]
					kinds[s.Items.Loaded(int(i)).Kind]++
				}
				for _, i := range c.OnlyA {
					kinds[s.Items.Loaded(int(i)).Kind]++
				}
				byA += own
				switch {
				case own < reports[0].Value-1e-9:
					worse++
				case own > reports[0].Value+1e-9:
					better++
				}
				if reports[0].Value > 0 {
					worst = max(worst, math.Abs(own-reports[0].Value)/reports[0].Value)
				}
			}
			if want.Cases != cases || want.Differing != differing || want.OnlyACount != onlyA || want.OnlyBCount != onlyB || want.OnlyATokens != tokensA ||
				want.OnlyBTokens != tokensB || math.Abs(want.ValueA-valueA)+math.Abs(want.ValueB-valueB)+math.Abs(want.ValueBByA-byA) > 1e-6 ||
				want.Worse != worse || want.Better != better {
				t.Errorf("budget %s: %+v; counted %d cases, %d differ, only %d and %d, value %v and %v", want.At, want, cases, differing, onlyA, onlyB, valueA, byA)
			}
		}
		for _, k := range got.Kinds {
			musttest.Is(t, kinds[model.Kind(k.Kind)], k.OnlyACount+k.OnlyBCount, k)
		}
		if len(got.Worst) != 3 || got.Worst[0].Worth != nil && math.Abs(math.Abs(*got.Worst[0].Worth)-worst) > 1e-9 {
			t.Errorf("worst %+v, want %v", got.Worst, worst)
		}
	}
}

func TestCompareInCSV(t *testing.T) {
	const lines = `{"id": "a", "items": [{"content": "x", "tokens": 9}], "policy": {"scorers": [{"type": "kind", "weight": 1}]}, "budget": {"maxTokens": 9}}
not JSON
{"messages": [{"role": "user", "content": "hello"}]}
`
	c := compareOptions{answerOptions: answerOptions{Output: "csv"}, A: "greedy", B: "knapsack:4", Jobs: 2}
	out, diagnostics, err := ran(compare, lines, session.Options{Sources: []string{"-"}}, c)
	musttest.Do(t, err)
	want := `case,at,maxTokens,differs,includedCountA,includedCountB,tokensA,tokensB,onlyACount,onlyATokens,onlyBCount,onlyBTokens,valueA,valueB,valueBByA,worth,belowBestA,belowBestB,error,budgetGuessed,estimatedCounts
'-:1 a,own,9,true,1,0,9,0,1,9,0,0,0.2,0,0,-1,0,1,,false,0
`
	rows := strings.Split(out, "\n")
	if !strings.HasPrefix(out, want) || len(rows) != 5 || !strings.HasPrefix(rows[2], "'-:2,") || !strings.HasPrefix(rows[3], "'-:3,own,8000,") {
		t.Errorf("%s", out)
	}
	musttest.Says(t, diagnostics, "1 case not compared (invalid-input), first -:2: ", "diagnostics")
}

// TestCompareEveryRun: a document of several runs or result sets is as many cases, also from
// standard input, and a file of lines may be compressed.
func TestCompareEveryRun(t *testing.T) {
	const chat = `{"messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "and good day to you"}]}`
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprintf(w, "%s\n%s\n", chat, chat)
	w.Close()
	document := `{"runs": [` + chat + ",\n" + chat + "," + chat + `]}`
	lines, whole := musttest.File(t, "lines.jsonl.gz", packed.String()), musttest.File(t, "runs.json", document)
	const results = `{"query": "a", "results": [{"text": "b", "score": 1}, {"text": "c c", "score": 2}]}`
	sets := musttest.File(t, "sets.json", "["+results+",\n"+results+"]")
	broken := musttest.File(t, "broken.gz", packed.String()[:20])
	for _, c := range []struct {
		name   string
		source string
		in     string
		names  []string
		failed int
	}{
		{"lines, compressed", lines, "", []string{lines + ":1", lines + ":2"}, 0},
		{"lines, compressed, from standard input", "-", packed.String(), []string{"'-:1", "'-:2"}, 0},
		{"result sets", sets, "", []string{sets + "[1]", sets + "[2]"}, 0},
		{"broken on standard input", "-", packed.String()[:5], []string{"'-"}, 1},
		{"a document", whole, "", []string{whole + "[1]", whole + "[2]", whole + "[3]"}, 0},
		{"a document from standard input", "-", document, []string{"'-[1]", "'-[2]", "'-[3]"}, 0},
		{"broken", broken, "", []string{broken}, 1},
	} {
		out, _, err := ran(compare, c.in, session.Options{Sources: []string{c.source}}, compareOptions{answerOptions: answerOptions{Output: "csv"}, A: "greedy", B: "knapsack:1", At: []string{"50%"}})
		musttest.Is(t, err != nil, c.failed > 0, c.name, err)
		rows := strings.Split(strings.TrimSpace(out), "\n")[1:]
		if len(rows) != len(c.names) {
			t.Errorf("%s: %d rows\n%s", c.name, len(rows), out)
			continue
		}
		for k, row := range rows {
			if name, _, _ := strings.Cut(row, ","); name != c.names[k] {
				t.Errorf("%s: case %q, want %q", c.name, name, c.names[k])
			}
		}
	}
}

// A scenario without a budget or policy takes those of the flags.
func TestCompareGivesWhatLinesLack(t *testing.T) {
	const line = `{"id": 1, "items": [{"content": "x", "tokens": 9}], "policy": {"scorers": [{"type": "kind", "weight": 1}]}}` + "\n" +
		`{"id": 2, "items": [{"content": "x", "tokens": 9}], "budget": {"maxTokens": 10}}` + "\n"
	for _, c := range []struct {
		name    string
		options session.Options
		compare compareOptions
	}{
		{"flags", session.Options{Budget: maximum("9"), Preset: "rag"}, compareOptions{A: "own", B: "knapsack:1"}},
		{"budgets and policies", session.Options{}, compareOptions{A: "chat", B: "rag", At: []string{"9"}}},
	} {
		s, out, diagnostics := streams(line)
		c.options.Sources, c.compare.Output = []string{"-"}, "json"
		err := compare(context.Background(), c.options, c.compare, s)
		var got compareAnswer
		if err != nil || json.Unmarshal(out.Bytes(), &got) != nil || got.Comparisons != 2 || got.LeftOut != 0 {
			t.Errorf("%s: %v, %+v, %s", c.name, err, got, diagnostics)
		}
	}
	const talk = `{"policy": {"scorers": [{"type": "kind", "weight": 1}]}, "items": [{"content": "x", "tokens": 9, "metadata": {"role": "user"}}], "labels": {"0": 1}}` + "\n"
	for at, tokens := range map[string]string{"": "9", "50%": ""} {
		for name, run := range map[string]func(context.Context, session.Options, Streams) error{
			"turns": func(ctx context.Context, o session.Options, s Streams) error {
				return writeTurns(ctx, o, turnsOptions{At: at}, s)
			},
			"evaluate": func(ctx context.Context, o session.Options, s Streams) error {
				return evaluate(ctx, o, evaluateOptions{At: []string{at}[:min(len(at), 1)]}, s)
			},
		} {
			s, _, diagnostics := streams(talk + talk)
			musttest.Is(t, run(context.Background(), session.Options{Sources: []string{"-"}, Budget: maximum(tokens)}, s), nil, name, "at", at, diagnostics)
		}
	}
}

func TestProgressLine(t *testing.T) {
	var out bytes.Buffer
	clock := time.Unix(0, 0)
	l := &progressLine{to: &out, on: true, now: func() time.Time { clock = clock.Add(150 * time.Millisecond); return clock }}
	for i := range 5 {
		l.show(func() string { return fmt.Sprint(i) })
	}
	l.clear()
	musttest.Is(t, out.String(), "\r2\x1b[K\r4\x1b[K\r\x1b[K")
	quiet := &progressLine{to: &out, now: l.now}
	out.Reset()
	quiet.show(func() string { return "x" })
	quiet.clear()
	if out.Len() > 0 {
		t.Errorf("%q where there is no terminal", out.String())
	}
}

// A thousand small files, of one case and of several lines, with one worker.
func TestCompareManySources(t *testing.T) {
	const one = `{"id": 1, "items": [{"content": "x", "tokens": 9}], "policy": {"scorers": [{"type": "kind", "weight": 1}]}, "budget": {"maxTokens": 10}}`
	dir := t.TempDir()
	var sources []string
	cases := 0
	for i := range 1000 {
		text := strings.Repeat(one+"\n", 1+i%2) + strings.Repeat("\n", i%3)
		cases += 1 + i%2
		path := filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
		musttest.Do(t, os.WriteFile(path, []byte(text), 0o600))
		sources = append(sources, path)
	}
	s, out, _ := streams("")
	err := compare(musttest.Within(t), session.Options{Sources: sources}, compareOptions{answerOptions: answerOptions{Output: "csv"}, A: "greedy", B: "knapsack", Jobs: 1, NoBest: true}, s)
	if got := strings.Count(out.String(), "\n") - 1; err != nil || got != cases {
		t.Errorf("%d cases, want %d; %v", got, cases, err)
	}
}

// A signal ends a comparison that waits for more of standard input.
func TestCompareStopsWaitingForInput(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() { close(done) })
	reads := 0
	s, _, _ := streams("")
	s.In = readFunc(func(b []byte) (int, error) {
		if reads++; reads == 1 {
			return copy(b, "[\n{\"content\":"), nil
		}
		cancel()
		<-done
		return 0, io.EOF
	})
	ended := make(chan error, 1)
	go func() {
		ended <- compare(ctx, session.Options{Sources: []string{"-"}}, compareOptions{A: "own", B: "greedy"}, s)
	}()
	select {
	case err := <-ended:
		musttest.Is(t, err, context.Canceled)
	case <-musttest.Within(t).Done():
		t.Error("it goes on waiting")
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(b []byte) (int, error) { return f(b) }

// A document is read once, however many runs it holds: eight times as many runs take eight
// times the memory, and would take 64 times if each read all of them.
func TestCompareADocumentOfManyRuns(t *testing.T) {
	allocated := func(n int) float64 {
		var document strings.Builder
		document.WriteString(`{"runs": [`)
		for i := range n {
			fmt.Fprintf(&document, `%.*s{"messages": [{"role": "user", "content": "question %d"}, {"role": "assistant", "content": "answer"}]}`, min(i, 1), ",", i)
		}
		document.WriteString("]}")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		out := printed(t, compare, document.String(), session.Options{Sources: []string{"-"}}, compareOptions{answerOptions: answerOptions{Output: "csv"}, A: "greedy", B: "knapsack:1", At: []string{"50%"}})
		runtime.ReadMemStats(&after)
		if rows := strings.Count(out, "\n") - 1; rows != n || !strings.Contains(out, fmt.Sprintf("[%d],", n)) {
			t.Errorf("%d rows of %d", rows, n)
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := allocated(100), allocated(800); many > 16*few {
		t.Errorf("800 runs allocate %.0f bytes, 100 %.0f", many, few)
	}
}

// TestComparePairsPinnedUnderOnePolicy: a result that only pairs as one item
// pin counts alike on both sides, so equal selections are worth the same.
func TestComparePairsPinnedUnderOnePolicy(t *testing.T) {
	const pairs = `{"scorers":[{"type":"reflexive","weight":1}],"keepPairs":true}`
	const single = `{"scorers":[{"type":"reflexive","weight":1}]}`
	scenario := func(a, b string) string {
		return `{"items":[
			{"content":"call","tokens":10,"pinned":true,"metadata":{"callId":"c","part":"toolCall"}},
			{"content":"result","tokens":10,"futureRelevanceHint":0.5,"kind":"ToolOutput","metadata":{"callId":"c","part":"toolResult"}},
			{"content":"text","tokens":10,"futureRelevanceHint":0.25}],
			"policy":` + a + `,"policyB":` + b + `,"budget":{"maxTokens":50}}`
	}
	for _, c := range []struct {
		a, b      string
		worthEach float64
	}{{pairs, single, 0.25}, {single, pairs, 0.75}} {
		got := musttest.JSON[compareAnswer](t, printed(t, compare, scenario(c.a, c.b), session.Options{Sources: []string{"-"}}, compareOptions{answerOptions: inJSON, A: "own", B: "own-b"}))
		at := got.Budgets[0]
		if got.Differing != 0 || at.ValueA != c.worthEach || at.ValueBByA != c.worthEach || at.Better+at.Worse != 0 {
			t.Errorf("equal selections: value A %v, B by A %v, better %d, worse %d; want %v for both", at.ValueA, at.ValueBByA, at.Better, at.Worse, c.worthEach)
		}
	}
}

// TestOwnPolicies: a scenario's two policies are compared as the screen does.
// Two policies of one name are told apart by how they were asked for.
func TestOwnPolicies(t *testing.T) {
	out := printed(t, compare, "", session.Options{Fixture: "agent"}, compareOptions{answerOptions: inJSON, A: "own", B: "own-b"})
	if got := musttest.JSON[compareAnswer](t, out); got.A != "chat (own)" || got.B != "chat (own-b)" || got.Cases != 1 {
		t.Errorf("%+v", got)
	}
}

// A side is called by the name of its policies where all have the same, else as
// it was asked for.
func TestCompareNamesPolicies(t *testing.T) {
	line := func(name string) string {
		return `{"items": [{"content": "a", "tokens": 5}], "policy": {"name": "` + name + `", "scorers": [{"type": "kind", "weight": 1}]}, "budget": {"maxTokens": 9}}` + "\n"
	}
	for _, c := range []struct{ name, in, want string }{
		{"one name", line("mine") + line("mine"), "mine"},
		{"two names", line("mine") + line("yours") + line("mine"), "own"},
		{"some without one", line("mine") + line(""), "own"},
		{"none", line(""), "own"},
	} {
		got := musttest.JSON[compareAnswer](t, printed(t, compare, c.in, session.Options{Sources: []string{"-"}}, compareOptions{answerOptions: inJSON, A: "own", B: "rag"}))
		musttest.Is(t, got.A, c.want, c.name)
		musttest.Is(t, got.B, "rag", c.name)
	}
}
