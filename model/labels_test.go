package model

import (
	"testing"

	"cupelscope/model/musttest"
)

func TestNormalized(t *testing.T) {
	for text, want := range map[string]string{
		"The  Answer, an apple!": "answer apple",
		"state-of-the-art":       "stateoftheart",
		"“Zürich” (CH)":          "zürich ch",
		"a":                      "",
		"3.5 %":                  "35",
	} {
		musttest.Is(t, Normalized(text), want, text)
	}
}

func TestLabelsThatCannotBe(t *testing.T) {
	for name, l := range map[string]Labels{
		"a label for item 3":     {Grades: map[int]int{3: 1}},
		"a label for item -1":    {Grades: map[int]int{-1: 1}},
		"the grade of item 0":    {Grades: map[int]int{0: -2}},
		`the answer "the"`:       {Answers: []string{"the"}},
		"-1 labels name no item": {Unreachable: -1},
	} {
		err := l.Validate(3)
		if err == nil || len(err.Error()) < len(name) || err.Error()[:len(name)] != name {
			t.Errorf("%v: %v, want %s ...", l, err, name)
		}
	}
	musttest.Do(t, (Labels{Grades: map[int]int{0: 0, 2: MaxGrade}, Answers: []string{"x"}}).Validate(3))
}

// Marking an item as needed keeps the grade that its file gives; marking it as not
// needed goes back to what was said of it.
func TestMarked(t *testing.T) {
	loaded := Labels{Grades: map[int]int{0: 3, 1: 0}}
	l := loaded.Marked(false, loaded, 0, 1, 2)
	if want := (Labels{Grades: map[int]int{0: 0, 1: 0}}); !l.Equal(want) {
		t.Errorf("not needed: %v", l.Grades)
	}
	l = l.Marked(true, loaded, 0, 1, 2)
	if want := (Labels{Grades: map[int]int{0: 3, 1: 1, 2: 1}}); !l.Equal(want) {
		t.Errorf("needed: %v", l.Grades)
	}
	if first := l.First(2); !first.Equal(Labels{Grades: map[int]int{0: 3, 1: 1}}) || len(l.Grades) != 3 {
		t.Errorf("of the first two: %v", first.Grades)
	}
	if l = l.Marked(false, loaded, 1, 2).Marked(true, loaded, 0); !l.Equal(loaded) || loaded.Grades[0] != 3 {
		t.Errorf("marked and not: %v", l.Grades)
	}
}
