package draw

import (
	"math"

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

// Marker draws the current budget down column here of r, a negative one nowhere, over the area of
// values that Area drew there: over is its role in cells that the area fills. The cell of its upper
// edge is filled up to that, in the colour of the budget.
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
// is below it with another. hung is as below for the last cell of a column, whose glyph is what is left
// out.
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

// Line draws the values of another in front of the area that Area drew in r, half a row high; where they
// are the same, in every other column. Column here is left to Marker. Role is its colour, over that in
// front of the area, letter its glyph where glyphs alone tell.
func (c *Canvas) Line(r Rect, values, area []float64, role, over theme.Role, letter rune, here int) {
	full := len(c.areaSteps())
	for x := range min(len(values), len(area), max(0, r.W)) {
		same := math.Abs(values[x]-area[x]) < 1e-9
		if r.H < 1 || !(values[x] >= 0) || x == here || same && x%2 == 1 {
			continue
		}
		at := max(0, filled(values[x], 0, 1, full*r.H)-1)
		row, glyph, rest := at/full, '▄', full // rest: what the area fills of the cell if it is beside the line
		if 2*(at%full) >= full {
			glyph, rest = '▀', full/2
		}
		look := role
		if filled(area[x], 0, 1, full*r.H) >= row*full+rest {
			look = over
		}
		if !c.Glyphs().Braille {
			look, glyph = role, letter
		}
		c.Set(r.X+x, r.Y+r.H-1-row, glyph, look)
	}
}

// Rival is how one of two areas over each other is drawn.
type Rival struct {
	Behind theme.Role // what it has more than the other
	Front  theme.Role // where it is the lower one
	Split  theme.Role // of a cell of which the other fills the lower part, in front of it
	Here   theme.Role // of the current budget over it
	Letter rune       // its glyph where glyphs alone tell it
}

// Rivals draws the areas of two rivals, one value for each column as Area does: in front the lower one,
// behind it what the other has more, and both in one role where they are the same. Column here shows the
// current budget, and keeps the edges of both. A cell has two colours at most: one in which both edges
// are leaves out what is least. Rivals reports which of them has more anywhere, and whether they are the
// same anywhere.
func (c *Canvas) Rivals(r Rect, values [2][]float64, both theme.Role, look [2]Rival, here int) (more [2]bool, even bool) {
	steps := c.areaSteps()
	full := len(steps)
	for x := range min(len(values[0]), len(values[1]), max(0, r.W)) {
		first, low, high := 0, values[0][x], values[1][x]
		if high > low {
			first = 1
		} else {
			low, high = high, low
		}
		from, to := filled(low, 0, 1, full*r.H), filled(high, 0, 1, full*r.H)
		letters := !c.Glyphs().Braille && 4*(to-from) >= full
		if letters { // whole rows, of which the higher one has one at least more
			to = max(1, (to+full/2)/full) * full
			from = min((from+full/2)/full*full, to-full)
		}
		behind, front := look[first], look[1-first]
		if to > from && (letters || c.Glyphs().Braille) {
			more[first] = true
		} else {
			from, front.Front, front.Letter, front.Here = to, both, c.Glyphs().Sizes[1], theme.StripHere
			even = even || to > 0
		}
		for y := range r.H {
			base := (r.H - 1 - y) * full
			b, t := min(full, max(0, from-base)), min(full, max(0, to-base))
			var glyph rune
			role, over := theme.StripHere, theme.StripHere
			switch {
			case t == 0:
			case t > b && !c.Glyphs().Braille:
				glyph, role, over = behind.Letter, behind.Front, behind.Here
			case t > b && b <= full-t:
				glyph, role, over = steps[t-1], behind.Behind, behind.Here
			case t > b:
				glyph, role, t = steps[b-1], behind.Split, full
			case !c.Glyphs().Braille:
				glyph, role, over = front.Letter, front.Front, front.Here
			default:
				glyph, role, over = steps[b-1], front.Front, front.Here
			}
			switch edge := b > 0 && from <= base+full; {
			case x != here:
			case t > 0 && base+full >= to && !c.Glyphs().Braille:
				glyph, role = c.Glyphs().StripHereIn, theme.StripHere
			case t > 0 && base+full >= to:
				glyph, role = steps[t-1], theme.StripHere
			case !edge:
				glyph, role = c.Glyphs().StripHere, over
			}
			if glyph != 0 {
				c.Set(r.X+x, r.Y+y, glyph, role)
			}
		}
	}
	return more, even
}
