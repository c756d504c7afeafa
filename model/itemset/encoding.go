package itemset

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"cupelscope/model/internal/jsonwalk"
)

// marked are the encodings that a byte order mark tells, the longer marks first.
var marked = []struct {
	mark, name string
	encoding.Encoding
}{
	{"\xff\xfe\x00\x00", "UTF-32", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\x00\x00\xfe\xff", "UTF-32", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"\xff\xfe", "UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{"\xfe\xff", "UTF-16", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
}

// markOf returns the index in marked of the mark that data begins with, or -1.
func markOf(data []byte) int {
	for i := range marked {
		if bytes.HasPrefix(data, []byte(marked[i].mark)) {
			return i
		}
	}
	return -1
}

// decode returns data as UTF-8 without a byte order mark, and a note for the load
// report, or "". It keeps invalid UTF-8, which becomes U+FFFD when a JSON string is
// decoded; the note says so here. What is invalid in another encoding, or incomplete at
// its end, becomes U+FFFD at once.
func decode(data []byte) (text []byte, note string) {
	is, text := markOf(data), data
	switch {
	case is >= 0:
		text = data[len(marked[is].mark):]
	case len(data) >= 4 && data[0] != 0 && data[1] == 0 && data[3] == 0:
		is = 2
	case len(data) >= 4 && data[0] == 0 && data[1] != 0 && data[2] == 0:
		is = 3
	}
	if is >= 0 {
		text, _ = marked[is].NewDecoder().Bytes(text) // it replaces what it cannot decode
		return text, "text converted from " + marked[is].name
	}
	if text = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")); !utf8.Valid(text) {
		note = "bytes that are not UTF-8, replaced by U+FFFD"
	}
	return text, note
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
