package overlay

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/order"
)

// lineCells is how many cells of a first line are searched.
const lineCells = 160

// Line returns the line by which an item is found.
func Line(set *model.Set, i int) string {
	it := set.Loaded(i)
	return plain.Line(it.Kind.Noun()+" "+it.Headline(4*lineCells), lineCells)
}

// lines holds the lines of all items in the form that a search compares, so that a search
// allocates nothing for each item.
type lines struct {
	text   []byte   // the lines one after the other, folded
	ends   []int    // by item: where its line ends in text
	begins []uint64 // a bit for each byte of text: a word begins there
}

// pollEvery is how many items are read or searched between two looks at a context.
const pollEvery = 1024

// readLines returns the lines of a set, or the error of ctx.
func readLines(ctx context.Context, set *model.Set) (*lines, error) {
	l := &lines{}
	for i := range set.Len() {
		if i%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l.add(Line(set, i))
	}
	return l, nil
}

// add adds the line of the next item.
func (l *lines) add(line string) {
	for len(l.begins)<<6 < len(l.text)+len(line) { // folding makes no line longer
		l.begins = append(l.begins, 0)
	}
	var last rune
	for _, c := range line {
		at := len(l.text)
		if begins(last, c) {
			l.begins[at>>6] |= 1 << (at & 63)
		}
		l.text = utf8.AppendRune(l.text, fold(c))
		last = c
	}
	l.ends = append(l.ends, len(l.text))
}

// begins reports whether a word begins with c after last.
func begins(last, c rune) bool {
	switch last {
	case '/', '-', '_', ' ', '.', '\\':
		return true
	}
	return unicode.IsUpper(c) && unicode.IsLower(last)
}

// fold returns the least of the characters that differ from c only in case.
func fold(c rune) rune {
	switch {
	case c < utf8.RuneSelf:
		return unicode.ToUpper(c)
	case c >= 0x3000 && c < 0xa000: // Chinese and Japanese: no case
		return c
	}
	least := c
	for r := unicode.SimpleFold(c); r != c; r = unicode.SimpleFold(r) {
		least = min(least, r)
	}
	return least
}

// first returns the first items of so many, at most 1,000.
func first(items int) []int32 {
	found := make([]int32, min(items, maxFound))
	for i := range found {
		found[i] = int32(i)
	}
	return found
}

// find returns the items whose line has the characters of search in that order: the best
// first, at most 1,000. A number, with or without #, is also the index of an item, and that
// item comes before the others. The error is ctx's.
func (l *lines) find(ctx context.Context, search string) ([]int32, error) {
	if search == "" {
		return first(len(l.ends)), nil
	}
	digits := search
	if len(search) > 1 && search[0] == '#' {
		digits = search[1:]
	}
	found := []int32{}
	if i, err := strconv.Atoi(digits); err == nil && i >= 0 && i < len(l.ends) {
		found = append(found, int32(i))
	}
	var want [][]byte
	for _, c := range search {
		want = append(want, []byte(string(fold(c))))
	}
	items, keys := make([]int32, 0, len(l.ends)), make([]uint64, 0, len(l.ends))
	from := 0
	for i, end := range l.ends {
		if i%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if score, ok := l.score(from, end, want); ok && !slices.Contains(found, int32(i)) {
			items, keys = append(items, int32(i)), append(keys, order.Key(float64(score)))
		}
		from = end
	}
	for _, k := range order.Sorted(keys)[:min(len(keys), maxFound)] {
		found = append(found, items[k])
	}
	return found, nil
}

// score returns how well the line from a byte of the text to another matches the characters
// that are wanted, in their order; false if it does not have them. It scores as package fuzzy
// does, which finds what to highlight on the screen: a character is worth most where a word
// begins and right after the character before. Each is looked for up to the first place of the
// next.
func (l *lines) score(from, end int, want [][]byte) (score int, ok bool) {
	line := l.text[from:end]
	first := bytes.Index(line, want[0])
	if first < 0 {
		return 0, false
	}
	before, run := -1, 0 // where the last character ends, and what those side by side are worth
	for k, c := range want {
		rest := first + len(c)
		stop := len(line)
		if k+1 < len(want) {
			next := bytes.Index(line[rest:], want[k+1])
			if next < 0 {
				return 0, false
			}
			stop = rest + next
		}
		at, worth := first, l.worth(from, first)
		if first == before {
			worth, run = worth+2*run+5, 3*run+5
		}
		for i := first; worth < beginning; {
			next := bytes.Index(line[i+len(c):stop], c)
			if next < 0 {
				break
			}
			if i += len(c) + next; l.worth(from, i) > worth {
				at, worth = i, l.worth(from, i)
			}
		}
		if k == 0 {
			score += max(-5*at, -15)
		}
		score += worth
		first, before = stop, at+len(c)
	}
	return score + len(want) - len(line), true
}

// beginning is what a character is worth where a word begins.
const beginning = 20

// worth returns what a character is worth at a byte of the line that begins at from.
func (l *lines) worth(from, at int) int {
	switch b := from + at; {
	case at == 0:
		return beginning / 2
	case l.begins[b>>6]>>(b&63)&1 == 1:
		return beginning
	}
	return 0
}
