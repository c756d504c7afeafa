// Package request reads the lines of a batch: a line is a scenario with an id,
// which answers carry, and a query, which says what to answer.
package request

import (
	"context"
	"encoding/json"
	"strings"

	"cupelscope/model/itemset"
	"cupelscope/simulate/relevance"
)

// Line is what was read from one line of a batch.
type Line struct {
	// ID is the id as it was, on one line and in valid UTF-8: any JSON value,
	// null if there is none.
	ID    json.RawMessage
	Query Query
	// Loaded has Scenario set.
	Loaded *itemset.Loaded
	// HasSlack reports whether the scenario has slackTokens, be it 0.
	HasSlack bool
}

// Fields returns the names of the fields that a line has beside the fields of a scenario.
func Fields() []string { return []string{"id", "query", "question"} }

// ReadLine reads one line of the batch called name: the path that itemsFile is
// relative to, or "-", where there can be no itemsFile. Every record counts:
// opts.Strict is implied, opts.Format is not used; Fields may be there beside
// opts.ExtraFields.
//
// The error is a *QueryError for the query, else as of itemset.Load. The ID is
// there also with an error, as far as it can be read.
func ReadLine(ctx context.Context, name string, text []byte, fallback itemset.Fallback, opts itemset.Options) (Line, error) {
	opts.Fallback, opts.Strict, opts.Format, opts.ExtraFields = fallback, true, itemset.Scenario, append(Fields(), opts.ExtraFields...)
	loaded, err := itemset.ReadAt(ctx, name, text, opts)
	if err != nil {
		return Line{ID: LineID(text)}, err
	}
	line := Line{ID: plainID(loaded.Fields["id"]), HasSlack: loaded.Fields["slackTokens"] != nil, Loaded: loaded}
	if line.Query, err = parseQuery(loaded.Fields["query"]); err != nil {
		return line, err
	}
	return line, ask(ctx, name, loaded)
}

// ask scores the items without relevance by the question of the line, if it has one.
func ask(ctx context.Context, name string, l *itemset.Loaded) error {
	raw := l.Fields["question"]
	if raw == nil {
		return nil
	}
	fail := func(err error) error { return &itemset.ScenarioError{Name: name, Field: "question", Err: err} }
	var question string
	if json.Unmarshal(raw, &question) != nil {
		return &itemset.ScenarioError{Name: name, Field: "question", Reason: "must be a string"}
	}
	if err := relevance.Check(question); err != nil {
		return fail(err)
	}
	if question = strings.TrimSpace(question); question == "" {
		return nil
	}
	q, err := relevance.Ask(ctx, l.Set, question)
	if err != nil {
		return err
	}
	set, err := l.Set.With(l.Set.Edits().WithQuery(q))
	if err != nil {
		return fail(err)
	}
	l.Set, l.Scenario.Value.Items = set, set
	return nil
}

// LineID returns the id of a line that need not be a scenario, nor JSON, if the id
// is whole.
func LineID(text []byte) json.RawMessage {
	for _, m := range itemset.ObjectOf(text) {
		if m.Key == "id" {
			return plainID(m.Value)
		}
	}
	return plainID(nil)
}

// plainID returns an id on one line and in valid UTF-8; null for what is no JSON.
func plainID(raw []byte) json.RawMessage {
	if !json.Valid(raw) {
		return json.RawMessage("null")
	}
	return json.RawMessage(itemset.Compact(raw))
}
