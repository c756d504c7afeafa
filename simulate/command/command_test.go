package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// maximum is the flag --max-tokens.
func maximum(tokens string) map[string]string {
	return map[string]string{model.FieldMaxTokens: tokens}
}

func TestMain(m *testing.M) { musttest.Main(m) }

const items = `[
 {"content": "the system prompt", "tokens": 20, "kind": "SystemPrompt", "pinned": true},
 {"content": "old\u001b[2J news", "tokens": 50, "futureRelevanceHint": 0.2},
 {"content": "the question", "tokens": 30, "futureRelevanceHint": 0.9},
 "no item"
]`

func streams(in string) (Streams, *bytes.Buffer, *bytes.Buffer) {
	var out, err bytes.Buffer
	return Streams{In: strings.NewReader(in), Out: &out, Err: &err}, &out, &err
}

// ran is what a verb prints over standard input, also on standard error, and its error.
func ran[O any](verb func(context.Context, session.Options, O, Streams) error, in string, o session.Options, of O) (out, diagnostics string, err error) {
	s, stdout, stderr := streams(in)
	err = verb(context.Background(), o, of, s)
	return stdout.String(), stderr.String(), err
}

// printed is what a verb prints over standard input; it fails if that fails.
func printed[O any](t *testing.T, verb func(context.Context, session.Options, O, Streams) error, in string, o session.Options, of O) string {
	t.Helper()
	out, _, err := ran(verb, in, o, of)
	musttest.Do(t, err)
	return out
}

// noScreen is a screen without flags that is never shown.
var noScreen = Screen{
	Flags: func(*session.Options) []session.Flag { return nil }, Check: func() error { return nil }, Unattended: func() bool { return false },
}

// line runs a command line with streams, as package clitest does outside of this one. Words
// beyond those of the line may have spaces.
func line(ctx context.Context, s Streams, line string, more ...string) int {
	return Program{Streams: s, Screen: noScreen}.Run(ctx, append(strings.Fields(line), more...))
}

func TestReportOfStandardInput(t *testing.T) {
	o := session.Options{Sources: []string{"-"}, Budget: maximum("70"), Preset: "rag", Slack: "25"}
	out, diagnostics, err := ran(writeReport, items, o, reportOptions{})
	musttest.Do(t, err)
	musttest.Says(t, out, "- [items]  3 items, 100 tokens  policy rag: greedy, uShaped, overflow throw\n")
	musttest.Says(t, out, "in 2 of 3 items, 50 tokens, 71.4 % of the budget used, value 0.725; 60 % of the room filled\n"+plain.AtRisk+": 1 item ")
	if d := diagnostics; !strings.HasPrefix(d, "cupelscope: skipped ") || strings.Count(d, "\n") != 1 {
		t.Errorf("diagnostics %q, want one line about the record that is no item", d)
	}
}

func TestReportInJSON(t *testing.T) {
	o := session.Options{Sources: []string{"-"}, Budget: map[string]string{model.FieldMaxTokens: "70", model.FieldTargetTokens: "60", model.FieldOutputReserve: "5", model.FieldSafetyMargin: "10%"}, Slots: []string{"Memory=3"}}
	a := answerOptions{NoContent: true}
	musttest.Do(t, a.outputFlag().Read("JSON"))
	out := printed(t, writeReport, items, o, reportOptions{answerOptions: a})
	got := musttest.JSON[struct {
		Budget    model.Budget
		Effective struct{ TargetTokens int }
		Included  []struct{ Index int }
	}](t, out)
	f := got.Budget.Fields()
	if f.MaxTokens != 70 || f.Target() != 60 || f.OutputReserve != 5 || f.SafetyMargin != 10 || len(f.ReservedSlots) != 1 || got.Effective.TargetTokens != 33 {
		t.Errorf("%+v", got)
	}
	if strings.Contains(out, "question") {
		t.Error("contents are there")
	}
}

// The definition in a report is the whole policy: under it the same report comes out. What is not Cupel's in
// it is named, and the title says quotas, and weights that the name does not stand for.
func TestAReportHoldsItsPolicy(t *testing.T) {
	musttest.Alone(t)
	const chat = `{"name": "chat", "scorers": [{"type": "recency", "weight": 3}, {"type": "kind", "weight": 2}], `
	for _, c := range []struct {
		policy, title string
		ours          []string
	}{
		{chat + `"quotas": [{"kind": "ToolOutput", "maxPercent": 30}]}`, "policy chat*: greedy, recency 3, kind 2, ToolOutput 0 to 30 %, chronological", []string{}},
		{chat + `"slicerType": "knapsack", "countQuotas": [{"kind": "Memory", "requireCount": 1, "capCount": 2}]}`, "policy chat*: knapsack 100, recency 3, kind 2, Memory 1 to 2 items, chronological", []string{}},
		{`{"scorers": [{"type": "recency", "weight": 1}], "slicerType": "rank", "keepPairs": true}`, "policy without a name: rank (not Cupel's: slicerType is rank, keepPairs), chronological", []string{"slicerType is rank", "keepPairs"}},
	} {
		s, out, diagnostics := streams("")
		if code := line(t.Context(), s, "report --fixture agent --policy", musttest.File(t, "p.json", c.policy)); code != 0 || !strings.Contains(out.String(), c.title) {
			t.Errorf("exit %d: %s%.200s\nwant %s", code, diagnostics, out, c.title)
		}
		report := func(policy string) string {
			return printed(t, writeReport, "", session.Options{Fixture: "agent", Policy: musttest.File(t, "p.json", policy)}, reportOptions{answerOptions: answerOptions{Output: export.AsJSON}})
		}
		first := report(c.policy)
		got := musttest.JSON[struct {
			Policy struct {
				Modified   bool
				NotCupel   []string
				Definition json.RawMessage
			}
		}](t, first)
		musttest.Is(t, got.Policy.NotCupel, c.ours)
		musttest.Is(t, got.Policy.Modified, strings.Contains(c.title, "chat*"))
		musttest.Is(t, report(string(got.Policy.Definition)), first)
	}
}

func TestEveryFixtureOpens(t *testing.T) {
	musttest.Alone(t)
	for _, f := range fixtures.All() {
		out, diagnostics, err := ran(writeReport, "", session.Options{Fixture: f.Name}, reportOptions{})
		musttest.Is(t, err, nil, f.Name)
		if !strings.HasPrefix(out, f.Name+" [scenario]") || diagnostics != "" {
			t.Errorf("%s: begins with %.60q, diagnostics %q", f.Name, out, diagnostics)
		}
	}
	s, out, _ := streams("")
	musttest.Do(t, writeFixtures(t.Context(), session.Options{}, fixturesOptions{}, s))
	musttest.Is(t, strings.Count(out.String(), "\n"), len(fixtures.All()))
}

func TestWithoutASourceStandardInputIsRead(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     Streams
		o     session.Options
		opens string // the name of what is opened
		says  string // else the error
	}{
		{"something is piped in", Streams{In: strings.NewReader(items)}, session.Options{}, "-", ""},
		{"nothing is piped in", Streams{In: strings.NewReader("")}, session.Options{}, "", "standard input is empty"},
		{"standard input is a terminal", Streams{In: strings.NewReader(items), Typed: true}, session.Options{}, "", "there is no source"},
		{"a terminal, asked for by name", Streams{In: strings.NewReader(items), Typed: true}, session.Options{Sources: []string{"-"}}, "-", ""},
		{"there is no standard input", Streams{}, session.Options{}, "", "there is no source"},
		{"a fixture by name", Streams{In: strings.NewReader(items)}, session.Options{Fixture: "agent"}, "agent", ""},
	} {
		opened, err := session.Open(context.Background(), c.o, c.s.input())
		switch {
		case err != nil && (c.says == "" || !strings.Contains(err.Error(), c.says)), err == nil && c.says != "":
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		case err == nil && opened.Name() != c.opens:
			t.Errorf("%s: opened %s, want %s", c.name, opened.Name(), c.opens)
		}
	}
}

func TestPolicyOfAFile(t *testing.T) {
	path := musttest.File(t, "policy.json", `{"name": "mine", "scorers": [{"type": "priority", "weight": 1}], "slicerType": "knapsack", "knapsackBucketSize": 10}`)
	s, _, _ := streams(items)
	opened := musttest.Of(session.Open(context.Background(), session.Options{Sources: []string{"-"}, Policy: path, BucketSize: "7", Overflow: "PROCEED", NoDedup: true}, s.input()))(t)
	if p := opened.Policy; p.Name != "mine" || p.BucketSize != 7 || p.Overflow != model.Proceed || p.Deduplicate {
		t.Errorf("%+v", p)
	}
}

// The report stands without what it cannot know, and says so.
func TestASlackAtWhichThePipelineDoesNotRun(t *testing.T) {
	o := session.Options{Sources: []string{"-"}, Budget: maximum("70"), Slack: "60"}
	out := printed(t, writeReport, items, o, reportOptions{})
	musttest.Says(t, out, "note: "+plain.AtRisk+" is not known: with 60 tokens less, "+plain.Pinned+" items need 20 tokens", "no note about the slack")
	out = printed(t, writeReport, items, o, reportOptions{answerOptions: inJSON})
	if !strings.Contains(out, `"atRisk": null`) || strings.Contains(out, `"atRisk": false`) {
		t.Errorf("what is not known is told as known:\n%s", out)
	}
}

// noProfile selects nothing and has no profile.
type noProfile struct {
	slicer.Defaults
	n int
}

func (noProfile) Traits() slicer.Traits                    { return slicer.Traits{} }
func (noProfile) Prepare(in *slicer.Input) slicer.Prepared { return noProfile{n: in.Len()} }
func (a noProfile) Slice(_ context.Context, _ slicer.Target, dst slicer.Selection) (slicer.Selection, error) {
	return slicer.NewSelection(dst, a.n), nil
}

// Up to slicer.MaxTabulated it gets one from what it selects.
func TestASlicerWithoutAProfile(t *testing.T) {
	s, _, _ := streams(items)
	opened := musttest.Of(session.Open(context.Background(), session.Options{Sources: []string{"-"}, Budget: maximum("200000")}, s.input()))(t)
	pipe := musttest.Of(pipeline.Assemble(pipeline.Parts{Scorer: scorer.Reflexive{}, Slicer: noProfile{}, Placer: placer.UShaped{}}))(t)
	r := musttest.Of(pipe.Rank(context.Background(), opened.Set))(t)
	var table export.ReportOptions
	musttest.Do(t, (&study{Opened: opened, ranking: r}).addProfile(context.Background(), &table))
	if table.Profile != nil || table.RiskErr == nil || !strings.Contains(table.RiskErr.Error(), "no exact profile") {
		t.Errorf("profile %v, %v", table.Profile, table.RiskErr)
	}
}

func TestCounting(t *testing.T) {
	const text = `[{"content": "hello world"}, {"content": "given", "tokens": 70}, {"content": "hello world, again"}]`
	out, diagnostics, err := ran(writeReport, text, session.Options{Sources: []string{"-"}, Encoding: "cl100k_base"}, reportOptions{})
	musttest.Do(t, err)
	if !strings.HasPrefix(out, "- [items]  3 items, 76 tokens  policy") || strings.Contains(diagnostics, "estimated") {
		t.Errorf("the report does not count: %s%s", out, diagnostics)
	}
}

// ends reports whether an answer was written that ends with this exit code.
func ends(err error, code int) bool {
	answered, ok := errors.AsType[*answeredError](err)
	return ok && answered.code == code
}

// Of a budget that Cupel is to load, a field that is set and marked as not Cupel's is refused.
func TestABudgetForCupelHasNoOtherField(t *testing.T) {
	budget := musttest.Of(model.NewBudget(model.BudgetFields{MaxTokens: 9, OutputReserve: 2}))(t)
	fields := model.FieldsOfBudget()
	text := musttest.Of(cupelBudget(budget, fields))(t)
	musttest.Says(t, string(text), `"outputReserve":2`)
	for i := range fields {
		fields[i].NotCupel = true
		_, err := cupelBudget(budget, fields[i:i+1])
		set := fields[i].Name == model.FieldMaxTokens || fields[i].Name == model.FieldTargetTokens || fields[i].Name == model.FieldOutputReserve
		musttest.Is(t, err != nil && strings.Contains(err.Error(), fields[i].Name+": not Cupel's"), set, fields[i].Name, err)
	}
}
