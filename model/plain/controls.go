package plain

import "strings"

// maxString bounds the text of an escape sequence (a window title, a link): a
// longer one, or one that is never closed, loses only its introducer, so that
// no trick hides the rest of a content from its reader.
const maxString = 4096

// control returns the length of the escape sequence or control character with
// which s begins, or 0 if it begins with none; r is its first character and
// size the length of r. Newlines and tabs are not control characters here.
func control(s string, r rune, size int) int {
	switch {
	case r == 0x1B:
		return escape(s)
	case r == '\n', r == '\t', r == '\r', r == 0x85:
		return 0
	case r == 0x9B && size == 2:
		return size + csi(s[size:])
	case size == 2 && (r == 0x90 || r == 0x98 || r >= 0x9D && r <= 0x9F):
		return size + text(s[size:], r == 0x9D)
	case r < 0x20, r >= 0x7F && r < 0xA0:
		return size
	}
	return 0
}

// escape returns the length of a sequence that begins with ESC.
func escape(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch c := s[1]; {
	case c == '[':
		return 2 + csi(s[2:])
	case c == ']':
		return 2 + text(s[2:], true)
	case c == 'P' || c == 'X' || c == '^' || c == '_':
		return 2 + text(s[2:], false)
	}
	i := 1
	for i < len(s) && i < maxString && s[i] >= 0x20 && s[i] <= 0x2F {
		i++
	}
	if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7E {
		i++
	}
	return i
}

// csi measures parameters, intermediates and the final byte of a control sequence.
func csi(s string) int {
	i := 0
	for i < len(s) && i < maxString && s[i] >= 0x20 && s[i] <= 0x3F {
		i++
	}
	if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7E {
		i++
	}
	return i
}

// text measures the text of a string sequence with its terminator: ST in
// either form, and BEL when bell. It is 0 when there is none within reach.
func text(s string, bell bool) int {
	if len(s) > maxString {
		s = s[:maxString]
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n', s[i] == '\r':
			return 0
		case s[i] == 7 && bell:
			return i + 1
		case strings.HasPrefix(s[i:], "\x1b\\"), strings.HasPrefix(s[i:], "\u009c"):
			return i + 2
		}
	}
	return 0
}
