package draw

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/clipperhouse/displaywidth"

	"cupelscope/model/musttest"
	"cupelscope/model/plain"
	"cupelscope/model/randomtest"
	"cupelscope/tui/internal/theme"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

func stripSGR(s string) string { return sgr.ReplaceAllString(s, "") }

// terminal is what a terminal of w by h cells shows: the content of each cell,
// "" for the right half of a wide character.
func terminal(w, h int, text string) [][]string {
	buf := uv.NewScreenBuffer(w, h)
	uv.NewStyledString(text).Draw(buf, buf.Bounds())
	rows := make([][]string, h)
	for y := range rows {
		rows[y] = make([]string, w)
		for x := range rows[y] {
			if c := buf.CellAt(x, y); c != nil {
				rows[y][x] = c.Content
			}
		}
	}
	return rows
}

// lineWidths are the visible cells of each line of a frame.
func lineWidths(text string) []int {
	var widths []int
	for _, line := range strings.Split(stripSGR(text), "\n") {
		n := 0
		for _, r := range line {
			n += displaywidth.Rune(r)
		}
		widths = append(widths, n)
	}
	return widths
}

func checkSize(t *testing.T, c *Canvas, what string) {
	t.Helper()
	widths := lineWidths(c.String())
	if len(widths) != max(1, c.H) {
		t.Fatalf("%s: %d lines, want %d", what, len(widths), c.H)
	}
	for y, w := range widths {
		if w != c.W && c.H > 0 {
			t.Fatalf("%s: line %d is %d cells wide, want %d: %q", what, y, w, c.W, strings.Split(stripSGR(c.String()), "\n")[y])
		}
	}
}

func TestCanvasText(t *testing.T) {
	th := theme.New(theme.NoColor, false)
	for _, c := range []struct {
		name     string
		x, width int
		s        string
		want     string
		took     int
	}{
		{"plain", 1, 6, "abc", " abc    ", 3},
		{"cut to its width", 1, 2, "abc", " ab     ", 2},
		{"cut at the edge", 6, 9, "abc", "      ab", 2},
		{"begins left of the canvas", -2, 9, "abcd", "cd      ", 4},
		{"wholly outside", 9, 9, "abc", "        ", 0},
		{"a wide character that would be cut is left out", 0, 3, "世界", "世      ", 2},
		{"a wide character over the edge is left out", 7, 9, "世", "        ", 0},
		{"half of a wide character left of the edge is not drawn", -1, 9, "世a", " a      ", 3},
		{"combining marks cost nothing", 0, 2, "e\u0301x", "e\u0301x      ", 2},
		{"a mark on a wide character", 0, 3, "世\u0301x", "世\u0301x     ", 3},
		{"a mark without a character is left out", 2, 3, "\u0301x", "  x     ", 1},
		{"control characters are left out", 0, 9, "a\x1b[2J\x07\x7f\u0085\u009bb\tc\nd", "a[2Jbcd ", 7},
		{"no width", 0, 0, "abc", "        ", 0},
		{"a width below zero", 0, -1, "世", "        ", 0},
		{"invalid UTF-8 is a replacement character", 0, 9, "a\xffb", "a\uFFFDb     ", 3},
	} {
		var cv Canvas
		cv.Reset(8, 1, th)
		took := cv.Text(c.x, 0, c.width, c.s, theme.Plain)
		if got := cv.String(); got != c.want || took != c.took {
			t.Errorf("%s: Text(%d, %d, %q) took %d and drew %q, want %d and %q", c.name, c.x, c.width, c.s, took, got, c.took, c.want)
		}
	}
	var cv Canvas
	cv.Reset(4, 2, th)
	for _, y := range []int{-1, 2} {
		if cv.Text(0, y, 4, "abc", theme.Plain) != 0 || strings.Trim(cv.String(), " \n") != "" {
			t.Errorf("text in row %d is drawn", y)
		}
	}
}

// Of 16 colours the texts of a role may have a ground: the blanks around them have none.
func TestTheGroundOfATextEndsWithIt(t *testing.T) {
	for _, role := range []theme.Role{theme.Risk, theme.Plain} {
		draw := func(s string, x int) string {
			var c Canvas
			c.Reset(7, 1, theme.NewFor(theme.Light, false, theme.Colours16))
			musttest.Is(t, c.Text(x, 0, 7-x, s, role), len(s), "role", role, s, "takes")
			return c.String()
		}
		musttest.Is(t, draw("  a b  ", 0), draw("a b", 2), "role", role)
		draw("   ", 0)
	}
}

func TestOverwritingHalfOfAWideCharacter(t *testing.T) {
	for _, c := range []struct {
		name, first string
		x           int
		second      string
		want        string
	}{
		{"its right half", "世界", 1, "a", " a界  "},
		{"its left half", "世界", 2, "a", "世a   "},
		{"across two", "世界", 1, "ab", " ab   "},
		{"by a wide one to its left", " 世界", 0, "語", "語 界 "},
		{"by a wide one across two", "世界", 1, "語", " 語   "},
		{"exactly", "世界", 2, "語", "世語  "},
		{"with a mark", "世\u0301界", 1, "a", " a界  "},
		{"one with a mark", "e\u0301x", 0, "a", "ax    "},
	} {
		var cv Canvas
		cv.Reset(6, 1, theme.New(theme.NoColor, false))
		cv.Text(0, 0, 6, c.first, theme.Plain)
		cv.Text(c.x, 0, 6, c.second, theme.Plain)
		musttest.Is(t, cv.String(), c.want, c.name, c.second, "over", c.first, "at", c.x)
		checkSize(t, &cv, c.name)
	}
}

// scene draws at random what panes draw, and a reference beside it.
type reference [][]string // "" is the right half of a wide character

func (r reference) put(x, y int, s string, w int) {
	blank := func(x int) {
		if x < 0 || x >= len(r[y]) {
			return
		}
		if r[y][x] == "" && x > 0 {
			r[y][x-1] = " "
		}
		if x+1 < len(r[y]) && r[y][x+1] == "" {
			r[y][x+1] = " "
		}
		r[y][x] = " "
	}
	blank(x)
	if w == 2 {
		blank(x + 1)
		r[y][x+1] = ""
	}
	r[y][x] = s
}

func TestCanvasAgainstATerminal(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	letters := []string{"a", "b", " ", "é", "世", "界", "e\u0301", "世\u0308", "─"}
	for round := range randomtest.Rounds(200, 1500) {
		w, h := 1+rng.IntN(14), 1+rng.IntN(4)
		var c Canvas
		c.Reset(w, h, theme.New(theme.Dark, false))
		ref := make(reference, h)
		for y := range ref {
			ref[y] = strings.Split(strings.Repeat(" ", w), "")
		}
		for range 1 + rng.IntN(12) {
			x, y := rng.IntN(w+6)-3, rng.IntN(h+2)-1
			role := theme.Role(rng.IntN(int(theme.Input) + 1))
			switch rng.IntN(5) {
			case 0:
				c.Set(x, y, '#', role)
				if (Rect{0, 0, w, h}).Contains(x, y) {
					ref.put(x, y, "#", 1)
				}
			case 1:
				c.Mark(Rect{x, y, rng.IntN(6), rng.IntN(3)}, theme.Attr(rng.IntN(4)))
			default:
				width := rng.IntN(w + 4)
				text, at := "", x
				open := y >= 0 && y < h
				for range rng.IntN(7) {
					s := letters[rng.IntN(len(letters))]
					text += s
					n := Width(s)
					if at+n > min(w, x+width) {
						open = false
					}
					if open && at >= 0 {
						ref.put(at, y, s, n)
					}
					at += n
				}
				c.Text(x, y, width, text, role)
			}
		}
		checkSize(t, &c, fmt.Sprintf("round %d", round))
		shown := terminal(w, h, c.String())
		for y := range ref {
			for x := range ref[y] {
				if got, want := shown[y][x], ref[y][x]; got != want {
					t.Fatalf("round %d: the cell at %d, %d of %dx%d shows %q, want %q\n%s", round, x, y, w, h, got, want, stripSGR(c.String()))
				}
			}
		}
	}
}

func TestResetForgetsEverything(t *testing.T) {
	var c Canvas
	th := theme.New(theme.Dark, false)
	c.Reset(20, 4, th)
	c.Fill(Rect{0, 0, 20, 4}, '#', theme.Error)
	c.Text(0, 0, 20, "世\u0301e\u0301", theme.Pin)
	c.Mark(Rect{0, 0, 20, 4}, theme.Selected|theme.Old)
	for _, size := range [][2]int{{6, 2}, {20, 4}, {0, 0}, {-3, 5}, {30, 9}} {
		c.Reset(size[0], size[1], th)
		if got := c.String(); strings.Trim(got, " \n") != "" {
			t.Fatalf("after Reset(%v): %q", size, got)
		}
		checkSize(t, &c, fmt.Sprint(size))
	}
}

func TestLinesEndInTheDefaultLook(t *testing.T) {
	var c Canvas
	c.Reset(3, 2, theme.New(theme.Dark, false))
	c.Fill(Rect{0, 0, 3, 2}, 'x', theme.Error)
	for _, line := range strings.Split(c.String(), "\n") {
		if !strings.HasSuffix(line, "\x1b[m") || strings.Count(line, "\x1b") != 2 {
			t.Errorf("the line %q begins or ends in another look", line)
		}
	}
}

func TestASCIIIsASCII(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	var c Canvas
	for range randomtest.Rounds(300, 3000) {
		runes := make([]rune, rng.IntN(30))
		for i := range runes {
			switch rng.IntN(3) {
			case 0:
				runes[i] = rune(' ' + rng.IntN(95))
			case 1:
				runes[i] = rune(0xa0 + rng.IntN(0x3000))
			default:
				runes[i] = rune(rng.IntN(utf8.MaxRune))
			}
		}
		clean := plain.Line(string(runes), 40)
		c.Reset(24, 1, theme.New(theme.Dark, true))
		took := c.Text(1, 0, 20, clean, theme.Strong)
		for _, r := range c.String() {
			if r > '~' {
				t.Fatalf("%q is drawn as %q", clean, c.String())
			}
		}
		if want := Width(clean); want <= 20 && took != want {
			t.Fatalf("%q took %d cells, is %d wide", clean, took, want)
		}
		checkSize(t, &c, clean)
	}
}

// A title loses its last parts first, a text what is after a whole word.
func TestFitPartsAndWords(t *testing.T) {
	g := theme.New(theme.NoColor, false).Glyphs
	for _, c := range []struct {
		text         string
		width        int
		parts, words string
	}{
		{"Map  65 items  by first in", 26, "Map  65 items  by first in", "Map  65 items  by first in"},
		{"Map  65 items  by first in", 25, "Map  65 items", "Map  65 items  by first …"},
		{"Map  65 items  by first in", 12, "Map", "Map  65 …"},
		{"Map  65 items  by first in", 2, "M…", "M…"},
		{"one two three", 9, "one two …", "one two …"},
		{"unbreakable", 6, "unbre…", "unbre…"},
		{"", 0, "", ""},
	} {
		musttest.Is(t, FitParts(c.text, c.width, g), c.parts, "the parts of", c.text, "in", c.width)
		musttest.Is(t, FitWords(c.text, c.width, g), c.words, "the words of", c.text, "in", c.width)
	}
}

func TestBox(t *testing.T) {
	var c Canvas
	c.Reset(14, 4, theme.New(theme.NoColor, true))
	in := c.Box(Rect{1, 0, 12, 3}, "a title that is long", false)
	want := " +- a ... --+ \n |          | \n +----------+ \n              "
	if got := stripSGR(c.String()); got != want || in != (Rect{2, 1, 10, 1}) {
		t.Errorf("the box is\n%s\nwith %v inside, want\n%s", got, in, want)
	}
	for _, r := range []Rect{{0, 0, 1, 5}, {0, 0, 5, 1}, {}, {0, 0, -4, 3}} {
		if !c.Box(r, "x", true).Empty() {
			t.Errorf("there is room in the box %v", r)
		}
	}
}

func TestFit(t *testing.T) {
	g := theme.New(theme.Dark, false).Glyphs
	a := theme.New(theme.Dark, true).Glyphs
	for _, c := range []struct {
		s     string
		width int
		g     *theme.Glyphs
		want  string
	}{
		{"abc", 3, g, "abc"}, {"abcd", 3, g, "ab…"}, {"abcd", 1, g, "…"}, {"abcd", 0, g, ""}, {"abcd", -1, g, ""},
		{"世界語", 5, g, "世界…"}, {"世界語", 4, g, "世…"}, {"世界", 4, g, "世界"}, {"e\u0301e\u0301e\u0301", 2, g, "e\u0301…"},
		{"abcdef", 5, a, "ab..."}, {"abcdef", 3, a, "..."}, {"abcdef", 2, a, "a."}, {"abcdef", 1, a, "."}, {"", 0, g, ""},
	} {
		musttest.Is(t, Fit(c.s, c.width, c.g), c.want, "Fit", c.s, c.width)
	}
}

func TestRight(t *testing.T) {
	for _, c := range []struct{ s, want string }{{"ab", "    ab  "}, {"世", "    世  "}, {"", "        "}, {"abcde", " abcde  "}} {
		var cv Canvas
		cv.Reset(8, 1, theme.New(theme.NoColor, false))
		cv.Right(1, 0, 5, c.s, theme.Plain)
		musttest.Is(t, cv.String(), c.want, "Right", c.s)
	}
}
