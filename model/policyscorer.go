package model

import (
	"slices"
	"time"
)

// KindWeight is the weight of one kind in a kind scorer.
type KindWeight struct {
	Kind   Kind
	Weight float64
}

// TagWeight is the weight of one tag in a tag scorer.
type TagWeight struct {
	Tag    string
	Weight float64
}

// Scorer is one scorer of a policy with its weight in the composite. The
// fields below Weight are parameters: each belongs to one type and is an error
// in any other.
type Scorer struct {
	Type   ScorerType
	Weight float64 // finite, > 0; weights are normalised to sum 1

	KindWeights []KindWeight // kind; nil: Cupel's defaults; finite, >= 0
	TagWeights  []TagWeight  // tag, required there but may be empty; finite, >= 0
	Inner       *Scorer      // scaled, required there; its weight has no effect
	Scorers     []Scorer     // composite, required there

	DefaultScore Option[float64] // metadataTrust, 0 to 1; not set: DefaultTrust

	Key   string  // metadataKey, required there
	Value string  // metadataKey; may be empty
	Boost float64 // metadataKey, required there; finite, > 0

	ReferenceTime      Option[time.Time] // decay, required there: the "now" that ages are measured from
	NullTimestampScore Option[float64]   // decay, 0 to 1; not set: DefaultUndated
	Curve              *DecayCurve       // decay, required there
}

// DefaultTrust is what metadataTrust gives an item that says nothing of its
// trust: neither for nor against it.
const DefaultTrust = 0.5

// DefaultUndated is what decay gives an item without a timestamp: neither for
// nor against it.
const DefaultUndated = 0.5

// CurveType says how a score falls with age.
type CurveType string

// The curves of a decay scorer.
const (
	Exponential CurveType = "exponential" // halves with every half-life
	Step        CurveType = "step"        // a score for each window of ages
	Window      CurveType = "window"      // 1 up to an age, then 0
)

// CurveTypes lists the curves of a decay scorer.
func CurveTypes() []CurveType { return []CurveType{Exponential, Step, Window} }

// DecayCurve maps an age to a score. Durations are seconds, finite and above 0.
type DecayCurve struct {
	Type            CurveType
	HalfLifeSeconds float64       // exponential only
	MaxAgeSeconds   float64       // window only: the first age that scores 0
	Windows         []DecayWindow // step only; at least one, the youngest first
}

// DecayWindow is the score of the items younger than MaxAgeSeconds that no
// window before it covers. The last one's score is that of all older items too.
type DecayWindow struct {
	MaxAgeSeconds float64
	Score         float64 // finite
}

func cloneScorers(all []Scorer) []Scorer {
	all = slices.Clone(all)
	for i := range all {
		all[i] = all[i].clone()
	}
	return all
}

func (s Scorer) clone() Scorer {
	s.KindWeights = slices.Clone(s.KindWeights)
	s.TagWeights = slices.Clone(s.TagWeights)
	s.Scorers = cloneScorers(s.Scorers)
	if s.Inner != nil {
		inner := s.Inner.clone()
		s.Inner = &inner
	}
	if s.Curve != nil {
		curve := *s.Curve
		curve.Windows = slices.Clone(curve.Windows)
		s.Curve = &curve
	}
	return s
}

// scorerTable is the members of a scorer: a parameter is a row.
func scorerTable(s *Scorer, depth nesting) table {
	return table{is: (*string)(&s.Type), what: "scorer type", rows: []member{
		{name: "type", value: word[ScorerType]{&s.Type, ScorerTypes()}, presence: present},
		{name: "weight", value: real{&s.Weight, aboveZero}, presence: present},
		{name: "kindWeights", owner: string(ScoreKind), value: entries[KindWeight]{
			to: &s.KindWeights, folded: true,
			parts: func(w *KindWeight) (*string, value) { return (*string)(&w.Kind), real{&w.Weight, atLeastZero} },
		}},
		{name: "tagWeights", owner: string(ScoreTag), presence: required, value: entries[TagWeight]{
			to: &s.TagWeights, together: tagWeightsSum,
			parts: func(w *TagWeight) (*string, value) { return &w.Tag, real{&w.Weight, atLeastZero} },
		}},
		{name: "innerScorer", owner: string(ScoreScaled), presence: required, value: object[Scorer]{&s.Inner, scorerTable, depth + 1}},
		{name: "scorers", owner: string(ScoreComposite), presence: required, value: scorerList(&s.Scorers, depth+1)},
		{name: "defaultScore", owner: string(ScoreMetadataTrust), value: optionalReal{&s.DefaultScore, zeroToOne}},
		{name: "key", owner: string(ScoreMetadataKey), presence: required, value: text[string]{&s.Key}},
		{name: "value", owner: string(ScoreMetadataKey), presence: present, value: text[string]{&s.Value}},
		{name: "boost", owner: string(ScoreMetadataKey), presence: present, value: real{&s.Boost, aboveZero}},
		{name: "referenceTime", owner: string(ScoreDecay), presence: required, why: ": no clock is read", value: instant{&s.ReferenceTime}},
		{name: "nullTimestampScore", owner: string(ScoreDecay), value: optionalReal{&s.NullTimestampScore, zeroToOne}},
		{name: "curve", owner: string(ScoreDecay), presence: required, value: object[DecayCurve]{&s.Curve, curveTable, 0}},
	}}
}

func scorerList(to *[]Scorer, depth nesting) list[Scorer] {
	return list[Scorer]{to, scorerTable, depth, func(r reader, field string, all []Scorer) error {
		return finiteSum(r, field, all, func(s Scorer) float64 { return s.Weight })
	}, " of scorers"}
}

func tagWeightsSum(r reader, field string, all []TagWeight) error {
	return finiteSum(r, field, all, func(t TagWeight) float64 { return t.Weight })
}

func finiteSum[E any](r reader, field string, all []E, weight func(E) float64) error {
	var sum float64
	for _, one := range all {
		sum += weight(one)
	}
	if !finite(sum) {
		return r.fail(field, "weights add up to more than a float64 can hold")
	}
	return nil
}

func curveTable(c *DecayCurve, _ nesting) table {
	return table{is: (*string)(&c.Type), what: "curve type", rows: []member{
		{name: "type", value: word[CurveType]{&c.Type, CurveTypes()}, presence: present},
		{name: "halfLifeSeconds", owner: string(Exponential), presence: present, value: real{&c.HalfLifeSeconds, secondsAbove0}},
		{name: "maxAgeSeconds", owner: string(Window), presence: present, value: real{&c.MaxAgeSeconds, secondsAbove0}},
		{name: "windows", owner: string(Step), presence: required, value: list[DecayWindow]{to: &c.Windows, table: windowTable}},
	}}
}

func windowTable(w *DecayWindow, _ nesting) table {
	return table{rows: []member{
		{name: "maxAgeSeconds", value: real{&w.MaxAgeSeconds, secondsAbove0}, presence: present},
		{name: "score", value: real{&w.Score, anyFinite}, presence: present},
	}}
}
