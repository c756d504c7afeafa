package itemset

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// Cupel's wire format: an array of items, an object with "items", or an item a
// line. Keys are camelCase as the .NET library writes them; the Rust spellings
// future_relevance_hint and original_tokens are read too. Any other key goes to
// the metadata of its item.

func (b *builder) readItems(doc document) error {
	if doc.truncated {
		b.note(1, "document ends early")
	}
	for place, record := range doc.elements("items") {
		if err := b.tick(); err != nil {
			return err
		}
		if err := b.readItem(place, record); err != nil {
			return err
		}
	}
	return nil
}

// readItem adds the item of one record, or skips it.
func (b *builder) readItem(place int, record []byte) error {
	if len(b.items) >= model.MaxItems {
		return b.skip(place, fmt.Sprintf("beyond the %v items of a set", model.Tokens(model.MaxItems)))
	}
	if jsonwalk.Check(record) != nil {
		return b.skipBroken(place, record)
	}
	if c := jsonwalk.Type(record); c != '{' {
		return b.skip(place, typeName(c)+" instead of an item")
	}
	it, counted, notes, problem := parseItem(record, new(int))
	if problem != "" {
		return b.skip(place, problem)
	}
	for _, n := range notes {
		b.note(place, n)
	}
	b.add(it, counted)
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

// parseItem reads the valid JSON object that record begins with; *end is where
// it ends there, if it is an item. counted: it has a token count. notes are
// what had to be changed; a problem means that it is no item.
func parseItem(record []byte, end *int) (it model.Item, counted bool, notes []string, problem string) {
	var seen uint
	var more map[string]any
	for key, raw := range jsonwalk.MembersTo(record, end) {
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
				return it, false, nil, "content is " + typeName(jsonwalk.Type(raw)) + ", must be a string"
			}
		case keyTokens:
			it.Tokens, ok = whole64(raw)
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
			if n, ok = integer(raw); ok {
				it.Priority = model.Some(n)
			}
		case keyTags:
			it.Tags, ok = stringList(raw)
		case keyMetadata:
			if ok = jsonwalk.Type(raw) == '{'; ok {
				it.Metadata, _ = jsonwalk.Any(raw).(map[string]any)
			}
		case keyTimestamp:
			if at, ok := parseTime(raw); ok {
				it.Timestamp = model.Some(at)
			} else {
				notes = append(notes, "timestamps not understood, left out")
			}
		case keyHint:
			if h, err := strconv.ParseFloat(string(raw), 64); err == nil && !math.IsInf(h, 0) && isNumber(raw) {
				it.FutureRelevanceHint = model.Some(h)
			} else {
				notes = append(notes, "future relevance hints that are no finite number, left out")
			}
		case keyPinned:
			c := jsonwalk.Type(raw)
			it.Pinned, ok = c == 't', c == 't' || c == 'f'
		case keyOriginal:
			if n, whole := whole64(raw); whole && n >= -model.MaxTokens && n <= model.MaxTokens {
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

func isNumber(raw []byte) bool {
	c := jsonwalk.Type(raw)
	return c == '-' || '0' <= c && c <= '9'
}

// whole64 reads a whole number within 2^53, 12.0 being 12. Whatever is larger
// comes back as a number beyond every bound, so that the message can be about that.
func whole64(raw []byte) (model.Tokens, bool) {
	if !isNumber(raw) {
		return 0, false
	}
	const exact = 1 << 53
	n, ok := model.WholeNumber(string(raw))
	if ok && -exact <= n && n <= exact {
		return n, true
	}
	if !ok { // a fraction, or beyond an int64
		if f, err := strconv.ParseFloat(string(raw), 64); err == nil && math.Abs(f) <= exact {
			return 0, false
		}
	}
	return model.MaxTokens + 1, true
}

func integer(raw []byte) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	if !isNumber(raw) {
		return 0, false
	}
	n, ok := model.WholeNumber(string(raw))
	return int64(n), ok
}

func stringList(raw []byte) ([]string, bool) {
	if jsonwalk.Type(raw) != '[' {
		return nil, false
	}
	var list []string
	for e := range jsonwalk.Elements(raw) {
		s, ok := jsonwalk.String(e)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// parseTime reads the forms of RFC 3339, and shorter ones: the seconds, the zone
// or the whole time of day may be missing, and a space may stand for the T.
// Without a zone a time is in UTC, and so is the result.
func parseTime(raw []byte) (time.Time, bool) {
	s, ok := jsonwalk.String(raw)
	if !ok {
		return time.Time{}, false
	}
	return timeOf(s)
}

// timeOf is parseTime for a text.
func timeOf(s string) (time.Time, bool) {
	if len(s) < len("2006-01-02") || len(s) > 64 {
		return time.Time{}, false
	}
	if len(s) > 10 && (s[10] == ' ' || s[10] == 't') {
		s = s[:10] + "T" + s[11:]
	}
	if last := len(s) - 1; s[last] == 'z' {
		s = s[:last] + "Z"
	}
	for _, form := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.Parse(form, s); err == nil {
			at = at.UTC()
			return at, 0 <= at.Year() && at.Year() <= 9999
		}
	}
	return time.Time{}, false
}

// unixTime reads seconds or milliseconds since 1970, as conversations have them,
// from 2001 to 2065.
func unixTime(raw []byte) (time.Time, bool) {
	if !isNumber(raw) {
		return time.Time{}, false
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err == nil && n >= 1e12 {
		n /= 1000
	}
	if err != nil || n < 1e9 || n >= 3e9 {
		return time.Time{}, false
	}
	seconds, part := math.Modf(n)
	return time.Unix(int64(seconds), int64(math.Round(part*1e6))*1000).UTC(), true
}

// typeName names the type of a value by its first byte.
func typeName(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
