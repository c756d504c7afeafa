package draw

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"cupelscope/tui/internal/theme"
)

func plotted(w, h int, asciiOnly bool, here int, lines ...Line) []string {
	var c Canvas
	c.Reset(w, h, theme.New(theme.Dark, asciiOnly))
	c.Curves(Rect{0, 0, w, h}, lines, here)
	return strings.Split(stripSGR(c.String()), "\n")
}

func TestCurves(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []Line
		here  int
		want  string
	}{
		{"rising", []Line{{Values: []float64{0, 0.5, 1}, Letter: 'A'}}, -1, "  A/ A /A  "},
		{"unknown leaves a hole", []Line{{Values: []float64{0, -1, 0}, Letter: 'A'}}, -1, "   /   /A A"},
		{"no holes in a cliff", []Line{{Values: []float64{0, 1, 1}, Letter: 'A'}}, -1, " AA/ A /A  "},
		{"over 1 is the top", []Line{{Values: []float64{7, 7, 7}, Letter: 'A'}}, -1, "AAA/   /   "},
		{"two in one cell are neither's", []Line{{Values: []float64{0, 0}, Role: theme.SideB, Letter: 'B'}, {Values: []float64{0, 1}, Role: theme.SideA, Letter: 'A'}}, -1, " A / A /*B "},
		{"the budget's column", nil, 1, " | / | / | "},
		{"the curve is over the budget's column", []Line{{Values: []float64{1, 1, 1}, Letter: 'A'}}, 1, "AAA/ | / | "},
		{"a budget's column outside is not drawn", nil, 3, "   /   /   "},
		{"a range is a bar", []Line{{Values: []float64{0.5, 1, 1}, Low: []float64{0.5, 0, 1}, Letter: 'A'}}, -1, " AA/AA / A "},
		{"ranges that touch have no bridge", []Line{{Values: []float64{0.5, 1, 1}, Low: []float64{0, 0.5, 0.5}, Letter: 'A'}}, -1, " AA/AAA/A  "},
		{"more values than columns", []Line{{Values: []float64{0, 0, 0, 1, 1}, Letter: 'A'}}, -1, "   /   /AAA"},
	} {
		if got := strings.Join(plotted(3, 3, true, c.here, c.lines...), "/"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Over an area a line has a role of its own, which keeps the area behind it.
func TestALineOverAnAreaKeepsTheArea(t *testing.T) {
	area := []float64{1, 1.0 / 3}
	var c Canvas
	c.Reset(2, 3, theme.New(theme.Dark, false))
	r := Rect{0, 0, 2, 3}
	c.Area(r, area, theme.StripIn)
	c.Curves(r, []Line{{Values: []float64{.5, .5, .5, .5}, Role: theme.SideB, Area: area, Over: theme.OverB}}, -1)
	lines := strings.Split(c.String(), "\n")
	look := theme.New(theme.Dark, false)
	if over, beside := look.SGR(theme.OverB, 0), look.SGR(theme.SideB, 0); !strings.Contains(lines[1], over) || !strings.Contains(lines[1], beside) || strings.Contains(lines[0]+lines[2], over) {
		t.Errorf("the rows are %q", lines)
	}
}

// The current budget takes nothing of an area: what the area fills whole stays behind it, without
// colours too, and its upper edge is drawn in the colour of the budget.
func TestTheBudgetOverAnAreaKeepsTheArea(t *testing.T) {
	for _, name := range theme.Names() {
		look := theme.New(name, false)
		var c Canvas
		r := Rect{0, 0, 2, 4}
		c.Reset(r.W, r.H, look)
		area := []float64{.6, .6} // two rows and three eighths
		c.Area(r, area, theme.StripIn)
		c.Marker(r, 1, area, theme.HereIn)
		g := look.Glyphs
		for y, want := range []struct {
			r    rune
			role theme.Role
		}{{g.StripHere, theme.StripHere}, {[]rune(g.Filled)[2], theme.StripHere}, {g.StripHere, theme.HereIn}, {g.StripHere, theme.HereIn}} {
			if got := c.cells[2*y+1]; got.r != want.r || got.role != want.role {
				t.Errorf("%s, row %d: %c of role %d, want %c of %d", name, y, got.r, got.role, want.r, want.role)
			}
		}
		if sgr := look.SGR(theme.HereIn, 0); !strings.Contains(sgr, "48;") && !strings.Contains(sgr, "7") {
			t.Errorf("%s: nothing stays behind the budget: %q", name, sgr)
		}
	}
}

func TestCurvesInBraille(t *testing.T) {
	got := plotted(2, 1, false, -1, Line{Values: []float64{0, 1.0 / 3, 2.0 / 3, 1}})
	if want := string([]rune{0x2800 + 0x40 + 0x20, 0x2800 + 0x02 + 0x08}); got[0] != want {
		t.Errorf("a diagonal is %q, want %q", got[0], want)
	}
	if n := Dots(10, theme.New(theme.Dark, false).Glyphs); n != 20 {
		t.Errorf("10 cells have %d columns of dots", n)
	}
	if n := Dots(10, theme.New(theme.Dark, true).Glyphs); n != 10 {
		t.Errorf("10 cells have %d columns of letters", n)
	}
}

func TestCurvesTakeAnyValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	odd := []float64{0, 1, 0.5, -1, 1e300, math.Inf(1), math.NaN()}
	rounds := 2000
	if testing.Short() {
		rounds = 400
	}
	for range rounds {
		w, h := rng.IntN(9), rng.IntN(6)
		var lines []Line
		for range rng.IntN(3) {
			l := Line{Letter: 'x'}
			for range rng.IntN(30) {
				l.Values = append(l.Values, odd[rng.IntN(len(odd))])
			}
			if rng.IntN(2) == 0 {
				for range l.Values {
					l.Low = append(l.Low, odd[rng.IntN(len(odd))])
				}
			}
			lines = append(lines, l)
		}
		var c Canvas
		c.Reset(12, 8, theme.New(theme.NoColor, rng.IntN(2) == 0))
		c.Curves(Rect{2, 1, w, h}, lines, rng.IntN(12)-2)
		for y, line := range strings.Split(stripSGR(c.String()), "\n") {
			for x, r := range []rune(line) {
				if r != ' ' && !(Rect{2, 1, w, h}).Contains(x, y) {
					t.Fatalf("%q at %d, %d is outside of the plot of %dx%d", r, x, y, w, h)
				}
			}
		}
	}
}

func TestArea(t *testing.T) {
	for _, c := range []struct {
		ascii bool
		want  string
	}{{true, "   i# / : ## /"}, {false, "   ▄█ / ▁ ██ /"}} {
		var canvas Canvas
		canvas.Reset(6, 2, theme.New(theme.Dark, c.ascii))
		canvas.Area(Rect{0, 0, 6, 2}, []float64{0, 0.01, -1, 0.75, 7, math.NaN(), 1}, theme.StripIn)
		if got := stripSGR(canvas.String()); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(strings.ReplaceAll(c.want, "/", "\n")), " ") {
			t.Errorf("ascii %v: %q, want %q", c.ascii, got, c.want)
		}
	}
}
