package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrInvalidPolicy is wrapped by every *PolicyError.
var ErrInvalidPolicy = errors.New("invalid policy")

// PolicyError names the field of a policy that is wrong.
type PolicyError struct {
	Field  string // as in the policy's JSON: "scorers[1].weight", "knapsackBucketSize", ...
	Reason string
}

func (e *PolicyError) Error() string { return "invalid policy: " + e.Field + ": " + e.Reason }

func (e *PolicyError) Unwrap() error { return ErrInvalidPolicy }

// The names below are spelled as in policy JSON.
type (
	ScorerType       string
	SlicerType       string
	PlacerType       string
	OverflowStrategy string
)

const (
	ScoreRecency   ScorerType = "recency"
	ScorePriority  ScorerType = "priority"
	ScoreKind      ScorerType = "kind"
	ScoreTag       ScorerType = "tag"
	ScoreFrequency ScorerType = "frequency"
	ScoreReflexive ScorerType = "reflexive"
	ScoreComposite ScorerType = "composite"

	Greedy   SlicerType = "greedy"
	Knapsack SlicerType = "knapsack"

	Chronological PlacerType = "chronological"
	UShaped       PlacerType = "uShaped"

	Throw    OverflowStrategy = "throw"    // a result over the target is an error
	Truncate OverflowStrategy = "truncate" // drop what does not fit, never pinned items
	Proceed  OverflowStrategy = "proceed"  // keep everything and record the overflow
)

// ScorerTypes, SlicerTypes, PlacerTypes and OverflowStrategies list what a
// policy may name, in the order in which to offer it.
func ScorerTypes() []ScorerType {
	return []ScorerType{ScoreRecency, ScorePriority, ScoreKind, ScoreTag, ScoreFrequency, ScoreReflexive, ScoreComposite}
}

// SlicerTypes: see ScorerTypes.
func SlicerTypes() []SlicerType { return []SlicerType{Greedy, Knapsack} }

// PlacerTypes: see ScorerTypes.
func PlacerTypes() []PlacerType { return []PlacerType{Chronological, UShaped} }

// OverflowStrategies: see ScorerTypes.
func OverflowStrategies() []OverflowStrategy { return []OverflowStrategy{Throw, Truncate, Proceed} }

// DefaultBucketSize is KnapsackSlice's bucket, in tokens, when none is given.
const DefaultBucketSize Tokens = 100

// maxNesting bounds composites within composites.
const maxNesting = 32

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

// Scorer is one scorer of a policy with its weight in the composite.
type Scorer struct {
	Type   ScorerType
	Weight float64 // finite, > 0; weights are normalised to sum 1

	KindWeights []KindWeight // kind only; nil: Cupel's defaults; finite, >= 0
	TagWeights  []TagWeight  // tag only, required there; finite, >= 0
	Scorers     []Scorer     // composite only, required there
}

// Policy says how items are scored, selected and placed. Use NewPolicy for
// the defaults; validate with Validate (pipeline.New does).
type Policy struct {
	Name        string
	Description string
	Scorers     []Scorer // at least one; several are a weighted mean
	Slicer      SlicerType
	BucketSize  Tokens // knapsack only, >= 1; 0 stands for DefaultBucketSize
	Placer      PlacerType
	Deduplicate bool
	Overflow    OverflowStrategy
}

// NewPolicy returns the policy that the JSON {"scorers": [...]} means: greedy,
// chronological, deduplicating, throwing.
func NewPolicy(scorers ...Scorer) Policy {
	return Policy{Scorers: scorers, Slicer: Greedy, Placer: Chronological, Deduplicate: true, Overflow: Throw}
}

// Bucket is the knapsack's bucket size in tokens, the default if none is set.
func (p Policy) Bucket() Tokens {
	if p.BucketSize == 0 {
		return DefaultBucketSize
	}
	return p.BucketSize
}

// Clone returns a copy that shares nothing with p.
func (p Policy) Clone() Policy {
	p.Scorers = cloneScorers(p.Scorers)
	return p
}

func cloneScorers(all []Scorer) []Scorer {
	all = slices.Clone(all)
	for i := range all {
		all[i].KindWeights = slices.Clone(all[i].KindWeights)
		all[i].TagWeights = slices.Clone(all[i].TagWeights)
		all[i].Scorers = cloneScorers(all[i].Scorers)
	}
	return all
}

// Validate reports the first thing that is wrong with the policy as a
// *PolicyError that names the field, or nil.
func (p Policy) Validate() error {
	if len(p.Scorers) == 0 {
		return &PolicyError{"scorers", "is required and may not be empty"}
	}
	if err := validateScorers("scorers", p.Scorers, 0); err != nil {
		return err
	}
	if err := oneOf("slicerType", p.Slicer, SlicerTypes()); err != nil {
		return err
	}
	if p.BucketSize != 0 && p.Slicer != Knapsack {
		return &PolicyError{"knapsackBucketSize", fmt.Sprintf("is given, but slicerType is %q: only knapsack has buckets", p.Slicer)}
	}
	if p.BucketSize < 0 || p.BucketSize > MaxTokens {
		return &PolicyError{"knapsackBucketSize", fmt.Sprintf("is %d, must be 1 to %v", int64(p.BucketSize), MaxTokens)}
	}
	if err := oneOf("placerType", p.Placer, PlacerTypes()); err != nil {
		return err
	}
	return oneOf("overflowStrategy", p.Overflow, OverflowStrategies())
}

func oneOf[T ~string](field string, v T, known []T) error {
	if slices.Contains(known, v) {
		return nil
	}
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	return &PolicyError{field, fmt.Sprintf("%q is not known; known are %s", string(v), strings.Join(names, ", "))}
}

func validateScorers(field string, scorers []Scorer, depth int) error {
	if depth > maxNesting {
		return &PolicyError{field, fmt.Sprintf("is nested more than %d deep", maxNesting)}
	}
	var sum float64
	for i, s := range scorers {
		at := fmt.Sprintf("%s[%d]", field, i)
		if err := oneOf(at+".type", s.Type, ScorerTypes()); err != nil {
			return err
		}
		if !finite(s.Weight) || s.Weight <= 0 {
			return &PolicyError{at + ".weight", fmt.Sprintf("is %v, must be a finite number above 0", s.Weight)}
		}
		sum += s.Weight
		if err := s.validateParameters(at, depth); err != nil {
			return err
		}
	}
	if !finite(sum) {
		return &PolicyError{field, "weights add up to more than a float64 can hold"}
	}
	return nil
}

func (s Scorer) validateParameters(at string, depth int) error {
	for _, p := range [...]struct {
		field string
		given bool
		owner ScorerType
	}{
		{"kindWeights", s.KindWeights != nil, ScoreKind},
		{"tagWeights", s.TagWeights != nil, ScoreTag},
		{"scorers", s.Scorers != nil, ScoreComposite},
	} {
		if p.given && s.Type != p.owner {
			return &PolicyError{at + "." + p.field, fmt.Sprintf("belongs to scorer type %s, this is %s", p.owner, s.Type)}
		}
	}
	switch s.Type {
	case ScoreKind:
		seen := map[Kind]bool{}
		for _, k := range s.KindWeights {
			f := at + ".kindWeights." + string(k.Kind)
			switch {
			case k.Kind.IsBlank():
				return &PolicyError{at + ".kindWeights", "a kind is blank"}
			case seen[k.Kind.Fold()]:
				return &PolicyError{f, "is there twice; upper and lower case are the same"}
			case !finite(k.Weight) || k.Weight < 0:
				return &PolicyError{f, fmt.Sprintf("is %v, must be a finite number, at least 0", k.Weight)}
			}
			seen[k.Kind.Fold()] = true
		}
	case ScoreTag:
		if len(s.TagWeights) == 0 {
			return &PolicyError{at + ".tagWeights", "is required for scorer type tag"}
		}
		seen := map[string]bool{}
		var sum float64
		for _, t := range s.TagWeights {
			f := at + ".tagWeights." + t.Tag
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
			return &PolicyError{at + ".tagWeights", "weights add up to more than a float64 can hold"}
		}
	case ScoreComposite:
		if len(s.Scorers) == 0 {
			return &PolicyError{at + ".scorers", "is required for scorer type composite"}
		}
		return validateScorers(at+".scorers", s.Scorers, depth+1)
	}
	return nil
}
