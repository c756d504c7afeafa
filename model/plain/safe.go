// Package plain makes text safe for a terminal.
//
// All text that is drawn or printed passes through it. Cleaned text holds
// printable characters only: no control characters, no escape sequences,
// nothing that changes the direction of text, nothing invisible, and at most
// two combining marks a character. Where a terminal and a layout library could
// disagree about the number of cells of a sequence (flags, skin tones,
// conjuncts, conjoining jamo, spacing vowel signs), the sequence is split or
// simplified, so that every reasonable measure gives the same width: the sum
// over its characters.
//
// Contents of items stay byte-exact; only what is shown is cleaned. The
// functions are pure and safe for concurrent use. They take time linear in the
// text that they read; Line and Wrap read no more than their answer can need,
// however long the text is.
//
// It is no part of the library: the folders beside model use it too.
package plain

import (
	"strings"
	"unicode/utf8"
)

const (
	// tabStop is the distance of tab stops in Text and Wrap, in cells.
	tabStop = 4
	// ellipsis stands for what was cut; it is one cell wide.
	ellipsis = "…"
	// slackBytes is how much Line and Wrap read beyond bytesPerCell bytes for
	// each cell that they can fill: room for escape sequences and the like.
	slackBytes   = 64 << 10
	bytesPerCell = 16
)

// Line returns s cleaned, on one line of at most limit cells. A line break or
// tab becomes one space. Text that does not fit is cut and ends in an ellipsis.
// A limit below 1 gives "". Line(Line(s, n), n) is Line(s, n).
func Line(s string, limit int) string {
	if limit < 1 {
		return ""
	}
	if len(s) <= limit && printable(s) == len(s) {
		return s
	}
	s, short := head(s, limit, 1)
	var b strings.Builder
	width, fits := 0, 0 // fits: length of b that leaves a cell for the ellipsis
	sc := scanner{s: s}
	for sc.next() {
		cluster, w := sc.cluster, sc.width
		if cluster == "\n" || cluster == "\t" {
			cluster, w = " ", 1
		}
		if sc.run && len(cluster) > limit { // one cell a byte
			cluster = cluster[:limit]
		}
		if keep := limit - 1 - width; sc.run && keep >= 0 {
			fits = b.Len() + min(keep, len(cluster))
		} else if w <= keep {
			fits = b.Len() + len(cluster)
		}
		b.WriteString(cluster)
		if width += w; width > limit {
			short = true
			break
		}
	}
	if short {
		return b.String()[:fits] + ellipsis
	}
	return b.String()
}

// Tail is like Line, but keeps the end of text that does not fit, after an
// ellipsis. Use it for paths and other text that differs at its end. Of a longer
// text it reads only the last 64 KiB and what limit cells may take beside them; an
// escape sequence that begins before that is read as text.
func Tail(s string, limit int) string {
	if limit < 1 {
		return ""
	}
	maxBytes := bytesPerCell*min(limit, len(s)) + slackBytes
	cut := len(s) > maxBytes
	if cut {
		s = s[len(s)-maxBytes:]
		for len(s) > 0 && s[0]&0xC0 == 0x80 { // not inside a character
			s = s[1:]
		}
	}
	line := Line(s, len(s))
	if !cut && Width(line) <= limit {
		return line
	}
	// From the end, as many cells as leave one for the ellipsis.
	at, width := len(line), 0
	for k := len(line); k > 0; {
		r, size := utf8.DecodeLastRuneInString(line[:k])
		k -= size
		w := cells(r)
		if width += w; width >= limit {
			break
		}
		if w > 0 {
			at = k
		}
	}
	return ellipsis + line[at:]
}

// Text returns s cleaned, with its lines kept: CRLF, CR, U+0085, U+2028 and
// U+2029 become a newline, and a tab becomes the spaces up to the next multiple
// of four cells. Text(Text(s)) is Text(s).
func Text(s string) string {
	if clean := printable(s); clean == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	column := 0
	sc := scanner{s: s}
	for sc.next() {
		switch sc.cluster {
		case "\n":
			column = 0
			b.WriteByte('\n')
		case "\t":
			n := tabStop - column%tabStop
			column += n
			b.WriteString("    "[:n])
		default:
			column += sc.width
			b.WriteString(sc.cluster)
		}
	}
	return b.String()
}

// Width returns the number of cells of s as Line would draw it without a limit.
// For text that is clean and has no line break this is its own width. It reads
// all of s.
func Width(s string) int {
	if printable(s) == len(s) {
		return len(s)
	}
	width := 0
	sc := scanner{s: s}
	for sc.next() {
		if sc.cluster == "\n" || sc.cluster == "\t" {
			width++
			continue
		}
		width += sc.width
	}
	return width
}

// head cuts s to the part that a box of the given size can need; short reports
// that it cut something.
func head(s string, width, lines int) (text string, short bool) {
	if width > len(s) || lines > len(s) || len(s) <= slackBytes {
		return s, false
	}
	limit := slackBytes + bytesPerCell*width*lines
	if limit < 0 || limit >= len(s) { // below 0: overflow
		return s, false
	}
	for i := 0; i < 3 && limit > 0 && s[limit]&0xC0 == 0x80; i++ { // not inside a character
		limit--
	}
	return s[:limit], true
}
