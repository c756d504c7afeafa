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
	parts                // values that stand anywhere in the source
)

// Document is the text of a source, together with its layout: one JSON value, a
// value on each line, or values one after the other. A reader gets it from Split
// and iterates over its records.
//
// A reader checks each record when it comes to it (HoldsValue, HoldsObject, Objects, InOrder),
// so that a broken record is skipped and the others are still read.
type Document struct {
	Name string // name of the source, for messages
	Data []byte // the text without leading and trailing white space
	Options

	lead   []byte // the white space before Data
	parts  []Part // the values of the layout parts
	lists  bool   // each of them is a list
	layout layout
	chosen *bool          // Choose was called
	opened *Object        // what Object has found
	ends   *jsonwalk.Ends // of Data if it is Valid, else of the record that was checked last
	// Each, if not nil, is called by Choose for every run or result set of a source
	// that holds several when Options.Select is 0. It calls read to read that one,
	// numbered from 1, and returns an error to stop. If Each is nil, such a source
	// is an error unless one is selected.
	Each func(number int, read func() error) error
	// Truncated reports that the source is a single JSON value whose end is missing.
	Truncated bool
	// Valid reports that Data is one valid JSON value, so that nothing in it needs
	// another check.
	Valid bool
}

// Options are the load options that change what a reader takes from a document.
type Options struct {
	Full       bool // keep what came before the last compaction of a session
	History    bool // keep that too, and record in Facts.Messages when it was removed; overrides Full
	Sidechains bool // keep the rows of sub-agents in a session
	Select     int  // number of the run or result set to read, from 1; with 0 the source must hold only one
}

// Split returns the document of a text after finding its layout. It checks whether the
// text is one JSON value; of any other it scans the first value, and the second line where
// the first value spans several lines. The document refers to text without copying it.
func Split(name string, text []byte, opts Options) Document {
	d := Document{Name: name, Data: bytes.TrimLeft(text, " \t\r\n\v\f"), Options: opts, chosen: new(bool), opened: new(Object), ends: new(jsonwalk.Ends)}
	d.lead, d.Data = text[:len(text)-len(d.Data)], bytes.TrimSpace(d.Data)
	if c := jsonwalk.Type(d.Data); c == '{' || c == '[' {
		d.Valid = jsonwalk.ValidEnds(d.Data, d.ends)
	}
	d.layout = whole
	if !d.Valid {
		d.layout, d.Truncated = layoutOf(d.Data)
	}
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
	if c := jsonwalk.Type(second); (c == '{' || c == '[') && jsonwalk.Valid(second) && data[first-1] != '[' && data[first-1] != ',' {
		return lines, false
	}
	if complete {
		return stream, false
	}
	return whole, true
}

// Part is a value that stands somewhere in a source.
type Part struct {
	Value    []byte
	Offset   int    // of its first byte in the source
	Question string // a text beside it that it may answer; "" if there is none
}

// Of returns a document of the same source that has only the given values. lists says that
// each is a list of what the reader reads.
func (d Document) Of(values []Part, lists bool) Document {
	d.chosen, d.opened = new(bool), new(Object)
	d.layout, d.parts, d.lists, d.Truncated = parts, values, lists, false
	return d
}

// IsLists reports whether the document was made by Of from lists of what the reader reads.
func (d Document) IsLists() bool { return d.lists }

// Question returns the question beside the value at a place, "" if there is none.
func (d Document) Question(at Place) string {
	if d.layout == parts {
		return d.parts[at.N-1].Question
	}
	return ""
}

// IsLines reports whether the document has one value on each line.
func (d Document) IsLines() bool { return d.layout == lines }

// IsObject reports whether the document is one JSON object.
func (d Document) IsObject() bool { return d.layout == whole && jsonwalk.Type(d.Data) == '{' }

// Object returns the members of a document that is one JSON object, none of them read,
// and nil for any other document. It scans the document once, however often it is called.
func (d Document) Object() Object {
	if !d.IsObject() {
		return nil
	}
	if *d.opened == nil {
		*d.opened = Object(nil).Reopen(d.Data, d.ends)
	}
	return slices.Clone(*d.opened)
}

// IsArray reports whether the document is one JSON array.
func (d Document) IsArray() bool { return d.layout == whole && jsonwalk.Type(d.Data) == '[' }

// Place returns the place at which the document begins in its source.
func (d Document) Place() Place { return Place{1, len(d.lead) + 1} }

// OffsetOf returns the offset in the source of a part of the document, and -1 for another text.
func (d Document) OffsetOf(part []byte) int {
	at := cap(d.Data) - cap(part)
	if len(part) == 0 || at < 0 || at >= len(d.Data) || &d.Data[at] != &part[0] {
		return -1
	}
	return len(d.lead) + at
}

// Unit returns the unit that Place.N counts in the document: "line" if IsLines,
// else "record".
func (d Document) Unit() string {
	if d.layout == lines {
		return "line"
	}
	return "record"
}

// Values yields the top-level values of the document with their places, without
// checking that they are valid JSON. Empty lines yield nothing but count as lines.
func (d Document) Values() iter.Seq2[Place, []byte] {
	return func(yield func(Place, []byte) bool) {
		for i, part := range d.parts {
			if !yield(Place{i + 1, part.Offset + 1}, part.Value) {
				return
			}
		}
		if d.layout == parts {
			return
		}
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
				if len(record) > 0 && record[0] <= ' ' {
					trimmed := bytes.TrimLeft(record, " \t\r\v\f")
					at, record = at+len(record)-len(trimmed), trimmed
				}
				if record = bytes.TrimSpace(record); len(record) == 0 {
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

// Records yields the records of the document with their places: the elements if
// it is an array, the elements of the array under one of the keys if it is an
// object that has one, and else the same as Values. If the object has several such
// arrays, the last one is used. The records may be invalid JSON.
func (d Document) Records(keys ...string) iter.Seq2[Place, []byte] {
	array, before, at := d.Data, 0, 0
	if d.IsObject() {
		array = nil
	}
	if d.IsObject() && len(keys) > 0 {
		for key, value := range jsonwalk.MembersAt(d.Data, &at, nil) {
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
		for at, record := range jsonwalk.ElementsAt(array, d.ends) {
			if n++; !yield(Place{n, len(d.lead) + before + at + 1}, record) {
				return
			}
		}
	}
}

// Objects yields the records that are valid JSON objects. It skips the others and tells the
// sink a reason such as "records that are a string instead of WANT"; want names what the reader
// expected, with its article. Objects calls sink.Next before each record and ends when it
// returns false.
func (d Document) Objects(sink Sink, want string, keys ...string) iter.Seq2[Place, []byte] {
	return func(yield func(Place, []byte) bool) {
		for at, record := range d.Records(keys...) {
			if !sink.Next() || d.HoldsObject(sink, at, record, want) && !yield(at, record) {
				return
			}
		}
	}
}

// HoldsValue reports whether a record of the document is valid JSON. If it is not,
// HoldsValue calls sink.Broken.
func (d Document) HoldsValue(sink Sink, at Place, record []byte) bool {
	if !d.Checks(record) {
		sink.Broken(at, record)
		return false
	}
	return true
}

// Checks reports whether a record of the document is valid JSON.
func (d Document) Checks(record []byte) bool {
	if d.Valid || d.ends == nil {
		return d.Valid || jsonwalk.Valid(record)
	}
	return jsonwalk.ValidEnds(record, d.ends)
}

// Ends returns where the values of the document end, or the values of the record that was
// checked last, for Reopen and the functions of jsonwalk.
func (d Document) Ends() *jsonwalk.Ends { return d.ends }

// HoldsObject reports whether a record of the document is a valid JSON object. If it is
// not, HoldsObject tells the sink that the record is skipped, as Objects does.
func (d Document) HoldsObject(sink Sink, at Place, record []byte, want string) bool {
	if !d.HoldsValue(sink, at, record) {
		return false
	}
	if c := jsonwalk.Type(record); c != '{' {
		sink.Tell(Skipped, at, "records that are "+jsonwalk.TypeName(record)+" instead of "+want)
		return false
	}
	return true
}

// Firsts yields the first n values of a sequence.
func Firsts(all iter.Seq[[]byte], n int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		left := n
		for one := range all {
			if left--; left < 0 || !yield(one) {
				return
			}
		}
	}
}

// IsObject is like Document.HoldsObject for a value that is not part of a document.
func IsObject(sink Sink, at Place, value []byte, want string) bool {
	return Document{}.HoldsObject(sink, at, value, want)
}
