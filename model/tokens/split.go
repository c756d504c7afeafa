package tokens

import (
	"context"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// An encoding first splits a text with a regular expression into pieces: words
// with the space before them, groups of digits, runs of signs, white space. Each
// piece is then encoded by itself. The functions below find the same pieces
// without an expression: each returns where the piece that begins at i ends.
//
// Why they are the same. Every byte of a text is in a piece, and pieces are found
// from left to right, so it is enough that the first alternative that matches at i
// ends where the function says. The alternatives are quoted; a class is a set of
// characters that the expressions do not tell apart; \p{L} is upper, lower and
// letter, \s is space and newline. The only alternatives where a longest run may
// have to be given up in part are:
//
//   - [upper letter mark]*[lower letter mark]+ (see wordEnd): if the first run is followed by
//     lower, the second begins there. Else it must begin within the first, at its last
//     letter or mark, and ends behind that, because upper follows or nothing of it.
//   - [^\r\n\p{L}\p{N}]? before a word: given up where no word follows, and only a mark can
//     then begin one itself.
//   - \s*[\r\n]+ ends behind the last line break of a run of white space.
//   - \s+(?!\S) is a whole run at the end of a text, else all but its last
//     character; \s+ is what is left for: one character.
//
// Each run is read at most twice, so splitting takes time linear in the text.
//
// The expressions are those of github.com/pkoukk/tiktoken-go 0.1.8 (TestReference). OpenAI's own, as
// of August 2026 (github.com/openai/tiktoken, openai_public.py), are written to be faster and
// differ in one way: in all but o200k_base, \s++$ comes first, so that white space at the
// end of a text is one piece, even with line breaks in it. In cl100k_base every token
// with a line break in it ends with one (a test says so), so nothing is merged across
// the end of the last line break, and the count is the same.

// class is a set of characters that the expressions do not tell apart.
type class uint8

const (
	sign    class = iota // anything else, with control characters
	upper                // Lu, Lt
	lower                // Ll
	letter               // Lm, Lo
	mark                 // M
	number               // N
	space                // white space but line breaks
	newline              // carriage return, line feed
)

// classTable has the class of every character.
type classTable [unicode.MaxRune + 1]class

// classes returns the table. The first call makes it, in about a millisecond.
var classes = sync.OnceValue(func() *classTable {
	t := new(classTable)
	for _, of := range [...]struct {
		table *unicode.RangeTable
		class class
	}{
		{unicode.Lu, upper}, {unicode.Lt, upper}, {unicode.Ll, lower}, {unicode.Lm, letter}, {unicode.Lo, letter},
		{unicode.M, mark}, {unicode.N, number}, {unicode.White_Space, space},
	} {
		for _, r := range of.table.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				t[c] = of.class
			}
		}
		for _, r := range of.table.R32 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				t[c] = of.class
			}
		}
	}
	t['\r'], t['\n'] = newline, newline
	return t
})

// at returns the class of the character at s[i] and its length in bytes. At the
// end of s it is white space of no length, which ends runs of all else.
func (t *classTable) at(s string, i int) (class, int) {
	if i < len(s) && s[i] < utf8.RuneSelf {
		return t[s[i]], 1
	}
	return t.wide(s, i)
}

func (t *classTable) wide(s string, i int) (class, int) {
	if i >= len(s) {
		return space, 0
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	return t[r], n
}

// set is a set of classes.
type set uint16

func (s set) has(c class) bool { return s>>c&1 != 0 }

const (
	letters  set = 1<<upper | 1<<lower | 1<<letter // \p{L}
	numbers  set = 1 << number                     // \p{N}
	signs    set = 1<<sign | 1<<mark               // [^\s\p{L}\p{N}]
	prefixes set = 1<<sign | 1<<mark | 1<<space    // [^\r\n\p{L}\p{N}]
	uppers   set = 1<<upper | 1<<letter | 1<<mark  // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	lowers   set = 1<<lower | 1<<letter | 1<<mark  // [\p{Ll}\p{Lm}\p{Lo}\p{M}]
)

// pieces finds the pieces of a text. A piece may have a gigabyte: once ctx is
// cancelled, it ends anywhere.
type pieces struct {
	*classTable
	ctx context.Context
}

// goesOn reports whether a run is read on behind i. It checks ctx at poll, which it
// then moves on.
func (t pieces) goesOn(i int, poll *int) bool {
	if i < *poll {
		return true
	}
	*poll = i + pollBytes
	return t.ctx.Err() == nil
}

// run returns where the characters of a set that begin at i end.
func (t pieces) run(s string, i int, of set) int {
	for poll := i + pollBytes; t.goesOn(i, &poll); {
		c, n := t.at(s, i)
		if n == 0 || !of.has(c) {
			break
		}
		i += n
	}
	return i
}

// wordBytes has what plainEnd asks of a byte.
var wordBytes = func() (all [256]uint8) {
	for i := range all {
		switch c := byte(i); {
		case 'a' <= c && c <= 'z':
			all[i] = inPlain
		case c >= utf8.RuneSelf || c == '\'' || 'A' <= c && c <= 'Z':
			all[i] = notPlain
		}
	}
	return all
}()

const (
	_        = iota // ends the word
	inPlain         // belongs to it
	notPlain        // may go on or not
)

// plainEnd returns where the piece that begins at i ends in every encoding if it is a word
// of ASCII like most: a space or none, a capital letter or none, small letters, and then
// what ends it; else it returns 0.
func plainEnd(s string, i int) int {
	if s[i] == ' ' {
		i++
	}
	if i < len(s) && 'A' <= s[i] && s[i] <= 'Z' {
		i++
	}
	end := min(len(s), i+maxPlain)
	at := i
	for at < end && wordBytes[s[at]] == inPlain {
		at++
	}
	if at == i || at == end || wordBytes[s[at]] == notPlain {
		return 0
	}
	return at
}

// maxPlain is the largest number of small letters in plainEnd's words.
const maxPlain = 32

// splitter finds the end of the piece that begins at i < len(s). s is valid UTF-8.
type splitter func(t pieces, s string, i int) int

// patternO200k is the expression of o200k_base.
const patternO200k = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
	`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|` +
	`\p{N}{1,3}|` +
	` ?[^\s\p{L}\p{N}]+[\r\n/]*|` +
	`\s*[\r\n]+|` +
	`\s+(?!\S)|` +
	`\s+`

// splitO200k finds what patternO200k does.
func splitO200k(t pieces, s string, i int) int {
	c, n := t.at(s, i)
	switch c {
	case upper, lower, letter:
		end, capitals := t.wordEnd(s, i)
		return contractionEnd(s, max(end, capitals), true)
	case number:
		return t.threeNumbers(s, i)
	case newline:
		return t.spaceEnd(s, i, true)
	}
	// A sign, mark or space, which may be the one before a word.
	end, capitals := t.wordEnd(s, i+n)
	if end == 0 && c == mark { // then the mark itself is the word
		end, _ = t.wordEnd(s, i)
	}
	if end = max(end, capitals); end > 0 {
		return contractionEnd(s, end, true)
	}
	if c == sign {
		return t.breakEnd(s, t.run(s, i+n, signs), '/')
	}
	if s[i] == ' ' {
		if end := t.run(s, i+1, signs); end > i+1 {
			return t.breakEnd(s, end, '/')
		}
	}
	return t.spaceEnd(s, i, true)
}

// wordEnd returns where [upper letter mark]*[lower letter mark]+ ends that
// begins at i, or 0 and where [upper letter mark]+ ends, or 0.
func (t pieces) wordEnd(s string, i int) (end, capitals int) {
	last := 0 // behind the last letter or mark
	at := i
	for poll := i + pollBytes; t.goesOn(at, &poll); {
		c, n := t.at(s, at)
		if n == 0 || !uppers.has(c) {
			if c == lower {
				return t.run(s, at+n, lowers), 0
			}
			break
		}
		at += n
		if c != upper {
			last = at
		}
	}
	if last > 0 || at == i {
		return last, 0
	}
	return 0, at
}

// patternCL100k is the expression of cl100k_base.
const patternCL100k = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|` +
	`[^\r\n\p{L}\p{N}]?\p{L}+|` +
	`\p{N}{1,3}|` +
	` ?[^\s\p{L}\p{N}]+[\r\n]*|` +
	`\s*[\r\n]+|` +
	`\s+(?!\S)|` +
	`\s+`

// splitCL100k finds what patternCL100k does.
func splitCL100k(t pieces, s string, i int) int {
	c, n := t.at(s, i)
	if s[i] == '\'' {
		if end := contractionEnd(s, i, true); end > i {
			return end
		}
	}
	if letters.has(c) || prefixes.has(c) {
		if end := t.run(s, i+n, letters); end > i+n || letters.has(c) {
			return end
		}
	}
	if c == number {
		return t.threeNumbers(s, i)
	}
	at := i
	if s[i] == ' ' {
		at++
	}
	if end := t.run(s, at, signs); end > at {
		return t.breakEnd(s, end, '\n')
	}
	return t.spaceEnd(s, i, true)
}

// patternP50k is the expression of p50k_base and r50k_base.
const patternP50k = `'s|'t|'re|'ve|'m|'ll|'d|` +
	` ?\p{L}+|` +
	` ?\p{N}+|` +
	` ?[^\s\p{L}\p{N}]+|` +
	`\s+(?!\S)|` +
	`\s+`

// splitP50k finds what patternP50k does.
func splitP50k(t pieces, s string, i int) int {
	if s[i] == '\'' {
		if end := contractionEnd(s, i, false); end > i {
			return end
		}
	}
	at := i
	if s[i] == ' ' {
		at++
	}
	if c, n := t.at(s, at); n > 0 {
		for _, of := range [...]set{letters, numbers, signs} {
			if of.has(c) {
				return t.run(s, at+n, of)
			}
		}
	}
	return t.spaceEnd(s, i, false)
}

// threeNumbers returns where \p{N}{1,3} ends.
func (t *classTable) threeNumbers(s string, i int) int {
	for range 3 {
		c, n := t.at(s, i)
		if c != number {
			break
		}
		i += n
	}
	return i
}

// spaceEnd returns where the white space that begins at i ends: \s*[\r\n]+ if
// lines, else \s+(?!\S), else \s+.
func (t pieces) spaceEnd(s string, i int, lines bool) int {
	at, last, broken := i, i, 0 // last: where the last character begins
	for poll := i + pollBytes; t.goesOn(at, &poll); {
		c, n := t.at(s, at)
		if n == 0 || c != space && c != newline {
			break
		}
		last = at
		at += n
		if c == newline {
			broken = at
		}
	}
	switch {
	case lines && broken > 0:
		return broken
	case at == len(s) || last == i:
		return at
	}
	return last
}

// breakEnd returns where line breaks, and bytes like also, end: with a slash,
// [\r\n/]*.
func (t pieces) breakEnd(s string, i int, also byte) int {
	for poll := i + pollBytes; t.goesOn(i, &poll) && i < len(s) && (s[i] == '\r' || s[i] == '\n' || s[i] == also); {
		i++
	}
	return i
}

// longS is the only letter beyond ASCII that equals a letter of a contraction in another case.
// OpenAI's own matcher takes it for an s, tiktoken-go does not.
const longS = "ſ"

// contractionEnd returns where 's|'t|'re|'ve|'m|'ll|'d ends, or i; fold reads
// capitals too.
func contractionEnd(s string, i int, fold bool) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return i
	}
	at := func(k int) byte {
		c := byte(0)
		if k < len(s) {
			c = s[k]
		}
		if fold && 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	if fold && strings.HasPrefix(s[i+1:], longS) {
		return i + 1 + len(longS)
	}
	switch first, second := at(i+1), at(i+2); {
	case first == 's' || first == 't' || first == 'm' || first == 'd':
		return i + 2
	case (first == 'r' || first == 'v') && second == 'e', first == 'l' && second == 'l':
		return i + 3
	}
	return i
}
