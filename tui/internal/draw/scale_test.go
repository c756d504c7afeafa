package draw

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate"
	"cupelscope/tui/internal/theme"
)

func checkScale(t *testing.T, lo, hi model.Tokens, width int) Scale {
	t.Helper()
	s := NewScale(lo, hi, width)
	if want := min(model.Tokens(max(1, width)), hi-lo+1); model.Tokens(s.Columns()) != want {
		t.Fatalf("NewScale(%d, %d, %d) has %d columns, want %d", lo, hi, width, s.Columns(), want)
	}
	if s.Edges[0] != lo || s.Edges[s.Columns()] != hi+1 {
		t.Fatalf("NewScale(%d, %d, %d) covers %d to %d", lo, hi, width, s.Edges[0], s.Edges[s.Columns()]-1)
	}
	for k := range s.Columns() {
		from, to := s.Edges[k], s.Edges[k+1]-1
		if from > to {
			t.Fatalf("NewScale(%d, %d, %d): column %d is %d to %d", lo, hi, width, k, from, to)
		}
		if s.Column(from) != k || s.Column(to) != k {
			t.Fatalf("NewScale(%d, %d, %d): column %d holds %d to %d, Column says %d and %d", lo, hi, width, k, from, to, s.Column(from), s.Column(to))
		}
	}
	if s.Column(lo-1) != 0 || s.Column(0) != 0 || s.Column(-1<<40) != 0 || s.Column(hi+1) != s.Columns()-1 || s.Column(1<<50) != s.Columns()-1 {
		t.Fatalf("NewScale(%d, %d, %d): a budget outside is not in the nearest column", lo, hi, width)
	}
	return s
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		lo, hi model.Tokens
		width  int
	}{
		{1, 1, 1}, {1, 1, 50}, {1, 2, 50}, {5, 9, 5}, {5, 9, 6}, {5, 9, 1}, {1, 128_000, 40},
		{1, 1 << 40, 200}, {1 << 39, 1 << 40, 200}, {1<<40 - 3, 1 << 40, 50}, {1<<40 - 300, 1 << 40, 200}, {1 << 40, 1 << 40, 9},
		{100, 128_000, 0}, {100, 128_000, -4},
	} {
		checkScale(t, c.lo, c.hi, c.width)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		lo := 1 + rng.Int64N(1<<rng.IntN(40))
		hi := lo + rng.Int64N(1<<rng.IntN(40))
		checkScale(t, model.Tokens(lo), model.Tokens(hi), 1+rng.IntN(250))
	}
}

func TestScaleFixesItsBounds(t *testing.T) {
	for _, c := range []struct{ lo, hi, from, to model.Tokens }{
		{0, 10, 1, 10},   // a logarithm has no zero
		{-7, 10, 1, 10},  // nor less
		{20, 10, 20, 20}, // turned round
		{0, 0, 1, 1},
	} {
		s := NewScale(c.lo, c.hi, 5)
		if s.Edges[0] != c.from || s.Edges[s.Columns()]-1 != c.to {
			t.Errorf("NewScale(%d, %d) covers %d to %d, want %d to %d", c.lo, c.hi, s.Edges[0], s.Edges[s.Columns()]-1, c.from, c.to)
		}
	}
}

func TestTheScaleIsLogarithmic(t *testing.T) {
	s := NewScale(1000, 1_024_000, 10) // ten doublings
	for k, want := 0, model.Tokens(1000); k <= 10; k, want = k+1, want*2 {
		if got := s.Edges[k]; got < want-want/100 || got > want+want/100+1 {
			t.Errorf("edge %d is %d, want about %d", k, got, want)
		}
	}
}

// randomBands are ascending, disjoint and apart, as a profile's are.
func randomBands(rng *rand.Rand, end int) []simulate.Band {
	var bands []simulate.Band
	for from := rng.IntN(end + 1); from <= end; {
		to := from + rng.IntN(1+rng.IntN(1+end/4))
		bands = append(bands, simulate.Band{From: model.Tokens(from), To: model.Tokens(min(to, end))})
		from = to + 2 + rng.IntN(1+rng.IntN(1+end/4))
	}
	return bands
}

func TestLevelsCountBudgets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var levels []uint8
	for range 3000 {
		end := 1 + rng.IntN(400)
		lo := 1 + rng.IntN(end)
		s := NewScale(model.Tokens(lo), model.Tokens(end), 1+rng.IntN(60))
		bands := randomBands(rng, end+20)
		in := make([]bool, end+400)
		for _, b := range bands {
			for x := b.From; x <= b.To; x++ {
				in[x] = true
			}
		}
		levels = s.Levels(levels, bands)
		if len(levels) != s.Columns() {
			t.Fatalf("%d levels of %d columns", len(levels), s.Columns())
		}
		for k, got := range levels {
			covered, all := 0, 0
			for b := s.Edges[k]; b < s.Edges[k+1]; b++ {
				all++
				if in[b] {
					covered++
				}
			}
			want := 0
			switch {
			case covered == all:
				want = 4
			case covered > 0: // thirds, a whole one counting as begun
				want = 1
				for third := 1; third < 3; third++ {
					if 3*covered >= third*all {
						want = third + 1
					}
				}
			}
			if int(got) != want {
				t.Fatalf("column %d (%d to %d) has %d of %d budgets, level %d, want %d; bands %v", k, s.Edges[k], s.Edges[k+1]-1, covered, all, got, want, bands)
			}
		}
	}
}

func TestAnIslandIsNeverLost(t *testing.T) {
	s := NewScale(1, 1<<40, 100)
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		at := model.Tokens(1 + rng.Int64N(1<<rng.IntN(41)))
		levels := s.Levels(nil, []simulate.Band{{From: at, To: at}})
		for k, l := range levels {
			if (l > 0) != (k == s.Column(at)) {
				t.Fatalf("the single budget %d: column %d has level %d", at, k, l)
			}
		}
		hole := s.Levels(nil, []simulate.Band{{From: 1, To: at - 1}, {From: at + 1, To: 1 << 40}})
		for k, l := range hole {
			if k == s.Column(at) && l == 4 || k != s.Column(at) && l != 4 {
				t.Fatalf("all but the budget %d: column %d has level %d", at, k, l)
			}
		}
	}
}

func TestStrip(t *testing.T) {
	var c Canvas
	th := theme.New(theme.Dark, true)
	draw := func(here int, in bool, width int) string {
		c.Reset(8, 1, th)
		c.Strip(Rect{1, 0, width, 1}, []uint8{0, 1, 2, 3, 4}, here, in)
		return stripSGR(c.String())
	}
	g := th.Glyphs
	for _, s := range []struct {
		name string
		got  string
		want string
	}{
		{"levels", draw(-1, false, 5), " .:iI#  "},
		{"the budget's column, out", draw(2, false, 5), " .:" + string(g.StripHere) + "I#  "},
		{"the budget's column, in", draw(2, true, 5), " .:" + string(g.StripHereIn) + "I#  "},
		{"less room than levels", draw(-1, false, 3), " .:i    "},
		{"no room", draw(0, false, 0), "        "},
	} {
		musttest.Is(t, s.got, s.want, s.name)
	}
}

func TestRulerEndsWithTheLargestBudget(t *testing.T) {
	var c Canvas
	for _, w := range []int{1, 2, 5, 9, 10, 24, 40, 80} {
		for _, hi := range []model.Tokens{1, 9, 128_000, 1 << 40} {
			s := NewScale(1, hi, w)
			c.Reset(w+2, 1, theme.New(theme.NoColor, true))
			c.Ruler(Rect{1, 0, w, 1}, s, -1, nil, theme.Plain, s.Text(), 0, 0, RulerName{})
			line := stripSGR(c.String())
			if line[0] != ' ' || line[w+1] != ' ' {
				t.Errorf("ruler of %d cells to %d draws outside: %q", w, hi, line)
			}
			label := hi.Short()
			if len(label) < s.Columns() && !strings.HasSuffix(strings.TrimRight(line, " "), label) {
				t.Errorf("ruler of %d cells to %d: %q", w, hi, line)
			}
		}
	}
}

func TestAnEmptyScaleDrawsNothing(t *testing.T) {
	var c Canvas
	c.Reset(5, 1, theme.New(theme.NoColor, false))
	c.Ruler(Rect{0, 0, 5, 1}, Scale{}, 0, nil, theme.Plain, nil, 0, 0, RulerName{})
	c.Strip(Rect{0, 0, 5, 1}, nil, 0, true)
	musttest.Is(t, c.String(), "     ", "drew")
}

// A name on the ruler stands whole at its column, or not at all, and covers no part of another label.
func TestANameOnTheRulerIsWhole(t *testing.T) {
	var c Canvas
	th := theme.New(theme.NoColor, true)
	s := NewScale(1, 128_000, 80)
	long, short := 0, 0
	for here := range 80 {
		for column := range 80 {
			c.Reset(80, 1, th)
			named := c.Ruler(Rect{0, 0, 80, 1}, s, here, []string{"12,345"}, theme.Plain, s.Text(), 0, 0, RulerName{Column: column, Forms: []string{"long name", "name"}})
			line := stripSGR(c.String())
			if named != strings.Contains(line, "name") || named && !strings.HasPrefix(line[column:], "long name") && !strings.HasPrefix(line[column:], "name") {
				t.Fatalf("the name in column %d, the budget in %d: %v, %q", column, here, named, line)
			}
			if strings.Contains(line, "long") {
				long++
			} else if named {
				short++
			}
			for _, label := range strings.FieldsFunc(strings.Replace(line, "long name", "name", 1), func(r rune) bool { return r == '.' || r == th.Glyphs.StripHere }) {
				if strings.Trim(label, "0123456789,kM") != "" && label != "name" {
					t.Fatalf("the name in column %d, the budget in %d: the label %q in %q", column, here, label, line)
				}
			}
		}
	}
	if long == 0 || short == 0 {
		t.Errorf("%d long names and %d short ones were written", long, short)
	}
}

func TestNoLabelOfTheRulerCoversTheBudget(t *testing.T) {
	var c Canvas
	th := theme.New(theme.NoColor, true)
	for _, w := range []int{1, 4, 10, 40, 80} {
		s := NewScale(1, 128_000, w)
		for here := range w {
			c.Reset(w, 1, th)
			c.Ruler(Rect{0, 0, w, 1}, s, here, []string{"12,345", "12.3k"}, theme.Plain, s.Text(), 0, 0, RulerName{Alone: true})
			line := stripSGR(c.String())
			if rune(line[here]) != th.Glyphs.StripHere || strings.Count(line, string(th.Glyphs.StripHere)) != 1 {
				t.Fatalf("ruler of %d cells, the budget in column %d: %q", w, here, line)
			}
			for _, label := range strings.FieldsFunc(line, func(r rune) bool { return r == '.' || r == th.Glyphs.StripHere }) {
				if strings.Trim(label, "0123456789,.kM") != "" {
					t.Fatalf("ruler of %d cells, the budget in column %d: the label %q in %q", w, here, label, line)
				}
			}
		}
	}
}

// Where the first budgets have a column each, the others share what is left evenly: from one of their
// columns to the next the budget grows by one factor, to rounding.
func TestColumnsOfOneBudgetTakeNoMoreThanTheyNeed(t *testing.T) {
	for _, c := range []struct {
		hi     model.Tokens
		width  int
		single int // columns of one budget, at most
	}{{874, 106, 28}, {874, 66, 18}, {93_248, 106, 12}} {
		s := NewScale(1, c.hi, c.width)
		single := 0
		for s.Edges[single+1]-s.Edges[single] == 1 {
			single++
		}
		if single > c.single {
			t.Errorf("1 to %v in %d columns: %d hold one budget, want %d at most", c.hi, c.width, single, c.single)
		}
		growth := math.Log(float64(c.hi+1)/float64(s.Edges[single])) / float64(c.width-single)
		for k := single; k < c.width; k++ {
			want := float64(s.Edges[single]) * math.Exp(growth*float64(k-single))
			if got := float64(s.Edges[k]); math.Abs(got-want) > 1+.02*want {
				t.Errorf("1 to %v in %d columns: column %d begins at %v, want %.1f", c.hi, c.width, k, got, want)
			}
		}
	}
}
