package palette

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/sahilm/fuzzy"
)

// How well a typed word matches a word of a line.
const (
	noMatch = iota
	inOrder // the word has the letters in that order and begins with the first
	within  // the word contains what is typed
	begins  // the word begins with it
	whole   // the two are equal
)

// leastFuzzy is how many bytes a typed word needs to match by the order of its
// letters alone.
const leastFuzzy = 3

// wordsOf returns the words of a text in lower case. Spaces and ",;:()" separate
// words; other marks belong to them, since keys are named by such marks.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:()", r) })
}

// matching returns the indexes of the lines that every typed word matches, the
// best first. Lines that match equally well keep their order.
func matching(typed string, lines [][]string) []int {
	words := wordsOf(typed)
	score := make([]int, len(lines))
	var found []int
next:
	for i, line := range lines {
		for _, w := range words {
			s := Match(w, line)
			if s == noMatch {
				continue next
			}
			score[i] += s
		}
		found = append(found, i)
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return found
}

// Match returns how well a word in lower case matches the best of a line's words,
// from 0 for no match to 4 for an equal word.
func Match(word string, line []string) int {
	best := noMatch
	for _, w := range line {
		switch {
		case w == word:
			return whole
		case strings.HasPrefix(w, word):
			best = max(best, begins)
		case strings.Contains(w, word):
			best = max(best, within)
		}
	}
	if best > noMatch || len(word) < leastFuzzy {
		return best
	}
	for _, m := range fuzzy.Find(word, line) {
		if m.MatchedIndexes[0] == 0 && len(m.Str) <= 3*len(word) {
			return inOrder
		}
	}
	return noMatch
}
