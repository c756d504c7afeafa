package model

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// MaxGrade bounds a grade, so that sums of them are exact.
const MaxGrade = 1 << 30

// Labels say what was needed of a set. Nothing that scores or selects sees them.
// The zero value says nothing. They are not changed once they are shared: With
// makes others.
type Labels struct {
	// Grades is by item of the set: 1 for a needed item, 2 and more for one that
	// is worth as much more, 0 for an item that was judged and is not needed. An
	// item that is not there was not judged. In a scenario, nil stands for the
	// labels that its items carry, and an empty map for none.
	Grades map[int]int
	// Answers are strings of which one must stand in the result.
	Answers []string
	// Unreachable is the number of labels that name no item of the set. They are
	// no part of recall, and told beside it.
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
			return fmt.Errorf("the grade of item %d is %d, must be 0 to %v", item, grade, Tokens(MaxGrade))
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

// Needs reports whether an item has a grade above 0.
func (l Labels) Needs(item int) bool { return l.Grades[item] > 0 }

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

// First is what l says of the first n items of a set.
func (l Labels) First(n int) Labels {
	if grades := maps.Clone(l.Grades); grades != nil {
		maps.DeleteFunc(grades, func(item, _ int) bool { return item >= n })
		l.Grades = grades
	}
	return l
}

// Marked is l with items needed, or not. A needed one has the grade that it has in
// loaded, or else 1. One that is not goes back to what was said of it there: not
// judged, or, where it was needed, judged and not needed.
func (l Labels) Marked(needed bool, loaded Labels, items ...int) Labels {
	grades := make(map[int]int, len(l.Grades)+len(items))
	maps.Copy(grades, l.Grades)
	for _, i := range items {
		grade, judged := loaded.Grades[i]
		switch {
		case needed && l.Grades[i] == 0:
			grades[i] = max(1, grade)
		case needed:
		case judged:
			grades[i] = 0
		default:
			delete(grades, i)
		}
	}
	l.Grades = grades
	return l
}

// Equal reports whether two labels say the same.
func (l Labels) Equal(other Labels) bool {
	same := reflect.ValueOf(l.Grades).Pointer() == reflect.ValueOf(other.Grades).Pointer() // nearly always, and there may be many
	return (same || maps.Equal(l.Grades, other.Grades)) && slices.Equal(l.Answers, other.Answers) && l.Unreachable == other.Unreachable
}

// IsZero reports whether nothing is known: no item was judged, no answer is known.
func (l Labels) IsZero() bool { return len(l.Grades) == 0 && len(l.Answers) == 0 }

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
