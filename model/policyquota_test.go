package model

import (
	"math"
	"reflect"
	"testing"
	"time"

	"cupelscope/model/musttest"
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
		Scorer{Type: ScoreComposite, Weight: 1, Scorers: []Scorer{{Type: ScoreTag, Weight: 1, TagWeights: []TagWeight{{"a", 1}}}}},
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
			musttest.Is(t, musttest.As[*PolicyError](t, err, c.text).Field, "scorers[0].referenceTime", c.text)
			continue
		}
		if err != nil || p.Scorers[0].ReferenceTime.Value.Format(time.RFC3339Nano) != c.want {
			t.Errorf("%s: %+v, %v", c.text, p, err)
		}
	}
}

func TestRulingRequiresMayExceed100ByRounding(t *testing.T) {
	third := Some(100.0 / 3)
	quotas := []Quota{{Kind: "a", MinPercent: third}, {Kind: "b", MinPercent: third}, {Kind: "c", MinPercent: Some(100.0/3 + 9e-10)}}
	musttest.Do(t, ValidateQuotas(quotas))
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
		musttest.Is(t, musttest.As[*PolicyError](t, c.p.Validate(), name).Field, c.field, name)
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
			for n := range s.Scorers {
				s.Scorers[n].TagWeights[0].Tag = "changed"
			}
			if s.Curve != nil {
				s.Curve.HalfLifeSeconds = 99
				for w := range s.Curve.Windows {
					s.Curve.Windows[w].Score = 99
				}
			}
		}
		musttest.Is(t, p, everyField()[i], "changing the clone changed policy", i)
	}
}
