package model

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

var begin = Beginning{Now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Tag: "go"}

// TestEveryScorerHasAWholeRow walks the table: a type that lacks a beginning, a
// bound, a reader or a writer for one of its parameters fails here.
func TestEveryScorerHasAWholeRow(t *testing.T) {
	for _, kind := range ScorerTypes() {
		for _, from := range []Beginning{{}, begin} {
			p := NewPolicy(NewScorer(kind, from))
			if err := p.Validate(); err != nil {
				t.Errorf("%s as it begins: %v", kind, err)
				continue
			}
			data := musttest.Of(p.JSON())(t)
			back, err := ParsePolicy(data)
			if err != nil || !reflect.DeepEqual(back, p) {
				t.Errorf("%s is read back as %+v, %v, want %+v", kind, back, err, p)
			}
		}
		s := NewScorer(kind, begin)
		for _, m := range scorerTable(&s, 0).rows {
			nested := m.name == "innerScorer" || m.name == "scorers"
			switch {
			case m.owners == nil: // type and weight
			case m.help == "" && !nested:
				t.Errorf("%s: %s has no help, so no editor shows it", m.owners, m.name)
			case m.presence >= present && m.begin == nil:
				t.Errorf("%s: %s is required and has no value to begin with", m.owners, m.name)
			}
		}
	}
}

// TestParametersChangeWhatTheyName sets every parameter of every scorer, with
// every curve, and looks for the change in the policy's JSON.
func TestParametersChangeWhatTheyName(t *testing.T) {
	all := []Scorer{}
	for _, kind := range ScorerTypes() {
		all = append(all, NewScorer(kind, begin))
	}
	for _, curve := range CurveTypes() {
		s := NewScorer(ScoreDecay, begin)
		s.Curve.become(curve)
		all = append(all, s)
	}
	kinds := []Kind{"Message", "Own"}
	changed := 0
	for _, s := range all {
		before := jsonOf(t, s)
		for i, p := range s.Parameters(kinds) {
			next := s.clone()
			same := next.Parameters(kinds)[i]
			switch {
			case p.SetNumber != nil:
				if p.Step <= 0 {
					t.Errorf("%s %s: a number without a step", s.Type, p.Name)
				}
				same.SetNumber(p.Number / 2)
			case p.Choices != nil:
				if !slices.Contains(p.Choices, p.Text) {
					t.Errorf("%s %s is %q, not among its choices %v", s.Type, p.Name, p.Text, p.Choices)
				}
				at := slices.Index(p.Choices, p.Text)
				musttest.Is(t, same.Set(p.Choices[(at+1)%len(p.Choices)]), nil, s.Type, p.Name)
			case strings.Contains(p.Name, "Time"):
				musttest.Do(t, same.Set("2020-01-02"))
				musttest.Fails(t, same.Set("soon"), s.Type, p.Name, "soon")
			default:
				musttest.Is(t, same.Set("other"), nil, s.Type, p.Name)
			}
			if after := jsonOf(t, next); after == before && p.Number != 0 {
				t.Errorf("%s: setting %s changed nothing in %s", s.Type, p.Name, before)
			}
			if jsonOf(t, s) != before {
				t.Fatalf("%s: setting %s of a copy changed the original", s.Type, p.Name)
			}
			changed++
		}
	}
	if changed < 20 {
		t.Errorf("only %d parameters", changed)
	}
}

func jsonOf(t *testing.T, s Scorer) string {
	t.Helper()
	data := musttest.Of(NewPolicy(s).MarshalJSON())(t)
	return string(data)
}

func TestTagsAreAddedAndRemoved(t *testing.T) {
	s := NewScorer(ScoreTag, Beginning{})
	add := func(text string) error {
		all := s.Parameters(nil)
		return all[len(all)-1].Set(text)
	}
	for _, text := range []string{"go", " test = 2.5"} {
		musttest.Do(t, add(text))
	}
	musttest.Is(t, s.TagWeights, []TagWeight{{"go", 1}, {"test", 2.5}}, "weights")
	for text, want := range map[string]string{" =2": "type a tag, or TAG=WEIGHT", "a=b": `tag weight: "b" is not a number`} {
		musttest.Is(t, fmt.Sprint(add(text)), want, text)
	}
	for len(s.TagWeights) > 0 {
		s.Parameters(nil)[0].Remove()
	}
	musttest.Is(t, NewPolicy(s).Validate(), nil, "without any tag")
}
