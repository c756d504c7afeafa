package query

import (
	"strings"

	"cupelscope/model"
)

// pattern is text to find in contents, ASCII letters in either case.
//
// The search seeks one byte of the pattern, the one expected to be rarest,
// with the machine's fast byte search, and compares around each place found.
// A letter has two spellings: upper case is sought only before the next in lower
// case, which is remembered, so each byte is read at most twice. Contents are
// never copied or lowered. Worst case len(content) * len(pattern).
type pattern struct {
	lowered string
	rare    int // index in lowered of the byte that is sought
}

// common lists bytes by how often English text and code hold them, most common
// first. A byte that is not listed is taken to be rarer than all of these.
const common = " etaoinsrlhdcumpfgwybvk\n.,()\"-_/x=:;01'jqz"

func newPattern(s string) pattern {
	p := pattern{lowered: model.FoldASCII(s)}
	best := -1
	for i := range len(p.lowered) {
		rank := strings.IndexByte(common, p.lowered[i])
		if rank < 0 {
			rank = len(common)
		}
		if rank > best {
			p.rare, best = i, rank
		}
	}
	return p
}

// index returns where the pattern first occurs in s, or -1. An empty pattern occurs
// at 0.
func (p pattern) index(s string) int {
	if len(p.lowered) == 0 {
		return 0
	}
	if len(s) < len(p.lowered) {
		return -1
	}
	lower := p.lowered[p.rare]
	upper := lower
	if 'a' <= lower && lower <= 'z' {
		upper -= 'a' - 'A'
	}
	// Only places where the whole pattern has room are tried.
	end := len(s) - (len(p.lowered) - p.rare - 1)
	nextLower := p.rare - 1
	for at := p.rare; at < end; at++ {
		if nextLower < at {
			nextLower = find(s, lower, at, end)
		}
		if upper != lower {
			at = find(s, upper, at, nextLower)
		} else {
			at = nextLower
		}
		if at == end {
			return -1
		}
		if from := at - p.rare; model.EqualASCII(s[from:from+len(p.lowered)], p.lowered) {
			return from
		}
	}
	return -1
}

// find returns the index in s of the first c from from on, or end if there is none below it.
func find(s string, c byte, from, end int) int {
	if i := strings.IndexByte(s[from:end], c); i >= 0 {
		return from + i
	}
	return end
}

func hasFoldedPrefix(s, lowered string) bool {
	return len(s) >= len(lowered) && model.EqualASCII(s[:len(lowered)], lowered)
}
