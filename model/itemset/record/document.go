package record

import (
	"bytes"
	"iter"
	"slices"

	"cupelscope/model/internal/jsonwalk"
)

// layout is how the records of a document follow each other.
type layout uint8

const (
	whole  layout = iota // one JSON value
	lines                // a value a line
	stream               // values over several lines, one after the other
)

// Document is the text of a source and its layout. Nothing is validated yet:
// each record is checked when it is read, so that a broken one costs only itself.
type Document struct {
	Name string // of the source, for messages
	Data []byte // without white space around it
	Options

	lead   []byte // the white space before Data
	layout layout
	// Each reads one of several runs or result sets as if there were no other, and
	// is called for all of them where none is selected. It says why to end. Nil: one
	// must be selected.
	Each func(number int, read func() error) error
	// Truncated: the one value does not end.
	Truncated bool
}

// Options are those that change what a reader takes from a document.
type Options struct {
	Full       bool // what a session had before its last compaction
	History    bool // the same, and Facts.Turns say when it went; goes before Full
	Sidechains bool // the rows of sub-agents in a session
	Select     int  // which of many runs or result sets, from 1; 0: there must be one
}

// Split finds the layout of a text. It costs one pass over the first value.
func Split(name string, text []byte, opts Options) Document {
	d := Document{Name: name, Data: bytes.TrimLeft(text, " \t\r\n\v\f"), Options: opts}
	d.lead, d.Data = text[:len(text)-len(d.Data)], bytes.TrimSpace(d.Data)
	d.layout, d.Truncated = layoutOf(d.Data)
	return d
}

func layoutOf(data []byte) (l layout, truncated bool) {
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return lines, false
	}
	end, complete := jsonwalk.End(data)
	if complete && end == len(data) {
		return whole, false
	}
	first := bytes.IndexByte(data, '\n')
	switch {
	case first < 0 && complete:
		return stream, false
	case first < 0:
		return whole, true
	case complete && end <= first:
		return lines, false
	}
	// The first value runs over the end of the first line: either it is written
	// that way, or the first line is broken.
	second, _, _ := bytes.Cut(data[first+1:], []byte("\n"))
	if c := jsonwalk.Type(second); (c == '{' || c == '[') && jsonwalk.Check(second) == nil && data[first-1] != '[' && data[first-1] != ',' {
		return lines, false
	}
	if complete {
		return stream, false
	}
	return whole, true
}

// IsLines reports whether the document has a value a line.
func (d Document) IsLines() bool { return d.layout == lines }

// IsObject reports whether the document is one JSON object.
func (d Document) IsObject() bool { return d.layout == whole && jsonwalk.Type(d.Data) == '{' }

// Object is the members of a document that is one JSON object; nil of any other.
func (d Document) Object() Object {
	if !d.IsObject() {
		return nil
	}
	return Open(d.Data)
}

// IsArray reports whether the document is one JSON array.
func (d Document) IsArray() bool { return d.layout == whole && jsonwalk.Type(d.Data) == '[' }

// Place is where the document begins in its source.
func (d Document) Place() Place { return Place{1, len(d.lead) + 1} }

// Unit is what the places of records are numbers of.
func (d Document) Unit() string {
	if d.layout == lines {
		return "line"
	}
	return "record"
}

// Values yields the values of the document with their places. They may be
// invalid JSON.
func (d Document) Values() iter.Seq2[Place, []byte] {
	return func(yield func(Place, []byte) bool) {
		rest, n := d.Data, 0
		if d.layout == lines {
			n = bytes.Count(d.lead, []byte("\n"))
		}
		for n++; len(rest) > 0; n++ {
			at := len(d.lead) + len(d.Data) - len(rest)
			var record []byte
			switch d.layout {
			case whole:
				record, rest = rest, nil
			case lines:
				record, rest, _ = bytes.Cut(rest, []byte("\n"))
				trimmed := bytes.TrimLeft(record, " \t\r\v\f")
				at += len(record) - len(trimmed)
				if record = bytes.TrimSpace(trimmed); len(record) == 0 {
					continue
				}
			case stream:
				end, _ := jsonwalk.End(rest)
				record, rest = rest[:max(end, 1)], bytes.TrimSpace(rest[max(end, 1):])
			}
			if !yield(Place{n, at + 1}, record) {
				return
			}
		}
	}
}

// Records yields the values of a document that may be an array of them, or an
// object with such an array under one of the keys.
func (d Document) Records(keys ...string) iter.Seq2[Place, []byte] {
	array, before, at := d.Data, 0, 0
	if d.IsObject() {
		array = nil
		for key, value := range jsonwalk.MembersAt(d.Data, &at) {
			if slices.Contains(keys, key) && jsonwalk.Type(value) == '[' {
				array, before = value, at
			}
		}
	}
	if d.layout != whole || array == nil {
		return d.Values()
	}
	return func(yield func(Place, []byte) bool) {
		n := 0
		for at, record := range jsonwalk.ElementsAt(array) {
			if n++; !yield(Place{n, len(d.lead) + before + at + 1}, record) {
				return
			}
		}
	}
}

// Objects yields the records that are valid JSON objects, and tells the sink of
// the others: want is what they are instead of. It ends when the sink says so.
func (d Document) Objects(sink Sink, want string, keys ...string) iter.Seq2[Place, []byte] {
	return func(yield func(Place, []byte) bool) {
		for at, record := range d.Records(keys...) {
			if !sink.Next() || IsObject(sink, at, record, want) && !yield(at, record) {
				return
			}
		}
	}
}

// IsValue reports whether a record is valid JSON, and tells the sink if not.
func IsValue(sink Sink, at Place, record []byte) bool {
	if jsonwalk.Check(record) != nil {
		sink.Broken(at, record)
		return false
	}
	return true
}

// IsObject reports whether a record is a valid JSON object, and tells the sink
// if it is none.
func IsObject(sink Sink, at Place, record []byte, want string) bool {
	if !IsValue(sink, at, record) {
		return false
	}
	if c := jsonwalk.Type(record); c != '{' {
		sink.Tell(Skipped, at, jsonwalk.TypeName(record)+" instead of "+want)
		return false
	}
	return true
}
