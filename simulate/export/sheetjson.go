package export

import (
	"bufio"
	"io"
	"iter"
	"slices"
)

// json writes the answer as one object and a newline: the facts, then the
// array of rows, with one object on each line. Characters that a terminal
// would interpret are escaped.
func (s *Sheet) json(w io.Writer) error { return writeObject(w, s.Facts, s) }

// writeObject writes one object of facts and of the rows of sheets.
func writeObject(w io.Writer, facts []Fact, sheets ...*Sheet) error {
	out := bufio.NewWriterSize(w, writeBytes)
	out.WriteString("{\n") // Flush reports the error
	var line []byte
	for k, f := range facts {
		line = append(appendQuoted(append(line[:0], "  "...), f.Name), ": "...)
		line = f.Value.appendJSON(line)
		if k < len(facts)-1 || len(sheets) > 0 {
			line = append(line, ',')
		}
		out.Write(append(line, '\n'))
	}
	for k, s := range sheets {
		out.Write(append(appendQuoted(append(line[:0], "  "...), s.Name), ": ["...))
		if err := s.writeObjects(out); err != nil {
			return err
		}
		if k < len(sheets)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("}\n")
	return out.Flush()
}

// writeObjects writes the rows as an array whose bracket is written.
func (s *Sheet) writeObjects(out *bufio.Writer) error {
	fields := s.fields()
	var line []byte
	first := true
	for row := range s.Rows {
		line = line[:0]
		if !first {
			line = append(line, ',')
		}
		first = false
		if _, err := out.Write(appendObject(append(line, "\n    "...), fields, row)); err != nil {
			return err
		}
	}
	if !first {
		out.WriteString("\n  ")
	}
	return out.WriteByte(']')
}

// appendObject appends a row as an object of its fields, of which the first is never absent.
func appendObject(dst []byte, fields []field, row []Cell) []byte {
	dst = append(dst, '{')
	for k, f := range fields {
		if row[f.column].absent {
			continue
		}
		if k > 0 {
			dst = append(dst, ", "...)
		}
		dst = row[f.column].appendJSON(append(appendQuoted(dst, f.name), ": "...))
	}
	return append(dst, '}')
}

// Object returns a cell with an object of the columns of a row that have a name; it is blank
// for a person.
func Object[T any](columns []Column[T], of T) Cell {
	return forPrograms(appendRows(nil, columns, slices.Values([]T{of})))
}

// Objects returns a cell with an array of such an object for each row.
func Objects[T any](columns []Column[T], rows iter.Seq[T]) Cell {
	return forPrograms(append(appendRows([]byte{'['}, columns, rows), ']'))
}

func appendRows[T any](dst []byte, columns []Column[T], rows iter.Seq[T]) []byte {
	s, first := SheetOf(Sheet{}, columns, rows), true
	for row := range s.Rows {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = appendObject(dst, s.fields(), row)
	}
	return dst
}

func forPrograms(json []byte) Cell { return Cell{csv: string(json), json: string(json)} }
