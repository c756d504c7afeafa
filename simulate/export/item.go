package export

import (
	"time"

	"cupelscope/model"
)

// itemJSON is an item as item set files spell it, edits applied.
type itemJSON struct {
	Content             string         `json:"content,omitempty"`
	Tokens              model.Tokens   `json:"tokens"`
	Count               string         `json:"count,omitempty"` // where tokens come from, unless they are exact
	Kind                model.Kind     `json:"kind"`
	Source              model.Source   `json:"source"`
	Priority            *int64         `json:"priority,omitempty"`
	Tags                []string       `json:"tags,omitempty"`
	Metadata            map[string]any `json:"metadata,omitempty"`
	Timestamp           *time.Time     `json:"timestamp,omitempty"`
	FutureRelevanceHint *float64       `json:"futureRelevanceHint,omitempty"`
	Pinned              bool           `json:"pinned,omitempty"`
	OriginalTokens      *model.Tokens  `json:"originalTokens,omitempty"`
}

func newItemJSON(s *model.Set, i int, o JSONOptions) itemJSON {
	it := s.Item(i)
	out := itemJSON{
		Tokens: it.Tokens, Kind: it.Kind, Source: it.Source, Tags: it.Tags, Metadata: it.Metadata, Pinned: it.Pinned,
		Priority: pointer(it.Priority), Timestamp: pointer(it.Timestamp), OriginalTokens: pointer(it.OriginalTokens),
	}
	if !o.NoContent {
		out.Content = it.Content
	}
	if !it.Count.IsExact() {
		out.Count = it.Count.String()
	}
	if it.FutureRelevanceHint.Set {
		out.FutureRelevanceHint = finiteOrNull(it.FutureRelevanceHint.Value)
	}
	return out
}

// pointer is nil, which JSON leaves out, for a value that is missing.
func pointer[T any](o model.Option[T]) *T {
	if !o.Set {
		return nil
	}
	return &o.Value
}
