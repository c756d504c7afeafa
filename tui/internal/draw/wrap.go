package draw

import (
	"slices"
	"strings"

	"cupelscope/model/plain"
	"cupelscope/tui/internal/theme"
)

// Paragraph breaks spans of clean text into lines of at most width cells as
// plain.Wrap does: between words, or within a word that is longer than a line. A
// word may go on from one span to the next. Spaces at a break and at the end are
// dropped. If width is less than 1, Paragraph returns nil; in a width of 1, lines
// may take the two cells of a wide character.
func Paragraph(width int, spans ...Span) [][]Span {
	if width < 1 {
		return nil
	}
	text, roles := "", []theme.Role(nil) // a role a byte
	for _, s := range spans {
		text += s.Text
		roles = append(roles, slices.Repeat([]theme.Role{s.Role}, len(s.Text))...)
	}
	text = strings.TrimRight(text, " ")
	var lines [][]Span
	for _, line := range plain.Wrap(text, max(width, 2), len(text)) {
		from := len(text) - len(strings.TrimLeft(text, " ")) // spaces at the break before were dropped
		if line[0] == ' ' {
			from = 0
		}
		to := min(from+len(line), len(text)) // a text that is not clean changes its length
		lines = append(lines, withRoles(line, roles[from:to]))
		text, roles = text[to:], roles[to:]
	}
	return lines
}

// withRoles returns text as spans. A byte without a role has the default one.
func withRoles(text string, roles []theme.Role) []Span {
	var spans []Span
	for i, r := range text {
		role := theme.Plain
		if i < len(roles) {
			role = roles[i]
		}
		if n := len(spans); n > 0 && spans[n-1].Role == role {
			spans[n-1].Text += string(r)
		} else {
			spans = append(spans, Span{string(r), role})
		}
	}
	return spans
}

// FitWords shortens clean text to at most width cells. A text that was cut ends
// in an ellipsis after a whole word; if even the first word does not fit, the
// word is cut as Fit does.
func FitWords(s string, width int, g *theme.Glyphs) string {
	room := width - 1 - Width(g.Ellipsis)
	if Width(s) <= width || room < 1 {
		return Fit(s, width, g)
	}
	lines := plain.Wrap(s, room, 1)
	first := strings.IndexByte(s, ' ')
	if len(lines) == 0 || first < 0 || Width(s[:first]) > room {
		return Fit(s, width, g)
	}
	return lines[0] + " " + g.Ellipsis
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

// FirstClause returns what of a text comes before a clause that does not fit into width cells, or
// all of it. It returns false if no such part fits.
func FirstClause(text string, width int) (string, bool) {
	for _, clause := range [...]string{" (", "; ", ", ", ": ", " or ", " with ", " for "} {
		head := text
		for at := len(head); Width(head) > width && at >= 0; at = strings.LastIndex(head, clause) {
			head = head[:at]
		}
		if Width(head) <= width {
			return head, true
		}
	}
	return "", false
}

// FitClause shortens a text to at most width cells: to what FirstClause returns, else with FitWords.
func FitClause(text string, width int, g *theme.Glyphs) string {
	if head, ok := FirstClause(text, width); ok {
		return head
	}
	return FitWords(text, width, g)
}

// FitReason returns a head and, behind a colon, as many clauses of the reason as fit into width
// cells beside it.
func FitReason(head, reason string, width int) string {
	if clause, ok := FirstClause(reason, width-Width(head)-2); ok {
		return head + ": " + clause
	}
	return head
}
