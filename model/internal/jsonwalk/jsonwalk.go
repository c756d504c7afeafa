// Package jsonwalk walks the members of a JSON value in source order, without
// copying and without losing what encoding/json drops: the order of keys, and keys
// that occur twice.
//
// Check a document once with Check. All other functions expect valid JSON; each takes
// one pass over the value that it is given. Nesting costs no stack.
package jsonwalk

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Check returns nil if data is exactly one valid JSON value, and else the error of
// encoding/json, which also refuses values nested more than 10,000 deep.
func Check(data []byte) error {
	if valid(data, nil) {
		return nil
	}
	var v json.RawMessage
	err := json.Unmarshal(data, &v)
	if err == nil { // cannot be: valid refuses what Unmarshal refuses
		err = errors.New("invalid JSON")
	}
	return err
}

// Valid reports whether data is exactly one valid JSON value, as Check does without saying
// what is wrong.
func Valid(data []byte) bool { return valid(data, nil) }

// Type returns the first byte of a value after white space: '{', '[', '"', 't', 'f',
// 'n', '-' or a digit. It returns 0 if raw is nil or only white space.
func Type(raw []byte) byte {
	if i := space(raw, 0); i < len(raw) {
		return raw[i]
	}
	return 0
}

// IsNull reports whether a value is null.
func IsNull(raw []byte) bool { return Type(raw) == 'n' }

// IsNumber reports whether a value is a number.
func IsNumber(raw []byte) bool {
	c := Type(raw)
	return c == '-' || '0' <= c && c <= '9'
}

// TypeName returns the type of a value with its article, as in "an object", for
// messages.
func TypeName(raw []byte) string {
	switch Type(raw) {
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

// Members yields the keys and values of an object in source order. For any
// other value it yields nothing.
func Members(object []byte) iter.Seq2[string, []byte] { return MembersTo(object, nil) }

// MembersTo is like Members. ends is from ValidEnds for a text that contains the object, or
// nil.
func MembersTo(object []byte, ends *Ends) iter.Seq2[string, []byte] {
	return MembersAt(object, new(int), ends)
}

// MembersAt is like MembersTo for an object b; in the body of the loop *at is the offset in b at
// which the value begins.
func MembersAt(b []byte, at *int, ends *Ends) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		i := space(b, 0)
		if i >= len(b) || b[i] != '{' {
			return
		}
		for {
			i = space(b, i+1)
			if i >= len(b) || b[i] != '"' {
				return
			}
			key, end := keyAt(b, i)
			i = space(b, end) // at the colon
			if i >= len(b) {
				return
			}
			i = space(b, i+1)
			end = ends.skip(b, i)
			*at = i
			if !yield(key, b[i:end]) {
				return
			}
			if i = space(b, end); i >= len(b) || b[i] != ',' {
				return
			}
		}
	}
}

// Fields calls read for the members of an object that are not null. The error says what is
// wrong with the object, or with the member key: a key must be known and appear once. If known
// is nil, any key is known, and null is a value like others. ends is as for MembersTo.
func Fields(raw []byte, ends *Ends, known []string, read func(key string, value []byte) error) (key string, err error) {
	if Type(raw) != '{' {
		return "", errors.New("is " + TypeName(raw) + ", must be an object")
	}
	given := map[string]bool{}
	for key, value := range MembersTo(raw, ends) {
		switch {
		case known != nil && !slices.Contains(known, key):
			return key, errors.New("is not known; known are " + strings.Join(known, ", "))
		case given[key]:
			return key, errors.New("appears twice")
		}
		given[key] = true
		if known != nil && IsNull(value) {
			continue // as if it were not there
		}
		if err := read(key, value); err != nil {
			return key, err
		}
	}
	return "", nil
}

// Elements yields the raw values of an array. For any other value, also nil, it yields
// nothing.
func Elements(array []byte) iter.Seq[[]byte] { return ElementsTo(array, nil) }

// ElementsTo is like Elements. ends is as for MembersTo.
func ElementsTo(array []byte, ends *Ends) iter.Seq[[]byte] { return Values(ElementsAt(array, ends)) }

// Values yields the second value of each pair.
func Values[K any](all iter.Seq2[K, []byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, value := range all {
			if !yield(value) {
				return
			}
		}
	}
}

// First returns the first element of an array, and nil for any other value.
func First(array []byte) []byte {
	for first := range Elements(array) {
		return first
	}
	return nil
}

// ElementsAt is like Elements but yields each value with the offset in array at which it
// begins. ends is as for MembersTo.
func ElementsAt(array []byte, ends *Ends) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		i := space(array, 0)
		if i >= len(array) || array[i] != '[' {
			return
		}
		for i = space(array, i+1); i < len(array) && array[i] != ']'; i = space(array, i+1) {
			end := ends.skip(array, i)
			if end == i || !yield(i, array[i:end]) {
				return
			}
			if i = space(array, end); i >= len(array) || array[i] != ',' {
				return
			}
		}
	}
}

// String returns the decoded text of a JSON string, and false for any other value.
// Invalid UTF-8 and lone surrogates become U+FFFD.
func String(raw []byte) (string, bool) {
	if n := len(raw); n < 2 || raw[0] != '"' || raw[n-1] != '"' {
		raw = trim(raw)
	}
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	body := raw[1 : len(raw)-1]
	plain := plainEnd(body)
	if plain == len(body) || body[plain] != '\\' && bytes.IndexByte(body[plain:], '\\') < 0 && utf8.Valid(body[plain:]) {
		return string(body), true
	}
	return unquote(body, plain)
}

// TextSize returns the size of all strings in a value that are no keys.
func TextSize(raw []byte) (size int) {
	for n := range textSizes(raw) {
		size += n
	}
	return size
}

// HasText reports whether a value is or contains, at any depth, a string that is not
// empty. Keys do not count.
func HasText(raw []byte) bool {
	for n := range textSizes(raw) {
		if n > 0 {
			return true
		}
	}
	return false
}

// textSizes yields the sizes of the strings in a value that are no keys, at any depth.
func textSizes(raw []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 0; i < len(raw); {
			next := bytes.IndexByte(raw[i:], '"')
			if next < 0 {
				return
			}
			start := i + next
			i = skipString(raw, start)
			if after := space(raw, i); (after >= len(raw) || raw[after] != ':') && !yield(max(0, i-start-len(`""`))) {
				return
			}
		}
	}
}

// Shape returns how deep objects and arrays are nested in a valid value, 0 for a
// scalar, and the number of its objects, arrays and commas: together with 1 for the
// value itself, a bound on how many values it holds.
func Shape(raw []byte) (depth, values int) {
	if c := Type(raw); c != '{' && c != '[' {
		return 0, 0
	}
	open := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i = skipString(raw, i) - 1
		case '{', '[':
			open++
			depth, values = max(depth, open), values+1
		case '}', ']':
			open--
		case ',':
			values++
		}
	}
	return depth, values
}

// End returns the offset at which the first value of data ends, and whether that value
// is complete. An object, array or string that data breaks off is not.
func End(data []byte) (end int, complete bool) {
	start := space(data, 0)
	end, depth := measure(data, start)
	if start == end {
		return end, false
	}
	if data[start] == '"' {
		return end, end-start > 1 && data[end-1] == '"'
	}
	return end, depth == 0
}

// Any decodes a valid value as encoding/json does into an any, with numbers as
// json.Number so that they keep all digits. If a key occurs twice, the last one counts.
func Any(raw []byte) any { return anyAt(raw, 0) }

// maxWalked is how deep Any walks by itself: each level measures its members
// anew, which deep nesting must not make quadratic.
const maxWalked = 8

func anyAt(raw []byte, depth int) any {
	if depth > maxWalked {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		var v any
		_ = dec.Decode(&v) // valid: it is part of a value that was checked
		return v
	}
	switch Type(raw) {
	case '{':
		object := make(map[string]any, room(raw))
		for key, value := range Members(raw) {
			object[key] = anyAt(value, depth+1)
		}
		return object
	case '[':
		array := []any{}
		for value := range Elements(raw) {
			array = append(array, anyAt(value, depth+1))
		}
		return array
	case '"':
		s, _ := String(raw)
		return s
	case 't':
		return true
	case 'f':
		return false
	case 'n', 0:
		return nil
	}
	return number(trim(raw))
}

func trim(raw []byte) []byte { return bytes.Trim(raw, " \t\r\n") }

// measure returns the end of the value that begins at i, and how many objects
// and arrays are open there: some if b ends within the value.
func measure(b []byte, i int) (end, depth int) {
	for i < len(b) {
		switch b[i] {
		case '"':
			i = skipString(b, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			if depth < 0 {
				return i, depth
			}
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i, depth
			}
			i++
			continue
		default:
			for i < len(b) && !delimiters[b[i]] {
				i++
			}
		}
		if depth == 0 {
			return i, depth
		}
	}
	return i, depth
}

// delimiters are the bytes that end a number, true, false or null.
var delimiters = [256]bool{'"': true, '{': true, '[': true, '}': true, ']': true, ',': true, ':': true, ' ': true, '\t': true, '\r': true, '\n': true}

// skipString returns the end of the string that begins at i, or the end of b. It does not look
// at what is in the string, which may be invalid.
func skipString(b []byte, i int) int {
	for start := i + 1; ; {
		next := bytes.IndexByte(b[i+1:], '"')
		if next < 0 {
			return len(b)
		}
		i += 1 + next
		// An odd number of backslashes before a quote escape it. Each of them is
		// counted for one quote only.
		back := i
		for back > start && b[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			return i + 1
		}
	}
}
