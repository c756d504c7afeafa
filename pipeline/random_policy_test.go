package pipeline

import (
	"encoding/json"
	"time"

	"cupelscope/model"
)

func randomMetadata(r source) map[string]any {
	value := func() any {
		return pick[any](r, "0.5", "1", "0", "1.5", "-2", "high", "", "NaN", " 0.5", "0x1p-1", "1_0", ".5", "5.", "1e-1", "1e999", ".", "e1",
			json.Number("0.25"), json.Number("1e999"), json.Number("1.0"), true, false, nil, []any{"1"})
	}
	return map[string]any{"cupel:trust": value(), "stage": value()}
}

func randomPolicy(r source) model.Policy {
	p := model.NewPolicy(randomScorers(r, 0)...)
	p.Slicer = pick(r, model.SlicerTypes()...)
	switch p.Slicer {
	case model.Knapsack:
		p.BucketSize = pick[model.Tokens](r, 0, 1, 7, 20)
	case model.Stream:
		p.BatchSize = pick(r, 0, 1, 2, 5, 1<<31-1)
	}
	if p.Slicer != model.Stream {
		switch r.IntN(4) {
		case 0:
			p.Quotas = randomQuotas(r)
		case 1:
			p.CountQuotas = randomCountQuotas(r)
			p.Scarcity = pick(r, "", model.Degrade, model.ScarcityFail)
		}
	}
	p.Placer = pick(r, model.PlacerTypes()...)
	p.Overflow = pick(r, model.OverflowStrategies()...)
	p.Deduplicate = r.IntN(4) > 0
	return p
}

// quotaKinds are kinds that random sets have, spelled otherwise, and one that
// none has.
func quotaKinds(r source) []model.Kind {
	all := []model.Kind{"MESSAGE", "document", "toolOutput", "Memory", "systemprompt", "other", "absent"}
	return all[r.IntN(4):][:1+r.IntN(4)]
}

// randomQuotas never require more than 100 percent together: at most four
// kinds with at most 25 each.
func randomQuotas(r source) []model.Quota {
	var all []model.Quota
	for _, kind := range quotaKinds(r) {
		q := model.Quota{Kind: kind}
		if r.IntN(2) == 0 {
			q.MinPercent = model.Some(pick(r, 0.0, 5, 25, 100.0/7, 0.1))
		}
		if !q.MinPercent.Set || r.IntN(2) == 0 {
			q.MaxPercent = model.Some(pick(r, 25.0, 29, 40, 100, 75, q.Require()))
		}
		all = append(all, q)
	}
	return all
}

func randomCountQuotas(r source) []model.CountQuota {
	var all []model.CountQuota
	for _, kind := range quotaKinds(r) {
		q := model.CountQuota{Kind: kind, Cap: pick(r, 0, 1, 2, 3, 5, 1<<31-1)}
		q.Require = r.IntN(min(q.Cap, 6) + 1)
		if r.IntN(2) == 0 {
			q.Require = 0
		}
		all = append(all, q)
	}
	return all
}

func randomScorers(r source, depth int) []model.Scorer {
	scorers := make([]model.Scorer, 1+r.IntN(3))
	for i := range scorers {
		scorers[i] = randomScorer(r, depth)
	}
	return scorers
}

func randomScorer(r source, depth int) model.Scorer {
	sc := model.Scorer{Weight: pick(r, 1.0, 2, 3, 0.1, 0.7, 1e300), Type: pick(r, model.ScorerTypes()...)}
	if depth > 1 && (sc.Type == model.ScoreComposite || sc.Type == model.ScoreScaled || sc.Type == model.ScorePower) {
		sc.Type = model.ScoreReflexive
	}
	switch sc.Type {
	case model.ScoreComposite:
		sc.Scorers = randomScorers(r, depth+1)
	case model.ScoreScaled:
		inner := randomScorer(r, depth+1)
		sc.Inner = &inner
	case model.ScorePower:
		inner := randomScorer(r, depth+1)
		sc.Inner, sc.Exponent = &inner, pick(r, 1, 2, 3, 8, 64)
	case model.ScoreTag:
		sc.TagWeights = []model.TagWeight{{Tag: "go", Weight: float64(r.IntN(3))}, {Tag: "Go", Weight: 0.1}, {Tag: "test", Weight: 0.7}}
		if r.IntN(4) == 0 {
			sc.TagWeights = []model.TagWeight{{Tag: "go", Weight: 0}}
		}
	case model.ScoreKind:
		if r.IntN(2) == 0 {
			sc.KindWeights = []model.KindWeight{{Kind: "MESSAGE", Weight: pick(r, 5, 1e300)}, {Kind: "other", Weight: 0.3}}
		}
	case model.ScoreMetadataTrust:
		if r.IntN(2) == 0 {
			sc.DefaultScore = model.Some(pick(r, 0.0, 0.3, 1))
		}
	case model.ScoreMetadataKey:
		sc.Key, sc.Value, sc.Boost = "stage", pick(r, "0.5", "high", "", "true", "1.0", "1e999"), pick(r, 1.5, 0.1, 1e300)
	case model.ScoreDecay:
		sc.ReferenceTime = model.Some(time.Date(2024, 1, 1, 0, 0, r.IntN(10), r.IntN(3), time.UTC))
		if r.IntN(2) == 0 {
			sc.NullTimestampScore = model.Some(pick(r, 0.0, 0.3, 1))
		}
		sc.Curve = randomCurve(r)
	}
	return sc
}

func randomCurve(r source) *model.DecayCurve {
	age := func() float64 { return pick(r, 1.0, 3, 1e-9, 0.999999999, 86400000, 1e300, 5e-324) }
	switch c := (model.DecayCurve{Type: pick(r, model.CurveTypes()...)}); c.Type {
	case model.Exponential:
		c.HalfLifeSeconds = age()
		return &c
	case model.Window:
		c.MaxAgeSeconds = age()
		return &c
	default:
		for range 1 + r.IntN(3) {
			c.Windows = append(c.Windows, model.DecayWindow{MaxAgeSeconds: age(), Score: pick(r, 0.9, 0.5, 0.1, 0)})
		}
		return &c
	}
}
