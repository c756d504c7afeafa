package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"cupelscope/model/plain"
)

// titleCells bounds lines around a table that contain text from files.
const titleCells = 400

// table writes the answer for a person: each column as wide as its widest
// cell, two spaces apart, and together at most s.Width cells wide if that is
// set and the columns can be narrowed so far. A column without any text below
// its heading is left out.
func (s *Sheet) table(out *bufio.Writer) error {
	line := func(text string) { out.WriteString(strings.TrimRight(text, " ") + "\n") } // Flush reports the error
	around := func(texts ...string) {
		for _, text := range texts {
			for _, broken := range s.wrapped(text) {
				line(broken)
			}
		}
	}
	if s.Title != "" {
		around(s.Title)
	}
	around(s.Notes...)
	line("")
	wrote, spared, err := s.writeRows(out)
	if err != nil {
		return err
	}
	if wrote && len(s.Closing)+len(spared) > 0 {
		line("")
	}
	around(s.Closing...)
	if len(spared) > 0 {
		around(fmt.Sprintf("no room in %d columns for: %s", s.Width, strings.Join(slices.Compact(spared), ", ")))
	}
	return nil
}

// writeRows writes the heading and the rows. wrote is false if there are no rows.
// spared holds the headings of the columns for which there is no room.
func (s *Sheet) writeRows(out *bufio.Writer) (wrote bool, spared []string, err error) {
	columns := s.headed()
	widths := make([]int, len(columns))
	shown := func(row []Cell, k, limit int) string {
		c := columns[k]
		if s.Width > 0 && s.Columns[c].Flows > 0 {
			return row[c].within(limit)
		}
		return row[c].shown
	}
	for row := range s.Rows {
		for k := range columns {
			widths[k] = max(widths[k], plain.Width(shown(row, k, s.Width)))
		}
	}
	if slices.Max(append(widths, 0)) == 0 {
		return false, nil, nil
	}
	var b []byte
	write := func(cell func(k int) (string, colour)) error {
		b = b[:0]
		for k, c := range columns {
			if widths[k] == 0 {
				continue
			}
			if len(b) > 0 {
				b = append(b, spaces(gapCells)...)
			}
			text, colour := cell(k)
			pad := widths[k] - plain.Width(text)
			if s.Colour && colour != noColour {
				text = fmt.Sprintf("\x1b[%dm%s\x1b[0m", colour, text)
			}
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
	if s.Width > 0 {
		spared = s.fit(columns, widths)
	}
	if err := write(func(k int) (string, colour) { return s.Columns[columns[k]].Heading, noColour }); err != nil {
		return true, spared, err
	}
	for row := range s.Rows {
		if err := write(func(k int) (string, colour) { return shown(row, k, widths[k]), row[columns[k]].colour }); err != nil {
			return true, spared, err
		}
	}
	return true, spared, nil
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
