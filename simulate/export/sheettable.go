package export

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"cupelscope/model/plain"
)

// titleCells bounds lines around a table that hold foreign text.
const titleCells = 400

// Table writes the answer for a person: each column as wide as its widest cell,
// two spaces apart. A column without any text below its heading is left out.
func (s *Sheet) Table(w io.Writer) error {
	out := bufio.NewWriterSize(w, writeBytes)
	line := func(text string) { out.WriteString(strings.TrimRight(text, " ") + "\n") } // Flush reports the error
	if s.Title != "" {
		line(plain.Line(s.Title, titleCells))
	}
	for _, note := range s.Notes {
		line(plain.Line(note, titleCells))
	}
	line("")
	wrote, err := s.writeRows(out)
	if err != nil {
		return err
	}
	if wrote && len(s.Closing) > 0 {
		line("")
	}
	for _, text := range s.Closing {
		line(plain.Line(text, titleCells))
	}
	return out.Flush()
}

// writeRows writes the heading and the rows; false: there are none.
func (s *Sheet) writeRows(out *bufio.Writer) (wrote bool, err error) {
	columns := s.columns(hasHeading)
	widths := make([]int, len(columns))
	for row := range s.Rows {
		for k, c := range columns {
			widths[k] = max(widths[k], plain.Width(row[c].shown))
		}
	}
	if slices.Max(append(widths, 0)) == 0 {
		return false, nil
	}
	var b []byte
	write := func(cell func(c int) string) error {
		b = b[:0]
		for k, c := range columns {
			if widths[k] == 0 {
				continue
			}
			if len(b) > 0 {
				b = append(b, "  "...)
			}
			text := cell(c)
			pad := widths[k] - plain.Width(text)
			if s.Columns[c].Right {
				b = append(append(b, spaces(pad)...), text...)
			} else {
				b = append(append(b, text...), spaces(pad)...)
			}
		}
		_, err := out.WriteString(strings.TrimRight(string(b), " ") + "\n")
		return err
	}
	for k, c := range columns {
		if widths[k] > 0 {
			widths[k] = max(widths[k], plain.Width(s.Columns[c].Heading))
		}
	}
	if err := write(func(c int) string { return s.Columns[c].Heading }); err != nil {
		return true, err
	}
	for row := range s.Rows {
		if err := write(func(c int) string { return row[c].shown }); err != nil {
			return true, err
		}
	}
	return true, nil
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
