package palette

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// How well a typed word matches a word of a line.
const (
	noMatch = iota
	inOrder // what is typed abbreviates it
	within  // the word contains what is typed
	begins  // the word begins with it
	whole   // the two are equal
)

// minFuzzy is how many bytes a typed word needs to match as an abbreviation.
const minFuzzy = 3

// wordsOf returns the words of a text in lower case. Spaces and ",;:()" separate
// words; other marks belong to them, since keys are named by such marks.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r == ',' || r == ';' || r == ':' || r == '(' || r == ')' || unicode.IsSpace(r)
	})
}

// fillers are words of a sentence that say nothing of what is wanted.
var fillers = strings.Fields("a an the this that it i me my can could should want would how do does what which where why what's when if is are to of for with show turn make let")

// telling returns the words that are no fillers.
func telling(words []string) (all []string) {
	for _, w := range words {
		if !slices.Contains(fillers, w) {
			all = append(all, w)
		}
	}
	return all
}

// entry holds the words that a line is found by: those of the knob that it sets, those of what it does in short, those
// that it shows, and all. An idle line does nothing now; first is the word that it begins with.
type entry struct {
	knob, short    []string
	shown, all     []string
	first          string
	idle, explains bool
}

// entryOf returns the words that a command is found by.
func entryOf(c Command) entry {
	short, _, _ := strings.Cut(c.Text, ";")
	short, _, _ = strings.Cut(short, ":")
	e := entry{short: wordsOf(short), idle: c.Why != "" && !c.Done, explains: c.Group == legendGroup}
	group, rest, keys := wordsOf(c.Group), wordsOf(c.Text[len(short):]), wordsOf(c.Keys)
	e.all = slices.Concat(group, e.short, rest, keys, wordsOf(c.Words))
	e.shown = e.all[:len(group)+len(e.short)+len(rest)+len(keys)]
	if len(e.short)+len(rest) > 0 {
		e.first = e.all[len(group)]
	}
	if knob, ok := strings.CutPrefix(c.Text, "set "); ok {
		knob, _, _ = strings.Cut(knob, ":")
		e.knob = wordsOf(knob)
	}
	return e
}

// index is the lines that are searched, and how well they match the words that were typed last: while a
// line is typed only its last word is another.
type index struct {
	lines []entry
	rated map[string][]rating
}

// rating is how well a line matches a word: by what it shows, by its further words, by the knob that it sets
// and by what it does in short.
type rating struct{ shown, other, knob, short int8 }

// maxRated is how many words an index keeps.
const maxRated = 32

// rate returns how well each line matches a word.
func (x *index) rate(word string) []rating {
	if x.rated == nil || len(x.rated) >= maxRated {
		x.rated = map[string][]rating{}
	}
	all, known := x.rated[word]
	for i := 0; i < len(x.lines) && !known; i++ {
		line := &x.lines[i]
		r := rating{shown: int8(Match(word, line.shown)), other: int8(Match(word, line.all[len(line.shown):]))}
		if r.shown > noMatch {
			r.knob, r.short = int8(Match(word, line.knob)), int8(Match(word, line.short))
		}
		all = append(all, r)
	}
	x.rated[word] = all
	return all
}

// matching returns the indexes of the lines that match every typed word, the best
// first; sure: none only by a part of it or by its letters. If there is none, it returns those that
// have the most of the words, which is at least half, and how many. A word that a line shows counts more than others that
// match as well. An idle line comes behind all that do something, unless it begins with the first word
// and shows every word as it is typed; of lines that match equally well those whose knob is named so come
// first, then those that say the first word in short, and others keep their order; one that explains comes behind all others.
func (x *index) matching(words []string, sure bool) (found []int, matched int) {
	var ratings [][]rating
	for _, w := range words {
		ratings = append(ratings, x.rate(w))
	}
	score, behind := make([]int, len(x.lines)), make([]int, len(x.lines))
	best := 0
	for i := range x.lines {
		line := &x.lines[i]
		all, clear, certain := 0, 0, true // how many words match, how many surely, whether all do
		for k, w := range words {
			r := ratings[k][i]
			shown := int(r.shown)
			if line.idle && (shown < whole || words[0] != line.first) {
				behind[i] = 1
			}
			s := max(shown, int(r.other))
			if s != noMatch {
				all++
				score[i] += s + max(s-1, shown)
			}
			if s >= begins && len(w) >= minFuzzy {
				clear++
			} else if s < begins || s < whole && k < len(words)-1 { // the last one may still be typed
				certain = false
			}
		}
		if all == len(words) && all > 1 && (inRow(line.all, words) || inRow(telling(line.short), telling(words))) {
			score[i] += 2 * whole * len(words) // more than showing each of them
		}
		if line.explains {
			behind[i] = 2
		}
		score[i] *= 2
		if line.idle {
			score[i]--
		}
		first := ratings[0][i]
		score[i] = 4*score[i] + 2*int(first.knob/begins) + int(first.short/whole)
		n := clear
		if all == len(words) && (certain || !sure) {
			n = all
		}
		if n > best {
			found, best = found[:0], n
		}
		if n == best && 2*n >= len(words) {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Or(behind[a]-behind[b], score[b]-score[a]) })
	return found, best
}

// inRow reports whether a line has the words one after the other.
func inRow(line, words []string) bool {
	spaced := func(all []string) string { return " " + strings.Join(all, " ") + " " }
	return strings.Contains(spaced(line), spaced(words))
}

// Match returns how well a word in lower case matches the best of a line's words,
// from 0 for no match to 4 for an equal word.
func Match(word string, line []string) int {
	best := noMatch
	for _, w := range line {
		if len(w) < len(word) {
			continue
		}
		switch at := strings.Index(w, word); {
		case len(w) == len(word) && at == 0:
			return whole
		case at == 0:
			best = begins
		case at > 0:
			best = max(best, within)
		}
	}
	if best > noMatch || len(word) < minFuzzy {
		return best
	}
	if one := strings.TrimSuffix(word, "s"); one != word && one[len(one)-1] != 's' && len(one) >= minFuzzy {
		return Match(one, line)
	}
	if slices.ContainsFunc(line, func(w string) bool { return abbreviates(word, w) }) {
		return inOrder
	}
	return noMatch
}

// abbreviates reports whether a word is another without some of its vowels and a consonant for each
// five letters, one more where no vowel is left: "grdy" is greedy, but "nice" is not notice.
func abbreviates(word, long string) bool {
	const vowels = "aeiou"
	if !strings.HasPrefix(long, word[:1]) {
		return false
	}
	left := len(word) / 5
	if !strings.ContainsAny(word[1:], vowels) {
		left++
	}
	for k := range len(long) {
		switch {
		case word != "" && word[0] == long[k]:
			word = word[1:]
		case !strings.Contains(vowels, long[k:k+1]):
			left--
		}
	}
	return word == "" && left >= 0
}
