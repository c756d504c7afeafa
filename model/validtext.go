package model

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxMetadataDepth is how deep maps and lists may be nested in metadata: deeper
// than people write them, and shallow enough to keep indented JSON readable.
const maxMetadataDepth = 100

// deeper reports whether maps and lists are nested more than limit deep in v.
func deeper(v any, limit int) bool {
	switch v := v.(type) {
	case map[string]any:
		if limit == 0 {
			return true
		}
		for _, member := range v {
			if deeper(member, limit-1) {
				return true
			}
		}
	case []any:
		if limit == 0 {
			return true
		}
		for _, element := range v {
			if deeper(element, limit-1) {
				return true
			}
		}
	}
	return false
}

// validString returns s with U+FFFD for each byte that is not UTF-8, as in
// JSON.
func validString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune { return r }, s)
}

// makeValid replaces the bytes that are not UTF-8 in the strings of the item,
// so that a set that is saved and loaded again is the same. The metadata must
// not be nested too deep. Maps and slices of the caller are copied before a
// change.
func (it *Item) makeValid() {
	it.Content = validString(it.Content)
	it.Kind = Kind(validString(string(it.Kind)))
	it.Source = Source(validString(string(it.Source)))
	for i, tag := range it.Tags {
		if !utf8.ValidString(tag) {
			tags := append([]string(nil), it.Tags...)
			for k := i; k < len(tags); k++ {
				tags[k] = validString(tags[k])
			}
			it.Tags = tags
			break
		}
	}
	if !validText(it.Metadata) {
		it.Metadata = withValidText(it.Metadata).(map[string]any)
	}
}

// validText reports whether all strings in v are UTF-8.
func validText(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.ValidString(v)
	case map[string]any:
		for key, member := range v {
			if !utf8.ValidString(key) || !validText(member) {
				return false
			}
		}
	case []any:
		for _, element := range v {
			if !validText(element) {
				return false
			}
		}
	}
	return true
}

// withValidText returns a copy of v in which all strings are UTF-8. If two keys
// of a map become the same, the last in byte order wins.
func withValidText(v any) any {
	switch v := v.(type) {
	case string:
		return validString(v)
	case map[string]any:
		next := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			next[validString(key)] = withValidText(v[key])
		}
		return next
	case []any:
		next := make([]any, len(v))
		for i, element := range v {
			next[i] = withValidText(element)
		}
		return next
	}
	return v
}
