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
	inOrder // its letters are there in that order, the first at the beginning
	within
	begins
	whole
)

// leastFuzzy is how many letters a word needs for its letters alone to match.
const leastFuzzy = 3

// wordsOf are the words of a text in lower case; marks that keys are named by
// are words too.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:()", r) })
}

// matching lists the lines that every typed word is in, the best first; of equal
// ones the earlier.
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

// Match is how well a word in lower case matches the best of a line's words; 0:
// it matches none.
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
