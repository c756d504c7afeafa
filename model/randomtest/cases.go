package randomtest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"cupelscope/model"
)

// source draws the numbers that make up a part of a random case: a seeded generator, or
// the bytes of a fuzz input.
type source interface{ IntN(n int) int }

// Cases draws each part of a random case from a stream of its own, so that a part that is
// added moves no other.
type Cases struct {
	of    func(part string) source
	parts map[string]source
}

// Seeded returns the cases of two seeds.
func Seeded(a, b uint64) *Cases {
	return &Cases{parts: map[string]source{}, of: func(part string) source {
		h := fnv.New64a()
		h.Write([]byte(part)) // never fails
		return rand.New(rand.NewPCG(a, b^h.Sum64()))
	}}
}

// From returns the cases of one stream, as a fuzz input is.
func From(s source) *Cases {
	return &Cases{parts: map[string]source{}, of: func(string) source { return s }}
}

// Of returns the stream of a part.
func (c *Cases) Of(part string) source {
	s, ok := c.parts[part]
	if !ok {
		s = c.of(part)
		c.parts[part] = s
	}
	return s
}

// IntN draws from the stream of what a test itself chooses.
func (c *Cases) IntN(n int) int { return c.Of("").IntN(n) }

// Pick returns one of some values.
func Pick[T any](s source, from ...T) T { return from[s.IntN(len(from))] }

// Set makes up to 40 items with many ties, duplicates, pins, negative
// and zero counts, and some edits.
func Set(c *Cases) (*model.Set, error) {
	n := c.Of("item.Len").IntN(41)
	items := make([]model.Item, n)
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range items {
		it := &items[i]
		it.Content = fmt.Sprint("content ", c.Of("item.Content").IntN(n+n/2))
		it.Tokens = model.Tokens(c.Of("item.Tokens").IntN(60))
		switch c.Of("item.Tokens").IntN(12) {
		case 0:
			it.Tokens = 0
		case 1:
			it.Tokens = -model.Tokens(c.Of("item.Tokens").IntN(5))
		case 2:
			it.Tokens = 1000
		}
		it.Kind = Pick[model.Kind](c.Of("item.Kind"), "Message", "message", "Document", "ToolOutput", "Memory", "SystemPrompt", "Other", "")
		if c.Of("item.Timestamp").IntN(3) > 0 {
			it.Timestamp = model.Some(start.Add(time.Duration(c.Of("item.Timestamp").IntN(10)) * Pick(c.Of("item.Timestamp"), time.Second, time.Nanosecond, 24000*time.Hour)))
		} else if c.Of("item.Timestamp").IntN(8) == 0 {
			it.Timestamp = model.Some(Pick(c.Of("item.Timestamp"), time.Time{}, time.Unix(math.MaxInt64, 999), time.Unix(math.MinInt64, 0), time.Unix(1<<40, 7)))
		}
		if c.Of("item.Priority").IntN(2) == 0 {
			it.Priority = model.Some(Pick[int64](c.Of("item.Priority"), 1, 2, 3, -5, math.MaxInt64, math.MinInt64, 0))
		}
		if c.Of("item.FutureRelevanceHint").IntN(3) > 0 {
			it.FutureRelevanceHint = model.Some(Pick(c.Of("item.FutureRelevanceHint"), 0, 0.5, 0.25, 1, -3, 7, math.NaN(), math.Inf(1), math.Inf(-1), float64(c.Of("item.FutureRelevanceHint").IntN(100))/99))
		}
		for range c.Of("item.Tags").IntN(4) {
			it.Tags = append(it.Tags, Pick(c.Of("item.Tags"), "go", "GO", "Go", "test", "ci", "x", "y", "z"))
		}
		it.Pinned = c.Of("item.Pinned").IntN(9) == 0
		if c.Of("item.Metadata").IntN(2) == 0 {
			it.Metadata = metadataOf(c)
		}
	}
	s, err := model.NewSet(items)
	if err != nil || n == 0 || c.Of("item.Edits").IntN(2) == 0 {
		return s, err
	}
	e := model.Edits{
		Pinned: map[int]bool{c.Of("item.Edits").IntN(n): true, c.Of("item.Edits").IntN(n): false}, Excluded: map[int]bool{c.Of("item.Edits").IntN(n): true},
		Tokens: map[int]model.Tokens{c.Of("item.Edits").IntN(n): model.Tokens(c.Of("item.Edits").IntN(90))}, Hints: map[int]float64{c.Of("item.Edits").IntN(n): 0.75},
	}
	return s.With(e)
}

// Budget returns a budget of some tokens, often with a target, and with any of the other fields.
func Budget(c *Cases) (model.Budget, error) {
	f := model.BudgetFields{MaxTokens: model.Tokens(c.Of("budget.MaxTokens").IntN(Pick(c.Of("budget.MaxTokens"), 1500, 400, 120)))}
	if c.Of("budget.TargetTokens").IntN(2) == 0 {
		f.TargetTokens = model.Some(model.Tokens(c.Of("budget.TargetTokens").IntN(int(f.MaxTokens) + 1)))
	}
	Reserve(c, &f, f.MaxTokens/2)
	return model.NewBudget(f)
}

// Reserve sets any fields of a budget beside its maximum and its target, numbers of tokens to
// at most maxTokens.
func Reserve(c *Cases, f *model.BudgetFields, maxTokens model.Tokens) {
	for _, field := range model.FieldsOfBudget() {
		r := c.Of("budget." + field.Name)
		tokens := func() model.Tokens { return model.Tokens(r.IntN(int(maxTokens) + 1)) }
		switch {
		case field.Name == model.FieldMaxTokens || field.Name == model.FieldTargetTokens:
		case field.Slots != nil && r.IntN(4) == 0:
			*field.Slots(f) = []model.Slot{{Kind: model.Memory, Tokens: tokens()}, {Kind: "x", Tokens: 1}}
		case field.Percent != nil && r.IntN(3) == 0:
			*field.Percent(f) = Pick(r, 5, 12.5, 33.3, 50, 99, 100)
		case field.Tokens != nil && r.IntN(3) == 0:
			*field.Tokens(f) = tokens()
		}
	}
}

func metadataOf(c *Cases) map[string]any {
	value := func() any {
		return Pick[any](c.Of("metadata"), "0.5", "1", "0", "1.5", "-2", "high", "", "NaN", " 0.5", "0x1p-1", "1_0", ".5", "5.", "1e-1", "1e999", ".", "e1",
			json.Number("0.25"), json.Number("1e999"), json.Number("1.0"), true, false, nil, []any{"1"})
	}
	return map[string]any{"cupel:trust": value(), "stage": value()}
}

// Policy returns any policy at all.
func Policy(c *Cases) model.Policy {
	p := model.NewPolicy(scorersOf(c, 0)...)
	p.Slicer = Pick(c.Of("policy.Slicer"), model.SlicerTypes()...)
	switch p.Slicer {
	case model.Knapsack:
		p.BucketSize = Pick[model.Tokens](c.Of("policy.BucketSize"), 0, 1, 7, 20)
	case model.Stream:
		p.BatchSize = Pick(c.Of("policy.BatchSize"), 0, 1, 2, 5, 1<<31-1)
	}
	if p.Slicer != model.Stream {
		switch c.Of("policy.Quotas").IntN(4) {
		case 0:
			p.Quotas = Quotas(c.Of("quotas"), quotaKinds(c)...)
		case 1:
			if p.CountQuotas = CountQuotas(c.Of("countQuotas"), quotaKinds(c)...); p.CountQuotas != nil {
				p.Scarcity = Pick(c.Of("policy.Scarcity"), "", model.Degrade, model.ScarcityFail)
			}
		}
	}
	p.Placer = Pick(c.Of("policy.Placer"), model.PlacerTypes()...)
	p.Overflow = Pick(c.Of("policy.Overflow"), model.OverflowStrategies()...)
	p.Deduplicate = c.Of("policy.Deduplicate").IntN(4) > 0
	p.Name, p.Description = Pick(c.Of("policy.Name"), "", "mine"), Pick(c.Of("policy.Description"), "", "for tests")
	if p.Slicer != model.Stream && len(p.Quotas)+len(p.CountQuotas) == 0 {
		p.KeepPairs = c.Of("policy.KeepPairs").IntN(4) == 0
	}
	return p
}

// quotaKinds are kinds that random sets have, spelled otherwise, and one that
// none has.
func quotaKinds(c *Cases) []model.Kind {
	all := []model.Kind{"MESSAGE", "document", "toolOutput", "Memory", "systemprompt", "other", "absent"}
	return all[c.Of("quotaKinds").IntN(4):][:1+c.Of("quotaKinds").IntN(4)]
}

// some returns some of the values, in any order.
func some[T any](s source, from ...T) []T {
	all := slices.Clone(from)
	for i := range all {
		k := i + s.IntN(len(all)-i)
		all[i], all[k] = all[k], all[i]
	}
	return all[:s.IntN(len(all)+1)]
}

// Quotas returns quotas of some of the kinds that may require all, hold a kind at nothing and
// take thirds of everything.
func Quotas(s source, kinds ...model.Kind) []model.Quota {
	var all []model.Quota
	left := 100.0
	for _, kind := range some(s, kinds...) {
		q := model.Quota{Kind: kind}
		if require := Pick(s, 0, 0.1, 5, 20, 25, 29, 30, 100.0/7, 100.0/3, 50, 100); s.IntN(3) > 0 && require <= left {
			left -= require
			q.MinPercent = model.Some(require)
		}
		if !q.MinPercent.Set || s.IntN(2) == 0 {
			q.MaxPercent = model.Some(min(100, max(q.Require(), Pick(s, 0, 0.3, 10, 29.000001, 40, 75, 100, q.Require(), q.Require()+1e-9, q.Require()+3))))
		}
		all = append(all, q)
	}
	return all
}

// CountQuotas returns count quotas of some of the kinds, most of small numbers.
func CountQuotas(s source, kinds ...model.Kind) []model.CountQuota {
	var all []model.CountQuota
	for _, kind := range some(s, kinds...) {
		q := model.CountQuota{Kind: kind, Cap: Pick(s, 0, 1, 2, 2, 3, 5, 1<<31-1)}
		if s.IntN(3) > 0 {
			q.Require = s.IntN(min(q.Cap, 4) + 1)
		}
		all = append(all, q)
	}
	return all
}

// ByHints returns a policy of the reflexive scorer without quotas.
func ByHints(s source) model.Policy {
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	p.Placer = Pick(s, model.PlacerTypes()...)
	p.Overflow = Pick(s, model.OverflowStrategies()...)
	p.Deduplicate = s.IntN(4) > 0
	switch p.Slicer = Pick(s, model.SlicerTypes()...); p.Slicer {
	case model.Knapsack:
		p.BucketSize = Pick[model.Tokens](s, 1, 1, 2, 3, 7)
	case model.Stream:
		p.BatchSize = Pick(s, 0, 1, 1, 2, 3)
	}
	return p
}

// Divided returns ByHints, most often with quotas of some of the kinds.
func Divided(s source, kinds ...model.Kind) model.Policy {
	p := ByHints(s)
	switch n := s.IntN(7); {
	case p.Slicer == model.Stream || n == 6:
	case n < 2:
		p.Quotas = Quotas(s, kinds...)
	default:
		if p.CountQuotas = CountQuotas(s, kinds...); p.CountQuotas != nil {
			p.Scarcity = Pick(s, "", model.Degrade, model.Degrade, model.Degrade, model.ScarcityFail)
		}
	}
	return p
}

// Small returns a set of up to 10 items so small that things collide, tie and just fit.
func Small(s source) (*model.Set, error) {
	items := make([]model.Item, s.IntN(11))
	edits := model.Edits{Excluded: map[int]bool{}}
	largest, zeros := Pick(s, 4, 9, 20), Pick(s, 2, 2, 10)
	for i := range items {
		items[i] = model.Item{
			Content: Pick(s, "a", "b", "c", "d", "e", "f\u00e9\n", "g\"", "h", "i", "j", "k", "l"), // some twice
			Tokens:  model.Tokens(1 + s.IntN(largest)),
			Kind:    Pick(s, model.Message, model.Document, model.Document, "z"),
			Pinned:  s.IntN(8) == 0,
			// Few hints, so that scores and densities tie; 0 too.
			FutureRelevanceHint: model.Some(Pick(s, 0, .1, .2, .25, .5, .5, .75, 1)),
		}
		switch n := s.IntN(24); {
		case n < zeros:
			items[i].Tokens = 0
		case n > 21:
			items[i].Tokens = -3
		}
		if s.IntN(12) == 0 {
			edits.Excluded[i] = true
		}
	}
	set, err := model.NewSet(items)
	if err != nil {
		return nil, err
	}
	return set.With(edits)
}

// Pairs links some of n items, a call before its result.
func Pairs(s source, n int) (pairs []model.Pair) {
	var open []int
	for i := range n {
		switch {
		case len(open) > 0 && s.IntN(2) == 0:
			k := s.IntN(len(open))
			pairs = append(pairs, model.Pair{Call: open[k], Result: i})
			open = slices.Delete(open, k, k+1)
		case s.IntN(2) == 0:
			open = append(open, i)
		}
	}
	return pairs
}

func scorersOf(c *Cases, depth int) []model.Scorer {
	scorers := make([]model.Scorer, 1+c.Of("scorers").IntN(3))
	for i := range scorers {
		scorers[i] = scorerOf(c, depth)
	}
	return scorers
}

func scorerOf(c *Cases, depth int) model.Scorer {
	sc := model.Scorer{Weight: Pick(c.Of("scorer"), 1.0, 2, 3, 0.1, 0.7, 1e300), Type: Pick(c.Of("scorer"), model.ScorerTypes()...)}
	if depth > 1 && (sc.Type == model.ScoreComposite || sc.Type == model.ScoreScaled || sc.Type == model.ScorePower) {
		sc.Type = model.ScoreReflexive
	}
	switch sc.Type {
	case model.ScoreComposite:
		sc.Scorers = scorersOf(c, depth+1)
	case model.ScoreScaled:
		inner := scorerOf(c, depth+1)
		sc.Inner = &inner
	case model.ScorePower:
		inner := scorerOf(c, depth+1)
		sc.Inner, sc.Exponent = &inner, Pick(c.Of("scorer.Inner"), 1, 2, 3, 8, 64)
	case model.ScoreTag:
		sc.TagWeights = []model.TagWeight{{Tag: "go", Weight: float64(c.Of("scorer.TagWeights").IntN(3))}, {Tag: "Go", Weight: 0.1}, {Tag: "test", Weight: 0.7}}
		if c.Of("scorer.TagWeights").IntN(4) == 0 {
			sc.TagWeights = []model.TagWeight{{Tag: "go", Weight: 0}}
		}
	case model.ScoreKind:
		if c.Of("scorer.KindWeights").IntN(2) == 0 {
			sc.KindWeights = []model.KindWeight{{Kind: "MESSAGE", Weight: Pick(c.Of("scorer.KindWeights"), 5, 1e300)}, {Kind: "other", Weight: 0.3}}
		}
	case model.ScoreMetadataTrust:
		if c.Of("scorer.DefaultScore").IntN(2) == 0 {
			sc.DefaultScore = model.Some(Pick(c.Of("scorer.DefaultScore"), 0.0, 0.3, 1))
		}
	case model.ScoreMetadataKey:
		sc.Key, sc.Value, sc.Boost = "stage", Pick(c.Of("scorer.Key"), "0.5", "high", "", "true", "1.0", "1e999"), Pick(c.Of("scorer.Key"), 1.5, 0.1, 1e300)
	case model.ScoreDecay:
		sc.ReferenceTime = model.Some(time.Date(2024, 1, 1, 0, 0, c.Of("scorer.ReferenceTime").IntN(10), c.Of("scorer.ReferenceTime").IntN(3), time.UTC))
		if c.Of("scorer.NullTimestampScore").IntN(2) == 0 {
			sc.NullTimestampScore = model.Some(Pick(c.Of("scorer.NullTimestampScore"), 0.0, 0.3, 1))
		}
		sc.Curve = curveOf(c)
	}
	return sc
}

func curveOf(c *Cases) *model.DecayCurve {
	age := func() float64 { return Pick(c.Of("curve"), 1.0, 3, 1e-9, 0.999999999, 86400000, 1e300, 5e-324) }
	switch curve := (model.DecayCurve{Type: Pick(c.Of("curve"), model.CurveTypes()...)}); curve.Type {
	case model.Exponential:
		curve.HalfLifeSeconds = age()
		return &curve
	case model.Window:
		curve.MaxAgeSeconds = age()
		return &curve
	default:
		for range 1 + c.Of("curve").IntN(3) {
			curve.Windows = append(curve.Windows, model.DecayWindow{MaxAgeSeconds: age(), Score: Pick(c.Of("curve"), 0.9, 0.5, 0.1, 0)})
		}
		return &curve
	}
}
