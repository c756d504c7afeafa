package tokens

import (
	"unicode"
	"unicode/utf8"
)

// An encoding first parts a text with a regular expression into short pieces
// (words with the space before them, groups of digits, runs of signs, white
// space), then encodes each piece by itself. So a text can be cut wherever no
// piece can reach across, and the counts of the parts add up to that of the
// whole. That keeps each call of the encoder short: it can be interrupted, and a
// text of megabytes never becomes one piece.

const (
	// maxPiece is the most that is encoded at once. The encoder takes time
	// quadratic in the length of a run of one sort: 4 KiB of "aaaa" some 25 ms,
	// 16 KiB half a second.
	maxPiece = 4 << 10
	// maxScan is how far a place to cut is looked for: a longer run is taken
	// in several steps, so that each of them is short.
	maxScan = 1 << 20
)

// pieceEnd returns where to cut text next: at most maxPiece if possible, else
// at the next place to cut within maxScan, else just there.
func (c *Counter) pieceEnd(text string) int {
	if len(text) <= maxPiece {
		return len(text)
	}
	for i := maxPiece; i > 0; i-- {
		if c.cutAt(text, i) {
			return i
		}
	}
	end := min(len(text), maxScan)
	for i := maxPiece + 1; i < end; i++ {
		if c.cutAt(text, i) {
			return i
		}
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return end
}

// cutAt reports whether text can be cut before byte i, 0 < i < len(text).
func (c *Counter) cutAt(text string, i int) bool {
	if !utf8.RuneStart(text[i]) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return c.cutBetween(before, after)
}

// cutBetween reports whether no piece of any text holds before and after next
// to each other, whatever stands around them. In words of the expressions:
//
//   - white space begins pieces and ends runs of white space, but never follows
//     anything else within a piece, but for line breaks after signs: cut before a
//     space or tab that follows something visible;
//   - digits only stand with digits: cut after one that something else follows;
//   - letters end their piece, but for a contraction ('s): cut after one that
//     a sign (not an apostrophe), a digit or white space follows;
//   - in the newer encodings a run of white space with a line break ends with its last
//     line break, and signs take line breaks and slashes with them: cut after a
//     newline that neither white space nor a slash follows.
func (c *Counter) cutBetween(before, after rune) bool {
	if before == utf8.RuneError || after == utf8.RuneError {
		return false
	}
	switch {
	case before == '\n':
		return c.newlines && after != '/' && visible(after)
	case after == ' ' || after == '\t':
		return visible(before)
	case unicode.IsNumber(before):
		return !unicode.IsNumber(after)
	case unicode.IsLetter(before):
		return after != '\'' && (unicode.IsNumber(after) || unicode.IsPunct(after) || unicode.IsSymbol(after) || after == '\n' || after == '\r')
	}
	return false
}

// visible reports whether r is surely neither white space nor a control
// character in anybody's tables.
func visible(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r != 0x7F
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S, unicode.M)
}
