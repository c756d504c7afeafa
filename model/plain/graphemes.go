package plain

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// maxMarks is the number of combining marks that a character keeps.
const maxMarks = 2

// scanner cuts text into clean pieces: "\n", "\t", runs of printable ASCII, and
// single characters with their marks.
type scanner struct {
	s      string
	single bool // no runs: every piece is one character

	cluster string // the piece; valid until the next call of next
	width   int    // its cells; 0 for "\n" and "\t"
	run     bool   // the piece is printable ASCII, any number of characters

	buf     [maxMarks + 1]rune
	pending rune // a character that comes before the rest of s; 0: none
}

// next reads the next piece, or returns false at the end.
func (sc *scanner) next() bool {
	sc.run = false
	if r := sc.pending; r != 0 {
		sc.pending = 0
		sc.base(r, 1)
		return true
	}
	for len(sc.s) > 0 {
		switch c := sc.s[0]; {
		case ' ' <= c && c <= '~':
			sc.ascii()
			return true
		case c == '\n' || c == '\t':
			sc.cluster, sc.width, sc.s = sc.s[:1], 0, sc.s[1:]
			return true
		case c == '\r':
			sc.s = strings.TrimPrefix(sc.s[1:], "\n")
			sc.cluster, sc.width = "\n", 0
			return true
		}
		r, size := utf8.DecodeRuneInString(sc.s)
		if n := control(sc.s, r, size); n > 0 {
			sc.s = sc.s[n:]
			continue
		}
		if isNewline(r) {
			sc.cluster, sc.width, sc.s = "\n", 0, sc.s[size:]
			return true
		}
		if r == utf8.RuneError && size == 1 {
			sc.s = sc.s[1:]
			sc.base(utf8.RuneError, 1)
			return true
		}
		if jamo(r) {
			var syllable rune
			syllable, size = compose(sc.s, r, size)
			sc.s = sc.s[size:]
			sc.base(syllable, cells(syllable))
			return true
		}
		class, to := classify(r)
		sc.s = sc.s[size:]
		if class == base {
			sc.base(to, cells(to))
			return true
		}
		// A mark without a character to sit on is dropped like the rest.
		if letter := trailing(r); letter != 0 {
			sc.base(letter, 1)
			return true
		}
	}
	return false
}

// ascii reads a run of printable ASCII. Its last character is left for a piece
// of its own when a mark may follow.
func (sc *scanner) ascii() {
	n := 1
	if !sc.single {
		n = printable(sc.s)
		if n < len(sc.s) && sc.s[n] != '\n' && sc.s[n] != '\r' && sc.s[n] != '\t' {
			n--
		}
	} else if len(sc.s) > 1 && (sc.s[1] < '\t' || sc.s[1] > '\r' && sc.s[1] < ' ' || sc.s[1] > '~') {
		n = 0
	}
	if n > 0 {
		sc.cluster, sc.width, sc.run, sc.s = sc.s[:n], n, true, sc.s[n:]
		return
	}
	c := rune(sc.s[0])
	sc.s = sc.s[1:]
	sc.base(c, 1)
}

// base makes a piece of a character and the marks that follow it.
func (sc *scanner) base(r rune, width int) {
	sc.buf[0] = r
	marks := 0
	for len(sc.s) > 0 && (sc.s[0] >= utf8.RuneSelf || sc.s[0] < ' ' || sc.s[0] == 0x7F) {
		next, size := utf8.DecodeRuneInString(sc.s)
		if next == '\n' || next == '\r' || next == '\t' || next == utf8.RuneError || isNewline(next) {
			break
		}
		if n := control(sc.s, next, size); n > 0 {
			sc.s = sc.s[n:]
			continue
		}
		if final, ok := closing(sc.buf[0], next); ok && marks == 0 {
			sc.buf[0] = final
			sc.s = sc.s[size:]
			continue
		}
		if jamo(next) {
			break
		}
		class, to := classify(next)
		if class == base {
			if marks > 0 && next >= 0x900 && joins(string(sc.buf[:marks+1]), to) {
				marks = 0 // a conjunct: without its sign the two stand apart
			}
			break
		}
		sc.s = sc.s[size:]
		if class == mark && marks < maxMarks && r != ' ' && r != utf8.RuneError {
			marks++
			sc.buf[marks] = to
		}
		if sc.pending = trailing(next); sc.pending != 0 {
			break
		}
	}
	sc.cluster, sc.width = string(sc.buf[:marks+1]), width
}

// joins reports whether r would be drawn as part of the cluster before it.
func joins(cluster string, r rune) bool {
	return len(graphemes.FromString(cluster+string(r)).First()) > len(cluster)
}

// printable returns the length of the longest prefix of s that is printable ASCII.
func printable(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return i
		}
	}
	return len(s)
}

// Unit returns the length in bytes of what a cut must not divide at the start of s: an
// escape sequence or control character, or a grapheme, which may be a line break of two
// characters. It is 0 if s is empty.
func Unit(s string) int {
	if s == "" {
		return 0
	}
	if c := s[0]; ' ' <= c && c <= '~' && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1 // the next is ASCII, so nothing joins it
	}
	r, size := utf8.DecodeRuneInString(s)
	if n := control(s, r, size); n > 0 {
		return n
	}
	cluster := graphemes.FromString(s)
	cluster.Next()
	return len(cluster.Value())
}

// maxUnit is more than the longest escape sequence, in bytes.
const maxUnit = 2 * maxString

// UnitsFrom returns a place in s, at most at, from which Units can be followed one by one
// to the end: no unit that reaches beyond at is divided. It looks back no further than it
// must, as a line may be long.
func UnitsFrom(s string, at int) int {
	for at -= maxUnit; at > 0; at-- {
		if a, b := s[at-1], s[at]; ' ' <= a && a <= '~' && ' ' <= b && b <= '~' {
			return at
		}
	}
	return 0
}
