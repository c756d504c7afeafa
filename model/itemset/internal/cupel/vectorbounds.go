package cupel

import (
	"fmt"
	"regexp"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/plain"
)

const (
	// maxBytes bounds a vector. They are one case each, a few thousand bytes; the
	// TOML library keeps the whole path of every key, which is quadratic.
	maxBytes = 64 << 10
	// maxDepth bounds the parts of a key and the brackets within each other: more
	// than scorers may be nested, and little enough for a library that calls
	// itself for each.
	maxDepth = 64
)

var (
	// firstLine matches the first line of TOML that says something: the header of a table, or
	// a key, which may be quoted or dotted, with its value.
	firstLine = regexp.MustCompile(`^(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(\[+[\w\-."' :]+\]+[ \t]*(?:#[^\n]*)?|[\w."' :][\w\-."' :]*=[^\n]*)(?:\r?\n|$)`)
	testTable = regexp.MustCompile(`(?m)^[ \t]*\[[ \t]*test[ \t]*\][ \t]*(?:#.*)?\r?$`)
)

// IsVector reports whether a text looks like a vector: its first line that says
// something is TOML and no JSON, and there is a table called test.
func IsVector(text []byte) bool {
	text = text[:min(len(text), maxBytes)]
	first := firstLine.FindSubmatch(text)
	return first != nil && jsonwalk.Check(first[1]) != nil && testTable.Match(text)
}

// bounded refuses a text that is too large or too deep for the TOML library.
func bounded(text []byte) error {
	if len(text) > maxBytes {
		return fmt.Errorf("the vector has %v bytes, must be at most %v", plain.Thousands(len(text)), plain.Thousands(maxBytes))
	}
	quoted := regexp.MustCompile(`(?s)"""(\\.|[^\\])*?"""|'''.*?'''|"(\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*`)
	brackets, dots := 0, 0
	for _, c := range quoted.ReplaceAll(text, nil) {
		switch c {
		case '[', '{':
			brackets, dots = brackets+1, 0
		case ']', '}':
			brackets, dots = max(0, brackets-1), 0
		case ',', '=', '\n':
			dots = 0
		case '.':
			dots++
		}
		if brackets > maxDepth || dots >= maxDepth {
			return fmt.Errorf("the vector is nested more than %d deep", maxDepth)
		}
	}
	return nil
}
