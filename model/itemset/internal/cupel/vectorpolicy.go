package cupel

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"cupelscope/model"
)

type config struct {
	Slicer, Placer string
	Deduplication  bool
	Overflow       model.OverflowStrategy `toml:"overflow_strategy"`

	Bucket   *model.Tokens  `toml:"bucket_size"`
	Batch    *int           `toml:"batch_size"`
	Inner    string         `toml:"inner_slicer"`
	Scarcity model.Scarcity `toml:"scarcity_behavior"`
	Quotas   []struct {
		Kind         model.Kind
		Require, Cap *float64
	}
	Entries []struct {
		Kind    model.Kind
		Require int `toml:"require_count"`
		Cap     int `toml:"cap_count"`
	}
	parameters
}

// parameters are the parameters of a scorer: under [config] for the scorer that a scoring
// vector is about, or in a row of [[config.scorers]].
type parameters struct {
	Scorers     []scorer
	Children    []scorer
	InnerScorer string             `toml:"inner_scorer"`
	Defaults    bool               `toml:"use_default_weights"`
	KindWeights []model.KindWeight `toml:"weights"`
	TagWeights  []model.TagWeight  `toml:"tag_weights"`

	DefaultScore *float64 `toml:"default_score"`
	Key, Value   string
	Boost        float64
	Reference    *time.Time `toml:"reference_time"`
	Undated      *float64   `toml:"null_timestamp_score"`
	Curve        *struct {
		Type     model.CurveType
		HalfLife float64 `toml:"half_life_secs"`
		MaxAge   float64 `toml:"max_age_secs"`
		Windows  []struct {
			MaxAge float64 `toml:"max_age_secs"`
			Score  float64
		}
	}
}

type scorer struct {
	Type   string
	Weight float64
	parameters
}

// policy returns what the stage and the configuration of a vector ask for. It may be
// invalid. The error is a *model.PolicyError where no policy can say it.
func (v *file) policy() (model.Policy, error) {
	p := model.NewPolicy(model.Scorer{Type: model.ScoreReflexive, Weight: 1})
	p.Name, p.Deduplicate, p.Overflow = v.Test.Name, false, model.Proceed
	switch v.Test.Stage {
	case scoring:
		s, err := v.Config.scorer("config", v.Test.Scorer, 1, v.Config.Scorers)
		p.Scorers = []model.Scorer{s}
		return p, err
	case slicing:
		err := v.slicer(&p, v.Test.Slicer)
		return p, err
	case placing:
		p.Placer = model.PlacerType(spelled(v.Test.Placer))
		return p, nil
	}
	p.Deduplicate, p.Placer = v.Config.Deduplication, model.PlacerType(spelled(v.Config.Placer))
	p.Overflow = cmp.Or(v.Config.Overflow, model.Throw)
	var err error
	if p.Scorers, err = scorersOf("scorers", v.Config.Scorers); err == nil {
		err = v.slicer(&p, v.Config.Slicer)
	}
	return p, err
}

// spelled returns the name of a placer or a scorer as policies spell it. One that is not
// known stays as it is, and the policy refuses it.
func spelled(name string) string {
	others := map[string]string{"u-shaped": string(model.UShaped), "metadata_trust": string(model.ScoreMetadataTrust), "metadata_key": string(model.ScoreMetadataKey)}
	return cmp.Or(others[name], name)
}

// slicer sets the members of a policy that are about slicing. The vectors name the wrapping
// slicer and the one inside; a policy names the one inside, and its quotas tell
// the rest.
func (v *file) slicer(p *model.Policy, name string) error {
	c := &v.Config
	fail := func(key, format string, args ...any) error {
		return &model.PolicyError{Field: key, Reason: fmt.Sprintf(format, args...)}
	}
	wraps := slices.Contains([]string{"quota", "count_quota", "count_constrained_knapsack"}, name)
	switch {
	case !wraps && c.Inner != "":
		return fail("inner_slicer", "is given, but the slicer is %.40q, which has none", name)
	case len(c.Quotas) > 0 && name != "quota":
		return fail("quotas", "are given, but the slicer is %.40q, not quota", name)
	case len(c.Entries) > 0 && (!wraps || name == "quota"):
		return fail("entries", "are given, but the slicer is %.40q, which counts no items", name)
	}
	p.Slicer = model.SlicerType(name)
	if wraps {
		p.Slicer = model.SlicerType(c.Inner)
	}
	if wraps && !slices.Contains(model.SlicerTypes(), p.Slicer) {
		return fail("inner_slicer", "is %.40q, but a policy can only have greedy or knapsack in a %s", c.Inner, name)
	}
	if c.Bucket != nil {
		if p.BucketSize = *c.Bucket; p.BucketSize == 0 { // which a policy takes for none given
			return fail("bucket_size", "is 0, must be 1 to %v", model.MaxTokens)
		}
	}
	if c.Batch != nil {
		if p.BatchSize = *c.Batch; p.BatchSize == 0 {
			return fail("batch_size", "is 0, must be at least 1")
		}
	}
	p.Scarcity = c.Scarcity
	switch {
	case !wraps:
		return nil
	case name == "quota":
		for _, q := range c.Quotas {
			p.Quotas = append(p.Quotas, model.Quota{Kind: q.Kind, MinPercent: option(q.Require), MaxPercent: option(q.Cap)})
		}
		if len(p.Quotas) == 0 {
			// A policy without quotas has no quota slicer, which divides by kind
			// all the same. This says of one kind what holds for every other.
			p.Quotas = []model.Quota{{Kind: model.Message, MinPercent: model.Some(0.0)}}
		}
		return nil
	case name == "count_quota" && p.Slicer != model.Greedy:
		return fail("inner_slicer", "is %q, but count_quota can only be over greedy", c.Inner)
	case name == "count_constrained_knapsack" && p.Slicer != model.Knapsack:
		return fail("inner_slicer", "is %q, but in a count_constrained_knapsack there is a knapsack", c.Inner)
	}
	for _, e := range c.Entries {
		p.CountQuotas = append(p.CountQuotas, model.CountQuota{Kind: e.Kind, Require: e.Require, Cap: e.Cap})
	}
	if len(p.CountQuotas) == 0 {
		p.CountQuotas = []model.CountQuota{{Kind: model.Message, Cap: model.MaxItems}} // as above
	}
	return nil
}

func scorersOf(at string, rows []scorer) (all []model.Scorer, err error) {
	for i := range rows {
		row := &rows[i]
		s, err := row.scorer(fmt.Sprintf("%s[%d]", at, i), row.Type, row.Weight, row.Children)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// scorer returns the scorer of a type with these parameters; children are the scorers within a
// composite.
func (p *parameters) scorer(at, name string, weight float64, children []scorer) (s model.Scorer, err error) {
	s = model.Scorer{
		Type: model.ScorerType(spelled(name)), Weight: weight, KindWeights: p.KindWeights, TagWeights: p.TagWeights,
		DefaultScore: option(p.DefaultScore), Key: p.Key, Value: p.Value, Boost: p.Boost, NullTimestampScore: option(p.Undated),
	}
	if p.Reference != nil {
		s.ReferenceTime = model.Some(inUTC(*p.Reference))
	}
	if p.Defaults && p.KindWeights != nil {
		return s, &model.PolicyError{Field: at + ".weights", Reason: "and use_default_weights are both given: give one of them"}
	}
	if p.InnerScorer != "" {
		s.Inner = &model.Scorer{Type: model.ScorerType(spelled(p.InnerScorer)), Weight: 1}
	}
	if s.Scorers, err = scorersOf(at+".scorers", children); err != nil {
		return s, err
	}
	if c := p.Curve; c != nil {
		s.Curve = &model.DecayCurve{Type: c.Type, HalfLifeSeconds: c.HalfLife, MaxAgeSeconds: c.MaxAge}
		for _, w := range c.Windows {
			s.Curve.Windows = append(s.Curve.Windows, model.DecayWindow{MaxAgeSeconds: w.MaxAge, Score: w.Score})
		}
	}
	return s, nil
}
