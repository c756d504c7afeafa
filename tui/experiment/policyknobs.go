package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/pipeline/scorer"
)

// The sections of the policy editor.
const (
	sectionScorers = "Scorers: a weighted mean"
	sectionQuotas  = "Quotas: percent of the room, by kind"
	sectionCounts  = "Count quotas: numbers of items, by kind"
)

// PolicyKnobs lists what the policy editor turns on side s: every scorer with
// its weight and parameters, and the quotas of every kind. A change that would
// make the policy invalid is refused with the policy's own error.
func (e *Experiment) PolicyKnobs(s Side, original Setup) []Knob {
	return e.PolicyKnobsFor(e.setup, s, original)
}

// PolicyKnobsFor lists them as they would be for another setup.
func (e *Experiment) PolicyKnobsFor(now Setup, s Side, original Setup) []Knob {
	k := &policyKnobs{knobs: knobs{e: e, now: now, side: s, original: original}, policy: now.Policy[s]}
	for i := range k.policy.Scorers {
		k.scorer(scorerPath{i})
	}
	k.addScorer(nil)
	k.section = sectionQuotas
	for _, kind := range k.kinds() {
		k.quota(kind)
	}
	k.section = sectionCounts
	k.countKinds()
	for _, kind := range k.kinds() {
		k.countQuota(kind)
	}
	if len(k.policy.CountQuotas) > 0 {
		k.scarcity()
	}
	return k.list
}

type policyKnobs struct {
	knobs
	policy  model.Policy
	section string
	list    []Knob
	has     map[model.Kind]int // items of a kind, by fold
}

// countKinds counts the items of each kind.
func (k *policyKnobs) countKinds() {
	items := k.e.items
	counts := make([]int, len(items.Kinds()))
	for i := range items.Len() {
		counts[items.KindID(i)]++
	}
	k.has = make(map[model.Kind]int, len(counts))
	for id, kind := range items.Kinds() {
		k.has[kind.Fold()] = counts[id]
	}
}

// add appends a knob, in the section that is open.
func (k *policyKnobs) add(knob Knob) {
	if knob.Section = k.section; knob.Section == "" {
		knob.Section = sectionScorers
	}
	knob.OfPolicy, knob.Typed = true, true
	k.list = append(k.list, knob)
}

// edit changes a copy of the policy; an invalid result is refused.
func (k *policyKnobs) edit(change func(*model.Policy)) (Setup, error) {
	p := k.policy.Clone()
	change(&p)
	if err := p.Validate(); err != nil {
		return k.now, err
	}
	return k.now.WithPolicy(k.side, p), nil
}

// scorerPath leads to a scorer within scorers: an index a level, inner for the
// scorer that a scaled one wraps.
type scorerPath []int

const inner = -1

func (path scorerPath) in(p *model.Policy) *model.Scorer {
	list := p.Scorers
	var s *model.Scorer
	for _, i := range path {
		if i == inner {
			s = s.Inner
		} else {
			s = &list[i]
		}
		list = s.Scorers
	}
	return s
}

func (path scorerPath) id(what string) KnobID {
	return KnobID(fmt.Sprint("scorer", []int(path), " ", what))
}

func (path scorerPath) join(i int) scorerPath { return append(slices.Clone(path), i) }

// number is a knob for a float64.
func (k *policyKnobs) number(id KnobID, label, help string, v, step float64, set func(*model.Policy, float64)) Knob {
	apply := func(v float64) (Setup, error) { return k.edit(func(p *model.Policy) { set(p, v) }) }
	return Knob{
		ID: id, Label: label, Help: help, Value: strconv.FormatFloat(v, 'g', 6, 64),
		step: func(dir int, big bool) (Setup, error) {
			by := step
			if big {
				by *= 10
			}
			next := float64(int64(v/by+0.5*float64(sign(v)))+int64(dir)) * by // on to a multiple
			return apply(roundTo(next, 6))
		},
		parse: func(text string) (Setup, error) {
			n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				return k.now, fmt.Errorf("%s: %.20q is not a number", strings.TrimSpace(label), text)
			}
			return apply(n)
		},
		reset: func() Setup { return k.now },
	}
}

func sign(v float64) int {
	if v < 0 {
		return -1
	}
	return 1
}

func roundTo(v float64, digits int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', digits, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// word is a knob for a text that is typed, not stepped.
func (k *policyKnobs) word(id KnobID, label, value, help string, set func(*model.Policy, string) error) Knob {
	return Knob{
		ID: id, Label: label, Value: value, Help: help,
		step: func(int, bool) (Setup, error) {
			return k.now, fmt.Errorf("%s: enter types a value", strings.TrimSpace(label))
		},
		parse: func(text string) (Setup, error) {
			var err error
			next, invalid := k.edit(func(p *model.Policy) { err = set(p, strings.TrimSpace(text)) })
			if err != nil {
				return k.now, err
			}
			return next, invalid
		},
		reset: func() Setup { return k.now },
	}
}

// oneOfKnob is a knob that goes through a few names.
func oneOfKnob[T ~string](k *policyKnobs, id KnobID, label, help string, list []T, at T, set func(*model.Policy, T)) Knob {
	knob := k.choice(id, help, names(list), slices.Index(list, at), slices.Index(list, at), func(int) Setup { return k.now })
	apply := func(i int) (Setup, error) { return k.edit(func(p *model.Policy) { set(p, list[i]) }) }
	knob.Label = label
	knob.step = func(dir int, _ bool) (Setup, error) {
		return apply((max(0, slices.Index(list, at)) + dir + len(list)) % len(list))
	}
	knob.parse = func(text string) (Setup, error) {
		for i, name := range list {
			if strings.EqualFold(string(name), strings.TrimSpace(text)) {
				return apply(i)
			}
		}
		return k.now, fmt.Errorf("%s: no %.30q; known are %s", strings.TrimSpace(label), text, strings.Join(names(list), ", "))
	}
	knob.reset = func() Setup { return k.now }
	return knob
}

// scorer adds the rows of one scorer and of those within it.
func (k *policyKnobs) scorer(path scorerPath) {
	s := path.in(&k.policy)
	indent := strings.Repeat("  ", len(path)-1)
	row := k.number(path.id("weight"), indent+string(s.Type), "its weight in the mean, above 0; x removes the scorer", s.Weight, 0.5,
		func(p *model.Policy, v float64) { path.in(p).Weight = v })
	row.Value = "weight " + row.Value
	if path[len(path)-1] == inner {
		row = oneOfKnob(k, path.id("type"), indent+"of", "what is scaled", simpleScorers(), s.Type,
			func(p *model.Policy, t model.ScorerType) { *path.in(p) = model.Scorer{Type: t, Weight: 1} })
	} else {
		row.remove = func() (Setup, error) { return k.edit(func(p *model.Policy) { removeScorer(p, path) }) }
	}
	k.add(row)
	k.parameters(path, s, indent+"  ")
}

// simpleScorers are those that need no parameters.
func simpleScorers() []model.ScorerType {
	return []model.ScorerType{model.ScoreReflexive, model.ScoreRecency, model.ScorePriority, model.ScoreKind, model.ScoreFrequency}
}

func removeScorer(p *model.Policy, path scorerPath) {
	last := len(path) - 1
	if last == 0 {
		p.Scorers = slices.Delete(p.Scorers, path[0], path[0]+1)
		return
	}
	parent := path[:last].in(p)
	parent.Scorers = slices.Delete(parent.Scorers, path[last], path[last]+1)
}

// parameters adds the rows of what a scorer's type has besides its weight.
func (k *policyKnobs) parameters(path scorerPath, s *model.Scorer, indent string) {
	switch s.Type {
	case model.ScoreKind:
		k.kindWeights(path, s, indent)
	case model.ScoreTag:
		k.tagWeights(path, s, indent)
	case model.ScoreScaled:
		k.scorer(path.join(inner))
	case model.ScoreComposite:
		for i := range s.Scorers {
			k.scorer(path.join(i))
		}
		k.addScorer(path)
	case model.ScoreMetadataTrust:
		v := model.DefaultTrust
		if s.DefaultScore.Set {
			v = s.DefaultScore.Value
		}
		k.add(k.number(path.id("default"), indent+"default", "the score of items without a usable cupel:trust, 0 to 1", v, 0.05,
			func(p *model.Policy, v float64) { path.in(p).DefaultScore = model.Some(v) }))
	case model.ScoreMetadataKey:
		k.add(k.word(path.id("key"), indent+"key", s.Key, "the metadata key that is looked at",
			func(p *model.Policy, text string) error { path.in(p).Key = text; return nil }))
		k.add(k.word(path.id("value"), indent+"value", s.Value, "the value that is boosted",
			func(p *model.Policy, text string) error { path.in(p).Value = text; return nil }))
		k.add(k.number(path.id("boost"), indent+"boost", "the score where key and value match, else 1; above 0", s.Boost, 0.5,
			func(p *model.Policy, v float64) { path.in(p).Boost = v }))
	case model.ScoreDecay:
		k.decay(path, s, indent)
	}
}

func (k *policyKnobs) kindWeights(path scorerPath, s *model.Scorer, indent string) {
	weights := s.KindWeights
	if weights == nil {
		weights = scorer.DefaultKindWeights()
	}
	weights = slices.Clone(weights)
	for _, kind := range k.kinds() {
		if !slices.ContainsFunc(weights, func(w model.KindWeight) bool { return w.Kind.Is(kind) }) {
			weights = append(weights, model.KindWeight{Kind: kind})
		}
	}
	for i, w := range weights {
		k.add(k.number(path.id("kind "+string(w.Kind)), indent+string(w.Kind), "the score of this kind, at least 0", w.Weight, 0.1,
			func(p *model.Policy, v float64) {
				next := slices.Clone(weights)
				next[i].Weight = v
				path.in(p).KindWeights = next
			}))
	}
}

func (k *policyKnobs) tagWeights(path scorerPath, s *model.Scorer, indent string) {
	for i, w := range s.TagWeights {
		row := k.number(path.id("tag "+w.Tag), indent+w.Tag, "the weight of this tag, at least 0; x removes it", w.Weight, 0.5,
			func(p *model.Policy, v float64) { path.in(p).TagWeights[i].Weight = v })
		row.remove = func() (Setup, error) {
			return k.edit(func(p *model.Policy) {
				t := path.in(p)
				t.TagWeights = slices.Delete(t.TagWeights, i, i+1)
			})
		}
		k.add(row)
	}
	k.add(k.word(path.id("add tag"), indent+"+ tag", "", "TAG or TAG=WEIGHT adds a tag", func(p *model.Policy, text string) error {
		tag, weight, given := strings.Cut(text, "=")
		w := 1.0
		if given {
			var err error
			if w, err = strconv.ParseFloat(strings.TrimSpace(weight), 64); err != nil {
				return fmt.Errorf("tag weight: %.20q is not a number", weight)
			}
		}
		if strings.TrimSpace(tag) == "" {
			return fmt.Errorf("type a tag, or TAG=WEIGHT")
		}
		t := path.in(p)
		t.TagWeights = append(t.TagWeights, model.TagWeight{Tag: strings.TrimSpace(tag), Weight: w})
		return nil
	}))
}

func (k *policyKnobs) decay(path scorerPath, s *model.Scorer, indent string) {
	k.add(k.word(path.id("now"), indent+"now", s.ReferenceTime.Value.Format(time.RFC3339), "the time that ages are measured from, as in 2026-03-01T09:00:00Z",
		func(p *model.Policy, text string) error {
			t, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return fmt.Errorf("now: %.40q is not a time such as 2026-03-01T09:00:00Z", text)
			}
			path.in(p).ReferenceTime = model.Some(t)
			return nil
		}))
	undated := model.DefaultUndated
	if s.NullTimestampScore.Set {
		undated = s.NullTimestampScore.Value
	}
	k.add(k.number(path.id("undated"), indent+"undated", "the score of items without a time, 0 to 1", undated, 0.05,
		func(p *model.Policy, v float64) { path.in(p).NullTimestampScore = model.Some(v) }))
	k.add(oneOfKnob(k, path.id("curve"), indent+"curve", "how the score falls with age", model.CurveTypes(), s.Curve.Type,
		func(p *model.Policy, t model.CurveType) { path.in(p).Curve = curveOf(t) }))
	switch s.Curve.Type {
	case model.Exponential:
		k.add(k.seconds(path.id("half-life"), indent+"half-life s", "seconds after which the score is half, above 0", s.Curve.HalfLifeSeconds,
			func(c *model.DecayCurve, v float64) { c.HalfLifeSeconds = v }, path))
	case model.Window:
		k.add(k.seconds(path.id("max age"), indent+"max age s", "seconds up to which the score is 1, above 0", s.Curve.MaxAgeSeconds,
			func(c *model.DecayCurve, v float64) { c.MaxAgeSeconds = v }, path))
	case model.Step:
		for i, w := range s.Curve.Windows {
			k.add(k.seconds(path.id(fmt.Sprint("age ", i)), fmt.Sprintf("%s%d: below s", indent, i+1), "seconds below which this score holds, above 0", w.MaxAgeSeconds,
				func(c *model.DecayCurve, v float64) { c.Windows[i].MaxAgeSeconds = v }, path))
			k.add(k.number(path.id(fmt.Sprint("score ", i)), fmt.Sprintf("%s%d: score", indent, i+1), "the score in this window", w.Score, 0.1,
				func(p *model.Policy, v float64) { path.in(p).Curve.Windows[i].Score = v }))
		}
	}
}

func (k *policyKnobs) seconds(id KnobID, label, help string, v float64, set func(*model.DecayCurve, float64), path scorerPath) Knob {
	step := 60.0
	if v > 36000 {
		step = 3600
	}
	return k.number(id, label, help, v, step, func(p *model.Policy, v float64) { set(path.in(p).Curve, v) })
}

// curveOf is a curve to begin with.
func curveOf(t model.CurveType) *model.DecayCurve {
	switch t {
	case model.Step:
		return &model.DecayCurve{Type: t, Windows: []model.DecayWindow{{MaxAgeSeconds: 3600, Score: 1}, {MaxAgeSeconds: 86400, Score: 0.5}}}
	case model.Window:
		return &model.DecayCurve{Type: t, MaxAgeSeconds: 3600}
	}
	return &model.DecayCurve{Type: model.Exponential, HalfLifeSeconds: 3600}
}

// addScorer is the row that adds a scorer to the policy, or to a composite.
func (k *policyKnobs) addScorer(to scorerPath) {
	indent := strings.Repeat("  ", len(to))
	k.add(k.word(KnobID(fmt.Sprint("scorer", []int(to), " add")), indent+"+ scorer", "", "type one of "+strings.Join(names(model.ScorerTypes()), ", "),
		func(p *model.Policy, text string) error {
			for _, t := range model.ScorerTypes() {
				if !strings.EqualFold(string(t), text) {
					continue
				}
				s, err := k.fresh(t)
				if err != nil {
					return err
				}
				if len(to) == 0 {
					p.Scorers = append(p.Scorers, s)
				} else {
					c := to.in(p)
					c.Scorers = append(c.Scorers, s)
				}
				return nil
			}
			return fmt.Errorf("no scorer %.30q; known are %s", text, strings.Join(names(model.ScorerTypes()), ", "))
		}))
}

// fresh is a scorer of a type with parameters to begin with.
func (k *policyKnobs) fresh(t model.ScorerType) (model.Scorer, error) {
	s := model.Scorer{Type: t, Weight: 1}
	switch t {
	case model.ScoreTag:
		tag, ok := k.commonTag()
		if !ok {
			return s, fmt.Errorf("a tag scorer needs tags, and no item has any")
		}
		s.TagWeights = []model.TagWeight{{Tag: tag, Weight: 1}}
	case model.ScoreScaled:
		s.Inner = &model.Scorer{Type: model.ScoreReflexive, Weight: 1}
	case model.ScoreComposite:
		s.Scorers = []model.Scorer{{Type: model.ScoreRecency, Weight: 1}}
	case model.ScoreMetadataKey:
		s.Key, s.Value, s.Boost = "key", "value", 1.5
	case model.ScoreDecay:
		s.ReferenceTime, s.Curve = model.Some(k.newest()), curveOf(model.Exponential)
	}
	return s, nil
}

// commonTag is the tag that most items have, the least in byte order among
// equals.
func (k *policyKnobs) commonTag() (string, bool) {
	count := map[string]int{}
	for i := range k.e.items.Len() {
		for _, tag := range k.e.items.Loaded(i).Tags {
			count[tag]++
		}
	}
	best, n := "", 0
	for tag, c := range count {
		if c > n || c == n && tag < best {
			best, n = tag, c
		}
	}
	return best, n > 0
}

// newest is the latest timestamp of the set; the start of 2026 if there is none.
func (k *policyKnobs) newest() time.Time {
	t := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	found := false
	for i := range k.e.items.Len() {
		if at := k.e.items.Loaded(i).Timestamp; at.Set && (!found || at.Value.After(t)) {
			t, found = at.Value, true
		}
	}
	return t
}
