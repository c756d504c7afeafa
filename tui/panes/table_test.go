package panes

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/simulate/query"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
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
		ByFirst:   func(a, b int32) int { return cmp.Compare(never(prof.First(int(a))), never(prof.First(int(b)))) },
		ByStays:   func(a, b int32) int { return cmp.Compare(never(prof.Stays(int(a))), never(prof.Stays(int(b)))) },
		ByState:   func(a, b int32) int { return stateClass(f.Out, int(a)) - stateClass(f.Out, int(b)) },
		ByKind:    func(a, b int32) int { return items.KindID(int(a)) - items.KindID(int(b)) },
	} {
		want := make([]int32, items.Len())
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, less)
		var p Items
		p.SortBy(by)
		p.Arrange(f.Out)
		if !slices.Equal(p.rows, want) {
			t.Errorf("by %v: %v, want %v", by, p.rows, want)
		}
		p.Reverse()
		p.Arrange(f.Out)
		slices.Reverse(want)
		if !slices.Equal(p.rows, want) {
			t.Errorf("by %v reversed: %v, want %v", by, p.rows, want)
		}
	}
	var p Items
	for range sorts {
		p.SortNext()
	}
	if p.sort.by != ByInput {
		t.Error("sorting by the next column does not come round")
	}
}

func TestTheCursorStaysOnItsItem(t *testing.T) {
	f := sampleFrame(t, 150, false)
	var p Items
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
		q, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
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

func TestTheTableFollowsTheBudget(t *testing.T) {
	f := sampleFrame(t, 150, false)
	var p Items
	p.SortBy(ByState)
	q, err := query.Parse("is:in")
	if err != nil {
		t.Fatal(err)
	}
	p.Filter(q)
	for _, b := range []model.Tokens{5000, 3000, 9000, 1200, 16_000} {
		if err := f.Exp.Apply(f.Exp.Setup().WithMax(b), experiment.Label{Name: "max"}, ""); err != nil {
			t.Fatal(err)
		}
		compute(t, f)
		p.Arrange(f.Out)
		if got, want := slices.Sorted(slices.Values(p.rows)), slices.Sorted(slices.Values(f.Out.Report.Included)); !slices.Equal(got, want) {
			t.Errorf("at %v the filter is:in shows %v, in are %v", b, got, want)
		}
		if !slices.IsSortedFunc(p.rows, func(a, b int32) int { return stateClass(f.Out, int(a)) - stateClass(f.Out, int(b)) }) {
			t.Errorf("at %v the rows are not sorted by state", b)
		}
	}
}

func TestMovingStopsAtTheEnds(t *testing.T) {
	f := sampleFrame(t, 10, false)
	var p Items
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

func TestCompareSkipsHeadings(t *testing.T) {
	f := sampleFrame(t, 150, false)
	var p Compare
	for _, only := range []bool{false, true, false} {
		p.OnlyDifferent = only
		p.Arrange(f.Exp, f.Side)
		var walked []int
		p.Top()
		for {
			i, ok := p.Selected()
			if !ok {
				t.Fatal("the cursor is on a heading")
			}
			walked = append(walked, i)
			before := p.cursor
			p.Move(1)
			if p.cursor == before {
				break
			}
		}
		var want []int
		for _, r := range p.rows {
			if r.item >= 0 {
				want = append(want, r.item)
			}
		}
		if !slices.Equal(walked, want) || !only && len(walked) != f.Exp.Items().Len() {
			t.Fatalf("walking down passes %v, the rows are %v", walked, want)
		}
		for range len(walked) {
			p.Move(-1)
		}
		if i, _ := p.Selected(); i != want[0] {
			t.Errorf("walking up ends on %d, want %d", i, want[0])
		}
		p.Bottom()
		if i, _ := p.Selected(); i != want[len(want)-1] {
			t.Errorf("the last is %d, want %d", i, want[len(want)-1])
		}
		p.Page(-1)
		if _, ok := p.Selected(); !ok {
			t.Error("a page up ends on a heading")
		}
	}
	if !p.Select(33) {
		t.Fatal("item 33 is not there")
	}
	p.OnlyDifferent = true
	p.Arrange(f.Exp, f.Side)
	if _, ok := p.Selected(); !ok && len(p.result.OnlyA)+len(p.result.OnlyB) > 0 {
		t.Error("after rows went away the cursor is on a heading")
	}
}

func TestCompareWithoutDifferences(t *testing.T) {
	f := sampleFrame(t, 20, false)
	now := f.Exp.Setup()
	if err := f.Exp.Apply(now.WithPolicy(experiment.B, now.Policy[experiment.A]), experiment.Label{Name: "store"}, ""); err != nil {
		t.Fatal(err)
	}
	compute(t, f)
	p := Compare{OnlyDifferent: true}
	p.Arrange(f.Exp, f.Side)
	for _, move := range []func(){p.Top, p.Bottom, func() { p.Move(1) }, func() { p.Move(-1) }, func() { p.Page(1) }} {
		move()
		if i, ok := p.Selected(); ok {
			t.Errorf("item %d of an empty comparison is selected", i)
		}
	}
	p.Draw(f, draw.Rect{X: 0, Y: 0, W: 100, H: 20}, true, true)
	if !strings.Contains(f.String(), "only A: 0 items") {
		t.Error("the empty group is not told")
	}
}

func TestReaderShowsAllOfTheText(t *testing.T) {
	long := make([]string, 2300)
	for i := range long {
		long[i] = "line " + model.Tokens(i).String()
	}
	for _, c := range []struct {
		name, text string
	}{
		{"short", "one\ntwo"}, {"more lines than are wrapped at first", strings.Join(long, "\n")}, {"one long line", strings.Repeat("word ", 25_000)},
	} {
		set, err := model.NewSet([]model.Item{{Content: c.text, Tokens: 5}})
		if err != nil {
			t.Fatal(err)
		}
		f := sampleFrame(t, 5, false)
		exp, err := experiment.New(set, f.Exp.Setup())
		if err == nil {
			t.Fatal("edits of items that are not there were accepted")
		}
		s := f.Exp.Setup()
		s.Edits = model.Edits{}
		if exp, err = experiment.New(set, s); err != nil {
			t.Fatal(err)
		}
		f.Exp = exp
		compute(t, f)
		var r Reader
		r.Open(0)
		var seen strings.Builder
		shown := 0
		for range 6000 {
			f.Reset(60, 20, theme.New(theme.NoColor, true))
			r.Draw(f, draw.Rect{X: 0, Y: 0, W: 60, H: 20}, true)
			for _, line := range r.lines[shown:min(len(r.lines), max(0, r.top+r.height-r.above))] {
				if draw.Width(line) > 56 {
					t.Fatalf("%s: a line of %d cells", c.name, draw.Width(line))
				}
				seen.WriteString(line + "\n")
				shown++
			}
			before := r.top
			r.Move(1)
			f.Reset(60, 20, theme.New(theme.NoColor, true))
			r.Draw(f, draw.Rect{X: 0, Y: 0, W: 60, H: 20}, true)
			if r.top == before {
				break
			}
		}
		got, want := strings.Fields(seen.String()), strings.Fields(c.text)
		if n := min(len(got), len(want)); !slices.Equal(got[:n], want[:n]) || n < len(want) {
			t.Errorf("%s: %d of %d words were shown, or others", c.name, len(got), len(want))
		}
		r.Bottom()
		r.Draw(f, draw.Rect{X: 0, Y: 0, W: 60, H: 20}, true)
		if !r.whole || r.top+r.height < r.above+len(r.lines) {
			t.Errorf("%s: the bottom is line %d of %d, all of it: %v", c.name, r.top, len(r.lines), r.whole)
		}
		r.Top()
		r.Draw(f, draw.Rect{X: 0, Y: 0, W: 30, H: 9}, false)
		if r.top != 0 || draw.Width(r.lines[0]) > 28 {
			t.Errorf("%s: a narrower screen does not wrap anew", c.name)
		}
	}
}

func TestKnobsKeepTheirCursor(t *testing.T) {
	f := sampleFrame(t, 10, false)
	var p Knobs
	list := f.Exp.Knobs(experiment.A, f.Exp.Setup())
	p.Set(list)
	p.Select(experiment.Slicer)
	p.Set(f.Exp.Knobs(experiment.B, f.Exp.Setup())) // has a bucket besides
	if k, ok := p.Current(); !ok || k.ID != experiment.Slicer {
		t.Errorf("the cursor is on %v", k.ID)
	}
	p.Select(experiment.Bucket)
	p.Set(list)
	if _, ok := p.Current(); !ok {
		t.Error("the cursor is on no knob after its knob went away")
	}
	p.Move(1000)
	if k, _ := p.Current(); k.ID != list[len(list)-1].ID {
		t.Errorf("the last knob is %v", k.ID)
	}
	if _, ok := p.Find("no such knob"); ok {
		t.Error("a knob that is not there was found")
	}
	var none Knobs
	if _, ok := none.Current(); ok {
		t.Error("there is a knob in an empty list")
	}
}
