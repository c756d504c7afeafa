package draw

import (
	"cupelscope/tui/internal/theme"
)

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

// Marker draws the current budget down column here of r, over the area that Area drew of the
// values; if here is negative, it draws nothing. over is its role in cells that the area fills. The
// cell at the upper edge of the area is filled up to that edge, in the colour of the budget.
func (c *Canvas) Marker(r Rect, here int, values []float64, over theme.Role) {
	steps := c.areaSteps()
	for y := 0; y < r.H && here >= 0; y++ {
		glyph, role, n, above := c.Glyphs().StripHere, theme.StripHere, 0, 0
		if here < len(values) {
			n, above = filled(values[here], y, r.H, len(steps)), filled(values[here], y-1, r.H, len(steps))
		}
		switch {
		case n == 0:
		case above > 0 && y > 0:
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

// Between fills the cells of r between a line and the values, one for each column as for Area: what
// is above the line, which is the upper edge of so many rows from the bottom, with one role, and what
// is below it with another. hung takes the place of below in the last cell of a column, whose glyph
// shows the part of the cell that is left out.
func (c *Canvas) Between(r Rect, values []float64, line int, above, below, hung theme.Role) {
	steps := c.areaSteps()
	full := len(steps)
	for x := range min(len(values), max(0, r.W)) {
		if !(values[x] >= 0) {
			continue
		}
		to := filled(values[x], 0, 1, full*r.H)
		for y := range r.H {
			row := r.H - 1 - y
			n := min(full, max(0, to-row*full))
			switch {
			case row >= line && n > 0:
				c.Set(r.X+x, r.Y+y, steps[n-1], above)
			case row >= line || n == full:
			case n == 0 || !c.Glyphs().Braille && 2*n < full: // whole rows
				c.Set(r.X+x, r.Y+y, steps[full-1], below)
			case c.Glyphs().Braille:
				c.Set(r.X+x, r.Y+y, steps[n-1], hung)
			}
		}
	}
}

// dots are the glyphs of a line in each quarter of a cell, from the bottom up.
var dots = [4]rune{'⣀', '⠤', '⠒', '⠉'}

// Dots returns the glyphs of a line in the legend of a chart: letter where only ASCII may be drawn,
// and beside the dots where no colour tells them from an area.
func (c *Canvas) Dots(letter rune) string {
	switch g := c.Glyphs(); {
	case !g.Spark:
		return string(letter)
	case !g.Braille:
		return string([]rune{dots[2], letter})
	}
	return string(dots[2])
}

// Line draws values as a line of dots over the area that Area drew in r from the values area. It
// leaves the upper edge of the area as it is: in a cell of that edge the line has a gap, and Line
// returns whether there is any. role is the colour of the line, over its colour in front of the
// area, letter its glyph there without colours, and everywhere if only ASCII may be drawn.
func (c *Canvas) Line(r Rect, values, area []float64, role, over theme.Role, letter rune) (gaps bool) {
	steps, g, before := c.areaSteps(), c.Glyphs(), -1
	for x := range min(len(values), len(area), max(0, r.W)) {
		if r.H < 1 || !(values[x] >= 0) {
			before = -1
			continue
		}
		fills := func(row int) int { return filled(area[x], r.H-1-row, r.H, len(steps)) }
		at := max(0, filled(values[x], 0, 1, len(dots)*r.H)-1)
		if fills(at/len(dots))%len(steps) > 0 {
			before, gaps = -1, true
			continue
		}
		from, to := at, at
		if before >= 0 && g.Spark {
			from, to = min(at, before+1), max(at, before-1)
		}
		for row := from / len(dots); row <= to/len(dots); row++ {
			glyph, look := '⠀', role
			for k, dot := range dots {
				switch q := row*len(dots) + k; {
				case q == at && fills(row) > 0: // twice as thick, as there it has less contrast
					glyph |= dots[max(1, k)-1] | dots[max(1, k)]
				case q == at:
					glyph |= dot
				case q >= from && q <= to: // up or down to it, on the left
					glyph |= dot & '⡇'
				}
			}
			if fills(row) > 0 {
				look = over
			}
			if !g.Spark || fills(row) > 0 && !g.Braille {
				glyph = letter
			}
			if fills(row)%len(steps) == 0 {
				c.Set(r.X+x, r.Y+r.H-1-row, glyph, look)
			}
		}
		before = at
	}
	return gaps
}
