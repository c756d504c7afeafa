package itemset

import (
	"bytes"
	"context"
	"encoding/json"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// A line of a batch is a scenario with an id, which answers carry, and a query,
// which says what to answer.

// Line is what was read from one line of a batch.
type Line struct {
	// ID is the id as it was, on one line and in valid UTF-8: any JSON value,
	// null if there is none.
	ID    json.RawMessage
	Query Query
	// Loaded has Scenario set.
	Loaded *Loaded
	// HasSlack: the scenario says slackTokens, be it 0.
	HasSlack bool
}

// Instead is what stands for a part that a line lacks; a part that is not set
// is required of the line.
type Instead struct {
	Policy model.Option[model.Policy]
	Budget model.Option[model.Budget]
}

// ReadLine reads one line of the batch called name: the path that itemsFile is
// relative to, or "-", where there can be no itemsFile. Every record counts:
// opts.Strict is implied, opts.Format is not used.
//
// Errors: a *QueryError for the query, else those of Load. The ID is there also
// with an error, as far as it can be read.
func ReadLine(ctx context.Context, name string, data []byte, instead Instead, opts Options) (Line, error) {
	opts.Strict, opts.Format = true, Scenario
	opts.ExtraFields = []string{"id", "query"}
	opts.open = func(ctx context.Context, path string) ([]byte, error) { return readSource(ctx, path, opts) }
	b := newBuilder(ctx, opts)
	b.name, b.unit, b.instead = name, "record", instead
	if !utf8.Valid(data) {
		b.out.Report.add(Changed, "bytes that are no UTF-8 replaced by U+FFFD", "")
	}
	err := b.readScenario(data)
	line := Line{ID: b.id(data)}
	if err != nil {
		return line, err
	}
	if line.Query, err = parseQuery(b.fields["query"]); err != nil {
		return line, err
	}
	line.HasSlack = b.fields["slackTokens"] != nil
	b.out.Format = Scenario
	line.Loaded, err = b.loaded()
	return line, err
}

// id is the id of a line, looked for also in what is no scenario.
func (b *builder) id(data []byte) json.RawMessage {
	raw, read := b.fields["id"]
	if !read {
		// Not JSON, or a field before it is wrong: an id that is whole counts.
		for key, value := range jsonwalk.Members(data) {
			if key == "id" {
				raw = value
				break
			}
		}
	}
	if raw == nil || jsonwalk.Check(raw) != nil {
		return json.RawMessage("null")
	}
	if c := jsonwalk.Type(raw); c == '{' || c == '[' {
		raw = []byte(compact(raw))
	}
	return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
}
