package itemset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"cupelscope/model"
)

// rawVector is the layout of a vector's TOML, of all stages together.
type rawVector struct {
	Test struct {
		Name              string
		Stage             VectorStage
		Scorer            string
		Slicer            string
		Placer            string
		ConstructionError bool `toml:"expect_construction_error"`
	}
	Budget         rawBudget
	Config         rawConfig
	Items          []toml.Primitive // of rawItem: one at a time, so that errors tell which
	ScoredItems    []toml.Primitive `toml:"scored_items"`
	Expected       toml.Primitive
	ExpectedOutput []struct{ Content string } `toml:"expected_output"`
	Tolerance      struct {
		Epsilon float64 `toml:"score_epsilon"`
	}

	name       string
	meta       toml.MetaData
	items      []rawItem     // Items, or ScoredItems in the stage slicing
	wantScores []VectorScore // [[expected]] of the stage scoring
	result     rawResult     // [expected] of the others
}

type rawBudget struct {
	Max     *model.Tokens `toml:"max_tokens"`
	Target  *model.Tokens `toml:"target_tokens"`
	Reserve model.Tokens  `toml:"output_reserve"`
	Margin  float64       `toml:"safety_margin_percent"`
	Slots   []struct {
		Kind   model.Kind
		Tokens model.Tokens
	} `toml:"reserved_slots"`
}

type rawConfig struct {
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

	rawParameters
}

// rawParameters are those of scorers: under [config] for the one that a
// scoring vector is about, or in a row of [[config.scorers]].
type rawParameters struct {
	Scorers     []rawScorer
	Children    []rawScorer
	InnerScorer string             `toml:"inner_scorer"`
	Defaults    bool               `toml:"use_default_weights"`
	KindWeights []model.KindWeight `toml:"weights"`
	TagWeights  []model.TagWeight  `toml:"tag_weights"`

	DefaultScore *float64 `toml:"default_score"`
	Key, Value   string
	Boost        float64
	Reference    *vectorTime `toml:"reference_time"`
	Undated      *float64    `toml:"null_timestamp_score"`
	Curve        *rawCurve
}

type rawCurve struct {
	Type     model.CurveType
	HalfLife float64 `toml:"half_life_secs"`
	MaxAge   float64 `toml:"max_age_secs"`
	Windows  []struct {
		MaxAge float64 `toml:"max_age_secs"`
		Score  float64
	}
}

type rawScorer struct {
	Type   string
	Weight float64
	rawParameters
}

type rawItem struct {
	Content   string
	Tokens    *model.Tokens
	Kind      model.Kind
	Source    model.Source
	Tags      []string
	Priority  *int64
	Timestamp *vectorTime
	Hint      *float64 `toml:"futureRelevanceHint"`
	Metadata  map[string]any
	Pinned    bool
	Excluded  bool
	Score     *float64
}

// vectorTime is a time of TOML; one without a zone is in UTC, as everywhere in
// this package, where the TOML library takes the zone of the machine.
type vectorTime struct{ time.Time }

// UnmarshalTOML implements toml.Unmarshaler.
func (t *vectorTime) UnmarshalTOML(value any) error {
	at, ok := value.(time.Time)
	if !ok {
		return errors.New("must be a time like 2025-01-31T12:00:00Z, without quotes")
	}
	if at, ok = inUTC(at); !ok {
		return errors.New("must have a date: a time of day alone is no instant")
	}
	if y := at.Year(); y < 0 || y > 9999 { // what RFC 3339 can write
		return fmt.Errorf("is in the year %d, must be 0 to 9999", y)
	}
	t.Time = at
	return nil
}

// inUTC is a time of the TOML library in UTC; the library marks times without
// a zone by the name of their location. ok: it has a date.
func inUTC(at time.Time) (utc time.Time, ok bool) {
	switch at.Location().String() {
	case "datetime-local", "date-local":
		return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC), true
	case "time-local":
		return at, false
	}
	return at.UTC(), true
}

// decodeVector decodes the TOML of a vector; a key that it has no place for is
// an error.
func decodeVector(name string, data []byte) (*rawVector, error) {
	if err := boundVector(name, data); err != nil {
		return nil, err
	}
	v := &rawVector{name: name}
	var err error
	if v.meta, err = toml.Decode(string(data), v); err != nil {
		return nil, v.decodeError(err, -1)
	}
	if !slices.Contains(VectorStages(), v.Test.Stage) {
		names := make([]string, len(VectorStages()))
		for i, s := range VectorStages() {
			names[i] = string(s)
		}
		return nil, v.fail("test.stage", fmt.Sprintf("is %.40q, must be one of %s", string(v.Test.Stage), strings.Join(names, ", ")))
	}
	if v.has("expected") {
		var to any = &v.result
		if v.Test.Stage == VectorScoring {
			to = &v.wantScores
		}
		if err := v.meta.PrimitiveDecode(v.Expected, to); err != nil {
			return nil, v.decodeError(err, -1)
		}
	}
	items := v.Items
	if v.Test.Stage == VectorSlicing {
		items = v.ScoredItems
	}
	v.items = make([]rawItem, len(items))
	for i, item := range items {
		if err := v.meta.PrimitiveDecode(item, &v.items[i]); err != nil {
			return nil, v.decodeError(err, i)
		}
	}
	if err := v.checkStage(); err != nil { // before the keys of tables that it refuses are called unknown
		return nil, err
	}
	for _, key := range v.meta.Undecoded() {
		if len(key) > 2 && key[1] == "metadata" {
			continue // the library forgets that it decoded what lies deeper there
		}
		return nil, v.fail(key.String(), "is not known")
	}
	return v, nil
}

func (v *rawVector) has(key ...string) bool { return v.meta.IsDefined(key...) }

func (v *rawVector) fail(key, reason string) error {
	return &VectorError{Name: v.name, Key: key, Reason: reason}
}

// decodeError is an error of the TOML library in our words. Mistakes of syntax
// have their place. For others the library knows one place a key, the last one:
// it counts where the key is there once. item is the index of the item that
// the key is in, -1 if in none.
func (v *rawVector) decodeError(err error, item int) error {
	if p, ok := errors.AsType[toml.ParseError](err); ok {
		e := &VectorError{Name: v.name, Line: max(p.Position.Line, 1), Column: max(p.Position.Col, 1), Key: atItem(p.LastKey, item), Reason: p.Message}
		if v.places(p.LastKey) > 1 {
			e.Line, e.Column = 0, 0
		}
		return e
	}
	// toml: line 8 (last key "items.tokens"): incompatible types: TOML value has type string; destination has type integer
	e := &VectorError{Name: v.name, Reason: strings.TrimPrefix(err.Error(), "toml: ")}
	if at, what, ok := strings.Cut(e.Reason, `"): `); ok {
		at, key, _ := strings.Cut(at, `(last key "`)
		e.Key, e.Reason = atItem(key, item), what
		if _, err := fmt.Sscanf(at, "line %d", &e.Line); err != nil || v.places(key) > 1 {
			e.Line = 0
		}
	}
	if has, must, ok := strings.Cut(e.Reason, "; destination has type "); ok {
		e.Reason = strings.TrimPrefix(has, "incompatible types: TOML value ") + ", must be " + must
	}
	return e
}

// places is how often a key is there.
func (v *rawVector) places(key string) int {
	n := 0
	for _, k := range v.meta.Keys() {
		if k.String() == key {
			n++
		}
	}
	return n
}

// atItem puts the index of an item into a key: items.tokens is items[2].tokens.
func atItem(key string, item int) string {
	table, rest, ok := strings.Cut(key, ".")
	if item < 0 || !ok {
		return key
	}
	return fmt.Sprintf("%s[%d].%s", table, item, rest)
}

// checkStage refuses tables that have no meaning in the stage of the vector,
// and misses those without which there is nothing to run.
func (v *rawVector) checkStage() error {
	stage := v.Test.Stage
	for _, table := range [...]struct {
		key     string
		stages  []VectorStage
		require bool
	}{
		{"scored_items", []VectorStage{VectorSlicing}, false},
		{"items", []VectorStage{VectorScoring, VectorPlacing, VectorPipeline}, false},
		{"budget", []VectorStage{VectorSlicing, VectorPipeline}, true},
		{"config", []VectorStage{VectorPipeline}, true},
		{"expected_output", []VectorStage{VectorPipeline}, false},
	} {
		belongs := slices.Contains(table.stages, stage)
		switch {
		case v.has(table.key) && !belongs && table.key != "config":
			return v.fail(table.key, fmt.Sprintf("has no meaning in a vector of the stage %s", stage))
		case !v.has(table.key) && belongs && table.require:
			return v.fail(table.key, fmt.Sprintf("is required in a vector of the stage %s", stage))
		}
	}
	return nil
}
