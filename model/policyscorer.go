package model

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// ScorerType names a scorer, spelled as in policy JSON. Package pipeline/scorer
// says what each computes.
type ScorerType string

// The scorers.
const (
	ScoreRecency       ScorerType = "recency"
	ScorePriority      ScorerType = "priority"
	ScoreKind          ScorerType = "kind"
	ScoreTag           ScorerType = "tag"
	ScoreFrequency     ScorerType = "frequency"
	ScoreReflexive     ScorerType = "reflexive"
	ScoreScaled        ScorerType = "scaled"
	ScoreMetadataTrust ScorerType = "metadataTrust"
	ScoreMetadataKey   ScorerType = "metadataKey"
	ScoreDecay         ScorerType = "decay"
	ScoreComposite     ScorerType = "composite"
	ScorePower         ScorerType = "power" // not part of Cupel: see ScorerType.ours
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

// Scorer is one scorer of a policy and its weight in the weighted mean. The
// fields below Weight are parameters. Each belongs to the types that its
// comment names, and setting it is an error in any other.
type Scorer struct {
	Type   ScorerType
	Weight float64 // finite, above 0; weights are normalised to the sum 1

	KindWeights []KindWeight // kind; nil: Cupel's defaults; finite, >= 0
	TagWeights  []TagWeight  // tag, required there but may be empty; finite, >= 0
	Inner       *Scorer      // scaled and power, required there; its weight has no effect
	Exponent    int          // power, 1 to MaxExponent
	Scorers     []Scorer     // composite, required there

	DefaultScore Option[float64] // metadataTrust, 0 to 1; not set: DefaultTrust

	Key   string  // metadataKey, required there
	Value string  // metadataKey; may be empty
	Boost float64 // metadataKey, required there; finite, > 0

	ReferenceTime      Option[time.Time] // decay, required there: the "now" that ages are measured from
	NullTimestampScore Option[float64]   // decay, 0 to 1; not set: DefaultUndated
	Curve              *DecayCurve       // decay, required there
}

// DefaultKindWeights returns the weights of a kind scorer whose KindWeights are
// nil.
func DefaultKindWeights() []KindWeight {
	return []KindWeight{{SystemPrompt, 1.0}, {Memory, 0.8}, {ToolOutput, 0.6}, {Document, 0.4}, {Message, 0.2}}
}

// DefaultTrust is the score that metadataTrust gives to items without a usable
// trust value where the scorer sets none. It counts neither for nor against an
// item.
const DefaultTrust = 0.5

// MaxExponent is the largest exponent of a power scorer. Scores to a higher
// power are nearly all 0 or 1.
const MaxExponent = 64

// DefaultUndated is the score that decay gives to items without a timestamp
// where the scorer sets none. It counts neither for nor against an item.
const DefaultUndated = 0.5

// CurveType says how a score falls with age, spelled as in policy JSON.
type CurveType string

// The curves of a decay scorer.
const (
	Exponential CurveType = "exponential" // halves with every half-life
	Step        CurveType = "step"        // a score for each window of ages
	Window      CurveType = "window"      // 1 up to an age, then 0
)

// CurveTypes returns the curves of a decay scorer.
func CurveTypes() []CurveType { return []CurveType{Exponential, Step, Window} }

// DecayCurve maps an age to a score. Durations are in seconds, finite and above
// 0.
type DecayCurve struct {
	Type            CurveType
	HalfLifeSeconds float64       // exponential only
	MaxAgeSeconds   float64       // window only: the first age that scores 0
	Windows         []DecayWindow // step only; at least one, the youngest first
}

// DecayWindow is the score of the ages below MaxAgeSeconds that no earlier
// window covers. The score of the last window also holds for all older items.
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
		s.Inner = new(s.Inner.clone())
	}
	if s.Curve != nil {
		s.Curve = new(*s.Curve)
		s.Curve.Windows = slices.Clone(s.Curve.Windows)
	}
	return s
}

// eachScorer calls f for scorers and those within them, with their paths.
func eachScorer(at string, all []Scorer, f func(at string, s *Scorer)) {
	for i := range all {
		all[i].each(fmt.Sprintf("%s[%d]", at, i), f)
	}
}

func (s *Scorer) each(at string, f func(at string, s *Scorer)) {
	f(at, s)
	if s.Inner != nil {
		s.Inner.each(at+".innerScorer", f)
	}
	eachScorer(at+".scorers", s.Scorers, f)
}

// scorerType is a row of the table of scorers: its name, how it rates an item, what people
// type to find it, and its parameters.
type scorerType struct {
	name       ScorerType
	does       string
	words      string
	parameters []member
	ours       bool
}

// scorerTypes returns the table of scorers. Validation, policy JSON, the policy
// editor, completions, POLICY.md and the schema of policies use it; package
// pipeline/scorer computes the scores.
func scorerTypes(s *Scorer, depth nesting, begin Beginning) []scorerType {
	inner := member{
		name: "innerScorer", about: "the scorer whose scores it takes; its weight has no effect", value: object[Scorer]{&s.Inner, scorerLayout(), depth + 1}, presence: required,
		begin: func() { s.Inner = &Scorer{Type: ScoreReflexive, Weight: 1} },
	}
	return []scorerType{
		{name: ScoreRecency, does: "the share of the other items with a time that are older; 0 without a time", words: "recent newest new old age time"},
		{name: ScorePriority, does: "the share of the other items with a priority that have a lower one; 0 without a priority", words: "important"},
		{name: ScoreKind, does: "the weight of the kind of the item; 0 for a kind without one", words: "type", parameters: []member{{
			name: "kindWeights", value: entries[KindWeight]{to: &s.KindWeights, folded: true, usual: DefaultKindWeights, parts: func(w *KindWeight) (*string, value) {
				return (*string)(&w.Kind), real{&w.Weight, atLeastZero}
			}},
			about: "the score of each kind", help: "the score of this kind, 0 or more", step: 0.1,
		}}},
		{name: ScoreTag, does: "the sum of the weights of its tags, as a share of all weights, at most 1", words: "label", parameters: []member{{
			name: "tagWeights", value: entries[TagWeight]{to: &s.TagWeights, together: finiteSum(func(t TagWeight) float64 { return t.Weight }), parts: func(w *TagWeight) (*string, value) {
				return &w.Tag, real{&w.Weight, atLeastZero}
			}}, presence: required,
			about: "the weight of each tag; there may be none", label: "tag", help: "the weight of this tag, at least 0; x removes it", step: 0.5,
			begin: func() {
				s.TagWeights = []TagWeight{}
				if begin.Tag != "" {
					s.TagWeights = append(s.TagWeights, TagWeight{begin.Tag, 1})
				}
			},
		}}},
		{name: ScoreFrequency, does: "the share of the other items that have a tag in common with it", words: "repeated common"},
		{name: ScoreReflexive, does: "its own futureRelevanceHint, 0 to 1; 0 without one", words: "hint relevance"},
		{name: ScoreScaled, does: "the scores of another scorer, stretched so that the lowest is 0 and the highest 1", words: "normalize", parameters: []member{inner}},
		{name: ScoreMetadataTrust, does: "the number in its metadata under cupel:trust, 0 to 1", words: "trust", parameters: []member{{
			name: "defaultScore", value: optionalReal{&s.DefaultScore, zeroToOne, DefaultTrust},
			label: "default", help: "the score of items without a usable cupel:trust, 0 to 1", step: 0.05,
		}}},
		{name: ScoreMetadataKey, does: "boost if its metadata have the value under the key, else 1", words: "metadata", parameters: []member{
			{
				name: "key", value: text[string]{&s.Key}, presence: required,
				label: "key", help: "the metadata key that is looked at", begin: func() { s.Key = "key" },
			}, {
				name: "value", value: text[string]{&s.Value}, presence: present,
				label: "value", help: "the value that is boosted", begin: func() { s.Value = "value" },
			}, {
				name: "boost", value: real{&s.Boost, aboveZero}, presence: present,
				label: "boost", help: "the score where key and value match, else 1; above 0", step: 0.5, begin: func() { s.Boost = 1.5 },
			},
		}},
		{name: ScoreDecay, does: "a curve over its age at a fixed time; no clock is read", words: "half life age", parameters: []member{
			{
				name: "referenceTime", value: instant{&s.ReferenceTime}, presence: required, why: ": no clock is read",
				label: "now", help: "the time that ages are measured from, as in 2026-03-01T09:00:00Z", begin: func() { s.ReferenceTime = Some(begin.Now) },
			}, {
				name: "nullTimestampScore", value: optionalReal{&s.NullTimestampScore, zeroToOne, DefaultUndated},
				label: "undated", help: "the score of items without a time, 0 to 1", step: 0.05,
			}, {
				name: "curve", value: object[DecayCurve]{&s.Curve, layout[DecayCurve]{curveTable, &keptCurves}, 0}, presence: required,
				help: "how the score falls with age", begin: func() { s.Curve = new(DecayCurve); s.Curve.become(Exponential) },
			},
		}},
		{name: ScoreComposite, does: "the weighted mean of other scorers", words: "mean", parameters: []member{{
			name: "scorers", about: "the scorers and their weights in the mean", value: scorerList(&s.Scorers, depth+1), presence: required,
			begin: func() { s.Scorers = []Scorer{{Type: ScoreRecency, Weight: 1}} },
		}}},
		{name: ScorePower, does: "the scores of another scorer to a whole power, which keeps short weak items from coming first under greedy", words: "exponent", ours: true, parameters: []member{inner, {
			name: "exponent", value: whole[int]{&s.Exponent, 1, MaxExponent}, presence: present,
			label: "exponent", help: "the inner score to this power, a whole number, 1 to 64", step: 1, axis: "exponent", perUnit: 1, begin: func() { s.Exponent = 2 },
		}}},
	}
}

// ours reports whether the scorer is not part of Cupel: no other program reads
// a policy that names it.
func (t ScorerType) ours() bool { return t.row().ours }

// Words returns what people type to find the scorer, beside its name.
func (t ScorerType) Words() string { return t.row().words }

func (t ScorerType) row() scorerType {
	for _, row := range scorerTypes(new(Scorer), 0, Beginning{}) {
		if row.name == t {
			return row
		}
	}
	return scorerType{}
}

// ScorerTypes returns the scorers that a policy may name, in the order in which
// an editor offers them.
func ScorerTypes() []ScorerType {
	var all []ScorerType
	for _, t := range scorerTypes(new(Scorer), 0, Beginning{}) {
		all = append(all, t.name)
	}
	return all
}

// scorerTable returns the members of a scorer.
func scorerTable(s *Scorer, depth nesting) table { return s.table(depth, Beginning{}) }

func scorerLayout() layout[Scorer] { return layout[Scorer]{scorerTable, &keptScorers} }

// Tables that were built before; see layout.
var keptScorers, keptCurves, keptWindows sync.Pool

func (s *Scorer) table(depth nesting, begin Beginning) table {
	types := scorerTypes(s, depth, begin)
	names := make([]ScorerType, len(types))
	rows := []member{
		{name: "type", about: "how an item is rated", value: word[ScorerType]{to: &s.Type, known: names}, presence: present},
		{name: "weight", about: "its weight in the weighted mean of all scorers", value: real{&s.Weight, aboveZero}, presence: present, axis: "weight", perUnit: 1000},
	}
	for i, t := range types {
		names[i] = t.name
		for _, m := range t.parameters {
			if k := slices.IndexFunc(rows, func(row member) bool { return row.name == m.name }); k >= 0 {
				rows[k].owners = append(rows[k].owners, string(t.name)) // several types have it
				continue
			}
			m.owners = []string{string(t.name)}
			rows = append(rows, m)
		}
	}
	return table{is: (*string)(&s.Type), what: "scorer type", rows: rows}
}

// Beginning holds the first values of the parameters of a new scorer that
// depend on the items.
type Beginning struct {
	Now time.Time // the time that ages are measured from
	Tag string    // the tag that a tag scorer rewards; "": none
}

// NewScorer returns a scorer of type t with weight 1 and first values for its
// parameters. It is valid for every type in ScorerTypes.
func NewScorer(t ScorerType, begin Beginning) Scorer {
	s := Scorer{Type: t, Weight: 1}
	s.table(0, begin).begin()
	return s
}

func scorerList(to *[]Scorer, depth nesting) list[Scorer] {
	return list[Scorer]{to, scorerLayout(), depth, finiteSum(func(s Scorer) float64 { return s.Weight }), " of scorers"}
}

func finiteSum[E any](weight func(E) float64) func(reader, string, []E) error {
	return func(r reader, field string, all []E) error {
		var sum float64
		for _, one := range all {
			sum += weight(one)
		}
		if !finite(sum) {
			return r.fail(field, "weights add up to more than a float64 can hold")
		}
		return nil
	}
}

func curveTable(c *DecayCurve, _ nesting) table {
	return table{is: (*string)(&c.Type), what: "curve type", rows: []member{
		{
			name: "type", value: word[CurveType]{&c.Type, CurveTypes(), c.become}, presence: present,
			label: "curve", help: "how the score falls with age",
		}, {
			name: "halfLifeSeconds", owners: []string{string(Exponential)}, presence: present, value: real{&c.HalfLifeSeconds, secondsAbove0},
			label: "half-life s", help: "seconds after which the score is half, above 0", step: 60, begin: func() { c.HalfLifeSeconds = 3600 },
		}, {
			name: "maxAgeSeconds", owners: []string{string(Window)}, presence: present, value: real{&c.MaxAgeSeconds, secondsAbove0},
			label: "max age s", help: "seconds up to which the score is 1, above 0", step: 60, begin: func() { c.MaxAgeSeconds = 3600 },
		}, {
			name: "windows", owners: []string{string(Step)}, presence: required, value: list[DecayWindow]{to: &c.Windows, layout: layout[DecayWindow]{windowTable, &keptWindows}},
			help: "a score for each window of ages", begin: func() { c.Windows = []DecayWindow{{3600, 1}, {86400, 0.5}} },
		},
	}}
}

// become changes the type of a curve and sets first values for its parameters.
func (c *DecayCurve) become(t CurveType) {
	*c = DecayCurve{Type: t}
	curveTable(c, 0).begin()
}

func windowTable(w *DecayWindow, _ nesting) table {
	return table{rows: []member{
		{
			name: "maxAgeSeconds", value: real{&w.MaxAgeSeconds, secondsAbove0}, presence: present,
			label: "below s", help: "seconds below which this score holds, above 0", step: 60,
		}, {
			name: "score", value: real{&w.Score, anyFinite}, presence: present,
			label: "score", help: "the score in this window", step: 0.1,
		},
	}}
}
