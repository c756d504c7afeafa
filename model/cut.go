package model

import (
	"fmt"
	"sort"
	"strings"

	"cupelscope/model/plain"
)

// A cut keeps the head of a text, its tail, or both, and says in a line of its own how
// much is left out. Whole lines are kept while they fit; of a part in which not one line
// fits, the characters that do. A cut divides no grapheme, no character of several bytes
// and no escape sequence.
//
//	head line                 lines, from the start, to half of the room
//	… 811 tokens left out …   counted with the rest
//	tail line                 lines, from the end, in what is left

// cut returns at most n tokens of a text of whole tokens, as count counts them, and false
// if not even its first character fits. Where the line about what is left out takes more
// than half of n, the text goes without it. Apart from lines that are longer than n
// tokens, cut reads the kept part of the text alone.
func cut(text string, how How, n, whole Tokens, count func(string) Tokens) (string, bool) {
	c := cutter{text: text, count: count}
	line := leftOut(whole)
	room := n - count(line)
	if room < n/2 {
		room, line = n, ""
	}
	switch how {
	case Head:
		c.grow(room)
	case Tail:
		c.growTail(room)
	default:
		if line == "" { // two parts without a line between them read as one
			c.grow(room)
			break
		}
		c.grow(room / 2)
		c.growTail(room - c.headTokens)
		c.grow(room - c.tailTokens)
	}
	for {
		all := c.join(line, whole)
		switch {
		case c.head == 0 && c.tail == len(text):
			return "", false
		case count(all) <= n && all != text:
			return all, true
		}
		c.shorten() // tokens were counted a line at a time, and may join otherwise
	}
}

// leftOut returns the line about the tokens that a cut leaves out.
func leftOut(t Tokens) string { return "… " + plain.Count(t, "token") + " left out …" }

// noteOf returns the line that stands in place of an item that is out.
func noteOf(kind Kind, whole Tokens) string {
	return fmt.Sprintf("[%s of %s left out]", kind.Noun(), plain.Count(whole, "token"))
}

// cutter is a cut in the making: text[:head] and text[tail:] are kept.
type cutter struct {
	text  string
	count func(string) Tokens

	started, ended         bool // the head, the tail was grown before
	head, tail             int
	headTokens, tailTokens Tokens
	// headEnds and tailStarts are where the kept lines end and start, for shorten.
	headEnds, tailStarts []int
}

// end is where the tail begins, or the text ends where none is kept.
func (c *cutter) end() int {
	if !c.ended {
		return len(c.text)
	}
	return c.tail
}

// grow adds lines to the head while it has at most room tokens.
func (c *cutter) grow(room Tokens) {
	first := !c.started
	c.started = true
	if first {
		c.headEnds = append(c.headEnds, 0)
	}
	for c.head < c.end() {
		rest := c.text[c.head:c.end()]
		line := rest
		if at := strings.IndexByte(rest, '\n'); at >= 0 {
			line = rest[:at+1]
		}
		n, fits := c.fits(line, room-c.headTokens)
		if !fits {
			break
		}
		c.head, c.headTokens = c.head+len(line), c.headTokens+n
		c.headEnds = append(c.headEnds, c.head)
	}
	if first && c.head == 0 && c.end() > 0 {
		c.head = c.characters(c.text[:c.end()], room)
		c.headTokens = c.count(c.text[:c.head])
	}
}

// growTail is grow for the tail, which is grown once.
func (c *cutter) growTail(room Tokens) {
	c.ended, c.tail = true, len(c.text)
	c.tailStarts = append(c.tailStarts, c.tail)
	for c.tail > c.head {
		rest := c.text[c.head:c.tail]
		line := rest[strings.LastIndexByte(rest[:len(rest)-1], '\n')+1:]
		n, fits := c.fits(line, room-c.tailTokens)
		if !fits {
			break
		}
		c.tail, c.tailTokens = c.tail-len(line), c.tailTokens+n
		c.tailStarts = append(c.tailStarts, c.tail)
	}
	if c.tail == len(c.text) && c.tail > c.head {
		rest := c.text[c.head:]
		c.tail -= c.lastCharacters(rest[strings.LastIndexByte(rest[:len(rest)-1], '\n')+1:], room)
		c.tailTokens = c.count(c.text[c.tail:])
	}
}

// maxTokenBytes is more bytes than room tokens of ordinary text have: longer lines are
// taken apart without being counted as a whole.
const maxTokenBytes = 64

// fits returns the tokens of a line and whether they are at most room.
func (c *cutter) fits(line string, room Tokens) (Tokens, bool) {
	if room <= 0 || int64(len(line)) > maxTokenBytes*int64(min(room, MaxTokens)) {
		return 0, false
	}
	n := c.count(line)
	return n, n <= room
}

// characters returns the length of the longest start of s found that has at most room
// tokens and divides no unit.
func (c *cutter) characters(s string, room Tokens) int {
	s = s[:c.window(len(s), room, func(n int) string { return s[:n] })]
	ends := []int{0}
	for at := 0; at < len(s); {
		n := plain.Unit(c.text[at:]) // of the whole: s may end within a unit
		if at += n; at > len(s) {
			break
		}
		ends = append(ends, at)
	}
	return ends[sort.Search(len(ends)-1, func(k int) bool { return c.count(s[:ends[k+1]]) > room })]
}

// lastCharacters is characters for the end of s, which is the end of the text.
func (c *cutter) lastCharacters(s string, room Tokens) int {
	from := len(s) - c.window(len(s), room, func(n int) string { return s[len(s)-n:] })
	var starts []int
	for at := plain.UnitsFrom(s, from); at < len(s); at += plain.Unit(s[at:]) {
		if at >= from {
			starts = append(starts, at)
		}
	}
	starts = append(starts, len(s))
	k := sort.Search(len(starts)-1, func(k int) bool { return c.count(s[starts[k]:]) <= room })
	return len(s) - starts[k]
}

// window returns how many bytes, at most n, are enough to hold room tokens, where part
// returns that many: usual text has few bytes a token, so most lines are never counted as
// a whole.
func (c *cutter) window(n int, room Tokens, part func(n int) string) int {
	const usual = 8 // bytes a token
	maxBytes := int(min(int64(n), maxTokenBytes*int64(max(0, room))))
	size := min(maxBytes, usual*int(min(max(0, room), MaxTokens)))
	for size < maxBytes && c.count(part(size)) <= room {
		size = min(maxBytes, 2*size)
	}
	return size
}

// shorten takes a line, or where there is one alone a unit, off the longer part.
func (c *cutter) shorten() {
	if c.ended && (len(c.text)-c.tail >= c.head || !c.started) {
		if n := len(c.tailStarts); n > 1 {
			c.tailStarts = c.tailStarts[:n-1]
			c.tail = c.tailStarts[n-2]
		} else {
			c.tail += max(1, plain.Unit(c.text[c.tail:]))
		}
		return
	}
	if n := len(c.headEnds); n > 1 {
		c.headEnds = c.headEnds[:n-1]
		c.head = c.headEnds[n-2]
		return
	}
	last := 0
	for at := 0; at < c.head; at += plain.Unit(c.text[at:]) {
		last = at
	}
	c.head = last
}

// join returns the text that is kept, with the line between its parts.
func (c *cutter) join(line string, whole Tokens) string {
	if !c.ended {
		c.tail = len(c.text)
	}
	head, tail := c.text[:c.head], c.text[c.tail:]
	if line == "" {
		return head + tail
	}
	left := whole
	if head != "" {
		left -= c.count(head)
	}
	if tail != "" {
		left -= c.count(tail)
	}
	line = leftOut(max(1, left))
	if head != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	if tail != "" {
		line += "\n"
	}
	return head + line + tail
}
