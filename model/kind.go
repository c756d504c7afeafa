package model

import (
	"strings"

	"cupelscope/model/plain"
)

// Kind says what an item is. Any text that is not blank is a kind; two kinds
// are the same if they differ only in the case of ASCII letters.
type Kind string

// The kinds that Cupel knows by name.
const (
	Message      Kind = "Message"
	Document     Kind = "Document"
	ToolOutput   Kind = "ToolOutput"
	Memory       Kind = "Memory"
	SystemPrompt Kind = "SystemPrompt"
)

// KnownKinds returns the kinds that Cupel knows by name.
func KnownKinds() []Kind { return []Kind{SystemPrompt, Message, Document, ToolOutput, Memory} }

// Source says where an item came from. Any text that is not blank is a source.
type Source string

// The sources that Cupel knows by name.
const (
	Chat Source = "Chat"
	Tool Source = "Tool"
	Rag  Source = "Rag"
)

// Fold returns the kind with ASCII letters in lower case. Two kinds are the
// same exactly when their folds are equal.
func (k Kind) Fold() Kind { return Kind(FoldASCII(string(k))) }

// Is reports whether two kinds are the same, that is, differ at most in the
// case of ASCII letters.
func (k Kind) Is(other Kind) bool { return EqualASCII(string(k), string(other)) }

// EqualASCII reports whether two texts differ at most in the case of ASCII letters.
func EqualASCII(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	if a == b { // at once where they share their bytes
		return true
	}
	for i := range len(a) {
		if a[i] != b[i] && lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// lower returns an ASCII letter in lower case, and any other byte unchanged.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// IsBlank reports whether the kind is empty or white space only, which no item
// in a set has.
func (k Kind) IsBlank() bool { return strings.TrimSpace(string(k)) == "" }

// IsBlank reports whether the source is empty or white space only, which no
// item in a set has.
func (s Source) IsBlank() bool { return strings.TrimSpace(string(s)) == "" }

// FoldASCII returns s with the letters A to Z in lower case and all else
// unchanged. It allocates nothing if s has no such letter.
func FoldASCII(s string) string {
	for i := range len(s) { // by byte: no byte of another character is an ASCII letter
		if lower(s[i]) == s[i] {
			continue
		}
		b := []byte(s)
		for ; i < len(b); i++ {
			b[i] = lower(b[i])
		}
		return string(b)
	}
	return s
}

// kindName is the names of a kind: the short one for a column, and the noun for what an item of
// the kind is.
type kindName struct {
	short string
	kind  Kind
	noun  string
}

var kindNames = [...]kindName{
	{"sys", SystemPrompt, "system prompt"}, {"msg", Message, "message"}, {"doc", Document, "document"},
	{"tool", ToolOutput, "tool output"}, {"mem", Memory, "memory"}, {"mark", "Marker", "marker"},
}

// Short returns the short name of a kind that has one, such as "tool", and any other kind
// unchanged.
func (k Kind) Short() string {
	for _, n := range kindNames {
		if n.kind.Is(k) {
			return n.short
		}
	}
	return string(k)
}

// ShortKinds returns the short names of kinds.
func ShortKinds() []string {
	return plain.Texts(kindNames[:], func(n kindName) string { return n.short })
}

// kindNamed returns the kind with a name, which may be a short one in any case.
func kindNamed(name string) Kind {
	for _, n := range kindNames {
		if n.kind.Is(Kind(name)) || Kind(n.short).Is(Kind(name)) {
			return n.kind
		}
	}
	return Kind(name)
}

// Noun returns what an item of the kind is called wherever people read: "tool output". A kind
// of a file is cleaned, so that it stays in its line.
func (k Kind) Noun() string {
	if k == AnyKind {
		return "all kinds"
	}
	for _, n := range kindNames {
		if n.kind.Is(k) {
			return n.noun
		}
	}
	return plain.Line(string(k), 40)
}
