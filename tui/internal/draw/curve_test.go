package draw

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"cupelscope/model/musttest"
	"cupelscope/model/randomtest"
	"cupelscope/tui/internal/theme"
)

// A line is in the quarter row of its value, and goes up and down to it on the left; over the area it is twice as
// thick. It has a gap in the row of the upper edge of the area, which stays.
func TestLine(t *testing.T) {
	area := []float64{.25, .5, .75, .75, .75, .75, .5, .5, .5, .5, .875, .25, .25}
	values := []float64{1, .5, .5, .625, .7, .75, .25, .49, -1, .1, 0, .45, .1} // of 2 rows
	for _, c := range []struct {
		name  theme.Name
		ascii bool
		want  string
	}{
		{theme.Dark, false, "⠉ ⡆ - - - - - - - - - - -|- i⠛ i⠛ - - - i⣤ i⠛ - i⣤ i⣤ - -"},
		{theme.NoColor, false, "⠉ ⡆ - - - - - - - - - - -|- iB iB - - - iB iB - iB iB - -"},
		{theme.Dark, true, "B - - - - - - - - - - - -|- iB iB - - - iB iB - iB iB - -"},
	} {
		var canvas Canvas
		canvas.Reset(len(area), 2, theme.New(c.name, c.ascii))
		if !canvas.Line(Rect{0, 0, len(area), 2}, values, area, theme.LineB, theme.BOverA, 'B') || canvas.Line(Rect{0, 0, 1, 2}, values, area, theme.LineB, theme.BOverA, 'B') {
			t.Errorf("%s: it does not say where it has gaps", c.name)
		}
		var rows []string
		for y := range 2 {
			var row []string
			for x := range area {
				cell := canvas.cells[y*len(area)+x]
				text := map[theme.Role]string{theme.BOverA: "i", theme.LineB: "", theme.Plain: "-"}[cell.role]
				if cell.role != theme.Plain {
					text += string(cell.r)
				}
				row = append(row, text)
			}
			rows = append(rows, strings.Join(row, " "))
		}
		musttest.Is(t, strings.Join(rows, "|"), c.want, c.name)
	}
}

// No values draw outside of the plot.
func TestChartsTakeAnyValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	odd := []float64{0, 1, 0.5, -1, 1e300, math.Inf(1), math.NaN()}
	for range randomtest.Rounds(200, 3000) {
		w, h := rng.IntN(9), rng.IntN(6)
		var values [2][]float64
		for s := range values {
			for range rng.IntN(12) {
				values[s] = append(values[s], odd[rng.IntN(len(odd))])
			}
		}
		var c Canvas
		c.Reset(12, 8, theme.New([]theme.Name{theme.NoColor, theme.Dark}[rng.IntN(2)], rng.IntN(2) == 0))
		c.Line(Rect{2, 1, w, h}, values[0], values[1], theme.SideB, theme.BOverA, 'B')
		c.Area(Rect{2, 1, w, h}, values[1], theme.Both)
		for y, line := range strings.Split(stripSGR(c.String()), "\n") {
			for x, r := range []rune(line) {
				if r != ' ' && !(Rect{2, 1, w, h}).Contains(x, y) {
					t.Fatalf("%q at %d, %d is outside of the plot of %dx%d", r, x, y, w, h)
				}
			}
		}
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
		g := look.Glyphs
		for height, edge := range map[float64]rune{.6: []rune(g.Filled)[2], .75: []rune(g.Filled)[7]} { // two rows and three eighths, three rows
			area := []float64{height, height}
			c.Area(r, area, theme.StripIn)
			c.Marker(r, 1, area, theme.HereIn)
			for y, want := range []struct {
				r    rune
				role theme.Role
			}{{g.StripHere, theme.StripHere}, {edge, theme.StripHere}, {g.StripHere, theme.HereIn}, {g.StripHere, theme.HereIn}} {
				if got := c.cells[2*y+1]; got.r != want.r || got.role != want.role {
					t.Errorf("%s, %v, row %d: %c of role %d, want %c of %d", name, height, y, got.r, got.role, want.r, want.role)
				}
			}
		}
		if sgr := look.SGR(theme.HereIn, 0); !strings.Contains(sgr, "48;") && !strings.Contains(sgr, "7") {
			t.Errorf("%s: nothing stays behind the budget: %q", name, sgr)
		}
	}
}

// Between draws what is between a line and the values, above it and below it, and nothing outside.
func TestBetween(t *testing.T) {
	for _, c := range []struct {
		ascii bool
		want  string
	}{{false, "+ - - - - - -|+ - - - - - +3|- - b b b - -|- - - b h5 - -"}, {true, "+ - - - - - -|+ - - - - - +2|- - b b b - -|- - - b - - -"}} {
		var canvas Canvas
		canvas.Reset(7, 4, theme.New(theme.Dark, c.ascii))
		canvas.Between(Rect{0, 0, 7, 4}, []float64{1, .5, .25, 0, .15, -1, .6}, 2, theme.BarBeyond, theme.StripIn, theme.HungIn)
		steps := string(canvas.areaSteps())
		var rows []string
		for y := range 4 {
			var row []string
			for x := range 7 {
				cell := canvas.cells[y*7+x]
				text := map[theme.Role]string{theme.BarBeyond: "+", theme.StripIn: "b", theme.HungIn: "h", theme.Plain: "-"}[cell.role]
				if n := utf8.RuneCountInString(steps[:max(0, strings.IndexRune(steps, cell.r))]) + 1; n < len(canvas.areaSteps()) && strings.ContainsRune(steps, cell.r) {
					text += strconv.Itoa(n)
				}
				row = append(row, text)
			}
			rows = append(rows, strings.Join(row, " "))
		}
		musttest.Is(t, strings.Join(rows, "|"), c.want, "ascii", c.ascii)
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
