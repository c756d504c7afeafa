package quality

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/polltest"
)

func TestReadLabelFile(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"TREC", "q1 0 d1 1\nq1 0 d2 0\n\nq2\t0\td1\t2\n", ""},
		{"TREC with spam", "q1 0 d1 1\nq1 0 d2 -2\nq2 0 d1 2", ""},
		{"BEIR", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td1\t2\n", ""},
		{"JSON lines", "\xef\xbb\xbf{\"case\": \"q1\", \"item\": \"d1\", \"relevance\": 1}\n{\"case\": \"q1\", \"item\": \"d2\", \"relevance\": 0}\r\n{\"item\": \"d1\", \"case\": \"q2\", \"relevance\": 2}", ""},
		{"ranx", "\xef\xbb\xbf" + `{"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}`, ""},
		{"ranx without labels", `{"q1": {}}`, "it has no labels"},
		{"ranx with a broken grade", `{"q1": {"d1": 0.5}}`, `the item "d1" of the case "q1": the grade "0.5" is not a whole number`},
		{"ranx with a grade that is no number", `{"q1": {"d1": true}}`, `the item "d1" of the case "q1": the grade "true" is not a whole number`},
		{"ranx with an item twice", `{"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2, "d1": 2}, "q1": {"d1": 1}}`, ""},
		{"ranx with two grades", `{"q1": {"d1": 1, "d1": 0}}`, `the item "d1" of the case "q1": the grade is 0, and was 1 before`},
		{"ranx with two grades in two objects", `{"q1": {"d1": 1}, "q1": {"d1": 0}}`, `the item "d1" of the case "q1": the grade is 0, and was 1 before`},
		{"said twice", "q1 0 d1 1\nq1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2", ""},
		{"nothing", "\n \n", "it has no labels"},
		{"a header alone", "query-id corpus-id score", "it has no labels"},
		{"three fields without a header", "q1 d1 1", "line 1: 3 fields in place of 4"},
		{"four fields below the header", "query-id corpus-id score\nq1 0 d1 1", "line 2: 4 fields in place of 3"},
		{"a broken grade", "q1 0 d1 1\n\nq1 0 d2 0.5", `line 3: the grade "0.5" is not a whole number`},
		{"a great grade", "q1 0 d1 2000000000", "line 1: the grade is 2000000000, must be at most 1,073,741,824"},
		{"two grades", "q1 0 d1 1\nq1 0 d1 2", "line 2: the grade is 2, and was 1 before"},
		{"broken JSON", "{\"case\": \"q1\"", "line 1: not a label like"},
		{"another field", `{"case": "q1", "item": "d1", "relevance": 1, "grade": 2}`, "line 1: not a label like"},
		{"no relevance", `{"case": "q1", "item": "d1"}`, "line 1: there is no relevance"},
		{"relevance as a boolean", `{"case": "q1", "item": "d1", "relevance": true}`, `line 1: the grade "true" is not a whole number`},
		{"no item", `{"case": "q1", "relevance": 1}`, "line 1: the case and the item must have a name"},
		{"two on a line", `{"case": "q1", "item": "d1", "relevance": 1} {}`, "line 1: there is more after the label"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := ReadLabelFile(t.Context(), []byte(test.text))
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Fatalf("got %v, want an error with %q", err, test.want)
				}
				return
			}
			musttest.Do(t, err)
			if !maps.Equal(f.cases["q1"], map[string]int{"d1": 1, "d2": 0}) || !maps.Equal(f.cases["q2"], map[string]int{"d1": 2}) || len(f.Cases()) != 2 {
				t.Errorf("got %v", f.cases)
			}
		})
	}
}

// Names between tabs may have blanks.
func TestColumnsBetweenTabs(t *testing.T) {
	f := musttest.Of(ReadLabelFile(t.Context(), []byte("query-id\tcorpus-id\tscore\nq 1\tthe first\t1\nq2 d1\t2\n")))(t)
	musttest.Is(t, f.cases, map[string]map[string]int{"q 1": {"the first": 1}, "q2": {"d1": 2}})
}

func TestLabelsOfItems(t *testing.T) {
	set, err := model.NewSet([]model.Item{
		{Content: "a", Metadata: map[string]any{"id": "d1"}}, {Content: "b", Metadata: map[string]any{"docid": float64(7)}}, {Content: "c", Source: "c.md"},
		{Content: "d"}, {Content: "e", Metadata: map[string]any{"_id": "twice"}}, {Content: "f", Metadata: map[string]any{"node_id": "twice"}},
	})
	musttest.Do(t, err)
	f := musttest.Of(ReadLabelFile(t.Context(), []byte("q 0 d1 1\nq 0 7 2\nq 0 c.md 0\nq 0 #3 3\nq 0 gone 1\nq 0 lost 0\nq 0 beyond 2\nr 0 twice 1\ns 0 d1 1\ns 0 #0 2")))(t)
	l, err := f.Labels("q", set, func(name string) bool { return name == "beyond" })
	if err != nil || !maps.Equal(l.Grades, map[int]int{0: 1, 1: 2, 2: 0, 3: 3}) || l.Unreachable != 1 || !slices.Equal(l.Missed, []int{2}) {
		t.Errorf("got %+v, %v", l, err)
	}
	musttest.Says(t, musttest.Refusal(f.Labels("r", set, nil)), "names #4 and #5", "a name of two items")
	musttest.Says(t, musttest.Refusal(f.Labels("s", set, nil)), "two labels name #0", "two grades of an item")
}

func FuzzReadLabelFile(f *testing.F) {
	f.Add("q1 0 d1 1\nq1 0 d2 -1")
	f.Add("query-id\tcorpus-id\tscore\nq1\td1\t1")
	f.Add(`{"case": 1, "item": "d1", "relevance": 1}`)
	f.Add(`{"case": null, "item": [], "relevance": 1e3}`)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := ReadLabelFile(t.Context(), []byte(text))
		if err != nil {
			return
		}
		for _, name := range file.Cases() {
			for item, grade := range file.cases[name] {
				if name == "" || item == "" || grade < 0 || grade > model.MaxGrade {
					t.Fatalf("the case %q has the item %q with the grade %d", name, item, grade)
				}
			}
		}
	})
}

func TestReadLabelFileIsCancelled(t *testing.T) {
	for _, one := range []string{"q 0 d 1\n", `{"case": "q", "item": "d", "relevance": 1}` + "\n"} {
		if f, err := ReadLabelFile(polltest.After(t.Context(), 20), []byte(strings.Repeat(one, 50))); !errors.Is(err, context.Canceled) {
			t.Errorf("of lines %q: %v, %v", one, f, err)
		}
	}
	var items, cases strings.Builder
	for i := range 50 {
		fmt.Fprintf(&items, `"d%d": 1,`, i)
		fmt.Fprintf(&cases, `"q%d": {"d": 1},`, i)
	}
	for _, text := range []string{`{"q": {` + items.String() + `"e": 1}}`, "{" + cases.String() + `"r": {"d": 1}}`} {
		f, err := ReadLabelFile(t.Context(), []byte(text))
		if err != nil || len(f.Cases()) != 1 && len(f.Cases()) != 51 {
			t.Fatalf("%q: %v", text, err)
		}
		for looked := range 51 { // a look at each label
			musttest.Is(t, musttest.Refusal(ReadLabelFile(polltest.After(t.Context(), looked), []byte(text))), context.Canceled, "an object, cancelled after", looked, "looks")
		}
	}
}
