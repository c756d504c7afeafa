package pipeline

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"cupelscope/model"
	"cupelscope/pipeline/placer"
	"cupelscope/pipeline/scorer"
	"cupelscope/pipeline/slicer"
)

// vector is a test vector; see TestConformance.
type vector struct {
	Test struct {
		Name, Stage, Scorer, Slicer, Placer string
		ConstructionError                   bool `toml:"expect_construction_error"`
	}
	Budget struct {
		Max     model.Tokens `toml:"max_tokens"`
		Target  model.Tokens `toml:"target_tokens"`
		Reserve model.Tokens `toml:"output_reserve"`
		Margin  float64      `toml:"safety_margin_percent"`
		Slots   []struct {
			Kind   model.Kind
			Tokens model.Tokens
		} `toml:"reserved_slots"`
	}
	Config         vectorConfig
	Items          []vectorItem
	ScoredItems    []vectorItem `toml:"scored_items"`
	Expected       toml.Primitive
	ExpectedOutput []struct{ Content string } `toml:"expected_output"`
	Tolerance      struct {
		Epsilon float64 `toml:"score_epsilon"`
	}

	scores                     bool // [[expected]] is scores, else [expected] is a result
	wantScores                 []vectorScore
	result                     vectorResult
	diagnosed, listsShortfalls bool
	defined                    func(key ...string) bool
}

type vectorConfig struct {
	Slicer, Placer string
	Deduplication  bool
	Overflow       string `toml:"overflow_strategy"`

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

	vectorParameters
}

// vectorParameters are those of scorers: under [config] for the one that a
// scoring vector tests, or in a row of [[config.scorers]].
type vectorParameters struct {
	Scorers     []vectorScorer
	Children    []vectorScorer
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

type vectorScorer struct {
	Type   string
	Weight float64
	vectorParameters
}

type vectorItem struct {
	Content   string
	Tokens    model.Tokens
	Kind      model.Kind
	Tags      []string
	Priority  *int64
	Timestamp *time.Time
	Hint      *float64 `toml:"futureRelevanceHint"`
	Metadata  map[string]any
	Pinned    bool
	Excluded  bool
	Score     float64
}

type vectorScore struct {
	Content string
	Score   float64 `toml:"score_approx"`
}

// vectorResult is [expected] of all stages but scoring.
type vectorResult struct {
	Selected       []string `toml:"selected_contents"`
	Ordered        []string `toml:"ordered_contents"`
	Error          string
	ShortfallCount *int `toml:"shortfall_count"`
	Shortfalls     []struct {
		Kind      model.Kind
		Required  int `toml:"required_count"`
		Satisfied int `toml:"satisfied_count"`
	}
	CapExcluded *int          `toml:"cap_excluded_count"`
	TokensOver  *model.Tokens `toml:"tokens_over"`
	Diagnostics struct {
		Summary struct {
			Candidates *int          `toml:"total_candidates"`
			Considered *model.Tokens `toml:"total_tokens_considered"`
		}
		Included, Excluded []vectorDiagnosis
	}
}

type vectorDiagnosis struct {
	Content         string
	Score           float64      `toml:"score_approx"`
	Inclusion       string       `toml:"inclusion_reason"`
	Exclusion       string       `toml:"exclusion_reason"`
	Tokens          model.Tokens // NegativeTokens
	ItemTokens      model.Tokens `toml:"item_tokens"`
	AvailableTokens model.Tokens `toml:"available_tokens"`
	Against         string       `toml:"deduplicated_against"`
	DisplacedBy     string       `toml:"displaced_by"`
	Kind            string       // CountCapExceeded
	Cap, Count      int          // CountCapExceeded
	Filter          string       // Filtered
}

func (v *vector) set(t *testing.T, from []vectorItem) *model.Set {
	items := make([]model.Item, len(from))
	edits := model.Edits{Excluded: map[int]bool{}}
	for i, it := range from {
		items[i] = model.Item{
			Content: it.Content, Tokens: it.Tokens, Kind: it.Kind, Tags: it.Tags, Metadata: it.Metadata, Pinned: it.Pinned,
			Priority: optional(it.Priority), Timestamp: optional(it.Timestamp), FutureRelevanceHint: optional(it.Hint),
		}
		if it.Excluded {
			edits.Excluded[i] = true
		}
	}
	s, err := setOf(t, items...).With(edits)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func optional[T any](v *T) model.Option[T] {
	if v == nil {
		return model.Option[T]{}
	}
	return model.Some(*v)
}

// scorer is the one that a scoring vector tests.
func (v *vector) scorer() (scorer.Scorer, error) {
	s, err := v.Config.scorer(v.Test.Scorer, 1, v.Config.Scorers)
	if err != nil {
		return nil, err
	}
	return policyScorer(s)
}

// policyScorer builds scorers as New does, errors included.
func policyScorer(all ...model.Scorer) (scorer.Scorer, error) {
	if err := model.NewPolicy(all...).Validate(); err != nil {
		return nil, err
	}
	return scorer.FromPolicy(all)
}

// scorer is the scorer of a type with these parameters; children are those of
// a composite.
func (p *vectorParameters) scorer(name string, weight float64, children []vectorScorer) (model.Scorer, error) {
	types := map[string]model.ScorerType{"metadata_trust": model.ScoreMetadataTrust, "metadata_key": model.ScoreMetadataKey}
	t, ok := types[name]
	if !ok {
		t = model.ScorerType(name)
	}
	if !slices.Contains(model.ScorerTypes(), t) {
		return model.Scorer{}, fmt.Errorf("no scorer %q", name)
	}
	s := model.Scorer{
		Type: t, Weight: weight, KindWeights: p.KindWeights, TagWeights: p.TagWeights,
		DefaultScore: optional(p.DefaultScore), Key: p.Key, Value: p.Value, Boost: p.Boost,
		ReferenceTime: optional(p.Reference), NullTimestampScore: optional(p.Undated),
	}
	if p.Defaults && p.KindWeights != nil {
		return s, fmt.Errorf("default weights and others")
	}
	if p.InnerScorer != "" {
		var none vectorParameters
		inner, err := none.scorer(p.InnerScorer, 1, nil)
		if err != nil {
			return s, err
		}
		s.Inner = &inner
	}
	for _, child := range children {
		c, err := child.scorer(child.Type, child.Weight, child.Children)
		if err != nil {
			return s, err
		}
		s.Scorers = append(s.Scorers, c)
	}
	if c := p.Curve; c != nil {
		s.Curve = &model.DecayCurve{Type: c.Type, HalfLifeSeconds: c.HalfLife, MaxAgeSeconds: c.MaxAge}
		for _, w := range c.Windows {
			s.Curve.Windows = append(s.Curve.Windows, model.DecayWindow{MaxAgeSeconds: w.MaxAge, Score: w.Score})
		}
	}
	return s, nil
}

// slicer builds a slicer by its constructor, errors included.
func (v *vector) slicer(name string) (slicer.Slicer, error) {
	c := &v.Config
	knapsack := slicer.Knapsack{}
	if c.Bucket != nil {
		knapsack.Bucket = *c.Bucket
	}
	var entries []model.CountQuota
	for _, e := range c.Entries {
		entries = append(entries, model.CountQuota{Kind: e.Kind, Require: e.Require, Cap: e.Cap})
	}
	switch name {
	case "greedy":
		return slicer.Greedy{}, nil
	case "knapsack":
		return knapsack, nil
	case "stream":
		if c.Batch != nil {
			return slicer.NewStream(*c.Batch)
		}
		return slicer.Stream{}, nil
	case "count_constrained_knapsack":
		if c.Inner != "knapsack" {
			return nil, fmt.Errorf("the inner slicer is %q", c.Inner)
		}
		return slicer.NewCountConstrainedKnapsack(knapsack, c.Scarcity, entries...)
	case "quota", "count_quota":
		if c.Inner == name {
			return nil, fmt.Errorf("%s in itself", name)
		}
		inner, err := v.slicer(c.Inner)
		if err != nil {
			return nil, err
		}
		if name == "count_quota" {
			return slicer.NewCountQuota(inner, c.Scarcity, entries...)
		}
		var quotas []model.Quota
		for _, q := range c.Quotas {
			quotas = append(quotas, model.Quota{Kind: q.Kind, MinPercent: optional(q.Require), MaxPercent: optional(q.Cap)})
		}
		return slicer.NewQuota(inner, quotas...)
	}
	return nil, fmt.Errorf("no slicer %q", name)
}

func (v *vector) placer(name string) (placer.Placer, error) {
	switch name {
	case "chronological":
		return placer.Chronological{}, nil
	case "u-shaped":
		return placer.UShaped{}, nil
	}
	return nil, fmt.Errorf("no placer %q", name)
}

// parts is the pipeline of a pipeline vector.
func (v *vector) parts() (parts Parts, err error) {
	parts = Parts{Deduplicate: v.Config.Deduplication, Overflow: model.OverflowStrategy(v.Config.Overflow)}
	var all []model.Scorer
	for _, s := range v.Config.Scorers {
		one, err := s.scorer(s.Type, s.Weight, s.Children)
		if err != nil {
			return parts, err
		}
		all = append(all, one)
	}
	if parts.Scorer, err = policyScorer(all...); err != nil {
		return parts, err
	}
	if parts.Slicer, err = v.slicer(v.Config.Slicer); err != nil {
		return parts, err
	}
	parts.Placer, err = v.placer(v.Config.Placer)
	return parts, err
}
