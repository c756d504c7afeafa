package quality

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"cupelscope/model"
)

// MaxGrade bounds a grade, so that sums of them are exact.
const MaxGrade = 1 << 30

// Labels say what a case needed. The zero value says nothing.
type Labels struct {
	// Grades is by item of the set: 1 for a needed item, 2 and more for one that
	// is worth as much more, 0 for an item that was judged and is not needed. An
	// item that is not there was not judged.
	Grades map[int]int
	// Answers are strings of which one must stand in the result.
	Answers []string
	// Unreachable is the number of labels that name no item of the set. They are
	// no part of recall and told beside it.
	Unreachable int
}

// Validate reports the first label that cannot be: an item outside a set of n
// items, a grade outside 0 to MaxGrade, an answer without a word.
func (l Labels) Validate(n int) error {
	for _, item := range slices.Sorted(maps.Keys(l.Grades)) {
		switch grade := l.Grades[item]; {
		case item < 0 || item >= n:
			return fmt.Errorf("a label for item %d: there are %d items, numbered from 0", item, n)
		case grade < 0 || grade > MaxGrade:
			return fmt.Errorf("the grade of item %d is %d, must be 0 to %v", item, grade, model.Tokens(MaxGrade))
		}
	}
	for _, answer := range l.Answers {
		if Normalized(answer) == "" {
			return fmt.Errorf("the answer %.40q contains no words, so no item can match it", answer)
		}
	}
	if l.Unreachable < 0 {
		return fmt.Errorf("%d labels name no item, must be at least 0", l.Unreachable)
	}
	return nil
}

// Needed lists the items with a grade above 0, ascending.
func (l Labels) Needed() []int {
	var all []int
	for item, grade := range l.Grades {
		if grade > 0 {
			all = append(all, item)
		}
	}
	slices.Sort(all)
	return all
}

// Normalized is a text as the SQuAD evaluation compares it (Rajpurkar et al.,
// 2016): lower case, without punctuation and the articles a, an, the, words
// apart by single blanks. Punctuation outside ASCII is taken out, too.
func Normalized(text string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)), unicode.IsPunct(r):
			return -1
		}
		return r
	}, strings.ToLower(text))
	words := strings.Fields(plain)
	words = slices.DeleteFunc(words, func(w string) bool { return w == "a" || w == "an" || w == "the" })
	return strings.Join(words, " ")
}

// answersIn lists the items of a set that hold one of the answers as whole words,
// ascending: one pass over the contents.
func answersIn(s *model.Set, answers []string) []int {
	if len(answers) == 0 {
		return nil
	}
	wanted := make([]string, len(answers))
	for i, answer := range answers {
		wanted[i] = " " + Normalized(answer) + " "
	}
	var all []int
	for i := range s.Len() {
		content := " " + Normalized(s.Loaded(i).Content) + " "
		if slices.ContainsFunc(wanted, func(answer string) bool { return strings.Contains(content, answer) }) {
			all = append(all, i)
		}
	}
	return all
}
