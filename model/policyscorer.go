package model

import (
	"fmt"
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
	TagWeights  []TagWeight  // tag, required there; finite, >= 0
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

// parameter is a field of a scorer that belongs to one type.
type parameter struct {
	field string
	owner ScorerType
	given func(s *Scorer) bool
}

// parameters lists them in the order in which they are written.
func parameters() []parameter {
	return []parameter{
		{"kindWeights", ScoreKind, func(s *Scorer) bool { return s.KindWeights != nil }},
		{"tagWeights", ScoreTag, func(s *Scorer) bool { return s.TagWeights != nil }},
		{"innerScorer", ScoreScaled, func(s *Scorer) bool { return s.Inner != nil }},
		{"scorers", ScoreComposite, func(s *Scorer) bool { return s.Scorers != nil }},
		{"defaultScore", ScoreMetadataTrust, func(s *Scorer) bool { return s.DefaultScore.Set }},
		{"key", ScoreMetadataKey, func(s *Scorer) bool { return s.Key != "" }},
		{"value", ScoreMetadataKey, func(s *Scorer) bool { return s.Value != "" }},
		{"boost", ScoreMetadataKey, func(s *Scorer) bool { return s.Boost != 0 }},
		{"referenceTime", ScoreDecay, func(s *Scorer) bool { return s.ReferenceTime.Set }},
		{"nullTimestampScore", ScoreDecay, func(s *Scorer) bool { return s.NullTimestampScore.Set }},
		{"curve", ScoreDecay, func(s *Scorer) bool { return s.Curve != nil }},
	}
}

// foreign is the error of a parameter that another type owns.
func (p parameter) foreign(at string, t ScorerType) error {
	return &PolicyError{at + "." + p.field, fmt.Sprintf("belongs to scorer type %s, this is %s", p.owner, t)}
}

func validateScorers(field string, scorers []Scorer, depth int) error {
	if depth > maxNesting {
		return tooDeep(field)
	}
	var sum float64
	for i := range scorers {
		if err := scorers[i].validate(fmt.Sprintf("%s[%d]", field, i), depth); err != nil {
			return err
		}
		sum += scorers[i].Weight
	}
	if !finite(sum) {
		return &PolicyError{field, "weights add up to more than a float64 can hold"}
	}
	return nil
}

func tooDeep(field string) error {
	return &PolicyError{field, fmt.Sprintf("is nested more than %d deep", maxNesting)}
}

func (s *Scorer) validate(at string, depth int) error {
	if err := oneOf(at+".type", s.Type, ScorerTypes()); err != nil {
		return err
	}
	if !finite(s.Weight) || s.Weight <= 0 {
		return &PolicyError{at + ".weight", fmt.Sprintf("is %v, must be a finite number above 0", s.Weight)}
	}
	for _, p := range parameters() {
		if s.Type != p.owner && p.given(s) {
			return p.foreign(at, s.Type)
		}
	}
	switch s.Type {
	case ScoreKind:
		return validateKindWeights(at+".kindWeights", s.KindWeights)
	case ScoreTag:
		return validateTagWeights(at+".tagWeights", s.TagWeights)
	case ScoreScaled:
		switch {
		case s.Inner == nil:
			return &PolicyError{at + ".innerScorer", "is required for scorer type scaled"}
		case depth >= maxNesting:
			return tooDeep(at + ".innerScorer")
		}
		return s.Inner.validate(at+".innerScorer", depth+1)
	case ScoreComposite:
		if len(s.Scorers) == 0 {
			return &PolicyError{at + ".scorers", "is required for scorer type composite"}
		}
		return validateScorers(at+".scorers", s.Scorers, depth+1)
	case ScoreMetadataTrust:
		return unit(at+".defaultScore", s.DefaultScore)
	case ScoreMetadataKey:
		switch {
		case s.Key == "":
			return &PolicyError{at + ".key", "is required for scorer type metadataKey"}
		case !finite(s.Boost) || s.Boost <= 0:
			return &PolicyError{at + ".boost", fmt.Sprintf("is %v, must be a finite number above 0", s.Boost)}
		}
	case ScoreDecay:
		return s.validateDecay(at)
	}
	return nil
}

func validateKindWeights(field string, weights []KindWeight) error {
	seen := map[Kind]bool{}
	for _, k := range weights {
		f := field + "." + string(k.Kind)
		switch {
		case k.Kind.IsBlank():
			return &PolicyError{field, "a kind is blank"}
		case seen[k.Kind.Fold()]:
			return &PolicyError{f, "is there twice; upper and lower case are the same"}
		case !finite(k.Weight) || k.Weight < 0:
			return &PolicyError{f, fmt.Sprintf("is %v, must be a finite number, at least 0", k.Weight)}
		}
		seen[k.Kind.Fold()] = true
	}
	return nil
}

func validateTagWeights(field string, weights []TagWeight) error {
	if len(weights) == 0 {
		return &PolicyError{field, "is required for scorer type tag"}
	}
	seen := map[string]bool{}
	var sum float64
	for _, t := range weights {
		f := field + "." + t.Tag
		switch {
		case seen[t.Tag]:
			return &PolicyError{f, "is there twice"}
		case !finite(t.Weight) || t.Weight < 0:
			return &PolicyError{f, fmt.Sprintf("is %v, must be a finite number, at least 0", t.Weight)}
		}
		seen[t.Tag] = true
		sum += t.Weight
	}
	if !finite(sum) {
		return &PolicyError{field, "weights add up to more than a float64 can hold"}
	}
	return nil
}

func (s *Scorer) validateDecay(at string) error {
	if !s.ReferenceTime.Set {
		return &PolicyError{at + ".referenceTime", "is required for scorer type decay: no clock is read"}
	}
	if y := s.ReferenceTime.Value.UTC().Year(); y < 0 || y > 9999 { // what RFC 3339 can write
		return &PolicyError{at + ".referenceTime", fmt.Sprintf("is in the year %d, must be 0 to 9999", y)}
	}
	if err := unit(at+".nullTimestampScore", s.NullTimestampScore); err != nil {
		return err
	}
	if s.Curve == nil {
		return &PolicyError{at + ".curve", "is required for scorer type decay"}
	}
	return s.Curve.validate(at + ".curve")
}

func (c *DecayCurve) validate(at string) error {
	if err := oneOf(at+".type", c.Type, CurveTypes()); err != nil {
		return err
	}
	for _, p := range [...]struct {
		field string
		given bool
		owner CurveType
	}{
		{"halfLifeSeconds", c.HalfLifeSeconds != 0, Exponential},
		{"maxAgeSeconds", c.MaxAgeSeconds != 0, Window},
		{"windows", c.Windows != nil, Step},
	} {
		if p.given && c.Type != p.owner {
			return foreignToCurve(at+"."+p.field, p.owner, c.Type)
		}
	}
	switch c.Type {
	case Exponential:
		return duration(at+".halfLifeSeconds", c.HalfLifeSeconds)
	case Window:
		return duration(at+".maxAgeSeconds", c.MaxAgeSeconds)
	}
	if len(c.Windows) == 0 {
		return &PolicyError{at + ".windows", "is required for curve type step"}
	}
	for i, w := range c.Windows {
		f := fmt.Sprintf("%s.windows[%d]", at, i)
		if err := duration(f+".maxAgeSeconds", w.MaxAgeSeconds); err != nil {
			return err
		}
		if !finite(w.Score) {
			return &PolicyError{f + ".score", fmt.Sprintf("is %v, must be a finite number", w.Score)}
		}
	}
	return nil
}

func foreignToCurve(field string, owner, t CurveType) error {
	return &PolicyError{field, fmt.Sprintf("belongs to curve type %s, this is %s", owner, t)}
}

func duration(field string, seconds float64) error {
	if !finite(seconds) || seconds <= 0 {
		return &PolicyError{field, fmt.Sprintf("is %v, must be a finite number of seconds above 0", seconds)}
	}
	return nil
}

// unit checks a score that must be 0 to 1 if it is given.
func unit(field string, v Option[float64]) error {
	if v.Set && !(0 <= v.Value && v.Value <= 1) {
		return &PolicyError{field, fmt.Sprintf("is %v, must be 0 to 1", v.Value)}
	}
	return nil
}
