package itemset

import (
	"bytes"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// A text file is one Document: its content byte-exact (but for the byte order
// mark and the encoding of UTF-16 and UTF-32), its path in the metadata as file
// and title, its time of modification as timestamp.

// sniffed is how many bytes of a file notText looks at.
const sniffed = 8000

// notUTF8 is what is said of text in another encoding without a mark, as Latin-1.
const notUTF8 = "not UTF-8 text: convert it first"

// notText returns why data is no text, or "" if it is. Text is UTF-8 without a
// zero byte, or begins with the mark of UTF-16 or UTF-32.
func notText(data []byte) string {
	switch {
	case markOf(data) >= 0:
		return ""
	case bytes.IndexByte(data[:min(len(data), sniffed)], 0) >= 0:
		return "binary"
	case !utf8.Valid(data):
		return notUTF8
	}
	return ""
}

// isText reports whether a source is text to be read as it is: a file that no
// name says to hold records, whose first line is no JSON, or in which no format
// shows and nothing is JSON.
func (b *builder) isText(name string, found Format, doc record.Document) bool {
	if !b.modified.Set || isData(name) || found != Auto && rowOf(found).text != nil || notText(b.data) != "" {
		return false
	}
	seen := 0
	for _, raw := range doc.Values() {
		c := jsonwalk.Type(raw)
		isJSON := (c == '{' || c == '[') && (doc.Valid || jsonwalk.Valid(raw))
		switch seen++; {
		case seen == 1 && !isJSON && doc.IsLines():
			return true
		case isJSON:
			return false
		case seen == sampleRecords:
			return found == Auto
		}
	}
	return found == Auto
}

func (b *builder) readText(path, title string, text []byte) {
	if title == "-" {
		path, title = "standard input", "standard input"
	}
	it := model.Item{
		Content: string(text), Kind: model.Document, Source: model.Rag, Metadata: map[string]any{"title": title, "file": path},
	}
	if at := b.modified; at.Set && 0 <= at.Value.Year() && at.Value.Year() <= 9999 {
		it.Timestamp = at
	}
	b.Add(record.Place{}, it, false)
}
