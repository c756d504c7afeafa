package draw

import (
	"strings"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"cupelscope/tui/internal/theme"
)

// Paragraph breaks spans of clean text into lines of at most width cells,
// between words. A word may go on from one span to the next; a word longer than
// a line is split. A character wider than width gets a line of its own. If width
// is less than 1, Paragraph returns nil.
func Paragraph(width int, spans ...Span) [][]Span {
	if width < 1 {
		return nil
	}
	p := paragraph{width: width}
	gap, word := Span{}, []Span(nil)
	for _, s := range spans {
		for rest := s.Text; rest != ""; {
			n := strings.IndexByte(rest, ' ')
			switch {
			case n == 0: // the word before has ended
				p.add(gap, word)
				n = len(rest) - len(strings.TrimLeft(rest, " "))
				gap, word = Span{rest[:n], s.Role}, nil
			case n < 0:
				n = len(rest)
				fallthrough
			default:
				word = append(word, Span{rest[:n], s.Role})
			}
			rest = rest[n:]
		}
	}
	p.add(gap, word)
	p.flush()
	return p.lines
}

// paragraph holds the finished lines and the line that is being filled.
type paragraph struct {
	width int
	lines [][]Span
	line  []Span
	used  int
}

// add appends a gap and a word, which may have parts in several roles. If they
// do not fit, the word starts the next line and the gap is dropped.
func (p *paragraph) add(gap Span, word []Span) {
	if len(word) == 0 {
		return
	}
	if w := len(gap.Text) + SpansWidth(word); p.used > 0 && p.used+w > p.width {
		p.flush()
	} else if gap.Text != "" && (p.used > 0 || len(p.lines) == 0) && w <= p.width {
		p.put(gap.Text, gap.Role)
	}
	for _, part := range word {
		for p.used+Width(part.Text) > p.width {
			head := Fit(part.Text, p.width-p.used, &theme.Glyphs{})
			if head == "" && p.used > 0 {
				p.flush()
				continue
			}
			if head == "" { // a wide character in a paragraph of one column
				head = graphemes.FromString(part.Text).First() // with its marks
			}
			p.put(head, part.Role)
			part.Text = part.Text[len(head):]
			p.flush()
		}
		if part.Text != "" {
			p.put(part.Text, part.Role)
		}
	}
}

func (p *paragraph) put(text string, role theme.Role) {
	if n := len(p.line); n > 0 && p.line[n-1].Role == role {
		p.line[n-1].Text += text
	} else {
		p.line = append(p.line, Span{text, role})
	}
	p.used += Width(text)
}

func (p *paragraph) flush() {
	if p.used > 0 {
		p.lines = append(p.lines, p.line)
		p.line, p.used = nil, 0
	}
}

// FitWords shortens clean text to at most width cells. A text that was cut ends
// in an ellipsis after a whole word; if even the first word does not fit, the
// word is cut as Fit does.
func FitWords(s string, width int, g *theme.Glyphs) string {
	room := width - 1 - Width(g.Ellipsis)
	if Width(s) <= width || room < 1 {
		return Fit(s, width, g)
	}
	lines := Paragraph(room, Span{Text: s})
	first := strings.IndexByte(s, ' ')
	if len(lines) == 0 || first < 0 || Width(s[:first]) > room {
		return Fit(s, width, g)
	}
	return lines[0][0].Text + " " + g.Ellipsis
}

// FitParts shortens a text to at most width cells. It drops whole parts from
// the end, where two blanks or a semicolon separate parts; if the first part alone
// is still too wide, it shortens that with FitWords.
func FitParts(s string, width int, g *theme.Glyphs) string {
	for Width(s) > width {
		at := max(strings.LastIndex(s, "  "), strings.LastIndex(s, "; "))
		if at < 0 {
			return FitWords(s, width, g)
		}
		s = strings.TrimRight(s[:at], " ")
	}
	return s
}
