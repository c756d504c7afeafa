package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/pipeline"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/session"
)

// randomExperiment is small, so that things collide, tie and just fit.
func randomExperiment(t *testing.T, rng *rand.Rand) model.Scenario {
	t.Helper()
	set, p := musttest.Of(randomtest.Small(rng))(t), randomtest.Divided(rng, "message", "DOCUMENT")
	f := model.BudgetFields{MaxTokens: model.Tokens(rng.IntN(50))}
	f.TargetTokens = model.Some(max(0, f.MaxTokens-model.Tokens(randomtest.Pick(rng, 0, 0, 7))))
	randomtest.Reserve(randomtest.Seeded(rng.Uint64(), 1), &f, min(f.MaxTokens, 6))
	budget := musttest.Of(model.NewBudget(f))(t)
	return model.Scenario{Items: set, Policy: p, Budget: budget}
}

// asked is a random query with the answer that the library gives to it.
type asked struct {
	query string
	want  any // as JSON has it, without the id
	err   error
}

func randomQuestion(t *testing.T, rng *rand.Rand, s model.Scenario) asked {
	t.Helper()
	pipe := musttest.Of(pipeline.New(s.Policy))(t)
	r := musttest.Of(pipe.Rank(context.Background(), s.Items))(t)
	switch rng.IntN(4) {
	case 0:
		report, err := r.DryRun(s.Budget)
		if err != nil {
			return asked{query: `{}`, err: err}
		}
		return asked{query: `{"op":"dryRun"}`, want: reportWithoutItems(t, report)}
	case 1:
		slack := model.Tokens(rng.IntN(10))
		items, err := simulate.MarginalItems(t.Context(), r, s.Budget, slack)
		if items == nil {
			items = []int32{}
		}
		return asked{fmt.Sprintf(`{"op":"marginal","slackTokens":%d}`, int64(slack)), map[string]any{"marginal": items}, err}
	case 2:
		item, ceiling, bare := rng.IntN(s.Items.Len()+1), model.Tokens(rng.IntN(60)), rng.IntN(2) == 0
		template := s.Budget
		if bare {
			template = model.Budget{}
		}
		found, err := simulate.FindMinBudgetFor(r, item, ceiling, &template)
		a := asked{query: fmt.Sprintf(`{"op":"minBudget","itemIndex":%d,"searchCeiling":%d,"bare":%v}`, item, int64(ceiling), bare), err: err}
		if err == nil {
			p := musttest.Of(profileOf(t, r, template, ceiling))(t) // what is scarce is not searched
			sum := p.Summary(item)
			a.want = map[string]any{"binarySearch": orNil(found), "firstIn": orNil(sum.FirstIn), "staysFrom": orNil(sum.StaysFrom), "bands": jsonBands(p, item)}
		}
		return a
	}
	ceiling := model.Tokens(rng.IntN(60))
	p, err := profileOf(t, r, s.Budget, ceiling)
	all := make([][][2]model.Tokens, s.Items.Len())
	for i := range all {
		if err == nil {
			all[i] = jsonBands(p, i)
		}
	}
	return asked{query: fmt.Sprintf(`{"op":"profile","ceiling":%d}`, int64(ceiling)), want: map[string]any{"bands": all}, err: err}
}

// reportWithoutItems is what the report verb writes, less the items.
func reportWithoutItems(t *testing.T, r *model.Report) any {
	t.Helper()
	var text bytes.Buffer
	musttest.Do(t, export.JSON(&text, r, export.ReportOptions{}))
	want := musttest.JSON[map[string]any](t, text.Bytes())
	for _, list := range []string{"included", "excluded"} {
		for _, entry := range want[list].([]any) {
			for _, key := range []string{"item", "firstIn", "staysFrom", "atRisk"} {
				delete(entry.(map[string]any), key)
			}
		}
	}
	for _, key := range []string{"schema", "name", "format", "policy", "budgetGuessed", "estimatedCounts", "slackTokens", "ceiling", "value", "filled"} {
		delete(want, key)
	}
	return want
}

// TestBatchAnswersAsTheLibrary: through files and flows, with several workers,
// each line gets the answer that the library gives.
func TestBatchAnswersAsTheLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	lines := randomtest.Rounds(500, 4000)
	var in strings.Builder
	questions := make([]asked, lines)
	for i := range questions {
		s := randomExperiment(t, rng)
		questions[i] = randomQuestion(t, rng, s)
		text := musttest.Of(itemset.MarshalScenario(s))(t)
		var line bytes.Buffer
		musttest.Do(t, json.Compact(&line, text))
		fmt.Fprintf(&in, `{"id":%d,"query":%s,%s`+"\n", i, questions[i].query, line.Bytes()[1:])
	}
	out, _ := runBatch(t, session.Options{}, batchOptions{Jobs: 4}, in.String())
	answers := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(answers) != lines {
		t.Fatalf("%d answers to %d lines", len(answers), lines)
	}
	compared, unknown := 0, 0
	for i, q := range questions {
		got := musttest.JSON[map[string]any](t, answers[i])
		if got["id"] != float64(i) {
			t.Fatalf("line %d: the answer to %v", i, got["id"])
		}
		delete(got, "id")
		if failure, ok := got["error"].(map[string]any); ok {
			message := failure["message"].(string)
			switch {
			case strings.Contains(message, slicer.ErrNoProfile.Error()):
				unknown++ // a slicer whose profile is not there
			case q.err != nil && failure["code"] == string(wantCode(q.err)):
			default:
				t.Errorf("line %d, %s: %s, want %v", i, q.query, answers[i], q.err)
			}
			continue
		}
		text := musttest.Of(json.Marshal(q.want))(t)
		want := musttest.JSON[map[string]any](t, text)
		compared++
		if q.err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("line %d, %s:\n%s\nwant %s, %v", i, q.query, answers[i], text, q.err)
		}
	}
	if compared < lines/2 {
		t.Errorf("only %d of %d answers compared, %d without a profile", compared, lines, unknown)
	}
}

// wantCode is the code of an error of the library.
func wantCode(err error) errorCode {
	if errors.Is(err, simulate.ErrNotAnElement) || errors.Is(err, simulate.ErrCeilingLow) || as[*model.BudgetError](err) {
		return invalidQuery // of these only the query can be the reason
	}
	return codeOf(err)
}

// FuzzBatchLine: whatever a line is, the answer is one line of valid JSON in
// UTF-8 with an id, and with an error or not.
func FuzzBatchLine(f *testing.F) {
	for _, line := range []string{
		`{"id":1,` + rest + `}`,
		`{"id":"m","query":{"op":"marginal","slackTokens":1},` + rest + `}`,
		`{"id":[1],"query":{"op":"minBudget","itemIndex":1,"searchCeiling":200,"bare":true},` + rest + `}`,
		`{"id":{},"query":{"op":"profile","ceiling":200},` + rest + `}`,
		`{"id":1,"query":{"op":"profile","ceiling":200},"shrink":[{"kind":"k","to":[5,2],"note":true}],"items":[{"content":"a\nb\nc","tokens":9,"kind":"k"},` +
			`{"content":"d","tokens":8,"sizes":[{"tokens":3,"worth":0.5},{"tokens":1,"note":true}]}],"policy":{"scorers":[{"type":"recency","weight":1}]},"budget":{"maxTokens":10}}`,
		`{"id":"\ud800` + "\xff" + `","items":[{"content":"` + "\x7f\xff" + `","tokens":0}],"policy":{"scorers":[{"type":"kind","weight":1}],"slicerType":"stream"},"budget":{"maxTokens":1}}`,
		`{"id":1,"policy":{"scorers":[{"type":"recency","weight":1}],"countQuotas":[{"kind":"\u0000\n","requireCount":1,"capCount":2}]},"items":[],"budget":{"maxTokens":9,"reservedSlots":{"` + "\xff" + `":1}}}`,
		`{"id":`, `{"id":{"id":1}`, `nul`, `[{"id":1}]`,
	} {
		f.Add([]byte(line))
	}
	a := musttest.Of(newAnswerer(context.Background(), session.Options{Sources: []string{"-"}}, false, Streams{}))(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if huge(text) {
			t.Skip()
		}
		out, report := a.answer(context.Background(), 1, text, nil)
		if n := bytes.Count(out, []byte("\n")); n != 1 || out[len(out)-1] != '\n' || !json.Valid(out) || !utf8.Valid(out) {
			t.Fatalf("%q", out)
		}
		got := musttest.JSON[map[string]json.RawMessage](t, out)
		if _, failed := got["error"]; got["id"] == nil || failed != (report.failed != "") {
			t.Fatalf("%q, reported %+v", out, report)
		}
	})
}

// huge reports whether a text has a number that may be a large budget: a valid
// question that takes a gigabyte to answer is no finding.
func huge(text []byte) bool {
	digits := 0
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9':
			if digits++; digits > 5 {
				return true
			}
		case c == 'e' || c == 'E':
			if digits > 0 {
				return true
			}
		default:
			digits = 0
		}
	}
	return false
}
