package model

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"cupelscope/model/musttest"
)

func setOf(t *testing.T, items ...Item) *Set {
	t.Helper()
	return musttest.Of(NewSet(items))(t)
}

func at(second int) Option[time.Time] { return Some(time.Unix(int64(second), 0)) }

func TestCarryEdits(t *testing.T) {
	text := func(contents ...string) *Set {
		var items []Item
		for _, c := range contents {
			items = append(items, Item{Content: c})
		}
		return setOf(t, items...)
	}
	pins := func(at ...int) Edits {
		e := Edits{Pinned: map[int]bool{}}
		for _, i := range at {
			e.Pinned[i] = true
		}
		return e
	}
	for _, c := range []struct {
		name     string
		old, now *Set
		edits    Edits
		want     Edits
		says     string
	}{
		{"nothing changed", text("a", "b"), text("a", "b"), pins(1), pins(1), "nothing changed"},
		{"one in front", text("a", "b"), text("new", "a", "b"), pins(1), pins(2), "1 item new"},
		{"one taken away", text("a", "b", "c"), text("a", "c"), pins(2), pins(1), "1 item gone"},
		{"the edited one taken away", text("a", "b"), text("a", "c", "d", "e"), pins(0, 1), pins(0), "3 items new, 1 gone, edits of 1 lost"},
		{"another order", text("a", "b", "c"), text("b", "a", "c"), pins(0), pins(1), "2 items moved"},
		{"twins keep their order", text("a", "x", "a"), text("x", "a", "a"), pins(2), pins(2), "2 items moved"},
		{"a twin less", text("a", "a", "b"), text("a", "b"), pins(0, 2), pins(0, 1), "1 item gone"},
		{"all gone", text("a"), text("b"), pins(0), Edits{}, "1 item new, 1 gone, edits of 1 lost"},
		{"another kind is another item", setOf(t, Item{Content: "a", Kind: "Memory"}), setOf(t, Item{Content: "a", Kind: "Document"}), pins(0), Edits{}, "1 item new, 1 gone, edits of 1 lost"},
		{"a kind spelled otherwise is not", setOf(t, Item{Content: "a", Kind: "Memory"}), setOf(t, Item{Content: "a", Kind: "memory"}), pins(0), pins(0), "nothing changed"},
		{"times tell twins apart", setOf(t, Item{Content: "a", Timestamp: at(1)}, Item{Content: "a", Timestamp: at(2)}),
			setOf(t, Item{Content: "a", Timestamp: at(2)}, Item{Content: "a", Timestamp: at(1)}), pins(0), pins(1), "2 items moved"},
		{"a file that was touched", setOf(t, Item{Content: "a", Timestamp: at(1)}), setOf(t, Item{Content: "a", Timestamp: at(9)}), pins(0), pins(0), "nothing changed"},
		{"every edit of an item", text("a", "b"), text("b"),
			Edits{Pinned: map[int]bool{1: false}, Excluded: map[int]bool{0: true, 1: true}, Tokens: map[int]Tokens{1: 7}, Hints: map[int]float64{0: 1, 1: 0.5}},
			Edits{Pinned: map[int]bool{0: false}, Excluded: map[int]bool{0: true}, Tokens: map[int]Tokens{0: 7}, Hints: map[int]float64{0: 0.5}}, "1 item gone, edits of 1 lost"},
		{"a query over the same items", text("a", "b"), text("a", "b"), Edits{Query: Query{"q", []float64{1, 0}}}, Edits{Query: Query{"q", []float64{1, 0}}}, "nothing changed"},
		{"a query over others is to be asked again", text("a", "b"), text("a", "b", "c"), Edits{Query: Query{"q", []float64{1, 0}}}, Edits{Query: Query{Text: "q"}}, "1 item new"},
		{"an edit of no item", text("a"), text("a"), pins(5), Edits{}, "edits of 1 lost"},
		{"no items at all", text(), text(), Edits{}, Edits{}, "nothing changed"},
	} {
		before := c.edits.Clone()
		got, carried := CarryEdits(c.old, c.now, c.edits)
		musttest.Is(t, got, c.want, c.name, carried)
		musttest.Is(t, carried.String(), c.says, c.name, carried)
		musttest.Is(t, before, c.edits, c.name, "the edits given were changed")
		musttest.Is(t, musttest.Refusal(c.now.With(got)), nil, c.name)
	}
}

// Whatever changes: items are matched one to one, with equal content and kind,
// as many as can be, and an edit is kept exactly when its item is.
func TestCarryEditsMatches(t *testing.T) {
	for seed := range 2000 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		random := func() *Set {
			items := make([]Item, r.IntN(12))
			for i := range items {
				items[i] = Item{Content: string(rune('a' + r.IntN(4))), Kind: []Kind{"Memory", "Document"}[r.IntN(2)]}
				if r.IntN(2) == 0 {
					items[i].Timestamp = at(r.IntN(3))
				}
			}
			return setOf(t, items...)
		}
		old, now := random(), random()
		e := Edits{Excluded: map[int]bool{}, Hints: map[int]float64{}}
		for i := range old.Len() {
			if r.IntN(3) == 0 {
				e.Excluded[i] = true
			}
			if r.IntN(3) == 0 {
				e.Hints[i] = float64(i)
			}
		}
		got, c := CarryEdits(old, now, e)
		count := func(s *Set) map[string]int {
			n := map[string]int{}
			for i := range s.Len() {
				n[fmt.Sprint(s.Loaded(i).Content, s.Loaded(i).Kind)]++
			}
			return n
		}
		both := 0
		for what, n := range count(old) {
			both += min(n, count(now)[what])
		}
		used := map[int]bool{}
		for i := range old.Len() {
			j, ok := c.Index(i)
			if !ok {
				if _, kept := e.Hints[i]; kept && c.Lost == 0 {
					t.Fatalf("seed %d: the loss of item %d is not told", seed, i)
				}
				continue
			}
			if a, b := old.Loaded(i), now.Loaded(j); used[j] || a.Content != b.Content || !a.Kind.Is(b.Kind) {
				t.Fatalf("seed %d: item %d is matched with %d", seed, i, j)
			}
			used[j] = true
			musttest.Is(t, got.Excluded[j], e.Excluded[i], "seed", seed, "the edits of item", i)
			musttest.Is(t, got.Hints[j], e.Hints[i], "seed", seed, "the edits of item", i)
		}
		if len(used) != both || c.Gone != old.Len()-both || c.New != now.Len()-both || len(got.Excluded) > len(used) {
			t.Fatalf("seed %d: %d matched, want %d; %+v", seed, len(used), both, c)
		}
		// The same set again changes nothing.
		if again, same := CarryEdits(old, old, e); same.String() != "nothing changed" || !reflect.DeepEqual(again.Clone().Hints, nonempty(e.Hints)) {
			t.Fatalf("seed %d: the same set: %+v", seed, same)
		}
	}
}

func nonempty[T any](m map[int]T) map[int]T {
	if len(m) == 0 {
		return nil
	}
	return m
}

// Labels go with their items; one whose item is gone is counted.
func TestCarriedLabels(t *testing.T) {
	old := setOf(t, Item{Content: "a"}, Item{Content: "b"}, Item{Content: "c"})
	_, c := CarryEdits(old, setOf(t, Item{Content: "new"}, Item{Content: "c"}), Edits{})
	got := c.Labels(Labels{Grades: map[int]int{0: 2, 2: 3}, Answers: []string{"x"}, Unreachable: 1}, Labels{Grades: map[int]int{0: 4, 1: 9}})
	if want := (Labels{Grades: map[int]int{0: 4, 1: 3}, Answers: []string{"x"}, Unreachable: 2}); !got.Equal(want) {
		t.Errorf("got %+v", got)
	}
	if got := c.Labels(Labels{Grades: map[int]int{0: 1}}, Labels{}); got.Grades == nil || got.Unreachable != 1 {
		t.Errorf("all gone: %+v", got)
	}
	if got := c.Labels(Labels{}, Labels{Grades: map[int]int{0: 1}}); got.Grades[0] != 1 {
		t.Errorf("nothing was said before: %+v", got)
	}
}
