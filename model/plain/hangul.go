package plain

import "unicode/utf8"

// Conjoining jamo are drawn as one syllable by some terminals and as two or
// three characters by others. They are composed as Unicode defines it; a jamo
// that makes no modern syllable is shown as the replacement character.

const (
	firstL, lastL = 0x1100, 0x1112
	firstV, lastV = 0x1161, 0x1175
	firstT, lastT = 0x11A8, 0x11C2
	firstS, lastS = 0xAC00, 0xD7A3 // syllables

	finals = 28 // finals of a syllable, none included
)

func jamo(r rune) bool {
	return 0x1100 <= r && r <= 0x11FF || 0xA960 <= r && r <= 0xA97C || 0xD7B0 <= r && r <= 0xD7FB
}

// compose returns the syllable that begins s with the jamo r of the given size,
// without its final, and the length of what it was composed of.
func compose(s string, r rune, size int) (rune, int) {
	if firstL <= r && r <= lastL {
		v, n := utf8.DecodeRuneInString(s[size:])
		if firstV <= v && v <= lastV {
			return firstS + ((r-firstL)*(lastV-firstV+1)+v-firstV)*finals, size + n
		}
	}
	return utf8.RuneError, size
}

// closing returns the syllable that the final r makes of one without a final.
func closing(syllable, r rune) (rune, bool) {
	if r < firstT || r > lastT || syllable < firstS || syllable > lastS || (syllable-firstS)%finals != 0 {
		return 0, false
	}
	return syllable + r - firstT + 1, true
}
