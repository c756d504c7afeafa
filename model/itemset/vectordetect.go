package itemset

import (
	"bytes"
	"fmt"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

const (
	// maxVectorBytes bounds a vector. They are one case each, a few thousand
	// bytes; the TOML library keeps the whole path of every key, which makes this
	// up to a second and some 700 MB of garbage for the worst of texts.
	maxVectorBytes = 256 << 10
	// maxVectorDepth bounds the parts of a key and the brackets within each
	// other: more than scorers may be nested, and little enough for a library
	// that calls itself for each.
	maxVectorDepth = 64
)

// isVector reports whether a text looks like a vector: its first line that says
// something is TOML and no JSON, and there is a table called test.
func isVector(data []byte) bool {
	data = data[:min(len(data), maxVectorBytes)]
	first := true
	for len(data) > 0 {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if first && !isTOMLLine(line) {
			return false
		}
		first = false
		name, isHeader := headerName(line)
		if isHeader && name == "test" {
			return true
		}
		if rest, ok := bytes.CutPrefix(line, []byte("test")); ok && !isHeader { // test.name = "x", test = {...}
			if rest = bytes.TrimSpace(rest); len(rest) > 0 && (rest[0] == '.' || rest[0] == '=') && isTOMLLine(line) {
				return true
			}
		}
	}
	return false
}

// isTOMLLine reports whether a trimmed line is the header of a table or a key
// with a value.
func isTOMLLine(line []byte) bool {
	if _, ok := headerName(line); ok {
		return true
	}
	key, _, ok := bytes.Cut(line, []byte("="))
	return ok && isKey(bytes.TrimSpace(key))
}

// headerName is the name of the table that a trimmed line begins: [name] or
// [[name]]. What is JSON as well is no header: [1], ["a"].
func headerName(line []byte) (string, bool) {
	if line[0] != '[' {
		return "", false
	}
	end := bytes.IndexByte(line, ']')
	if end < 0 {
		return "", false
	}
	name := bytes.TrimSpace(bytes.TrimPrefix(line[1:end], []byte("[")))
	if !isKey(name) || jsonwalk.Check(line) == nil {
		return "", false
	}
	return string(name), true
}

// isKey reports whether a text may be a key of TOML: bare, quoted or dotted.
func isKey(text []byte) bool {
	for _, c := range text {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case bytes.IndexByte([]byte(`_-."' :`), c) >= 0:
		default:
			return false
		}
	}
	return len(text) > 0 && text[0] != '-'
}

// boundVector refuses a text that is too large or too deep for the TOML library.
// It follows strings and comments as far as the text is valid TOML; the library
// gets no further than that either.
func boundVector(name string, data []byte) error {
	if len(data) > maxVectorBytes {
		return &VectorError{Name: name, Reason: fmt.Sprintf("the vector has %v bytes, must be at most %v",
			model.Tokens(len(data)), model.Tokens(maxVectorBytes))}
	}
	brackets, dots, line, start := 0, 0, 1, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '\n':
			dots, line, start = 0, line+1, i+1
		case '#':
			if end := bytes.IndexByte(data[i:], '\n'); end >= 0 {
				i += end - 1
			} else {
				i = len(data)
			}
		case '"', '\'':
			end := stringEnd(data[i:])
			if newlines := bytes.Count(data[i:i+end], []byte("\n")); newlines > 0 {
				line += newlines
				start = i + bytes.LastIndexByte(data[i:i+end], '\n') + 1
			}
			i += end - 1
		case '[', '{':
			brackets, dots = brackets+1, 0
		case ']', '}':
			brackets, dots = max(0, brackets-1), 0
		case ',', '=':
			dots = 0
		case '.':
			dots++
		}
		if brackets > maxVectorDepth || dots >= maxVectorDepth {
			return &VectorError{Name: name, Line: line, Column: i - start + 1, Reason: fmt.Sprintf("nested more than %d deep", maxVectorDepth)}
		}
	}
	return nil
}

// stringEnd is the length of the TOML string that a text begins with. One that
// does not end goes on to the end of its line, or of the text.
func stringEnd(text []byte) int {
	quote := text[0]
	several := len(text) >= 3 && text[1] == quote && text[2] == quote
	i := 1
	if several {
		i = 3
	}
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote == '"':
			i++
		case c == '\n' && !several:
			return i
		case c == quote && !several:
			return i + 1
		case c == quote && len(text) >= i+3 && text[i+1] == quote && text[i+2] == quote:
			for i += 3; i < len(text) && text[i] == quote; i++ { // up to two quotes belong to the text
			}
			return i
		}
	}
	return len(text)
}
