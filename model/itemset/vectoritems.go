package itemset

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"cupelscope/model"
)

// takeItems makes the items of a vector, with their scores and exclusions.
func (v *Vector) takeItems(raw *rawVector) error {
	from, scored := raw.items, v.Stage == VectorPlacing || v.Stage == VectorSlicing
	if scored {
		v.Scores = make([]float64, len(from))
	}
	v.Items = make([]model.Item, len(from))
	for i := range from {
		it := &from[i]
		key := func(name string) string { return fmt.Sprintf("%s[%d].%s", v.itemsKey(), i, name) }
		switch {
		case it.Content == "":
			return raw.fail(key("content"), "is required and may not be empty")
		case it.Tokens == nil:
			return raw.fail(key("tokens"), "is required")
		case scored && it.Score == nil:
			return raw.fail(key("score"), "is required in a vector of the stage "+string(v.Stage))
		case !scored && it.Score != nil:
			return raw.fail(key("score"), "has no meaning in a vector of the stage "+string(v.Stage))
		}
		if scored {
			v.Scores[i] = *it.Score
		}
		if it.Excluded {
			v.Excluded[i] = true
		}
		v.Items[i] = model.Item{
			Content: it.Content, Tokens: *it.Tokens, Kind: it.Kind, Source: it.Source, Tags: it.Tags, Pinned: it.Pinned,
			Priority: option(it.Priority), FutureRelevanceHint: option(it.Hint),
		}
		if it.Timestamp != nil {
			v.Items[i].Timestamp = model.Some(it.Timestamp.Time)
		}
		if it.Metadata != nil {
			v.Items[i].Metadata, _ = asJSON(it.Metadata).(map[string]any)
		}
	}
	return nil
}

// asJSON is a value of TOML as JSON has it: numbers are json.Number, times and
// numbers that JSON cannot write are text.
func asJSON(value any) any {
	switch v := value.(type) {
	case int64:
		return json.Number(strconv.FormatInt(v, 10))
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !isFinite(v) {
			return text
		}
		return json.Number(text)
	case time.Time:
		at, dated := inUTC(v)
		if !dated {
			return at.Format("15:04:05.999999999")
		}
		return at.Format(time.RFC3339Nano)
	case map[string]any:
		all := make(map[string]any, len(v))
		for key, value := range v {
			all[key] = asJSON(value)
		}
		return all
	case []map[string]any:
		all := make([]any, len(v))
		for i, value := range v {
			all[i] = asJSON(value)
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i, value := range v {
			all[i] = asJSON(value)
		}
		return all
	}
	return value
}

// takeBudget makes the budget; see Vector.Budget.
func (v *Vector) takeBudget(raw *rawVector) {
	b := &raw.Budget
	switch v.Stage {
	case VectorPipeline:
		v.Budget = model.BudgetFields{OutputReserve: b.Reserve, SafetyMargin: b.Margin}
		if b.Max != nil {
			v.Budget.MaxTokens = *b.Max
		}
		v.Budget.TargetTokens = v.Budget.MaxTokens
		for _, slot := range b.Slots {
			v.Budget.ReservedSlots = append(v.Budget.ReservedSlots, model.Slot{Kind: slot.Kind, Tokens: slot.Tokens})
		}
	case VectorScoring, VectorPlacing:
		var sum model.Tokens
		for i := range v.Items {
			if t := v.Items[i].Tokens; t > 0 && !v.Excluded[i] {
				sum += min(t, model.MaxTokens) // of few items: the file is bounded
			}
		}
		v.Budget.TargetTokens = min(sum, model.MaxTokens)
	}
	if b.Target != nil {
		v.Budget.TargetTokens = *b.Target
	}
	if v.Stage != VectorPipeline {
		v.Budget.MaxTokens = v.Budget.TargetTokens
	}
}

// VectorWant is what must come of a vector. What is not set is not said.
type VectorWant struct {
	// ConstructionFails: there is no such scorer or slicer, and that is all.
	ConstructionFails bool
	// Error is how the run fails: "pinned-exceeds-budget", "overflow" or
	// "scarcity"; "": it does not.
	Error string

	Scores  []VectorScore // scoring, by item
	Epsilon float64       // by how much scores may differ, > 0
	Ordered []string      // placing: contents in order
	Output  []string      // pipeline: contents in order

	Selected       model.Option[[]string] // contents in any order
	ShortfallCount model.Option[int]
	Shortfalls     model.Option[[]model.Shortfall]
	CapExcluded    model.Option[int]
	TokensOver     model.Option[model.Tokens]

	Candidates model.Option[int]
	Considered model.Option[model.Tokens]
	Included   model.Option[[]VectorDiagnosis]
	Excluded   model.Option[[]VectorDiagnosis]
}

// VectorScore is the score that an item must get.
type VectorScore struct {
	Content string
	Score   float64 `toml:"score_approx"`
}

// VectorDiagnosis is what a report must say of an item: its reason, spelled as
// model.Code does, and the data of that reason.
type VectorDiagnosis struct {
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

// rawResult is [expected] of all stages but scoring.
type rawResult struct {
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
		Included, Excluded []VectorDiagnosis
	}
}

// defaultEpsilon is the tolerance of scores when a vector gives none.
const defaultEpsilon = 1e-9

func (v *rawVector) want() VectorWant {
	r := &v.result
	w := VectorWant{
		ConstructionFails: v.Test.ConstructionError, Error: r.Error, Scores: v.wantScores, Epsilon: v.Tolerance.Epsilon, Ordered: r.Ordered,
		ShortfallCount: option(r.ShortfallCount), CapExcluded: option(r.CapExcluded), TokensOver: option(r.TokensOver),
		Candidates: option(r.Diagnostics.Summary.Candidates), Considered: option(r.Diagnostics.Summary.Considered),
	}
	if !(w.Epsilon > 0) || math.IsInf(w.Epsilon, 0) {
		w.Epsilon = defaultEpsilon
	}
	for _, e := range v.ExpectedOutput {
		w.Output = append(w.Output, e.Content)
	}
	if v.has("expected", "selected_contents") {
		w.Selected = model.Some(r.Selected)
	}
	if v.has("expected", "shortfalls") {
		all := []model.Shortfall(nil)
		for _, s := range r.Shortfalls {
			all = append(all, model.Shortfall(s))
		}
		w.Shortfalls = model.Some(all)
	}
	if v.has("expected", "diagnostics", "included") {
		w.Included = model.Some(r.Diagnostics.Included)
	}
	if v.has("expected", "diagnostics", "excluded") {
		w.Excluded = model.Some(r.Diagnostics.Excluded)
	}
	return w
}
