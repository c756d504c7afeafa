package itemset

import (
	"bytes"
	"iter"

	"cupelscope/model/internal/jsonwalk"
)

// layout is how the records of a document follow each other.
type layout uint8

const (
	whole  layout = iota // one JSON value
	lines                // a value a line
	stream               // values over several lines, one after the other
)

// document is the text of a source and its layout. Nothing is validated yet:
// each record is checked when it is read, so that a broken one costs only itself.
type document struct {
	data   []byte
	layout layout
	// truncated: the one value does not end.
	truncated bool
}

// split finds the layout of a document.
func split(data []byte) document {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' && data[0] != '[' {
		return document{data: data, layout: lines}
	}
	end, complete := jsonwalk.End(data)
	if complete && end == len(data) {
		return document{data: data, layout: whole}
	}
	first := bytes.IndexByte(data, '\n')
	if first < 0 {
		if complete {
			return document{data: data, layout: stream}
		}
		return document{data: data, layout: whole, truncated: true}
	}
	if complete && end <= first {
		return document{data: data, layout: lines}
	}
	// The first value runs over the first line's end: either it is written that
	// way, or the first line is broken.
	second, _, _ := bytes.Cut(data[first+1:], []byte("\n"))
	if c := jsonwalk.Type(second); (c == '{' || c == '[') && jsonwalk.Check(second) == nil && data[first-1] != '[' && data[first-1] != ',' {
		return document{data: data, layout: lines}
	}
	if complete {
		return document{data: data, layout: stream}
	}
	return document{data: data, layout: whole, truncated: true}
}

func (d document) unit() string {
	if d.layout == lines {
		return "line"
	}
	return "record"
}

// all yields the values of the document with their place, from 1: the line, or
// the number of the value. A value may be invalid JSON.
func (d document) all() iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		rest := d.data
		for place := 1; len(rest) > 0; place++ {
			var record []byte
			switch d.layout {
			case whole:
				record, rest = rest, nil
			case lines:
				record, rest, _ = bytes.Cut(rest, []byte("\n"))
				if record = bytes.TrimSpace(record); len(record) == 0 {
					continue
				}
			case stream:
				end, _ := jsonwalk.End(rest)
				if end == 0 {
					end = 1
				}
				record, rest = rest[:end], bytes.TrimSpace(rest[end:])
			}
			if !yield(place, record) {
				return
			}
		}
	}
}

// elements yields the records of a document that may be an array of them, or an
// object with such an array under one of the keys.
func (d document) elements(keys ...string) iter.Seq2[int, []byte] {
	if d.layout != whole || len(keys) == 0 && d.data[0] == '{' {
		return d.all()
	}
	array := d.data
	if d.data[0] == '{' {
		array = nil
		for key, value := range jsonwalk.Members(d.data) {
			for _, k := range keys {
				if key == k && jsonwalk.Type(value) == '[' {
					array = value
				}
			}
		}
		if array == nil {
			return d.all()
		}
	}
	return func(yield func(int, []byte) bool) {
		place := 0
		for record := range jsonwalk.Elements(array) {
			if place++; !yield(place, record) {
				return
			}
		}
	}
}
