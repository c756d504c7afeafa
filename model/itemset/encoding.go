package itemset

import (
	"bytes"
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

// cutCharacter returns how many bytes of the last character are there, if not all of them are,
// else 0. Text without another character of several bytes may be in another encoding.
func cutCharacter(data []byte) int {
	if is := markOf(data); is >= 0 {
		return len(data) % len(marked[is].mark)
	}
	for n := 1; n <= min(utf8.UTFMax, len(data)); n++ {
		if last := data[len(data)-n:]; utf8.RuneStart(last[0]) {
			whole := data[:len(data)-n]
			if utf8.FullRune(last) || utf8.RuneCount(whole) == len(whole) {
				return 0
			}
			return n
		}
	}
	return 0
}

// withoutNaN replaces NaN, Infinity and -Infinity, which Python's json writes for numbers that
// JSON does not have, by null. n is the number of replacements. Strings are looked at only in
// lines that have these words; a string ends with its line at the latest.
func withoutNaN(data []byte) (text []byte, n int) {
	if c := jsonwalk.Type(data); c != '{' && c != '[' {
		return data, 0
	}
	nan, infinity, copied := -1, -1, 0
	for i := 0; ; {
		nan, infinity = following(data, "NaN", nan, i), following(data, "Infinity", infinity, i)
		start := min(nan, infinity)
		if start == len(data) {
			break
		}
		for i = max(i, i+bytes.LastIndexByte(data[i:start], '\n')+1); i < start; {
			quote := bytes.IndexByte(data[i:start], '"')
			if quote < 0 {
				break
			}
			i = endOfString(data, i+quote)
		}
		if i > start {
			continue // it is in a string
		}
		end := start + len("NaN")
		if start == infinity {
			end = start + len("Infinity")
			if start > i && data[start-1] == '-' {
				start--
			}
		}
		text = append(append(text, data[copied:start]...), "null"...)
		i, copied = end, end
		n++
	}
	if n == 0 {
		return data, 0
	}
	return append(text, data[copied:]...), n
}

// following returns where a word stands from i on, or len(data). before is what it returned for
// an earlier i, or -1.
func following(data []byte, word string, before, i int) int {
	if before >= i {
		return before
	}
	if at := bytes.Index(data[i:], []byte(word)); at >= 0 {
		return i + at
	}
	return len(data)
}

// endOfString returns where the string that begins at i ends, at the latest with its line.
func endOfString(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"' && data[i] != '\n'; i++ {
		if data[i] == '\\' && i+1 < len(data) && data[i+1] != '\n' {
			i++
		}
	}
	return min(i+1, len(data))
}
