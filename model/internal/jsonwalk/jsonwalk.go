// Package jsonwalk walks the members of a JSON value in source order, without
// copying and without losing what encoding/json drops: the order of keys and
// keys that are there twice.
//
// Check a document once with Check; everything else expects valid JSON and
// costs one pass over the value it is given. Nesting costs no stack.
package jsonwalk

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"unicode/utf8"
)

// Check reports why data is not one JSON value. The error is that of
// encoding/json, which also refuses values nested 10,000 deep.
func Check(data []byte) error {
	if valid(data) {
		return nil
	}
	var v json.RawMessage
	err := json.Unmarshal(data, &v)
	if err == nil { // cannot be: valid refuses what Unmarshal refuses
		err = errors.New("invalid JSON")
	}
	return err
}

// Type is the first byte of a value after white space: '{', '[', '"', 't',
// 'f', 'n', '-' or a digit; 0 if there is none.
func Type(raw []byte) byte {
	if i := space(raw, 0); i < len(raw) {
		return raw[i]
	}
	return 0
}

// IsNull reports whether raw is null.
func IsNull(raw []byte) bool { return Type(raw) == 'n' }

// Members yields the keys and values of an object in source order. For any
// other value it yields nothing.
func Members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		i := space(object, 0)
		if i >= len(object) || object[i] != '{' {
			return
		}
		for i = space(object, i+1); i < len(object) && object[i] == '"'; i = space(object, i+1) {
			end := skip(object, i)
			key, _ := String(object[i:end])
			i = space(object, end) // at the colon
			if i >= len(object) {
				return
			}
			i = space(object, i+1)
			end = skip(object, i)
			if !yield(key, object[i:end]) {
				return
			}
			if i = space(object, end); i >= len(object) || object[i] != ',' {
				return
			}
		}
	}
}

// Elements yields the values of an array. For any other value it yields nothing.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		i := space(array, 0)
		if i >= len(array) || array[i] != '[' {
			return
		}
		for i = space(array, i+1); i < len(array) && array[i] != ']'; i = space(array, i+1) {
			end := skip(array, i)
			if end == i || !yield(array[i:end]) {
				return
			}
			if i = space(array, end); i >= len(array) || array[i] != ',' {
				return
			}
		}
	}
}

// String returns the text of a string; false for any other value. Bytes that
// are no UTF-8 and lone surrogates come out as U+FFFD.
func String(raw []byte) (string, bool) {
	raw = trim(raw)
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	body := raw[1 : len(raw)-1]
	if bytes.IndexByte(body, '\\') < 0 && utf8.Valid(body) {
		return string(body), true
	}
	return unquote(body)
}

// End returns the end of the first value of data, and whether that value is
// complete: an object or array that data ends within is not.
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

// Any decodes a valid value with numbers as json.Number, so that none loses
// digits. Of keys that are there twice the last one counts.
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
		object := map[string]any{}
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
	return json.Number(trim(raw))
}

func trim(raw []byte) []byte { return bytes.Trim(raw, " \t\r\n") }

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skip returns the end of the value that begins at i.
func skip(b []byte, i int) int {
	i, _ = measure(b, i)
	return i
}

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
			for i < len(b) && !delimiter(b[i]) {
				i++
			}
		}
		if depth == 0 {
			return i, depth
		}
	}
	return i, depth
}

func delimiter(c byte) bool {
	switch c {
	case '"', '{', '[', '}', ']', ',', ':', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}

func skipString(b []byte, i int) int {
	for i++; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		back := 0
		for back < n && b[i+n-1-back] == '\\' {
			back++
		}
		i += n + 1
		if back%2 == 0 {
			return i
		}
	}
	return len(b)
}
