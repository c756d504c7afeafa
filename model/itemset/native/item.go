// Package native reads Cupel's wire format: an array of items, an object with
// "items", or an item a line. Keys are camelCase as the .NET library writes them;
// the Rust spellings future_relevance_hint and original_tokens are read too. Any
// other key goes to the metadata of its item.
package native

import (
	"fmt"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/record"
)

// Read adds the items of a document.
func Read(doc record.Document, sink record.Sink) error {
	for at, raw := range doc.Objects(sink, "an item", "items") {
		it, counted, notes, problem := Parse(raw, new(int))
		if problem != "" {
			sink.Tell(record.Skipped, at, problem)
			continue
		}
		for _, n := range notes {
			sink.Tell(record.Changed, at, n)
		}
		sink.Add(at, it, counted)
	}
	if o := doc.Object(); o.Type("items") == '[' { // what stands beside the items
		record.TellUnread(sink, record.Place{}, "", o, []string{"items"})
	}
	return nil
}

const keyTwice = "items with a key twice: the last one counts"

// itemKey numbers the keys of an item, to see one that is there twice.
type itemKey uint

const (
	keyContent itemKey = iota
	keyTokens
	keyKind
	keySource
	keyPriority
	keyTags
	keyMetadata
	keyTimestamp
	keyHint
	keyPinned
	keyOriginal
	keyCount
	keyOther
)

func itemKeyOf(key string) itemKey {
	switch key {
	case "content":
		return keyContent
	case "tokens":
		return keyTokens
	case "kind":
		return keyKind
	case "source":
		return keySource
	case "priority":
		return keyPriority
	case "tags":
		return keyTags
	case "metadata":
		return keyMetadata
	case "timestamp":
		return keyTimestamp
	case "futureRelevanceHint", "future_relevance_hint":
		return keyHint
	case "pinned":
		return keyPinned
	case "originalTokens", "original_tokens":
		return keyOriginal
	case "count":
		return keyCount
	}
	return keyOther
}

// Parse reads the valid JSON object that raw begins with; *end is where
// it ends there, if it is an item. counted: it has a token count. notes are
// what had to be changed; a problem means that it is no item.
func Parse(raw []byte, end *int) (it model.Item, counted bool, notes []string, problem string) {
	var seen uint
	var more map[string]any
	for key, raw := range jsonwalk.MembersTo(raw, end) {
		id := itemKeyOf(key)
		if id != keyOther {
			if seen&(1<<id) != 0 {
				notes = append(notes, keyTwice)
			}
			seen |= 1 << id
		}
		null := jsonwalk.IsNull(raw)
		if null && id != keyOther && id != keyContent {
			continue // as if it were not there
		}
		ok := true
		switch id {
		case keyContent:
			it.Content, ok = jsonwalk.String(raw)
			if !ok {
				return it, false, nil, "content is " + jsonwalk.TypeName(raw) + ", must be a string"
			}
		case keyTokens:
			it.Tokens, ok = record.Whole(raw)
			counted = true
			if ok && (it.Tokens > model.MaxTokens || it.Tokens < -model.MaxTokens) {
				return it, false, nil, fmt.Sprintf("tokens beyond %v", model.MaxTokens)
			}
		case keyKind:
			it.Kind, ok = kindOfJSON(raw)
			ok = ok && !it.Kind.IsBlank()
		case keySource:
			var s string
			s, ok = jsonwalk.String(raw)
			it.Source = model.Source(s)
			ok = ok && !it.Source.IsBlank()
		case keyPriority:
			var n int64
			if n, ok = record.Integer(raw); ok {
				it.Priority = model.Some(n)
			}
		case keyTags:
			it.Tags, ok = record.Strings(raw)
		case keyMetadata:
			if ok = jsonwalk.Type(raw) == '{'; ok {
				it.Metadata, _ = jsonwalk.Any(raw).(map[string]any)
			}
		case keyTimestamp:
			if at, ok := record.Time(raw); ok {
				it.Timestamp = model.Some(at)
			} else {
				notes = append(notes, "timestamps not understood, left out")
			}
		case keyHint:
			if h, finite := record.Finite(raw); finite {
				it.FutureRelevanceHint = model.Some(h)
			} else {
				notes = append(notes, "future relevance hints that are no finite number, left out")
			}
		case keyPinned:
			c := jsonwalk.Type(raw)
			it.Pinned, ok = c == 't', c == 't' || c == 'f'
		case keyOriginal:
			if n, whole := record.Whole(raw); whole && n >= -model.MaxTokens && n <= model.MaxTokens {
				it.OriginalTokens = model.Some(n)
			} else {
				notes = append(notes, "original token numbers not understood, left out")
			}
		case keyCount:
			switch s, _ := jsonwalk.String(raw); s {
			case model.Estimated.String():
				it.Count = model.Estimated
			case model.Opaque.String():
				it.Count = model.Opaque
			case model.Used.String():
				it.Count = model.Used
			default:
				id = keyOther
			}
		}
		if !ok {
			return it, false, nil, problemOf(id)
		}
		if id == keyOther {
			if more == nil {
				more = map[string]any{}
			}
			if _, twice := more[key]; twice {
				notes = append(notes, keyTwice)
			}
			more[key] = jsonwalk.Any(raw)
		}
	}
	if it.Content == "" {
		return it, false, nil, "without content"
	}
	if !counted && it.Count != model.FromFile {
		it.Count = model.FromFile // says how the tokens were found, but there are none
	}
	for key, v := range more {
		if it.Metadata == nil {
			it.Metadata = more
			break
		}
		if _, taken := it.Metadata[key]; taken {
			notes = append(notes, "fields that the metadata of their item has too, left out")
			continue
		}
		it.Metadata[key] = v
	}
	return it, counted, notes, ""
}

// kindOfJSON reads a kind; those that Cupel knows are not allocated.
func kindOfJSON(raw []byte) (model.Kind, bool) {
	switch string(raw) {
	case `"Message"`:
		return model.Message, true
	case `"Document"`:
		return model.Document, true
	case `"ToolOutput"`:
		return model.ToolOutput, true
	case `"Memory"`:
		return model.Memory, true
	case `"SystemPrompt"`:
		return model.SystemPrompt, true
	}
	s, ok := jsonwalk.String(raw)
	return model.Kind(s), ok
}

func problemOf(id itemKey) string {
	switch id {
	case keyTokens:
		return "tokens is no whole number"
	case keyKind:
		return "kind is no text, or blank"
	case keySource:
		return "source is no text, or blank"
	case keyPriority:
		return "priority is no whole number of 64 bits"
	case keyTags:
		return "tags is no array of strings"
	case keyMetadata:
		return "metadata is no object"
	case keyPinned:
		return "pinned is neither true nor false"
	}
	return "not understood"
}
