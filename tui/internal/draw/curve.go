package draw

import "cupelscope/tui/internal/theme"

// Line is one curve of a plot. It has a value from 0 to 1 for each column of
// dots, as many as Dots returns; a negative value or NaN means that the value is
// not known, and leaves a gap.
type Line struct {
	Values []float64
	// Low is nil, or as long as Values: the least value of each column whose
	// values span a range. A negative one means that there is no range.
	Low    []float64
	Role   theme.Role
	Under  bool // gives way to the lines after it where they share a cell
	Letter rune // stands for the dots where there is no braille
	// Area holds the values of an area that Canvas.Area drew before: the line has the role Over
	// in cells that the area fills, and is left out of cells that it fills in part, where dots
	// would hide its upper edge.
	Area []float64
	Over theme.Role
}

// Dots returns how many columns of dots a plot of w cells has: two for each cell
// in braille, one otherwise.
func Dots(w int, g *theme.Glyphs) int {
	if g.Braille {
		return 2 * w
	}
	return w
}

// dotRow returns the row of dots, from 0 at the top, that shows a value among n rows.
func dotRow(v float64, n int) int { return int((1-min(1, max(0, v)))*float64(n-1) + 0.5) }

// brailleBit is the bit of the dot at column x (0, 1) and row y (0 to 3) of a
// cell, in the order of the Unicode block.
var brailleBit = [2][4]rune{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

// Curves plots lines over each other in r, with 0 at the bottom and 1 at the
// top; values above 1 count as 1. A cell that lines of different roles share
// gets the role Strong, unless the earlier line is marked Under. Column here of
// r, counted in cells, shows a mark in its free cells; a negative here shows
// none. It reports whether any cell shows a line.
func (c *Canvas) Curves(r Rect, lines []Line, here int) (shown bool) {
	if r.Empty() {
		return false
	}
	if here >= 0 && here < r.W {
		for y := range r.H {
			c.Set(r.X+here, r.Y+y, c.Glyphs().StripHere, theme.Warn)
		}
	}
	type dots struct {
		bits  rune
		role  theme.Role
		drawn bool
		under bool
		rune  rune
	}
	cells, steps := make([]dots, r.W*r.H), len(c.areaSteps())
	across, down := 1, 1
	if c.Glyphs().Braille {
		across, down = 2, 4
	}
	for _, l := range lines {
		row := func(v float64) int { return dotRow(v, r.H*down) }
		known, lastFrom, lastTo := false, 0, 0
		for x, v := range l.Values {
			if !(v >= 0) || x/across >= r.W { // not known, or no number
				known = false
				continue
			}
			from, to := row(v), row(v)
			if l.Low != nil && l.Low[x] >= 0 {
				to = max(to, row(l.Low[x]))
			}
			top, bottom := from, to
			if known { // a steep curve has no holes
				from, to = min(from, lastTo+1), max(to, lastFrom-1)
			}
			known, lastFrom, lastTo = true, top, bottom
			for ; from <= to; from++ {
				cell := &cells[from/down*r.W+x/across]
				role, letter := l.Role, l.Letter
				if at := x / across; at < len(l.Area) {
					switch n := filled(l.Area[at], from/down, r.H, steps); n {
					case 0:
					case steps:
						role = l.Over
					default:
						continue
					}
				}
				if cell.drawn && cell.role != role && !cell.under {
					role, letter = theme.Strong, '*'
				}
				*cell = dots{cell.bits | brailleBit[x%across][from%down], role, true, l.Under, letter}
			}
		}
	}
	for i, cell := range cells {
		if !cell.drawn {
			continue
		}
		shown = true
		glyph := cell.rune
		if c.Glyphs().Braille {
			glyph = 0x2800 + cell.bits
		}
		c.Set(r.X+i%r.W, r.Y+i/r.W, glyph, cell.role)
	}
	return shown
}

// areaSteps returns the glyphs of a cell of an area, from the least filled to the full one.
func (c *Canvas) areaSteps() []rune {
	if steps := []rune(c.Glyphs().Filled); len(steps) >= 2 {
		return steps
	}
	return c.Glyphs().Strip[1:]
}

// filled returns how many of the steps of a cell an area of h rows fills, from 0 to all: v is its
// value in that column, and y the row from 0 at the top.
func filled(v float64, y, h, steps int) int {
	if !(v > 0) {
		return 0
	}
	full := max(1, int(min(1, v)*float64(h*steps)+0.5))
	return min(steps, max(0, full-(h-1-y)*steps))
}

// Marker draws the current budget down column here of r, a negative one nowhere, over the area of
// values that Area drew there: over is its role in cells that the area fills. A cell that the area
// fills in part keeps its upper edge, in the colour of the budget.
func (c *Canvas) Marker(r Rect, here int, values []float64, over theme.Role) {
	steps := c.areaSteps()
	for y := 0; y < r.H && here >= 0; y++ {
		glyph, role, n := c.Glyphs().StripHere, theme.StripHere, 0
		if here < len(values) {
			n = filled(values[here], y, r.H, len(steps))
		}
		switch n {
		case 0:
		case len(steps):
			role = over
		default:
			glyph = steps[n-1]
		}
		c.Set(r.X+here, r.Y+y, glyph, role)
	}
}

// Area fills the cells of r below the values, one for each column, with 0 at the bottom and 1
// at the top. Values above 1 count as 1; a negative one or NaN is not known and fills
// nothing. A value above 0 fills the least step at least.
func (c *Canvas) Area(r Rect, values []float64, role theme.Role) {
	steps := c.areaSteps()
	for x := range min(len(values), max(0, r.W)) {
		for y := range r.H {
			if n := filled(values[x], y, r.H, len(steps)); n > 0 {
				c.Set(r.X+x, r.Y+y, steps[n-1], role)
			}
		}
	}
}
