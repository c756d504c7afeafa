package itemset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"cupelscope/model"
)

// ReadPolicy reads a policy from a file of Cupel's JSON. Policy.Title marks later changes of
// it. Errors are as for ReadSmall and model.ParsePolicy.
func ReadPolicy(ctx context.Context, path string) (model.Policy, error) {
	data, err := ReadSmall(ctx, path)
	if err != nil {
		return model.Policy{}, err
	}
	p, err := model.ParsePolicy(data)
	if err != nil {
		return model.Policy{}, fmt.Errorf("%s: %w", path, err)
	}
	return p.AsRead(), nil
}

// MarshalScenario returns a scenario as indented JSON with one item on each line.
// Reading it gives the same scenario. If ItemsFile is set, the items are left out and
// the edits hold a hash of their contents. It is an error if the scenario is not
// valid, or if its query has not scored the items yet.
func MarshalScenario(s model.Scenario) ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	edits, err := editsOf(s)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	var failed error
	member := func(key string, v any, given bool) {
		if !given || failed != nil {
			return
		}
		raw, err := marshal(v)
		if err != nil {
			failed = fmt.Errorf("%s: %w", key, err)
		}
		separator := ",\n"
		if b.Len() == 0 {
			separator = "{\n"
		}
		fmt.Fprintf(&b, "%s  %q: %s", separator, key, raw)
	}
	member("name", s.Name, true)
	member("itemsFields", s.ItemsFields, s.ItemsFile != "" && len(s.ItemsFields) > 0)
	member("policy", s.Policy, true)
	member("policyB", s.PolicyB.Value, s.PolicyB.Set)
	member("budget", s.Budget, true)
	shrink := s.Items.Edits().Shrink
	member("shrink", shrink.Rules, len(shrink.Rules) > 0)
	member("shrinkPinned", true, shrink.Pinned)
	member("edits", edits, edits != nil)
	member("labels", s.Labels.Grades, s.Labels.Grades != nil) // an empty map too: it replaces the labels in itemsFile
	member("missed", s.Labels.Missed, len(s.Labels.Missed) > 0)
	member("answers", s.Labels.Answers, s.Labels.Answers != nil)
	member("checks", s.Checks, len(s.Checks) > 0)
	member("screen", s.Screen, len(s.Screen) > 0)
	member("slackTokens", s.Slack, true)
	member("axisEnd", s.Ceiling, s.Ceiling > 0)
	member("itemsFile", filepath.ToSlash(s.ItemsFile), s.ItemsFile != "")
	if failed != nil {
		return nil, failed
	}
	if s.ItemsFile != "" {
		b.WriteString("\n}\n")
		return b.Bytes(), nil
	}
	b.WriteString(",\n  \"items\": [")
	for i := range s.Items.Len() {
		it := *s.Items.Loaded(i)
		it.Tokens, it.Count = s.Items.LoadedTokens(i)
		form := it.JSON()
		form.Sizes = s.Items.SizesJSON(i)
		raw, err := marshal(form)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		b.Write(raw)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), nil
}

// editsOf returns the edits of a scenario; nil if it has none that must be written.
func editsOf(s model.Scenario) (*editsJSON, error) {
	e := s.Items.Edits().WithShrink(model.Shrink{}) // a member of its own
	if e.IsZero() && (s.ItemsFile == "" || len(s.Labels.Grades) == 0) {
		return nil, nil
	}
	edits := &editsJSON{Pinned: e.Pinned, Tokens: e.Tokens, Hints: e.Hints}
	for _, i := range slices.Sorted(maps.Keys(e.Excluded)) {
		if e.Excluded[i] {
			edits.Excluded = append(edits.Excluded, i)
		}
	}
	if !e.Query.IsZero() {
		if !e.Query.Scored() {
			return nil, errors.New("the query has not scored the items yet")
		}
		edits.Query = &queryJSON{Text: e.Query.Text, Hints: map[int]float64{}}
		for i, hint := range e.Query.Hints {
			if hint != 0 {
				edits.Query.Hints[i] = hint
			}
		}
	}
	if s.ItemsFile != "" {
		edits.Hash = contentHash(s.Items)
	}
	return edits, nil
}

// editsJSON is the JSON form of edits. encoding/json sorts the keys of its maps.
type editsJSON struct {
	Pinned   map[int]bool         `json:"pinned,omitempty"`
	Excluded []int                `json:"excluded,omitempty"`
	Tokens   map[int]model.Tokens `json:"tokens,omitempty"`
	Hints    map[int]float64      `json:"hints,omitempty"`
	Query    *queryJSON           `json:"query,omitempty"`
	Hash     string               `json:"hash,omitempty"`
}

// queryJSON is the JSON form of a query, without the items whose hint is 0.
type queryJSON struct {
	Text  string          `json:"text"`
	Hints map[int]float64 `json:"hints"`
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
