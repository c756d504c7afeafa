package plain

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// class says how a character is handled.
type class uint8

const (
	drop class = iota
	base       // stands for itself, one or two cells wide
	mark       // sits on the character before it, no cells
)

// classify returns how r is handled, and the character by which it is shown. r
// is neither a control character, nor a line break, nor a conjoining jamo.
func classify(r rune) (class, rune) {
	switch {
	case r == 0xA0:
		return base, ' '
	case r == 0xAD: // soft hyphen
		return drop, 0
	case r < 0x300, 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3:
		return base, r
	case r == 0xFF9E: // half-width sound marks attach to what is before them
		return base, 0x309B
	case r == 0xFF9F:
		return base, 0x309C
	case r == 0xE33: // Thai and Lao SARA AM: a mark and a vowel, see trailing
		return mark, 0xE4D
	case r == 0xEB3:
		return mark, 0xECD
	case 0x1F1E6 <= r && r <= 0x1F1FF: // a flag is two of these: show its letters
		return base, 'A' + r - 0x1F1E6
	case 0x1F3FB <= r && r <= 0x1F3FF: // skin tones
		return drop, 0
	case prepended(r):
		return base, unicode.ReplacementChar
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point),
		0xE0000 <= r && r <= 0xE0FFF:
		return drop, 0
	case unicode.Is(unicode.Mn, r):
		return mark, r
	case unicode.Is(unicode.M, r): // enclosing marks, and vowel signs beside a letter
		return drop, 0
	case r == 0x3000:
		return base, r
	case unicode.Is(unicode.Zs, r):
		return base, ' '
	case !unicode.IsGraphic(r): // private use, noncharacters, not assigned
		return base, unicode.ReplacementChar
	}
	return base, r
}

// prepended reports whether r is a letter or sign that a cluster rule (GB9b)
// binds to the character after it.
func prepended(r rune) bool {
	switch r {
	case 0x0D4E, 0x111C2, 0x111C3, 0x113D1, 0x1193F, 0x11941, 0x11A3A, 0x11D46, 0x11F02:
		return true
	}
	return 0x11A84 <= r && r <= 0x11A89
}

// trailing returns the letter that follows the mark if r is both, else 0.
func trailing(r rune) rune {
	switch r {
	case 0xE33:
		return 0xE32
	case 0xEB3:
		return 0xEB2
	}
	return 0
}

// cells returns the width of a character of class base.
func cells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3:
		return 2
	}
	return displaywidth.Rune(r)
}

func isNewline(r rune) bool { return r == 0x85 || r == 0x2028 || r == 0x2029 }

// otherDashes look like a dash, and are not among the dashes of Unicode.
const otherDashes = "\u2212\u02d7\u2043\u2796"

// IsDash reports whether r is a dash of any kind, or a minus sign.
func IsDash(r rune) bool { return unicode.Is(unicode.Pd, r) || strings.ContainsRune(otherDashes, r) }
