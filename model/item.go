package model

import (
	"fmt"
	"math"
	"strings"
	"time"

	"cupelscope/model/plain"
)

// Option is a value that may be missing. The zero Option holds no value.
type Option[T any] struct {
	Value T
	Set   bool
}

// Some returns an Option that holds v.
func Some[T any](v T) Option[T] { return Option[T]{Value: v, Set: true} }

// Or returns the value, or other if it is missing.
func (o Option[T]) Or(other T) T {
	if o.Set {
		return o.Value
	}
	return other
}

// Names returns the names of one type as texts, for messages and completions.
func Names[T ~string](all []T) []string {
	return plain.Texts(all, func(name T) string { return string(name) })
}

// Item is one piece of context: a message, a document, the output of a tool, a
// memory. Items must not be changed once they are in a Set.
type Item struct {
	Content  string     // the text, byte-exact; never empty
	Tokens   Tokens     // -MaxTokens to MaxTokens; a negative number excludes the item
	Count    Provenance // where Tokens comes from
	Pinned   bool
	Kind     Kind   // NewSet makes "" Message
	Source   Source // NewSet makes "" Chat
	Priority Option[int64]
	Tags     []string
	// Metadata is kept as it is; numbers read from JSON are json.Number. Its maps
	// and lists are nested at most 100 deep.
	Metadata            map[string]any
	Timestamp           Option[time.Time]
	FutureRelevanceHint Option[float64]
	OriginalTokens      Option[Tokens] // for display only
}

// ItemError says which item of a set is wrong, in which field, and why.
type ItemError struct {
	Index  int    // position in the loaded set, from 0
	Field  string // "content", "tokens", "kind", "source", "timestamp", ...; "": the index itself
	Reason string
}

func (e *ItemError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("item %d: %s", e.Index, e.Reason)
	}
	return fmt.Sprintf("item %d: %s: %s", e.Index, e.Field, e.Reason)
}

// validateFields returns an *ItemError with the given index for the first thing that is wrong
// with the item, or nil. It does not check the metadata. An empty Kind or Source is valid.
func (it *Item) validateFields(index int) error {
	fail := func(field, format string, args ...any) error {
		return &ItemError{Index: index, Field: field, Reason: fmt.Sprintf(format, args...)}
	}
	switch {
	case it.Content == "":
		return fail("content", "is empty")
	case it.Tokens > MaxTokens || it.Tokens < -MaxTokens:
		return errTokens(index, it.Tokens)
	case it.Kind != "" && it.Kind.IsBlank():
		return fail("kind", "is blank")
	case it.Source != "" && it.Source.IsBlank():
		return fail("source", "is blank")
	}
	return nil
}

// FirstLine returns the first line of the content that is not blank, without
// white space at its ends, cut between characters to at most limit bytes; limit
// must not be negative. The line is as raw as the content: clean it before
// drawing it.
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

// Headline returns the text by which a list shows the item: the title in its
// metadata, if it has one, a colon, and the first line of the content, each of
// at most limit bytes. The text is raw: clean it before drawing it.
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

// Origin returns where the item was found: the first text that is not empty
// under the metadata keys file, source, file_path, path, url and title, or ""
// if there is none.
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

// ItemJSON is the JSON form of an item in scenarios, item set files and
// reports.
type ItemJSON struct {
	Content string `json:"content,omitempty"`
	Tokens  Tokens `json:"tokens"`
	// Count is the provenance of Tokens where they are not exact, so that a later
	// reader does not take them for exact.
	Count               string         `json:"count,omitempty"`
	Kind                Kind           `json:"kind"`
	Source              Source         `json:"source"`
	Priority            *int64         `json:"priority,omitempty"`
	Tags                []string       `json:"tags,omitempty"`
	Metadata            map[string]any `json:"metadata,omitempty"`
	Timestamp           *time.Time     `json:"timestamp,omitempty"`
	FutureRelevanceHint *float64       `json:"futureRelevanceHint,omitempty"` // left out if not finite, which JSON cannot say
	Pinned              bool           `json:"pinned,omitempty"`
	OriginalTokens      *Tokens        `json:"originalTokens,omitempty"`
	// Sizes are those that the source gives, see Set.SizesJSON.
	Sizes []SizeJSON `json:"sizes,omitempty"`
}

// JSON returns the JSON form of the item. It shares tags and metadata with the
// item.
func (it *Item) JSON() ItemJSON {
	j := ItemJSON{
		Content: it.Content, Tokens: it.Tokens, Kind: it.Kind, Source: it.Source, Tags: it.Tags, Metadata: it.Metadata, Pinned: it.Pinned,
		Priority: it.Priority.pointer(), Timestamp: it.Timestamp.pointer(), OriginalTokens: it.OriginalTokens.pointer(),
	}
	if !it.Count.IsExact() {
		j.Count = it.Count.String()
	}
	if hint := it.FutureRelevanceHint; finite(hint.Value) {
		j.FutureRelevanceHint = hint.pointer()
	}
	return j
}

// pointer returns nil, which JSON leaves out, if the value is missing.
func (o Option[T]) pointer() *T {
	if !o.Set {
		return nil
	}
	return &o.Value
}
