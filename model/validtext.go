package model

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"cupelscope/model/plain"
)

// maxMetadataDepth is how deep maps and lists may be nested in metadata: deeper
// than people write them, and shallow enough to keep indented JSON readable.
const maxMetadataDepth = 100

// inspect reports whether maps and lists are nested more than limit deep in v, and
// whether all strings in it are UTF-8. It stops at what lies too deep.
func inspect(v any, limit int) (deep, valid bool) {
	valid = true
	look := func(inner any) bool {
		var ok bool
		deep, ok = inspect(inner, limit-1)
		valid = valid && ok
		return !deep
	}
	switch v := v.(type) {
	case string:
		return false, utf8.ValidString(v)
	case map[string]any:
		if limit == 0 {
			return true, true
		}
		for key, member := range v {
			valid = valid && utf8.ValidString(key)
			if text, ok := member.(string); ok { // as most are
				valid = valid && utf8.ValidString(text)
			} else if !look(member) {
				break
			}
		}
	case []any:
		if limit == 0 {
			return true, true
		}
		for _, element := range v {
			if !look(element) {
				break
			}
		}
	}
	return deep, valid
}

// validString returns s with U+FFFD for each byte that is not UTF-8, as in
// JSON.
func validString(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune { return r }, s)
}

// makeValid replaces the bytes that are not UTF-8 in the content and the tags of the item, so
// that a set that is saved and loaded again is the same. Slices of the caller are copied before
// a change.
func (it *Item) makeValid() {
	it.Content = validString(it.Content)
	if slices.ContainsFunc(it.Tags, func(tag string) bool { return !utf8.ValidString(tag) }) {
		it.Tags = plain.Texts(it.Tags, validString)
	}
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
