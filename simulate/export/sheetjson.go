package export

import (
	"bufio"
	"iter"
	"slices"
)

// writeObject writes the answer as one object and a newline: the facts of the first sheet, then
// an array of the rows of each, with one object on each line. Characters that a terminal would
// interpret are escaped.
func writeObject(out *bufio.Writer, sheets ...*Sheet) error {
	out.WriteString("{\n") // Flush reports the error
	var line []byte
	for _, f := range sheets[0].Facts {
		line = append(appendQuoted(append(line[:0], "  "...), f.Name), ": "...)
		out.Write(append(f.Value.appendJSON(line), ",\n"...))
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
	_, err := out.WriteString("}\n")
	return err
}

// writeObjects writes the rows as an array whose bracket is written.
func (s *Sheet) writeObjects(out *bufio.Writer) error {
	fields := s.named()
	var line []byte
	first := true
	for row := range s.Rows {
		line = line[:0]
		if !first {
			line = append(line, ',')
		}
		first = false
		if _, err := out.Write(s.appendObject(append(line, "\n    "...), fields, row)); err != nil {
			return err
		}
	}
	if !first {
		out.WriteString("\n  ")
	}
	return out.WriteByte(']')
}

// appendObject appends a row as an object of its fields, of which the first is never absent.
func (s *Sheet) appendObject(dst []byte, fields []int, row []Cell) []byte {
	dst = append(dst, '{')
	for k, c := range fields {
		if row[c].absent {
			continue
		}
		if k > 0 {
			dst = append(dst, ", "...)
		}
		dst = row[c].appendJSON(append(appendQuoted(dst, s.Columns[c].Name), ": "...))
	}
	return append(dst, '}')
}

// Object returns a cell with an object of the columns of a row that have a name; it is blank
// for a person.
func Object[T any](columns []Column[T], of T) Cell {
	return forPrograms(SheetOf(Sheet{}, columns, slices.Values([]T{of})).appendRows(nil))
}

// Objects returns a cell with an array of such an object for each row.
func Objects[T any](columns []Column[T], rows iter.Seq[T]) Cell {
	return forPrograms(append(SheetOf(Sheet{}, columns, rows).appendRows([]byte{'['}), ']'))
}

func (s *Sheet) appendRows(dst []byte) []byte {
	first := true
	for row := range s.Rows {
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = s.appendObject(dst, s.named(), row)
	}
	return dst
}

func forPrograms(json []byte) Cell { return Cell{csv: string(json), json: string(json)} }
