package widget

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/experiment/experimenttest"
	"cupelscope/tui/internal/theme"
)

// sampleFrame is a computed experiment over n items, ready to be drawn.
func sampleFrame(t testing.TB, n int, asciiOnly bool) *Frame {
	t.Helper()
	f := &Frame{Canvas: &draw.Canvas{}, Exp: experimenttest.New(t, n)}
	f.Reset(120, 40, theme.New(theme.NoColor, asciiOnly))
	compute(t, f)
	return f
}

// compute brings the frame up to date with the experiment.
func compute(t testing.TB, f *Frame) {
	t.Helper()
	experimenttest.Compute(t, f.Exp)
	f.Out = f.Exp.Outcome(experiment.A)
}

// Parts add up to what is shown of their sum, and each is less than a hundredth off.
func TestPartsAddUp(t *testing.T) {
	musttest.Is(t, fmt.Sprint(Parts(17.6625, 1.2354, 16.4271)), "[1.23 16.43]")
	musttest.Is(t, fmt.Sprint(Parts(2e6, 1e6+.001, 1e6-.001)), "[1.000000001e+06 999999.999]")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		all, shown, parts := 0.0, 0.0, make([]float64, 1+rng.IntN(8))
		for k := range parts {
			parts[k] = []float64{0, .125, .5, rng.Float64(), 20*rng.Float64() - 5}[rng.IntN(5)]
			all += parts[k]
		}
		for k, v := range Parts(all, parts...) {
			shown += v
			if math.Abs(v-parts[k]) >= .01 || Value(v) != fmt.Sprintf("%.2f", v) {
				t.Errorf("%v of %v is %v", parts[k], parts, v)
			}
		}
		musttest.Is(t, Value(shown), Value(all), "the sum of the parts of", parts)
	}
}

func TestScore(t *testing.T) {
	for _, c := range []struct {
		v    float64
		n    int
		want string
	}{
		{0, 5, "0.00"}, {0.534, 5, "0.53"}, {1, 5, "1.00"}, {12.345, 5, "12.35"}, {123.456, 5, "123.5"}, {1234.5, 5, "1,235"}, {123456, 5, "1.2e5"}, {1e9, 5, "1.0e9"}, {1.5e300, 5, "2e300"}, {54321, 5, "54.3k"}, {-54321, 6, "-54.3k"}, {99999, 5, "100k"},
		{-0.25, 5, "-0.25"}, {math.NaN(), 5, "NaN"}, {math.Inf(1), 5, "+Inf"},
	} {
		musttest.Is(t, Score(c.v, c.n), c.want, "score", c.v, c.n)
	}
	// A number that is cut would be another number.
	rng := rand.New(rand.NewPCG(63, 64))
	for range 5000 {
		v := math.Pow(10, rng.Float64()*30-10)
		got := Score(v, 5)
		var back float64
		if _, err := fmt.Sscan(strings.NewReplacer(",", "", "k", "e3").Replace(got), &back); err != nil {
			t.Fatalf("score(%v) = %q: %v", v, got, err)
		}
		if len(got) > 5 || math.Abs(back-v) > max(0.0051, v*0.5) {
			t.Fatalf("score(%v, 5) = %q", v, got)
		}
	}
}

func TestNumbersInWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{plain.Count(0, "item"), "0 items"}, {plain.Count(1, "item"), "1 item"}, {plain.Count(2345, "item"), "2,345 items"},
		{Signed(0), "+0"}, {Signed(1500), "+1,500"}, {Signed(-1500), "−1,500"},
		{SignedValue(0.5), "+0.50"}, {SignedValue(-2), "−2.00"}, {SignedValue(0), "+0.00"}, {SignedValue(-.004), "+0.00"}, {SignedValue(-.006), "−0.01"}, {SignedValue(.8249999999999993), "+0.83"}, {SignedValue(-.8250000000000028), "−0.83"},
		{ExactScore(0.12345), "0.123"}, {ExactScore(-1819.3014), "-1,819.301"}, {Value(999.5), "999.50"}, {Value(123456), "123,456.00"}, {ExactScore(2e9), "2e+09"}, {ExactScore(math.NaN()), "NaN"},
		{InParentheses(nil, 20), ""}, {InParentheses([]int32{4}, 0), ""}, {InParentheses([]int32{4, 15}, 20), " (#4 #15)"},
		{SlicerName(model.Policy{Slicer: model.Greedy}), "greedy"}, {SlicerName(model.Policy{Slicer: model.Knapsack}), "knapsack 100"},
		{PolicyName(experiment.B, model.Policy{Slicer: model.Greedy, Name: "x\x1b[2J"}), "B greedy · x"},
	} {
		musttest.Is(t, c.got, c.want)
	}
}

func TestIndexes(t *testing.T) {
	for _, c := range []struct {
		list  []int32
		width int
		want  string
	}{
		{nil, 10, ""},
		{[]int32{4, 15}, 6, "#4 #15"},
		{[]int32{4, 15, 23}, 14, "#4 #15 #23"},
		{[]int32{4, 15, 23, 42}, 14, "#4 #15 #23 #42"},
		{[]int32{4, 15, 23, 421}, 14, "#4 and 3 more"},
		{[]int32{4, 15, 23, 42, 421}, 18, "#4 #15 and 3 more"},
		{[]int32{4, 15, 23}, 10, "#4 #15 #23"},
		{[]int32{4, 15, 23}, 9, ""}, // a number alone says no more than the count beside it
		{[]int32{40000, 15, 23}, 8, ""},
		{[]int32{40000, 15, 23}, 6, ""},
		{make([]int32, 60_000), 18, "#0 and 59,999 more"},
	} {
		got := Indexes(c.list, c.width)
		musttest.Is(t, got, c.want, "indexes", c.list, c.width)
	}
	rng := rand.New(rand.NewPCG(65, 66))
	for range 5000 {
		list := make([]int32, rng.IntN(12))
		for i := range list {
			list[i] = rng.Int32N(5000)
		}
		width := rng.IntN(60)
		got := Indexes(list, width)
		named, more := 0, 0
		shown, rest, _ := strings.Cut(got, " and ")
		fmt.Sscanf(rest, "%d more", &more)
		for _, word := range strings.Fields(shown) {
			if word != fmt.Sprintf("#%d", list[named]) {
				t.Fatalf("indexes(%v, %d) = %q", list, width, got)
			}
			named++
		}
		if len(got) > width || got != "" && named+more != len(list) {
			t.Fatalf("indexes(%v, %d) = %q", list, width, got)
		}
	}
}

// The reason fits, is never cut, and is empty where an item is simply in, under
// every way of selecting. Items that are counted together are so by what each is out for.
func TestWhyFits(t *testing.T) {
	seen := map[model.Code]bool{}
	for name, change := range experimenttest.Policies() {
		f := sampleFrame(t, 120, false)
		experimenttest.WithPolicy(t, f.Exp, change)
		compute(t, f)
		unfit := Unfit(f.Out)
		for i := range f.Exp.Items().Len() {
			code := f.Out.Report.Codes[i]
			seen[code] = true
			if !code.Included() {
				why := WhyOut(f.Out, i)
				if group, share := unfit(i); group != why.Group || share != why.Share {
					t.Fatalf("%s: item %d is counted under %q, %q: %+v", name, i, group, share, why)
				}
			}
			for width := range 30 {
				got := Why(f.Out, i, width)
				if draw.Width(got) > width {
					t.Fatalf("%s: item %d (%v) in %d cells: %q", name, i, code, width, got)
				}
				if simply := code == model.Scored && !f.Out.AtRisk(i); width >= 10 && simply != (got == "") {
					t.Fatalf("%s: item %d (%v) in %d cells: %q", name, i, code, width, got)
				}
			}
		}
	}
	for _, c := range []model.Code{model.Pinned, model.Scored, model.ZeroToken, model.BudgetExceeded, model.Deduplicated, model.NegativeTokens, model.Filtered, model.CountCapExceeded} {
		if !seen[c] {
			t.Errorf("no item of the sample is %v", c)
		}
	}
}

func TestStatesAgreeWithTheReport(t *testing.T) {
	f := sampleFrame(t, 120, false)
	g := f.Glyphs()
	for i := range f.Exp.Items().Len() {
		glyph, _, _ := State(g, f.Out, i)
		in := glyph == g.Pinned || glyph == g.In || glyph == g.Risk
		if in != f.Out.Report.In(i) || (glyph == g.Risk) != f.Out.AtRisk(i) && f.Out.Report.Codes[i] != model.Pinned {
			t.Errorf("item %d is shown as %q, its code is %v", i, glyph, f.Out.Report.Codes[i])
		}
	}
}

func TestScroll(t *testing.T) {
	for _, c := range []struct {
		name                 string
		top, cursor, rows, n int
		want                 int
	}{
		{"in sight", 5, 7, 10, 100, 5}, {"above", 5, 3, 10, 100, 3}, {"below", 5, 15, 10, 100, 6}, {"the last row in sight", 5, 14, 10, 100, 5},
		{"fewer rows than the page", 5, 2, 10, 4, 0}, {"the list got shorter", 90, 11, 10, 12, 2}, {"nothing", 3, 0, 10, 0, 0}, {"the end", 0, 99, 10, 100, 90},
	} {
		musttest.Is(t, Scroll(c.top, c.cursor, c.rows, c.n), c.want, c.name, "scroll", c.top, c.cursor, c.rows, c.n)
	}
	for n := range 30 {
		for rows := 1; rows < 12; rows++ {
			top := 0
			for _, cursor := range []int{0, n - 1, n / 2, n / 3, 0, n - 1} {
				if cursor = max(0, cursor); cursor >= n {
					continue
				}
				top = Scroll(top, cursor, rows, n)
				if cursor < top || cursor >= top+rows || top < 0 || top > max(0, n-rows) {
					t.Fatalf("row %d of %d is not among the %d from %d", cursor, n, rows, top)
				}
			}
		}
	}
}

// What only changed its size stands apart from what came in or went out.
func TestSizesStandApartFromItems(t *testing.T) {
	g := theme.New(theme.NoColor, false).Glyphs
	for _, c := range []struct {
		in, out []int32
		resized []experiment.Resize
		want    string
	}{
		{nil, []int32{2}, []experiment.Resize{{Item: 0, From: 9, To: 19}}, "− #2, #0 9 → 19"},
		{[]int32{2}, nil, []experiment.Resize{{Item: 5, From: 9, To: 4}, {Item: 6, From: 9, To: 4}}, "+ #2, 2 shrank"},
		{nil, nil, []experiment.Resize{{Item: 5, From: 9, To: 4}, {Item: 6, From: 4, To: 9}}, "#6 grew #5 shrank"},
		{[]int32{2}, []int32{7}, nil, "+ #2 − #7"},
	} {
		musttest.Is(t, strings.TrimSpace(text(ChangeSpans(g, c.in, c.out, c.resized, 40))), c.want)
	}
}
