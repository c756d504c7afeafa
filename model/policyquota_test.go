package model

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// everyField is policies that between them set every field and every parameter.
func everyField() []Policy {
	at := time.Date(2025, 1, 31, 12, 0, 0, 5, time.UTC)
	decay := func(c DecayCurve) Scorer {
		return Scorer{Type: ScoreDecay, Weight: 1, ReferenceTime: Some(at), Curve: &c}
	}
	undated := decay(DecayCurve{Type: Step, Windows: []DecayWindow{{3600, 0.9}, {1e-9, 0}}})
	undated.NullTimestampScore = Some(0.0)
	scorers := NewPolicy(
		Scorer{Type: ScoreScaled, Weight: 2, Inner: &Scorer{Type: ScoreScaled, Weight: 1, Inner: &Scorer{Type: ScoreTag, Weight: 3, TagWeights: []TagWeight{{"a", 1}}}}},
		Scorer{Type: ScoreMetadataTrust, Weight: 1},
		Scorer{Type: ScoreMetadataTrust, Weight: 1, DefaultScore: Some(0.0)},
		Scorer{Type: ScoreMetadataKey, Weight: 1, Key: "cupel:source-type", Value: "", Boost: 1e300},
		decay(DecayCurve{Type: Exponential, HalfLifeSeconds: 86400}),
		decay(DecayCurve{Type: Window, MaxAgeSeconds: 0.5}),
		undated,
	)
	scorers.Slicer, scorers.BatchSize = Stream, 7
	quotas := NewPolicy(Scorer{Type: ScoreRecency, Weight: 1})
	quotas.Slicer, quotas.BucketSize = Knapsack, 5
	quotas.Quotas = []Quota{{Kind: "Tool \"x\"", MinPercent: Some(0.0)}, {Kind: Message, MaxPercent: Some(40.5)}, {Kind: Memory, MinPercent: Some(10.0), MaxPercent: Some(10.0)}}
	counts := NewPolicy(Scorer{Type: ScoreRecency, Weight: 1})
	counts.CountQuotas = []CountQuota{{Kind: Message, Require: 2, Cap: 4}, {Kind: Memory}}
	counts.Scarcity = ScarcityFail
	return []Policy{scorers, quotas, counts}
}

func TestQuotasSpelling(t *testing.T) {
	all := everyField()
	for i, want := range map[int]string{
		1: `"slicerType":"knapsack","knapsackBucketSize":5,"quotas":[{"kind":"Tool \"x\"","minPercent":0},{"kind":"Message","maxPercent":40.5},` +
			`{"kind":"Memory","minPercent":10,"maxPercent":10}],"placerType"`,
		2: `"slicerType":"greedy","countQuotas":[{"kind":"Message","requireCount":2,"capCount":4},{"kind":"Memory","requireCount":0,"capCount":0}],` +
			`"scarcityBehavior":"throw","placerType"`,
		0: `{"type":"decay","weight":1,"referenceTime":"2025-01-31T12:00:00.000000005Z","nullTimestampScore":0,` +
			`"curve":{"type":"step","windows":[{"maxAgeSeconds":3600,"score":0.9},{"maxAgeSeconds":1e-9,"score":0}]}}],"slicerType":"stream","streamBatchSize":7,`,
	} {
		if got, err := json.Marshal(all[i]); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s, %v\nmust contain %s", got, err, want)
		}
	}
}

func TestRulingDecayNeedsAReferenceTime(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2025-01-31T12:00:00Z", "2025-01-31T12:00:00Z"},
		{"2025-01-31T12:00:00+02:00", "2025-01-31T10:00:00Z"},
		{"2025-01-31T12:00Z", "2025-01-31T12:00:00Z"},
		{"2025-01-31T12:00:00", "2025-01-31T12:00:00Z"},
		{"2025-01-31T12:00", "2025-01-31T12:00:00Z"},
		{"2025-01-31", "2025-01-31T00:00:00Z"},
		{"yesterday", ""},
		{"0000-01-01T00:00:00+01:00", ""}, // the year before the first that RFC 3339 can write
	} {
		p, err := ParsePolicy([]byte(`{"scorers":[{"type":"decay","weight":1,"referenceTime":"` + c.text + `","curve":{"type":"window","maxAgeSeconds":1}}]}`))
		if c.want == "" {
			var e *PolicyError
			if !errors.As(err, &e) || e.Field != "scorers[0].referenceTime" {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		if err != nil || p.Scorers[0].ReferenceTime.Value.Format(time.RFC3339Nano) != c.want {
			t.Errorf("%s: %+v, %v", c.text, p, err)
		}
	}
}

func TestParsePolicyErrorsOfQuotasAndScorers(t *testing.T) {
	with := func(s string) string { return `{"scorers":[{"type":"recency","weight":1}],` + s + `}` }
	quotas := func(s string) string { return with(`"quotas":[` + s + `]`) }
	counts := func(s string) string { return with(`"countQuotas":[` + s + `]`) }
	scorer := func(s string) string { return `{"scorers":[{"weight":1,` + s + `}]}` }
	decay := func(s string) string { return scorer(`"type":"decay","referenceTime":"2025-01-01",` + s) }
	curve := func(s string) string { return decay(`"curve":{` + s + `}`) }
	const tool = `{"kind":"tool","requireCount":1,"capCount":2}`
	for _, c := range []struct{ name, in, field, reason string }{
		{"batch without stream", with(`"streamBatchSize":32`), "streamBatchSize", "only stream"},
		{"batch 0", with(`"slicerType":"stream","streamBatchSize":0`), "streamBatchSize", "is 0"},
		{"batch beyond an int32", with(`"slicerType":"stream","streamBatchSize":2147483648`), "streamBatchSize", "must be 1 to"},
		{"batch a fraction", with(`"slicerType":"stream","streamBatchSize":1.5`), "streamBatchSize", "whole"},
		{"bucket with stream", with(`"slicerType":"stream","knapsackBucketSize":5`), "knapsackBucketSize", "only knapsack"},
		{"quotas with stream", with(`"slicerType":"stream","quotas":[{"kind":"a","minPercent":1}]`), "quotas", "stream"},
		{"countQuotas with stream", with(`"slicerType":"stream","countQuotas":[` + tool + `]`), "countQuotas", "stream"},
		{"quotas with countQuotas", with(`"quotas":[{"kind":"a","minPercent":1}],"countQuotas":[` + tool + `]`), "quotas", "countQuotas"},
		{"scarcity without countQuotas", with(`"scarcityBehavior":"degrade"`), "scarcityBehavior", "countQuotas"},
		{"scarcity with none of them", with(`"countQuotas":[],"scarcityBehavior":"throw"`), "scarcityBehavior", "countQuotas"},
		{"scarcity unknown", with(`"countQuotas":[` + tool + `],"scarcityBehavior":"panic"`), "scarcityBehavior", "degrade, throw"},
		{"scarcity empty", with(`"countQuotas":[` + tool + `],"scarcityBehavior":""`), "scarcityBehavior", "degrade, throw"},
		{"quotas an object", with(`"quotas":{}`), "quotas", "array"},
		{"a quota that is text", quotas(`"tool"`), "quotas[0]", "object"},
		{"quota without kind", quotas(`{"minPercent":1}`), "quotas[0].kind", "required"},
		{"quota of a blank kind", quotas(`{"kind":" ","minPercent":1}`), "quotas[0].kind", "blank"},
		{"quota without bounds", quotas(`{"kind":"a"}`), "quotas[0]", "neither"},
		{"quota with null bounds", quotas(`{"kind":"a","minPercent":null,"maxPercent":null}`), "quotas[0]", "neither"},
		{"quota unknown field", quotas(`{"kind":"a","percent":1}`), "quotas[0].percent", "not known"},
		{"quota below 0", quotas(`{"kind":"a","minPercent":-0.1}`), "quotas[0].minPercent", "0 to 100"},
		{"quota above 100", quotas(`{"kind":"a","maxPercent":100.1}`), "quotas[0].maxPercent", "0 to 100"},
		{"require above cap", quotas(`{"kind":"a","minPercent":30,"maxPercent":20}`), "quotas[0].minPercent", "at most maxPercent, which is 20"},
		{"quota kind twice after folding", quotas(`{"kind":"Tool","minPercent":1},{"kind":"tool","maxPercent":1}`), "quotas[1].kind", "twice"},
		{"requires beyond 100", quotas(`{"kind":"a","minPercent":60},{"kind":"b","minPercent":40.001}`), "quotas", "at most 100"},
		{"count without cap", counts(`{"kind":"a","requireCount":1}`), "countQuotas[0].capCount", "required"},
		{"count without require", counts(`{"kind":"a","capCount":1}`), "countQuotas[0].requireCount", "required"},
		{"count negative", counts(`{"kind":"a","requireCount":-1,"capCount":1}`), "countQuotas[0].requireCount", "is -1"},
		{"count beyond an int32", counts(`{"kind":"a","requireCount":0,"capCount":2147483648}`), "countQuotas[0].capCount", "2,147,483,647"},
		{"require above cap count", counts(`{"kind":"a","requireCount":3,"capCount":2}`), "countQuotas[0].requireCount", "at most capCount, which is 2"},
		{"cap 0 with a requirement", counts(`{"kind":"a","requireCount":1,"capCount":0}`), "countQuotas[0].capCount", "never be met"},
		{"count kind twice after folding", counts(tool + `,{"kind":"TOOL","requireCount":0,"capCount":1}`), "countQuotas[1].kind", "twice"},
		{"scaled without inner", scorer(`"type":"scaled"`), "scorers[0].innerScorer", "required"},
		{"inner without scaled", scorer(`"type":"kind","innerScorer":{"type":"recency","weight":1}`), "scorers[0].innerScorer", "belongs to scorer type scaled"},
		{"inner without weight", scorer(`"type":"scaled","innerScorer":{"type":"recency"}`), "scorers[0].innerScorer.weight", "required"},
		{"error within inner", scorer(`"type":"scaled","innerScorer":{"type":"kind","weight":1,"kindWeights":{"a":-1}}`), "scorers[0].innerScorer.kindWeights.a", "at least 0"},
		{"inner nested too deep", scorer(`"type":"scaled"` + strings.Repeat(`,"innerScorer":{"weight":1,"type":"scaled"`, 40) + strings.Repeat(`}`, 40)), "", "more than 32"},
		{"trust above 1", scorer(`"type":"metadataTrust","defaultScore":1.1`), "scorers[0].defaultScore", "0 to 1"},
		{"trust of another type", scorer(`"type":"kind","defaultScore":0`), "scorers[0].defaultScore", "belongs to scorer type metadataTrust"},
		{"key missing", scorer(`"type":"metadataKey","value":"v","boost":2`), "scorers[0].key", "required"},
		{"value missing", scorer(`"type":"metadataKey","key":"k","boost":2`), "scorers[0].value", "required"},
		{"boost missing", scorer(`"type":"metadataKey","key":"k","value":"v"`), "scorers[0].boost", "required"},
		{"boost 0", scorer(`"type":"metadataKey","key":"k","value":"v","boost":0`), "scorers[0].boost", "above 0"},
		{"boost negative", scorer(`"type":"metadataKey","key":"k","value":"v","boost":-1`), "scorers[0].boost", "above 0"},
		{"an empty value of another type", scorer(`"type":"kind","value":""`), "scorers[0].value", "belongs to scorer type metadataKey"},
		{"boost 0 of another type", scorer(`"type":"kind","boost":0`), "scorers[0].boost", "belongs to scorer type metadataKey"},
		{"no reference time", scorer(`"type":"decay","curve":{"type":"window","maxAgeSeconds":1}`), "scorers[0].referenceTime", "no clock"},
		{"no curve", decay(`"nullTimestampScore":1`), "scorers[0].curve", "required"},
		{"curve without type", curve(`"maxAgeSeconds":1`), "scorers[0].curve.type", "required"},
		{"curve unknown", curve(`"type":"linear"`), "scorers[0].curve.type", "exponential, step, window"},
		{"half-life missing", curve(`"type":"exponential"`), "scorers[0].curve.halfLifeSeconds", "required"},
		{"half-life 0", curve(`"type":"exponential","halfLifeSeconds":0`), "scorers[0].curve.halfLifeSeconds", "above 0"},
		{"half-life of a window", curve(`"type":"window","maxAgeSeconds":1,"halfLifeSeconds":0`), "scorers[0].curve.halfLifeSeconds", "belongs to curve type exponential"},
		{"max age negative", curve(`"type":"window","maxAgeSeconds":-1`), "scorers[0].curve.maxAgeSeconds", "above 0"},
		{"no windows", curve(`"type":"step","windows":[]`), "scorers[0].curve.windows", "required"},
		{"a window without width", curve(`"type":"step","windows":[{"maxAgeSeconds":0,"score":1}]`), "scorers[0].curve.windows[0].maxAgeSeconds", "above 0"},
		{"a window without score", curve(`"type":"step","windows":[{"maxAgeSeconds":1}]`), "scorers[0].curve.windows[0].score", "required"},
		{"a window without age", curve(`"type":"step","windows":[{"score":1}]`), "scorers[0].curve.windows[0].maxAgeSeconds", "required"},
		{"undated score above 1", decay(`"nullTimestampScore":2,"curve":{"type":"window","maxAgeSeconds":1}`), "scorers[0].nullTimestampScore", "0 to 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParsePolicy([]byte(c.in))
			var e *PolicyError
			if !errors.As(err, &e) {
				t.Fatalf("error %v is no PolicyError", err)
			}
			if c.field != "" && e.Field != c.field || !strings.Contains(e.Reason, c.reason) {
				t.Errorf("field %q, reason %q, want %q, %q", e.Field, e.Reason, c.field, c.reason)
			}
		})
	}
}

func TestRulingRequiresMayExceed100ByRounding(t *testing.T) {
	third := Some(100.0 / 3)
	quotas := []Quota{{Kind: "a", MinPercent: third}, {Kind: "b", MinPercent: third}, {Kind: "c", MinPercent: Some(100.0/3 + 9e-10)}}
	if err := ValidateQuotas(quotas); err != nil {
		t.Error(err)
	}
	quotas[2].MinPercent = Some(100.0/3 + 2e-9)
	if ValidateQuotas(quotas) == nil {
		t.Error("2e-9 too much is accepted")
	}
}

// TestValidateWhatJSONCannotSay: parameters of policies made in Go.
func TestValidateWhatJSONCannotSay(t *testing.T) {
	curve := func(c DecayCurve) Policy {
		return NewPolicy(Scorer{Type: ScoreDecay, Weight: 1, ReferenceTime: Some(time.Unix(0, 0)), Curve: &c})
	}
	for name, c := range map[string]struct {
		p     Policy
		field string
	}{
		"boost NaN":           {NewPolicy(Scorer{Type: ScoreMetadataKey, Weight: 1, Key: "k", Boost: math.NaN()}), "scorers[0].boost"},
		"trust NaN":           {NewPolicy(Scorer{Type: ScoreMetadataTrust, Weight: 1, DefaultScore: Some(math.NaN())}), "scorers[0].defaultScore"},
		"half-life infinite":  {curve(DecayCurve{Type: Exponential, HalfLifeSeconds: math.Inf(1)}), "scorers[0].curve.halfLifeSeconds"},
		"foreign half-life":   {curve(DecayCurve{Type: Window, MaxAgeSeconds: 1, HalfLifeSeconds: 1}), "scorers[0].curve.halfLifeSeconds"},
		"window score NaN":    {curve(DecayCurve{Type: Step, Windows: []DecayWindow{{1, math.NaN()}}}), "scorers[0].curve.windows[0].score"},
		"year 20,000":         {NewPolicy(Scorer{Type: ScoreDecay, Weight: 1, ReferenceTime: Some(time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)), Curve: &DecayCurve{Type: Window, MaxAgeSeconds: 1}}), "scorers[0].referenceTime"},
		"foreign curve":       {NewPolicy(Scorer{Type: ScoreKind, Weight: 1, Curve: &DecayCurve{}}), "scorers[0].curve"},
		"percentage NaN":      {Policy{Scorers: []Scorer{{Type: ScoreKind, Weight: 1}}, Slicer: Greedy, Quotas: []Quota{{Kind: "a", MinPercent: Some(math.NaN())}}}, "quotas[0].minPercent"},
		"inner weight 0":      {NewPolicy(Scorer{Type: ScoreScaled, Weight: 1, Inner: &Scorer{Type: ScoreRecency}}), "scorers[0].innerScorer.weight"},
		"negative batch size": {Policy{Scorers: []Scorer{{Type: ScoreKind, Weight: 1}}, Slicer: Stream, BatchSize: -1}, "streamBatchSize"},
	} {
		var e *PolicyError
		if err := c.p.Validate(); !errors.As(err, &e) || e.Field != c.field {
			t.Errorf("%s: %v, want field %s", name, err, c.field)
		}
	}
}

// TestCloneSharesNothing changes everything that a clone could share.
func TestCloneSharesNothing(t *testing.T) {
	for i, p := range everyField() {
		c := p.Clone()
		if !reflect.DeepEqual(c, p) {
			t.Fatalf("the clone of %d differs", i)
		}
		for k := range c.Quotas {
			c.Quotas[k].Kind = "changed"
		}
		for k := range c.CountQuotas {
			c.CountQuotas[k].Cap = 99
		}
		for k := range c.Scorers {
			s := &c.Scorers[k]
			s.Weight = 99
			if s.Inner != nil {
				s.Inner.Inner.TagWeights[0].Tag = "changed"
			}
			if s.Curve != nil {
				s.Curve.HalfLifeSeconds = 99
				for w := range s.Curve.Windows {
					s.Curve.Windows[w].Score = 99
				}
			}
		}
		if !reflect.DeepEqual(p, everyField()[i]) {
			t.Errorf("changing the clone changed policy %d", i)
		}
	}
}
