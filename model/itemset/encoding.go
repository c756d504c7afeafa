package itemset

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"cupelscope/model/internal/jsonwalk"
)

// The byte order marks of UTF-16 and UTF-32.
const (
	utf16Little = "\xff\xfe"
	utf16Big    = "\xfe\xff"
	utf32Little = "\xff\xfe\x00\x00"
	utf32Big    = "\x00\x00\xfe\xff"
)

// utfMark returns the mark of UTF-16 or UTF-32 that data begins with, or "".
func utfMark(data []byte) string {
	for _, mark := range [...]string{utf32Little, utf32Big, utf16Little, utf16Big} { // the longer first
		if bytes.HasPrefix(data, []byte(mark)) {
			return mark
		}
	}
	return ""
}

// decode returns data as UTF-8 without a byte order mark, and a note for the load
// report, or "". It keeps invalid UTF-8, which becomes U+FFFD when a JSON string is
// decoded; the note says so here.
func decode(data []byte) (text []byte, note string) {
	switch mark := utfMark(data); {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case mark == utf32Little:
		return fromUTF32(data[4:], binary.LittleEndian), "text converted from UTF-32"
	case mark == utf32Big:
		return fromUTF32(data[4:], binary.BigEndian), "text converted from UTF-32"
	case mark == utf16Little:
		return fromUTF16(data[2:], 0), "text converted from UTF-16"
	case mark == utf16Big:
		return fromUTF16(data[2:], 1), "text converted from UTF-16"
	case len(data) >= 4 && data[0] != 0 && data[1] == 0 && data[3] == 0:
		return fromUTF16(data, 0), "text converted from UTF-16"
	case len(data) >= 4 && data[0] == 0 && data[1] != 0 && data[2] == 0:
		return fromUTF16(data, 1), "text converted from UTF-16"
	}
	if !utf8.Valid(data) {
		note = "bytes that are not UTF-8, replaced by U+FFFD"
	}
	return data, note
}

// fromUTF16 decodes pairs of bytes; low is the index of the high byte's
// partner: 0 for little endian.
func fromUTF16(data []byte, low int) []byte {
	out := make([]byte, 0, len(data))
	unit := func(i int) rune { return rune(data[i+low]) | rune(data[i+1-low])<<8 }
	for i := 0; i+1 < len(data); i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			pair := rune(utf8.RuneError)
			if i+3 < len(data) {
				pair = utf16.DecodeRune(r, unit(i+2))
			}
			if r = pair; r != utf8.RuneError {
				i += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// fromUTF32 decodes UTF-32. An invalid character becomes U+FFFD, and incomplete bytes
// at the end are dropped.
func fromUTF32(data []byte, order binary.ByteOrder) []byte {
	out := make([]byte, 0, len(data)/2)
	for ; len(data) >= 4; data = data[4:] {
		out = utf8.AppendRune(out, rune(order.Uint32(data)))
	}
	return out
}

// withoutNaN replaces NaN, Infinity and -Infinity, which Python's json writes but JSON
// does not have, by null. n is the number of replacements.
func withoutNaN(data []byte) (text []byte, n int) {
	if c := jsonwalk.Type(data); c != '{' && c != '[' || !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data, 0
	}
	quoted := false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\' && i+1 < len(data):
			text = append(text, c)
			i++
		case c == '"', c == '\n' && quoted: // a string that does not end is one of its line
			quoted = !quoted
		case quoted || c != 'N' && c != 'I' && c != '-':
		default:
			if word := notNumber(data[i:]); word > 0 {
				text = append(text, "null"...)
				i, n = i+word-1, n+1
				continue
			}
		}
		text = append(text, data[i])
	}
	return text, n
}

// notNumber returns the length of NaN, Infinity or -Infinity if a text begins with it,
// else 0.
func notNumber(text []byte) int {
	for _, word := range [...]string{"NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(text, []byte(word)) {
			return len(word)
		}
	}
	return 0
}
