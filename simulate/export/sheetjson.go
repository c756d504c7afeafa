package export

import (
	"bufio"
	"io"
)

// JSON writes the answer as one object and a newline: the facts, then the array
// of rows, an object a line. Controls that a terminal obeys are escaped in it.
func (s *Sheet) JSON(w io.Writer) error {
	out := bufio.NewWriterSize(w, writeBytes)
	out.WriteString("{\n") // Flush reports the error
	var line []byte
	for _, f := range s.Facts {
		line = append(appendQuoted(append(line[:0], "  "...), f.Name), ": "...)
		line = append(append(line, f.Value.json...), ",\n"...)
		out.Write(line)
	}
	out.Write(append(appendQuoted(append(line[:0], "  "...), s.Name), ": ["...))
	columns := s.columns(hasName)
	first := true
	for row := range s.Rows {
		line = line[:0]
		if !first {
			line = append(line, ',')
		}
		first = false
		line = append(line, "\n    {"...)
		for k, c := range columns {
			if k > 0 {
				line = append(line, ", "...)
			}
			line = append(appendQuoted(line, s.Columns[c].Name), ": "...)
			line = append(line, row[c].json...)
		}
		if _, err := out.Write(append(line, '}')); err != nil {
			return err
		}
	}
	if !first {
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	return out.Flush()
}
