package draw

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"cupelscope/model/randomtest"
	"cupelscope/tui/internal/theme"
)

// The higher of two rivals is drawn above the area of both: exactly to an eighth where a cell shows
// two of the areas, and as a letter where glyphs alone tell.
func TestRivals(t *testing.T) {
	values := [2][]float64{{1, .5, .25, .75, -1, .625, .5}, {.5, 1, .25, .6, .5, .125, .49}} // of 2 rows
	for _, c := range []struct {
		ascii bool
		name  theme.Name
		want  string
	}{
		{false, theme.Dark, "A8 B8 - A4 - A2 -|C8 C8 C4 C8 B8 SA2 C8"},
		{false, theme.NoColor, "A B - A - - -|C8 C8 C4 C8 B A C8"},
		{true, theme.Dark, "A B - A - - -|C4 C4 C2 C4 B A C4"},
	} {
		look := theme.New(c.name, c.ascii)
		var canvas Canvas
		r := Rect{0, 0, 7, 2}
		canvas.Reset(r.W, r.H, look)
		ahead := [2]Ahead{{Role: theme.AreaA, Split: theme.SplitA, Letter: 'A', Text: theme.SideA}, {Role: theme.AreaB, Split: theme.SplitB, Letter: 'B', Text: theme.SideB}}
		if seen := canvas.Rivals(r, values, theme.Both, theme.HereBoth, ahead, -1); seen != [2]bool{true, true} {
			t.Errorf("%s: seen %v", c.name, seen)
		}
		steps := string(canvas.areaSteps())
		var rows []string
		for y := range r.H {
			var row []string
			for x := range r.W {
				cell := canvas.cells[y*r.W+x]
				text := map[theme.Role]string{theme.AreaA: "A", theme.AreaB: "B", theme.SideA: "A", theme.SideB: "B", theme.SplitA: "SA", theme.SplitB: "SB", theme.Both: "C", theme.Plain: "-"}[cell.role]
				if n := utf8.RuneCountInString(steps[:max(0, strings.IndexRune(steps, cell.r))]) + 1; strings.ContainsRune(steps, cell.r) {
					text += strconv.Itoa(n)
				}
				row = append(row, text)
			}
			rows = append(rows, strings.Join(row, " "))
		}
		if got := strings.Join(rows, "|"); got != c.want {
			t.Errorf("%s, ascii %v: %s, want %s", c.name, c.ascii, got, c.want)
		}
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
		c.Rivals(Rect{2, 1, w, h}, values, theme.Both, theme.HereBoth, [2]Ahead{{Letter: 'A'}, {Letter: 'B'}}, rng.IntN(12)-2)
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
			rivals.Rivals(r, [2][]float64{area, area}, theme.StripIn, theme.HereIn, [2]Ahead{}, 1)
			for y, want := range []struct {
				r    rune
				role theme.Role
			}{{g.StripHere, theme.StripHere}, {edge, theme.StripHere}, {g.StripHere, theme.HereIn}, {g.StripHere, theme.HereIn}} {
				for _, got := range []cell{c.cells[2*y+1], rivals.cells[2*y+1]} {
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
