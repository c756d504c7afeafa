package export

import (
	"bufio"
	"strings"
)

// markdown writes the answer as a table of GitHub Flavored Markdown, between
// paragraphs for the title and the notes and for the closing lines. Texts are
// escaped, so that none becomes markup, a link or HTML.
func (s *Sheet) markdown(out *bufio.Writer) error {
	begun := false
	paragraph := func(line string) {
		if line == "" {
			return
		}
		if begun {
			out.WriteString("\n") // Flush reports the error
		}
		out.WriteString(unmarkedLine(strings.TrimSpace(lineAround(line))) + "\n")
		begun = true
	}
	paragraph(s.Title)
	for _, note := range s.Notes {
		paragraph(note)
	}
	if begun {
		out.WriteString("\n")
	}
	begun = true
	columns := s.headed()
	for _, c := range columns {
		out.WriteString("| " + unmarked(s.Columns[c].Heading) + " ")
	}
	out.WriteString("|\n")
	for _, c := range columns {
		if s.Columns[c].Right {
			out.WriteString("|---:")
		} else {
			out.WriteString("|---")
		}
	}
	out.WriteString("|\n")
	for row := range s.Rows {
		for _, c := range columns {
			out.WriteString("| " + unmarked(row[c].shown) + " ")
		}
		if _, err := out.WriteString("|\n"); err != nil {
			return err
		}
	}
	for _, line := range s.Closing {
		paragraph(line)
	}
	return nil
}

// unmarked returns a text with everything escaped that has a meaning in Markdown
// within a line.
func unmarked(s string) string {
	const marks = "\\`*_[]<>|~&$"
	if !strings.ContainsAny(s, marks+":@wW") {
		return s
	}
	var b strings.Builder
	for i := range len(s) { // bytes: what is escaped is ASCII
		c := s[i]
		if strings.IndexByte(marks, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
		// A bare address becomes a link, and a name a call to its owner: a
		// comment within ends both, and takes no room.
		if c == '@' || c == ':' && strings.HasPrefix(s[i:], "://") || i >= 2 && strings.EqualFold(s[i-2:i+1], "www") {
			b.WriteString("<!-- -->")
		}
	}
	return b.String()
}

// unmarkedLine is like unmarked, for a text at the beginning of a line, where more
// has a meaning: a heading, or an item of a list.
func unmarkedLine(s string) string {
	rest := strings.TrimLeft(s, "0123456789")
	switch number := s[:len(s)-len(rest)]; {
	case number == "" && rest != "" && strings.IndexByte("-+#=", rest[0]) >= 0,
		number != "" && (strings.HasPrefix(rest+" ", ". ") || strings.HasPrefix(rest+" ", ") ")):
		return number + "\\" + unmarked(rest)
	}
	return unmarked(s)
}
