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

// In front of what the higher of two rivals has more stands the lower one: exactly to an eighth where
// a cell shows both, and as letters where glyphs alone tell.
func TestRivals(t *testing.T) {
	values := [2][]float64{{1, .5, .25, .75, -1, .625, .5}, {.5, 1, .25, .6, .5, .125, .49}} // of 2 rows
	for _, c := range []struct {
		ascii bool
		name  theme.Name
		want  string
	}{
		{false, theme.Dark, "A8 B8 - A4 - A2 -|b8 a8 C4 b8 B8 SA2 C8"},
		{false, theme.NoColor, "a b - a - - -|b a C b b a C"},
		{true, theme.Dark, "a b - a - - -|b a C b b a C"},
	} {
		look := theme.New(c.name, c.ascii)
		var canvas Canvas
		r := Rect{0, 0, 7, 2}
		canvas.Reset(r.W, r.H, look)
		rivals := [2]Rival{{Behind: theme.AreaA, Front: theme.LineA, Split: theme.SplitA, Letter: 'A'}, {Behind: theme.AreaB, Front: theme.LineB, Split: theme.SplitB, Letter: 'B'}}
		if seen, even := canvas.Rivals(r, values, theme.Dim, rivals, -1); seen != [2]bool{true, true} || !even {
			t.Errorf("%s: seen %v, even %v", c.name, seen, even)
		}
		steps := string(canvas.areaSteps())
		var rows []string
		for y := range r.H {
			var row []string
			for x := range r.W {
				cell := canvas.cells[y*r.W+x]
				text := map[theme.Role]string{theme.AreaA: "A", theme.AreaB: "B", theme.LineA: "a", theme.LineB: "b", theme.SplitA: "SA", theme.SplitB: "SB", theme.Dim: "C", theme.Plain: "-"}[cell.role]
				if n := utf8.RuneCountInString(steps[:max(0, strings.IndexRune(steps, cell.r))]) + 1; strings.ContainsRune(steps, cell.r) {
					text += strconv.Itoa(n)
				}
				row = append(row, text)
			}
			rows = append(rows, strings.Join(row, " "))
		}
		musttest.Is(t, strings.Join(rows, "|"), c.want, c.name, "ascii", c.ascii)
		before := canvas.cells[r.W]
		if canvas.Rivals(r, values, theme.Dim, rivals, 0); canvas.cells[0].role != theme.StripHere || canvas.cells[r.W] != before {
			t.Errorf("%s, ascii %v: at the budget are %c and %c, want both edges", c.name, c.ascii, canvas.cells[0].r, canvas.cells[r.W].r)
		}
	}
}

// A line is in the half row of its value, in every other column where it is the edge of the area, and what
// the area fills beside it in its cell stays filled. At the budget there is none.
func TestLine(t *testing.T) {
	area := []float64{.25, .5, .75, .75, .75, .75, .5, .5, .5, .5, .875}
	values := []float64{1, .5, .5, .625, .75, .75, .5, .49, -1, .25, .8} // of 2 rows
	for _, c := range []struct {
		name theme.Name
		here int
		want string
	}{
		{theme.Dark, -1, "▀ - - ▄ ▄ - - - - - i▀|- - i▀ - - - i▀ i▀ - i▄ -"},
		{theme.Dark, 9, "▀ - - ▄ ▄ - - - - - i▀|- - i▀ - - - i▀ i▀ - - -"},
		{theme.NoColor, -1, "B - - B B - - - - - B|- - B - - - B B - B -"},
	} {
		var canvas Canvas
		canvas.Reset(len(area), 2, theme.New(c.name, false))
		canvas.Line(Rect{0, 0, len(area), 2}, values, area, theme.LineB, theme.SplitA, 'B', c.here)
		var rows []string
		for y := range 2 {
			var row []string
			for x := range area {
				cell := canvas.cells[y*len(area)+x]
				text := map[theme.Role]string{theme.SplitA: "i", theme.LineB: "", theme.Plain: "-"}[cell.role]
				if cell.role != theme.Plain {
					text += string(cell.r)
				}
				row = append(row, text)
			}
			rows = append(rows, strings.Join(row, " "))
		}
		musttest.Is(t, strings.Join(rows, "|"), c.want, c.name, "budget at", c.here)
	}
}

// No values draw outside of the plot.
func TestRivalsTakeAnyValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	odd := []float64{0, 1, 0.5, -1, 1e300, math.Inf(1), math.NaN()}
	for range randomtest.Rounds(200, 500, 3000) {
		w, h := rng.IntN(9), rng.IntN(6)
		var values [2][]float64
		for s := range values {
			for range rng.IntN(12) {
				values[s] = append(values[s], odd[rng.IntN(len(odd))])
			}
		}
		var c Canvas
		c.Reset(12, 8, theme.New([]theme.Name{theme.NoColor, theme.Dark}[rng.IntN(2)], rng.IntN(2) == 0))
		c.Line(Rect{2, 1, w, h}, values[0], values[1], theme.SideB, theme.SplitA, 'B', rng.IntN(12)-2)
		c.Rivals(Rect{2, 1, w, h}, values, theme.Both, [2]Rival{{Letter: 'A'}, {Letter: 'B'}}, rng.IntN(12)-2)
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
			var rivals Canvas
			rivals.Reset(r.W, r.H, look)
			rivals.Rivals(r, [2][]float64{area, {0, 0}}, theme.Dim, [2]Rival{{Behind: theme.StripIn, Here: theme.HereIn}}, 1)
			for y, want := range []struct {
				r    rune
				role theme.Role
			}{{g.StripHere, theme.StripHere}, {edge, theme.StripHere}, {g.StripHere, theme.HereIn}, {g.StripHere, theme.HereIn}} {
				for _, got := range []cell{c.cells[2*y+1], rivals.cells[2*y+1]} {
					if got == rivals.cells[2*y+1] && !g.Braille {
						continue // letters, of whole rows
					}
					if got.r != want.r || got.role != want.role {
						t.Errorf("%s, %v, row %d: %c of role %d, want %c of %d", name, height, y, got.r, got.role, want.r, want.role)
					}
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
