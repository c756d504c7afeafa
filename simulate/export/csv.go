package export

import (
	"bufio"
	"encoding/csv"
	"strings"
	"unicode/utf8"

	"cupelscope/model/plain"
)

// csv writes a line with the names of the columns, and the rows. Fields are
// separated by commas, and each line ends in "\n". Numbers are exact and
// without separators, shares are 0 to 1, and a missing value is empty.
//
// Texts from a file are written so that a row is one line, a terminal
// interprets nothing in it, and a spreadsheet computes nothing. A backslash is
// written as \\, and line feed, carriage return and tab as \n, \r and \t.
// Other characters that a terminal interprets or does not show are written as
// JSON escapes them, \uXXXX. A text that begins with one of = + - @ ' (or the
// wide forms of the first four) is preceded by one '. To restore a text,
// remove one ' from its beginning if there is one, then replace the escapes.
func (s *Sheet) csv(to *bufio.Writer) error {
	out := csv.NewWriter(to)
	fields := s.named()
	line := plain.Texts(fields, func(c int) string { return s.Columns[c].Name })
	var same []Cell // in each row
	for _, f := range s.Facts {
		if f.InRows {
			line, same = append(line, f.Name), append(same, f.Value)
		}
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for row := range s.Rows {
		line = line[:0]
		for _, c := range fields {
			line = append(line, row[c].field())
		}
		if err := out.Write(appendFields(line, same)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// appendFields appends the cells as CSV has them, not yet in quotes.
func appendFields(dst []string, row []Cell) []string {
	for _, c := range row {
		dst = append(dst, c.field())
	}
	return dst
}

// guarded returns a text from a file as a cell of CSV: with escapes for what a
// terminal obeys, and so that a spreadsheet does not take it for a formula, not even
// one that divides lines at semicolons.
func guarded(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool { return r == '\\' || r == ';' || obeyed(r) || r == utf8.RuneError }) < 0
	if plain && !formula(s) {
		return s
	}
	b := make([]byte, 0, len(s)+8)
	if formula(s) {
		b = append(b, '\'')
	}
	begins := false       // a cell, for a spreadsheet that divides lines at semicolons
	for _, r := range s { // a byte that is no UTF-8 comes as U+FFFD
		sign := begins && strings.ContainsRune(formulaSigns, r)
		begins = r == ';' || begins && r == '"'
		switch {
		case sign:
			b = appendEscape(b, r)
		case r < utf8.RuneSelf && escapes[r] != 0:
			b = append(b, '\\', escapes[r])
		case obeyed(r):
			b = appendEscape(b, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

// escapes has the characters whose escape is a backslash and a letter of their own.
var escapes = [utf8.RuneSelf]byte{'\\': '\\', '\n': 'n', '\r': 'r', '\t': 't'}

// formula reports whether a spreadsheet may take s for a formula, or could not
// tell it from a text that was guarded.
func formula(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && (r == '\'' || strings.ContainsRune(formulaSigns, r))
}

// formulaSigns are the characters with which a formula may begin.
const formulaSigns = "=+-@＝＋－＠"
