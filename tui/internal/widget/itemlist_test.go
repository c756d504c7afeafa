package widget

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/experiment"
)

func TestItemsAreSorted(t *testing.T) {
	f := sampleFrame(t, 150, false)
	items, rep, prof := f.Exp.Items(), f.Out.Report, f.Out.Profile
	never := func(b model.Tokens, ok bool) model.Tokens {
		if !ok {
			return 1 << 50
		}
		return b
	}
	repeats := 0
	stands := func(i int32) int { // what repeats an item is in where that is
		if rep.Codes[i] == model.Deduplicated {
			repeats++
			return rep.Reason(int(i)).By
		}
		return int(i)
	}
	density := func(i int32) float64 {
		if t := items.Tokens(int(i)); t > 0 {
			return rep.Scores[i] / float64(t)
		}
		return math.Inf(1)
	}
	for by, less := range map[Sort]func(a, b int32) int{
		ByInput:   func(a, b int32) int { return 0 },
		ByTokens:  func(a, b int32) int { return cmp.Compare(items.Tokens(int(b)), items.Tokens(int(a))) },
		ByScore:   func(a, b int32) int { return cmp.Compare(rep.Scores[b], rep.Scores[a]) },
		ByDensity: func(a, b int32) int { return cmp.Compare(density(b), density(a)) },
		ByFirst: func(a, b int32) int {
			return cmp.Compare(never(prof.FirstIn(stands(a))), never(prof.FirstIn(stands(b))))
		},
		ByStays: func(a, b int32) int {
			return cmp.Compare(never(prof.StaysFrom(stands(a))), never(prof.StaysFrom(stands(b))))
		},
		ByRanges: func(a, b int32) int {
			return len(prof.Bands(nil, int(b))) - len(prof.Bands(nil, int(a)))
		},
		ByState: func(a, b int32) int { return cmp.Compare(stateClass(f.Out, int(a)), stateClass(f.Out, int(b))) },
		ByKind:  func(a, b int32) int { return items.KindID(int(a)) - items.KindID(int(b)) },
	} {
		want := make([]int32, items.Len())
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, less)
		var p ItemList
		p.SortBy(by)
		p.Arrange(f.Out)
		job, needed := p.Job()
		musttest.Is(t, needed, by == ByRanges, "by", by, "work is needed")
		if needed {
			job.Run(t.Context())()
		}
		musttest.Is(t, p.rows, want, "by", by)
		p.Reverse()
		p.Arrange(f.Out)
		slices.Reverse(want)
		musttest.Is(t, p.rows, want, "by", by, "reversed")
	}
	if repeats == 0 {
		t.Error("no duplicate was sorted")
	}
	early := *f.Out
	early.Profile = nil // as long as it is being computed
	for _, by := range []Sort{ByFirst, ByStays} {
		var p ItemList
		p.SortBy(by)
		p.Arrange(&early)
		musttest.Is(t, p.rows[:3], []int32{0, 1, 2}, "by", by, "without a profile")
	}
	var p ItemList
	for range sorts - 1 { // nothing is labelled
		p.SortNext()
	}
	musttest.Is(t, p.sort.by, ByInput, "sorting by the next column does not come round")
}

func TestTheCursorStaysOnItsItem(t *testing.T) {
	f := sampleFrame(t, 150, false)
	var p ItemList
	p.Arrange(f.Out)
	if !p.Select(77) {
		t.Fatal("item 77 is not in the table")
	}
	at := func(want int, when string) {
		t.Helper()
		if got, ok := p.Selected(); !ok || got != want {
			t.Errorf("%s the cursor is on %d (%v), want %d", when, got, ok, want)
		}
	}
	for by := range sorts {
		p.SortBy(by)
		p.Arrange(f.Out)
		at(77, "sorted by "+by.String())
	}
	filter := func(text string) {
		t.Helper()
		q := musttest.Of(query.Parse(text))(t)
		p.Filter(q)
		p.Arrange(f.Out)
	}
	filter(`"text"`)
	at(77, "with a filter that all pass")
	kind := string(f.Exp.Items().Loaded(77).Kind)
	filter("kind:" + kind)
	at(77, "with a filter that it passes")
	filter("")
	at(77, "without a filter again")
	filter("#12")
	at(12, "with a filter that it does not pass")
	if p.Len() != 1 || p.Select(77) {
		t.Errorf("the filter #12 shows %d items", p.Len())
	}
	filter(`"no item has this"`)
	if _, ok := p.Selected(); ok || p.Len() != 0 {
		t.Error("an item of an empty table is selected")
	}
	p.Move(5)
	p.Bottom()
	p.Page(-1)
	p.Top()
	filter("")
	if _, ok := p.Selected(); !ok {
		t.Error("nothing is selected after the filter is gone")
	}
}

// While a filter is typed, the rows are those of a list that has never seen another filter.
func TestATypedFilterListsWhatMatches(t *testing.T) {
	f := sampleFrame(t, 150, false)
	var p ItemList
	p.Arrange(f.Out)
	check := func(text string) {
		t.Helper()
		q := musttest.Of(query.Parse(text))(t)
		p.Filter(q)
		p.Arrange(f.Out)
		facts := FactsOf(f.Out)
		var want []int32
		for i := range int32(f.Exp.Items().Len()) {
			if q.Match(&facts, int(i)) {
				want = append(want, i)
			}
		}
		if !slices.Equal(slices.Sorted(slices.Values(p.rows)), want) {
			t.Fatalf("sorted by %v the filter %q shows %v, want %v", p.sort.by, text, p.rows, want)
		}
	}
	for by := range sorts {
		p.SortBy(by)
		for _, text := range []string{"t", "te", "text 1", "text 12", "text 1", "text", "t", "", "t", "tool", "too", "1 is:in", "12 is:in", "is:in", "-1", "-12", "-1", "firstIn<900 1", "firstIn<900", ""} {
			check(text)
			p.Move(3) // to an item that the next filter may hide
		}
		for n := range maxPassed + 3 {
			check("t" + strings.Repeat(" e", n))
		}
		check("t")
	}
	p.SortBy(ByInput)
	for _, b := range []model.Tokens{3000, 9000} { // the same filter, of other facts
		check("1 is:in")
		check("1 is:in tok>100")
		musttest.Do(t, f.Exp.Apply(f.Exp.Setup().WithMax(b), experiment.Label{Name: "max"}, ""))
		compute(t, f)
		check("1 is:in tok>100")
		check("1 is:in")
	}
	// An item that stays in sight though it does not match has not passed.
	check("is:in")
	at, _ := p.Selected()
	musttest.Do(t, f.Exp.Apply(f.Exp.Setup().WithExcluded([]int{at}, true), experiment.Label{Name: "exclude"}, ""))
	compute(t, f)
	p.Arrange(f.Out)
	musttest.Is(t, p.staying, model.Some(at), "the excluded item stays")
	p.Move(1)
	check("is:in")
	check("is:in tok>0")
}

func TestTheTableFollowsTheBudget(t *testing.T) {
	f := sampleFrame(t, 150, false)
	var p ItemList
	p.SortBy(ByState)
	q := musttest.Of(query.Parse("is:in"))(t)
	p.Filter(q)
	for _, b := range []model.Tokens{5000, 3000, 9000, 1200, 16_000} {
		musttest.Do(t, f.Exp.Apply(f.Exp.Setup().WithMax(b), experiment.Label{Name: "max"}, ""))
		compute(t, f)
		p.Arrange(f.Out)
		musttest.Is(t, slices.Sorted(slices.Values(p.rows)), slices.Sorted(slices.Values(f.Out.Report.Included)), "at", b, "the filter is:in shows")
		if !slices.IsSortedFunc(p.rows, func(a, b int32) int { return cmp.Compare(stateClass(f.Out, int(a)), stateClass(f.Out, int(b))) }) {
			t.Errorf("at %v the rows are not sorted by state", b)
		}
	}
}

func TestMovingStopsAtTheEnds(t *testing.T) {
	f := sampleFrame(t, 10, false)
	var p ItemList
	p.Arrange(f.Out)
	for _, c := range []struct {
		name string
		move func()
		want int
	}{
		{"up from the top", func() { p.Move(-3) }, 0}, {"down", func() { p.Move(4) }, 4}, {"far down", func() { p.Move(1 << 40) }, 9},
		{"far up", func() { p.Move(-1 << 40) }, 0}, {"bottom", p.Bottom, 9}, {"top", p.Top, 0},
	} {
		c.move()
		if got, _ := p.Selected(); got != c.want {
			t.Errorf("%s: on %d, want %d", c.name, got, c.want)
		}
	}
}

func TestOrdersSayTheirDirection(t *testing.T) {
	var p ItemList
	for by, want := range map[Sort][2]string{
		ByInput: {"input", "input, last first"}, ByTokens: {"tokens, most first", "tokens"}, ByScore: {"score, most first", "score"}, ByDensity: {"score/1k, most first", "score/1k"},
		ByFirst: {"first in", "first in, last first"}, ByStays: {plain.StaysFrom, plain.StaysFrom + ", last first"}, ByRanges: {"number of ranges, most first", "number of ranges"}, ByState: {"state", "state, last first"}, ByKind: {"kind", "kind, last first"},
	} {
		p.SortBy(by)
		musttest.Is(t, p.SortText(), want[0], "sorted by", by, "it says")
		p.Reverse()
		musttest.Is(t, p.SortText(), want[1], "reversed by", by, "it says")
	}
}

// A table in groups is made anew when the version grows, so rows that go must let it grow.
func TestRowsThatGoAreAnotherVersion(t *testing.T) {
	var list ItemList
	list.Arrange(sampleFrame(t, 60, false).Out)
	before := list.Version()
	if list.Arrange(nil); len(list.Rows()) != 0 || list.Version() == before {
		t.Errorf("%d rows are left, version %d was %d before", len(list.Rows()), list.Version(), before)
	}
}

// In order of input the rows stay when an item is pinned. In the order of states they are made anew.
func TestRowsStayWhenAnItemIsPinned(t *testing.T) {
	f := sampleFrame(t, 60, false)
	var list ItemList
	list.Arrange(f.Out)
	pin := func(item int) {
		s := f.Exp.Setup().WithPinned(f.Exp.Items(), []int{item}, true)
		musttest.Do(t, f.Exp.Apply(s, experiment.Label{Name: "pinned"}, ""))
		compute(t, f)
		list.Arrange(f.Out)
	}
	before, rows := list.Version(), slices.Clone(list.Rows())
	if pin(3); list.Version() != before || !slices.Equal(list.Rows(), rows) {
		t.Errorf("a pin makes version %d of %d, rows %v of %v", list.Version(), before, list.Rows(), rows)
	}
	list.SortBy(ByState)
	list.Arrange(f.Out)
	before = list.Version()
	if pin(5); list.Version() == before {
		t.Error("the order of states stays when an item is pinned")
	}
}

// The largest items come first, those that are equally large in their order.
func TestLargest(t *testing.T) {
	set := musttest.Of(model.NewSet([]model.Item{{Content: "a", Tokens: 2}, {Content: "b", Tokens: 9}, {Content: "c", Tokens: 2}, {Content: "d", Tokens: 5}}))(t)
	for n, want := range [][]int32{nil, {1}, {1, 3}, {1, 3, 0}, {1, 3, 0, 2}, {1, 3, 0, 2}} {
		musttest.Is(t, Largest(set, []int32{0, 1, 2, 3}, n), want, n)
	}
}
