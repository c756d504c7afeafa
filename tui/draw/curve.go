package draw

import "cupelscope/tui/theme"

// Line is one curve of a plot: a value between 0 and 1 for each of the plot's
// Dots columns; less than 0 where it is not known.
type Line struct {
	Values []float64
	Role   theme.Role
	Letter rune // stands for the dots where there is no braille
}

// Dots is how many columns of dots a plot of w cells has: two a cell in
// braille, one otherwise.
func Dots(w int, g *theme.Glyphs) int {
	if g.Spark {
		return 2 * w
	}
	return w
}

// brailleBit is the bit of the dot at column x (0, 1) and row y (0 to 3) of a
// cell, in the order of the Unicode block.
var brailleBit = [2][4]rune{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

// Curves plots lines over each other, 0 at the bottom. Where two share a cell,
// it has neither's colour. A column of cells is marked where there is nothing
// else: here, or none if it is below 0.
func (c *Canvas) Curves(r Rect, lines []Line, here int) {
	if r.Empty() {
		return
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
		rune  rune
	}
	cells := make([]dots, r.W*r.H)
	across, down := 1, 1
	if c.Glyphs().Spark {
		across, down = 2, 4
	}
	for _, l := range lines {
		last := -1
		for x, v := range l.Values {
			if !(v >= 0) || x/across >= r.W { // not known, or no number
				last = -1
				continue
			}
			y := int((1-min(1, v))*float64(r.H*down-1) + 0.5)
			from, to := y, y
			if last >= 0 { // a steep curve has no holes
				from, to = min(y, last+sign(y-last)), max(y, last+sign(y-last))
			}
			last = y
			for ; from <= to; from++ {
				cell := &cells[from/down*r.W+x/across]
				role, letter := l.Role, l.Letter
				if cell.drawn && cell.role != l.Role {
					role, letter = theme.Strong, '*'
				}
				*cell = dots{cell.bits | brailleBit[x%across][from%down], role, true, letter}
			}
		}
	}
	for i, cell := range cells {
		if !cell.drawn {
			continue
		}
		glyph := cell.rune
		if c.Glyphs().Spark {
			glyph = 0x2800 + cell.bits
		}
		c.Set(r.X+i%r.W, r.Y+i/r.W, glyph, cell.role)
	}
}

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
