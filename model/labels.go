package model

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"cupelscope/model/plain"
)

// MaxGrade is the largest grade, so that sums of grades are exact.
const MaxGrade = 1 << 30

// Labels say which items of a set were needed for its task. Scoring and
// selection do not read them. The zero value says nothing. Labels must not be
// changed once they are shared; Marked and First return changed copies.
type Labels struct {
	// Grades holds grades by the index of the item, 0 to MaxGrade: 1 for a needed
	// item, n for one worth n times as much, 0 for an item that was judged as not
	// needed. An item without an entry was not judged. In a scenario nil stands for
	// the labels that its items carry, and an empty map for no labels.
	Grades map[int]int
	// Answers are strings; the result must contain at least one of them.
	Answers []string
	// Missed holds the grades of needed items that a search did not find, so that
	// they are not in the set. They count in recall: they are needed, and never in.
	Missed []int
	// Unreachable is the number of labels with a grade above 0 that match no item at
	// all. Recall leaves them out, and reports state them beside it.
	Unreachable int
}

// Validate reports the first invalid label of a set of n items: one for an item
// outside the set, a grade outside 0 to MaxGrade, an answer without a word, or
// a negative Unreachable. Otherwise it returns nil.
func (l Labels) Validate(n int) error {
	for _, item := range slices.Sorted(maps.Keys(l.Grades)) {
		switch grade := l.Grades[item]; {
		case item < 0 || item >= n:
			return fmt.Errorf("a label for item %d: %s", item, plain.ThereAre(n))
		case grade < 0 || grade > MaxGrade:
			return fmt.Errorf("the grade of item %d is %d, must be 0 to %v", item, grade, Tokens(MaxGrade))
		}
	}
	for _, answer := range l.Answers {
		if Normalized(answer) == "" {
			return fmt.Errorf("the answer %.40q contains no words, so no item can match it", answer)
		}
	}
	for _, grade := range l.Missed {
		if grade < 1 || grade > MaxGrade {
			return fmt.Errorf("the grade of an item that was not found is %d, must be 1 to %v", grade, Tokens(MaxGrade))
		}
	}
	if l.Unreachable < 0 {
		return fmt.Errorf("%d labels name no item, must be at least 0", l.Unreachable)
	}
	return nil
}

// Needs reports whether the item has a grade above 0.
func (l Labels) Needs(item int) bool { return l.Grades[item] > 0 }

// Needed returns the items with a grade above 0, ascending.
func (l Labels) Needed() []int32 {
	var all []int32
	for item, grade := range l.Grades {
		if grade > 0 {
			all = append(all, int32(item))
		}
	}
	slices.Sort(all)
	return all
}

// First returns the labels without the grades of items from index n on. Answers
// and the labels of other items stay the same.
func (l Labels) First(n int) Labels {
	return l.Renumbered(func(item int) (int, bool) { return item, item < n })
}

// Marked returns the labels with the given items marked as needed or not. A
// needed item keeps its grade above 0, or else gets the grade that it has in
// loaded, at least 1. An item that is not needed gets grade 0 if loaded has a
// grade for it, and otherwise counts as not judged.
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

// Equal reports whether two Labels have the same grades and answers, and the same
// labels of items that are not in the set.
func (l Labels) Equal(other Labels) bool {
	same := reflect.ValueOf(l.Grades).Pointer() == reflect.ValueOf(other.Grades).Pointer() // nearly always, and there may be many
	return (same || maps.Equal(l.Grades, other.Grades)) && slices.Equal(l.Answers, other.Answers) && slices.Equal(l.Missed, other.Missed) && l.Unreachable == other.Unreachable
}

// IsZero reports whether no item was judged and no answer is known.
func (l Labels) IsZero() bool { return len(l.Grades) == 0 && len(l.Answers) == 0 && len(l.Missed) == 0 }

// NeededCount returns the number of needed items, with those that were not found.
func (l Labels) NeededCount() int { return len(l.Needed()) + len(l.Missed) }

// Normalized returns the text as the SQuAD evaluation compares it (Rajpurkar et
// al., 2016): in lower case, without punctuation, ASCII symbols and the
// articles a, an and the, words separated by single spaces. It removes
// punctuation outside ASCII too.
func Normalized(text string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || r < unicode.MaxASCII && unicode.IsSymbol(r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
	words := slices.DeleteFunc(strings.Fields(plain), func(w string) bool { return w == "a" || w == "an" || w == "the" })
	return strings.Join(words, " ")
}
