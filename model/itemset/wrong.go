package itemset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// breaks returns the position at which a record stops being JSON, and why, as in
// "line 3, column 5: ...". It returns "" for a record that is valid JSON.
func (b *builder) breaks(at record.Place, raw []byte) string {
	err := jsonwalk.Check(raw)
	if err == nil {
		return ""
	}
	offset := 0
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = max(0, int(syntax.Offset)-1)
	}
	why := strings.Replace(strings.TrimPrefix(err.Error(), "json: "), "unexpected end of JSON input", "it ends early", 1)
	start := at.Offset - 1
	if start < 0 {
		start = b.startOf(raw, offset)
	}
	if start < 0 {
		return why
	}
	line, column := position(b.data, start+offset)
	return fmt.Sprintf("line %d, column %d: %s", line, column, why)
}

// startOf returns the offset in the source of a record that stops being JSON at an
// offset of its own: a message within a request, say, for which the reader knows no
// place. It returns -1 unless the value around the record breaks there, too. It checks
// the whole source.
func (b *builder) startOf(raw []byte, offset int) int {
	for at, value := range record.Split(b.name, b.data, record.Options{}).Values() {
		syntax, ok := errors.AsType[*json.SyntaxError](jsonwalk.Check(value))
		if !ok {
			continue
		}
		start := at.Offset - 1 + max(0, int(syntax.Offset)-1) - offset
		if start >= 0 && bytes.HasPrefix(b.data[min(start, len(b.data)):], raw) {
			return start
		}
	}
	return -1
}

// position returns the line and column of an offset, both from 1. Columns count
// characters. O(offset).
func position(data []byte, offset int) (line, column int) {
	before := data[:min(offset, len(data))]
	line = 1 + bytes.Count(before, []byte("\n"))
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// signatures lists the first bytes of files that are not text, and what they are.
var signatures = []struct{ head, is string }{
	{"PK\x03\x04", "a zip archive: unpack it first (`inspect log dump` does so for an .eval log)"},
	{"\x1f\x8b", "compressed with gzip: unpack it first"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd: unpack it first"},
	{"BZh", "compressed with bzip2: unpack it first"},
	{"\xfd7zXZ\x00", "compressed with xz: unpack it first"},
	{"SQLite format 3\x00", "an SQLite database"},
	{"PAR1", "a Parquet file"},
	{"%PDF-", "a PDF"},
	{"\x89PNG", "an image"},
}

// unrecognised returns the error for a document in which no format was recognised. It
// says what the document looks like, and what its structure has instead of a list that
// can be taken.
func (b *builder) unrecognised(doc record.Document, instead string) *FormatError {
	known := func(is string) *FormatError { return &FormatError{Name: doc.Name, Reason: is, Known: true} }
	for _, s := range signatures {
		if bytes.HasPrefix(b.data, []byte(s.head)) {
			return known("it is " + s.is)
		}
	}
	if why := notText(b.data); why != "" {
		return known("it is " + why)
	}
	e := &FormatError{Name: doc.Name, Reason: "no format recognised in it"}
	for at, raw := range doc.Records() {
		line, column := position(b.data, at.Offset-1)
		switch c := jsonwalk.Type(raw); {
		case jsonwalk.Check(raw) != nil:
			e.Broken = b.breaks(at, raw)
		case c == '{' && instead == "" && notRead(record.Open(raw)) != "":
			return known(notRead(record.Open(raw)) + " is not read yet; --format text reads it as one document")
		case c == '{' && record.Open(raw).Type("scorers") == '[':
			return known("it is a policy; --policy FILE takes it, beside a source")
		case c == '{':
			e.Broken = fmt.Sprintf("line %d, column %d has an object %s", line, column, keysOf(raw))
			if instead != "" {
				e.Broken += "; " + instead
			}
		default:
			e.Broken = fmt.Sprintf("line %d, column %d has %s", line, column, jsonwalk.TypeName(raw))
		}
		break
	}
	return e
}

// keysOf names the first few keys of an object, for an error.
func keysOf(object []byte) string {
	const named = 5
	var keys []string
	for key := range jsonwalk.Members(object) {
		if len(keys) == named {
			keys = append(keys, "...")
			break
		}
		if short := []rune(key); len(short) > 40 {
			key = string(short[:40]) + "…"
		}
		keys = append(keys, fmt.Sprintf("%q", key))
	}
	if len(keys) == 0 {
		return "without any key"
	}
	return "with the keys " + strings.Join(keys, ", ")
}
