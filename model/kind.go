package model

import "strings"

// Kind says what an item is. Kinds are open: any text that is not blank is
// one, and two kinds are the same when they agree after ASCII case folding.
type Kind string

// The kinds that Cupel knows by name.
const (
	Message      Kind = "Message"
	Document     Kind = "Document"
	ToolOutput   Kind = "ToolOutput"
	Memory       Kind = "Memory"
	SystemPrompt Kind = "SystemPrompt"
)

// KnownKinds lists the kinds that Cupel knows by name.
func KnownKinds() []Kind { return []Kind{SystemPrompt, Message, Document, ToolOutput, Memory} }

// Source says where an item came from. Sources are open and compare like kinds.
type Source string

// The sources that Cupel knows by name.
const (
	Chat Source = "Chat"
	Tool Source = "Tool"
	Rag  Source = "Rag"
)

// Fold returns the kind with ASCII upper case letters lowered: two kinds are
// the same exactly when their folds are equal.
func (k Kind) Fold() Kind { return Kind(FoldASCII(string(k))) }

// Is reports whether two kinds are the same.
func (k Kind) Is(other Kind) bool {
	if len(k) != len(other) {
		return false
	}
	for i := range len(k) {
		if k[i] != other[i] && lower(k[i]) != lower(other[i]) {
			return false
		}
	}
	return true
}

// lower is an ASCII letter in lower case, any other byte as it is.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// IsBlank reports whether the kind has no visible character, which no item may have.
func (k Kind) IsBlank() bool { return strings.TrimSpace(string(k)) == "" }

// IsBlank reports whether the source has no visible character, which no item may have.
func (s Source) IsBlank() bool { return strings.TrimSpace(string(s)) == "" }

// FoldASCII lowers the letters A to Z and nothing else. It returns s itself
// when there is nothing to lower.
func FoldASCII(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
