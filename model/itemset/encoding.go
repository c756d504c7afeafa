package itemset

import (
	"bytes"
	"encoding/binary"
	"regexp"
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
		return fromUTF16(data[2:], binary.LittleEndian), "text converted from UTF-16"
	case mark == utf16Big:
		return fromUTF16(data[2:], binary.BigEndian), "text converted from UTF-16"
	case len(data) >= 4 && data[0] != 0 && data[1] == 0 && data[3] == 0:
		return fromUTF16(data, binary.LittleEndian), "text converted from UTF-16"
	case len(data) >= 4 && data[0] == 0 && data[1] != 0 && data[2] == 0:
		return fromUTF16(data, binary.BigEndian), "text converted from UTF-16"
	}
	if !utf8.Valid(data) {
		note = "bytes that are not UTF-8, replaced by U+FFFD"
	}
	return data, note
}

// fromUTF16 decodes UTF-16. Half of a pair becomes U+FFFD, and an incomplete character at
// the end is dropped.
func fromUTF16(data []byte, order binary.ByteOrder) []byte {
	out := make([]byte, 0, len(data))
	for ; len(data) >= 2; data = data[2:] {
		r := rune(order.Uint16(data))
		if utf16.IsSurrogate(r) && len(data) >= 4 {
			if pair := utf16.DecodeRune(r, rune(order.Uint16(data[2:]))); pair != utf8.RuneError {
				r, data = pair, data[2:]
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

// stringOrNaN matches a string of JSON, which ends with its line at the latest, and what
// Python's json writes for numbers that JSON does not have.
var stringOrNaN = regexp.MustCompile(`"(?:(?s:\\.)|[^"\\\n])*(?:["\n]|$)|-?Infinity|NaN`)

// withoutNaN replaces NaN, Infinity and -Infinity by null. n is the number of
// replacements.
func withoutNaN(data []byte) (text []byte, n int) {
	if c := jsonwalk.Type(data); c != '{' && c != '[' || !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data, 0
	}
	text = stringOrNaN.ReplaceAllFunc(data, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		n++
		return []byte("null")
	})
	return text, n
}
