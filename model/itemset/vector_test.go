package itemset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/cupel"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/musttest"
)

const slicingVector = `# A comment first.
[test]
name = "a case"
stage = "slicing"
slicer = "greedy"

[budget]
target_tokens = 10

[[scored_items]]
content = "a"
tokens = 4
score = 0.5

[expected]
selected_contents = ["a"]
`

const pipelineVector = `[test]
name = "whole"
stage = "pipeline"
[budget]
max_tokens = 100
target_tokens = 90
output_reserve = 5
[config]
slicer = "knapsack"
bucket_size = 7
placer = "u-shaped"
deduplication = true
overflow_strategy = "truncate"
[[config.scorers]]
type = "recency"
weight = 2.0
[[config.scorers]]
type = "composite"
weight = 1
[[config.scorers.children]]
type = "scaled"
inner_scorer = "priority"
weight = 1.0
[[items]]
content = """[
{"content":"x","tokens":1}
"""
tokens = 3
kind = "Note"
source = "Tool"
tags = ["t"]
priority = 3
pinned = true
timestamp = 2025-03-01T10:30
metadata = { "cupel:trust" = 1, deep = [ { at = 2025-03-01 }, [ nan, 0.5, true, "s", 07:30:00 ] ] }
[[items]]
content = "out"
tokens = -1
excluded = true
futureRelevanceHint = 0.25
[[expected_output]]
content = "x"
`

func TestVectorBecomesAScenario(t *testing.T) {
	l := mustRead(t, pipelineVector, Options{})
	s := l.Scenario.Value
	if l.Format != Vectors || !l.Scenario.Set || l.Set != s.Items || s.Name != "whole" {
		t.Fatalf("format %s, scenario %+v", l.Format, s)
	}
	want := model.NewPolicy(model.Scorer{Type: model.ScoreRecency, Weight: 2}, model.Scorer{Type: model.ScoreComposite, Weight: 1, Scorers: []model.Scorer{
		{Type: model.ScoreScaled, Weight: 1, Inner: &model.Scorer{Type: model.ScorePriority, Weight: 1}},
	}})
	want.Name, want.Slicer, want.BucketSize, want.Placer, want.Overflow = "whole", model.Knapsack, 7, model.UShaped, model.Truncate
	musttest.Is(t, s.Policy, want, "policy")
	musttest.Is(t, s.Budget.Fields(), (model.BudgetFields{MaxTokens: 100, TargetTokens: model.Some[model.Tokens](90), OutputReserve: 5}), "budget")
	first := model.Item{
		Content: "[\n{\"content\":\"x\",\"tokens\":1}\n", Tokens: 3, Kind: "Note", Source: "Tool", Tags: []string{"t"}, Priority: model.Some(int64(3)), Pinned: true,
		Timestamp: model.Some(time.Date(2025, 3, 1, 10, 30, 0, 0, time.UTC)), // no zone is UTC, not that of the machine
		Metadata: map[string]any{"cupel:trust": json.Number("1"), "deep": []any{
			map[string]any{"at": "2025-03-01T00:00:00Z"}, []any{"NaN", json.Number("0.5"), true, "s", "07:30:00"},
		}},
	}
	musttest.Is(t, s.Items.Item(0), first)
	if !s.Items.Excluded(1) || s.Items.Excluded(0) || s.Items.Hint(1) != 0.25 {
		t.Errorf("exclusions %v, hint %v", s.Items.Edits().Excluded, s.Items.Hint(1))
	}
	// It can be saved, and is the same scenario then.
	text := musttest.Of(MarshalScenario(s))(t)
	same(t, mustRead(t, string(text), Options{}).Scenario.Value, s)
}

func TestVectorOfScoresBecomesHints(t *testing.T) {
	l := mustRead(t, slicingVector, Options{Format: Vectors})
	s := l.Scenario.Value
	want := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	want.Name, want.Deduplicate, want.Overflow = "a case", false, model.Proceed
	if !reflect.DeepEqual(s.Policy, want) || s.Items.Hint(0) != 0.5 || s.Budget.TargetTokens() != 10 || s.Budget.MaxTokens() != 10 {
		t.Errorf("policy %+v, hint %v, budget %+v", s.Policy, s.Items.Hint(0), s.Budget)
	}
	musttest.Is(t, l.Report.Summary(), "loaded 1 item", "summary")
	l = mustRead(t, strings.Replace(slicingVector, "0.5", "nan", 1), Options{})
	if got := l.Report.Summary(); !strings.Contains(got, "1 score outside 0 to 1") || l.Set.Loaded(0).FutureRelevanceHint.Set {
		t.Errorf("summary %q, hint %v", got, l.Set.Hint(0))
	}
	placing := "[test]\nstage = \"placing\"\nplacer = \"u-shaped\"\n" + `[[items]]` + "\ncontent = \"a\"\ntokens = 4\nscore = 0.5\n" +
		"[[items]]\ncontent = \"b\"\ntokens = -4\nscore = 1\n[expected]\nordered_contents = [\"a\"]\n"
	s = mustRead(t, placing, Options{}).Scenario.Value
	musttest.Is(t, s.Policy.Placer, model.UShaped, "placing", s.Policy, "target")
	musttest.Is(t, s.Budget.TargetTokens(), 4, "placing", s.Policy, "target")
}

// What quotas of a policy cannot say as such: none at all, which still divide
// by kind.
func TestVectorWithQuotasOfNothing(t *testing.T) {
	for slicer, inner := range map[string]string{"quota": "greedy", "count_quota": "greedy", "count_constrained_knapsack": "knapsack"} {
		in := strings.Replace(slicingVector, `"greedy"`, `"`+slicer+`"`, 1) + "[config]\ninner_slicer = \"" + inner + "\"\n"
		p := mustRead(t, in, Options{}).Scenario.Value.Policy
		musttest.Is(t, len(p.Quotas)+len(p.CountQuotas), 1, slicer, "quotas", p.Quotas, "count quotas", p.CountQuotas)
		musttest.Is(t, slicer == "quota", len(p.Quotas) == 1, slicer, "quotas", p.Quotas, "count quotas", p.CountQuotas)
	}
}

func TestVectorTimes(t *testing.T) {
	for in, want := range map[string]string{
		"2025-03-01T10:30:15Z": "2025-03-01T10:30:15Z", "2025-03-01T10:30Z": "2025-03-01T10:30:00Z", "2025-03-01T10:30+02:00": "2025-03-01T08:30:00Z",
		"2025-03-01T10:30": "2025-03-01T10:30:00Z", "2025-03-01 10:30:15.25": "2025-03-01T10:30:15.25Z", "2025-03-01": "2025-03-01T00:00:00Z",
		"10:30": "must be a time", "10:30:15": "must be a time", `"2025-03-01"`: "timestamp", "20250301": "timestamp",
	} {
		l, err := Read(context.Background(), "f", []byte(strings.Replace(slicingVector, "tokens = 4\n", "tokens = 4\ntimestamp = "+in+"\n", 1)), Options{})
		if err != nil {
			musttest.Says(t, err.Error(), want, in, err)
			musttest.Says(t, err.Error(), "timestamp", in, err)
			continue
		}
		musttest.Is(t, l.Set.Item(0).Timestamp.Value.Format(time.RFC3339Nano), want, in)
	}
}

func TestVectorErrorsSayWhatIsWrongAndWhere(t *testing.T) {
	config := func(slicer, text string) string {
		return strings.Replace(slicingVector, `"greedy"`, `"`+slicer+`"`, 1) + "[config]\n" + text
	}
	instead := func(old, now string) string {
		if !strings.Contains(slicingVector, old) {
			t.Fatalf("no %q to replace", old)
		}
		return strings.Replace(slicingVector, old, now, 1)
	}
	for _, c := range []struct{ name, in, want string }{
		{"no TOML", instead("score = 0.5", "score = = 0.5"), "f: line 13, column 9: "},
		{"invalid UTF-8", instead("a case", "a \xff case"), "f: line 3, column "},
		{"a key twice", instead("tokens = 4", "tokens = 4\ntokens = 5"), "f: line 13, column 1"},
		{"a number as text", instead("tokens = 4", `tokens = "4"`), "f: scored_items.tokens: incompatible types: TOML value has type string; destination has type integer"},
		{"a fraction", instead("tokens = 4", `tokens = 4.5`), "f: scored_items.tokens: incompatible types: TOML value has type float64"},
		{"items that are no tables", "scored_items = 7\n" + instead("[[scored_items]]", "[expected.x]"), "f: scored_items: "},
		{"unknown top-level key", "surprise = 1\n" + slicingVector, "f: surprise: is not known"},
		{"unknown table", slicingVector + "[extra]\n", "f: extra: is not known"},
		{"unknown key of an item", instead("tokens = 4", "tokens = 4\nmood = 1"), "f: scored_items.mood: is not known"},
		{"unknown key of the configuration", config("greedy", "novelty = true\n"), "f: config.novelty: is not known"},
		{"no stage", instead(`stage = "slicing"`, ""), `f: test.stage: is "", must be one of scoring, slicing, placing, pipeline`},
		{"unknown stage", instead(`"slicing"`, `"sorting"`), `f: test.stage: is "sorting"`},
		{"items in a slicing vector", instead("[[scored_items]]", "[[items]]"), "f: items: has no meaning in a vector of the stage slicing"},
		{"no budget", instead("[budget]\ntarget_tokens = 10\n", ""), "f: budget: is required in a vector of the stage slicing"},
		{"no score", instead("score = 0.5", ""), "f: scored_items[0].score: is for vectors of the stages slicing and placing"},
		{"no tokens", instead("tokens = 4", ""), "f: scored_items[0].tokens: is required"},
		{"no content", instead(`content = "a"`, ""), "f: scored_items[0].content: is required"},
		{"tokens beyond bounds", instead("tokens = 4", "tokens = 2_000_000_000_000"), "f: items: item 0: tokens: "},
		{"a budget beyond bounds", instead("target_tokens = 10", "target_tokens = -10"), "f: budget: invalid budget: maxTokens is -10"},
		{"unknown slicer", config("best", ""), `f: config: invalid policy: slicerType: "best" is not known`},
		{"a slicer in none", config("greedy", "inner_slicer = \"greedy\"\n"), `f: config: invalid policy: inner_slicer: is given, but the slicer is "greedy"`},
		{"quotas of none", config("greedy", "[[config.quotas]]\nkind = \"a\"\ncap = 1.0\n"), "f: config: invalid policy: quotas: are given"},
		{"entries of none", config("quota", "inner_slicer = \"greedy\"\n[[config.entries]]\nkind = \"a\"\n"), "f: config: invalid policy: entries: are given"},
		{"quotas in quotas", config("quota", "inner_slicer = \"count_quota\"\n"), `f: config: invalid policy: inner_slicer: is "count_quota"`},
		{"no buckets", config("knapsack", "bucket_size = 0\n"), "f: config: invalid policy: bucket_size: is 0"},
		{"the wrong slicer inside", config("count_constrained_knapsack", "inner_slicer = \"greedy\"\n"), "there is a knapsack"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(context.Background(), "f", []byte(c.in), Options{})
			if _, ok := errors.AsType[*cupel.Error](err); !ok || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "f: ") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestVectorBounds(t *testing.T) {
	deep := func(n int, open, inside, shut string) string {
		return strings.Repeat(open, n) + inside + strings.Repeat(shut, n)
	}
	const head = "[test]\nstage = \"slicing\"\n"
	for _, c := range []struct{ name, in string }{
		{"arrays", head + "x = " + deep(15_000, "[", "", "]")},
		{"inline tables", head + "x = " + deep(15_000, "{a=", "1", "}")},
		{"dotted keys", head + deep(15_000, "a.", "a = 1", "")},
		{"dotted keys with spaces", head + deep(15_000, "a . ", "a = 1", "")},
		{"quoted dotted keys", head + deep(15_000, `"b".`, "a = 1", "")},
		{"dotted headers", head + "[" + deep(15_000, "a.", "a]", "")},
		{"after a string with brackets", head + `s = "\"]]]]" ` + "\nt = ''']]]\n'''\nx = " + deep(65, "[", "", "]")},
	} {
		_, err := Read(context.Background(), "f", []byte(c.in), Options{})
		if _, ok := errors.AsType[*cupel.Error](err); !ok || !strings.Contains(err.Error(), "nested more than 64 deep") {
			t.Errorf("%s: %.300v", c.name, err)
		}
	}
	for _, c := range []struct{ name, in string }{
		{"brackets in strings and comments", head + "# " + deep(99, "[", "", "") + "\ns = '" + deep(99, "{", "", "") + "'\nt = \"\"\"\n" + deep(99, "[", "\"\"\"\"", "")},
		{"one after the other", head + "x = [" + deep(999, "[0.5], ", "", "") + "]"},
	} {
		if _, err := Read(context.Background(), "f", []byte(c.in), Options{}); err == nil || strings.Contains(err.Error(), "deep") {
			t.Errorf("%s: %v, want an unknown key", c.name, err)
		}
	}
	long := slicingVector + "#" + strings.Repeat("x", 64<<10-len(slicingVector)-1)
	mustRead(t, long, Options{})
	musttest.Says(t, musttest.Refusal(Read(context.Background(), "f", []byte(long+"x"), Options{})), "65,537 bytes, must be at most 65,536", "too long")
}

func TestVectorDetection(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     Format
	}{
		{"a table", slicingVector, Vectors},
		{"a table further down", "[budget]\ntarget_tokens = 1\n [ test ] # here\n", Vectors},
		{"CRLF", strings.ReplaceAll(slicingVector, "\n", "\r\n"), Vectors},
		{"broken further down", "[test]\nname = = 1\n", Vectors},
		{"items within a text", pipelineVector, Vectors},
		{"another TOML", "[tests]\nname = 'x'\n", Auto},
		{"prose", "hello\n[test]\n", Auto},
		{"an array of JSON", "[1]\n[test]\n", Auto},
		{"JSON lines", `{"content":"a"}` + "\n[test]\n", Items},
		{"JSON over lines", "[\n{\"content\":\"a\"}\n]\n", Items},
	} {
		musttest.Is(t, detect(record.Split("f", []byte(c.in), record.Options{})), c.want, c.name)
	}
}

func TestVectorStandsAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "v.toml")
	scenario := filepath.Join(dir, "s.json")
	musttest.Do(t, errors.Join(os.WriteFile(path, []byte(slicingVector), 0o600), os.WriteFile(scenario,
		[]byte(`{"itemsFile":"v.toml","policy":{"scorers":[{"type":"kind","weight":1}]},"budget":{"maxTokens":1}}`), 0o600)))
	musttest.Says(t, musttest.Refusal(Load(context.Background(), []string{path, path}, Options{})), "is a vector: it can only be opened alone", "two vectors")
	musttest.Says(t, musttest.Refusal(Load(context.Background(), []string{scenario}, Options{})), "itemsFile is a vector itself", "as the items of a scenario")
	musttest.Is(t, musttest.Of(Load(context.Background(), []string{"-"}, Options{Stdin: strings.NewReader(slicingVector)}))(t).Format, Vectors, "from standard input")
}

// Every vector of our own opens, and is the same scenario when it was saved; or
// it is about a policy that is refused.
func TestOurVectorsOpen(t *testing.T) {
	seen := 0
	for path, text := range ourVectors(t) {
		seen++
		l, err := Read(context.Background(), path, text, Options{Strict: true})
		switch {
		case bytes.Contains(text, []byte("expect_construction_error")):
			musttest.As[*model.PolicyError](t, err, path)
			continue
		case err != nil:
			t.Error(err)
			continue
		}
		saved := musttest.Of(MarshalScenario(l.Scenario.Value))(t, path)
		same(t, mustRead(t, string(saved), Options{}).Scenario.Value, l.Scenario.Value)
	}
	if seen < 100 {
		t.Errorf("%d vectors, want all of them", seen)
	}
}

func ourVectors(t testing.TB) map[string][]byte {
	t.Helper()
	folder := os.DirFS(filepath.Join("..", "..", "fixtures", "vectors"))
	all := map[string][]byte{}
	musttest.Do(t, fs.WalkDir(folder, ".", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".toml") {
			all[path], err = fs.ReadFile(folder, path)
		}
		return err
	}))
	return all
}

func FuzzVector(f *testing.F) {
	f.Add([]byte(slicingVector))
	f.Add([]byte(pipelineVector))
	f.Add([]byte("\"\\\x00")) // the library's position has no line here
	f.Add([]byte("[test]\nstage = \"slicing\"\nx = " + strings.Repeat("[", 70)))
	for _, text := range ourVectors(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Read(context.Background(), "f", data, Options{Format: Vectors})
		if err != nil {
			if !strings.Contains(err.Error(), "f: ") || strings.HasSuffix(err.Error(), ": ") {
				t.Fatalf("an error that says nothing: %q", err)
			}
			return
		}
		saved := musttest.Of(MarshalScenario(l.Scenario.Value))(t)
		if _, err := Read(context.Background(), "f", saved, Options{Strict: true}); err != nil {
			t.Fatalf("saved it cannot be read: %v\n%s", err, saved)
		}
	})
}
