package draw

import (
	"strings"
	"unicode/utf8"

	"cupelscope/tui/theme"
)

// Paragraph breaks spans into lines of at most width cells, between words. A
// word longer than a line is cut. The text must be clean.
func Paragraph(width int, spans ...Span) [][]Span {
	if width < 1 {
		return nil
	}
	var lines [][]Span
	var line []Span
	used := 0
	flush := func() {
		lines = append(lines, line)
		line, used = nil, 0
	}
	add := func(text string, role theme.Role) {
		if n := len(line); n > 0 && line[n-1].Role == role {
			line[n-1].Text += text
		} else {
			line = append(line, Span{text, role})
		}
		used += Width(text)
	}
	gap := ""
	for _, s := range spans {
		for rest := s.Text; rest != ""; {
			if rest[0] == ' ' {
				n := len(rest) - len(strings.TrimLeft(rest, " "))
				gap, rest = rest[:n], rest[n:]
				continue
			}
			n := strings.IndexByte(rest, ' ')
			if n < 0 {
				n = len(rest)
			}
			word := rest[:n]
			rest = rest[n:]
			if used > 0 && used+len(gap)+Width(word) > width {
				flush()
				gap = ""
			}
			if gap != "" && (used > 0 || len(lines) == 0) && used+len(gap)+Width(word) <= width {
				add(gap, s.Role)
			}
			gap = ""
			for Width(word) > width {
				head := Fit(word, width, &theme.Glyphs{})
				if head == "" { // a wide character in a paragraph of one column
					_, n := utf8.DecodeRuneInString(word)
					head = word[:n]
				}
				add(head, s.Role)
				word = word[len(head):]
				flush()
			}
			add(word, s.Role)
		}
	}
	if used > 0 {
		flush()
	}
	return lines
}
