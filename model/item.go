package model

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Option is a value that may be missing.
type Option[T any] struct {
	Value T
	Set   bool
}

// Some returns an Option that holds v.
func Some[T any](v T) Option[T] { return Option[T]{Value: v, Set: true} }

// Item is one piece of context: a message, a document, a tool's output, a
// memory. Items are never changed once they are in a Set.
type Item struct {
	Content  string     // the text, byte-exact; never empty
	Tokens   Tokens     // 0 is allowed; negative means "exclude me"
	Count    Provenance // where Tokens comes from
	Kind     Kind       // "" in NewSet stands for Message
	Source   Source     // "" in NewSet stands for Chat
	Priority Option[int64]
	Tags     []string
	// Metadata is opaque and preserved. Numbers read from JSON are json.Number.
	// Maps and lists lie at most 100 deep in it.
	Metadata            map[string]any
	Timestamp           Option[time.Time]
	FutureRelevanceHint Option[float64]
	Pinned              bool
	OriginalTokens      Option[Tokens] // for display only
}

// ItemError says which item of a set is wrong, in which field, and why.
type ItemError struct {
	Index  int    // position in the loaded set, from 0
	Field  string // "content", "tokens", "kind", "source", "timestamp", ...
	Reason string
}

func (e *ItemError) Error() string {
	return fmt.Sprintf("item %d: %s: %s", e.Index, e.Field, e.Reason)
}

// Validate reports what is wrong with the item as an *ItemError that carries
// index, or nil.
func (it *Item) Validate(index int) error {
	fail := func(field, format string, args ...any) error {
		return &ItemError{Index: index, Field: field, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case it.Content == "":
		return fail("content", "is empty")
	case it.Tokens > MaxTokens || it.Tokens < -MaxTokens:
		return fail("tokens", "%d is outside -%v to %v", int64(it.Tokens), MaxTokens, MaxTokens)
	case it.Kind != "" && it.Kind.IsBlank():
		return fail("kind", "is blank")
	case it.Source != "" && it.Source.IsBlank():
		return fail("source", "is blank")
	case it.Metadata != nil && deeper(it.Metadata, maxMetadataDepth):
		return fail("metadata", "is nested more than %d deep", maxMetadataDepth)
	}
	return nil
}

// FirstLine returns the first line of the content that is not blank, trimmed
// of white space, and at most limit bytes of it (cut between characters). It
// is as raw as the content: clean it before it is drawn.
func (it *Item) FirstLine(limit int) string {
	// The search stops at the first such line: a content may be many megabytes.
	s := strings.TrimLeft(it.Content, " \t\r\n\v\f")
	if len(s) > limit {
		end := limit
		for end > 0 && s[end]&0xC0 == 0x80 { // not in the middle of a character
			end--
		}
		s = s[:end]
	}
	if end := strings.IndexAny(s, "\r\n"); end >= 0 {
		s = s[:end]
	}
	return strings.TrimRight(s, " \t\v\f")
}

// Headline is what a list calls the item: the title that its metadata gives, if
// any, and the first line of the content, at most limit bytes of each. It is as
// raw as they are: clean it before it is drawn.
func (it *Item) Headline(limit int) string {
	line := it.FirstLine(limit)
	if title, _ := it.Metadata["title"].(string); title != "" {
		named := Item{Content: title}
		if title = named.FirstLine(limit); title != "" {
			return title + ": " + line
		}
	}
	return line
}

// Origin is where the item was found, as its metadata tells: its file, source,
// path, address or title, the first that is there; "" if none is.
func (it *Item) Origin() string {
	for _, key := range [...]string{"file", "source", "file_path", "path", "url", "title"} {
		if s, _ := it.Metadata[key].(string); s != "" {
			return s
		}
	}
	return ""
}

// finite reports whether f is a number, neither infinite nor NaN.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
