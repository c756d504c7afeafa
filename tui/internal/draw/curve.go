package draw

import "cupelscope/tui/internal/theme"

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

// Ahead is how one of two rivals is drawn: the part that is above the other, and its line where it is
// below that.
type Ahead struct {
	Role   theme.Role
	Split  theme.Role // as the ground of a cell of which the line of the other fills the lower part
	Here   theme.Role // of the current budget over it
	Letter rune       // where glyphs alone tell it
	Line   theme.Role // of the line, and of the letter
}

// equal is the letter of two rivals that have the same value.
const equal = '='

// Rivals fills the cells of r between the values of two rivals, one for each column as Area does,
// with the area of the rival that is ahead, and draws the line of the other below that, half a row
// high; a line of the role same where they have the same value. Column here shows the current budget.
// A cell has two colours at most: one in which the line, the area and nothing meet leaves out what is
// least. Rivals reports which of them is ahead anywhere, and whether they have the same value anywhere.
func (c *Canvas) Rivals(r Rect, values [2][]float64, same theme.Role, ahead [2]Ahead, here int) (seen [2]bool, even bool) {
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
		if letters { // whole rows, of which one at least is ahead
			to = max(1, (to+full/2)/full) * full
			from = min((from+full/2)/full*full, to-full)
		}
		look, line, letter := ahead[first], ahead[1-first].Line, ahead[1-first].Letter
		if to > from && (letters || c.Glyphs().Braille) {
			seen[first] = true
		} else {
			from, line, letter = to, same, equal
			even = even || to > 0
		}
		for y := range r.H {
			base := (r.H - 1 - y) * full
			b, t, s := min(full, max(0, from-base)), min(full, max(0, to-base)), max(0, from-full/2-base)
			var glyph rune
			role := look.Role
			switch {
			case t > b && letters:
				glyph, role = look.Letter, look.Line
			case t > b && (b == 0 || b <= full-t):
				glyph = steps[t-1]
			case t > b:
				glyph, role, t = steps[b-1], look.Split, full
			case b == 0 || s >= b:
			case !c.Glyphs().Braille:
				if role = line; from <= base+full {
					glyph = letter
				}
			case b < full || s == 0:
				glyph, role = steps[b-1], line
			case s < full-1:
				glyph, role = '▀', line
			}
			if x == here {
				switch {
				case t > 0 && base+full >= to: // the upper edge stays
					glyph, role = steps[t-1], theme.StripHere
				case t > b:
					glyph, role = c.Glyphs().StripHere, look.Here
				default:
					glyph, role = c.Glyphs().StripHere, theme.StripHere
				}
			}
			if glyph != 0 {
				c.Set(r.X+x, r.Y+y, glyph, role)
			}
		}
	}
	return seen, even
}
