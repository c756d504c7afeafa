package plain

import (
	"strings"
	"unicode"
)

// otherDashes look like a dash, and are not among the dashes of Unicode.
const otherDashes = "\u2212\u02d7\u2043\u2796"

// IsDash reports whether r is a dash of any kind, or a minus sign.
func IsDash(r rune) bool { return unicode.Is(unicode.Pd, r) || strings.ContainsRune(otherDashes, r) }
