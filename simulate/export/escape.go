package export

import "unicode/utf16"

// obeyed reports whether JSON and CSV write r as an escape, because a terminal or a
// program that reads lines obeys it, or because a person cannot see it and so takes
// the text for a different one. These are control characters, ends of lines,
// characters that reverse the direction of the text after them, characters without
// width that are not part of a letter, and tags. They include the joiners of emoji
// and of some scripts, which reading the escapes restores.
func obeyed(r rune) bool {
	switch {
	case r < ' ', 0x7f <= r && r < 0xa0:
		return true
	case r < 0x61c:
		return false
	case r == 0x61c, r == 0xfeff:
		return true
	}
	return 0x200b <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202e || 0x2060 <= r && r <= 0x206f || 0xe0000 <= r && r <= 0xe007f
}

// appendEscape appends r as JSON escapes it: \uXXXX, or two of them.
func appendEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); r > 0xffff {
		return appendEscape(appendEscape(dst, high), low)
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
