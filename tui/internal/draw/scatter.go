package draw

import "cupelscope/tui/internal/theme"

// Layer is one set of dots of a scatter plot. Columns has an element for each
// column of dots, as many as Dots returns; missing ones are empty. Its bits are
// the rows of dots, the lowest bit at the bottom.
type Layer struct {
	Columns []uint64
	Role    theme.Role
	Letter  rune // stands for the dots where there is no braille
}

// Dots returns how many columns of dots a plot of w cells has: two for each cell
// in braille, one otherwise.
func Dots(w int, g *theme.Glyphs) int {
	if g.Braille {
		return 2 * w
	}
	return w
}

// brailleBit is the bit of the dot at column x (0, 1) and row y (0 to 3) of a
// cell, in the order of the Unicode block.
var brailleBit = [2][4]rune{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

// DotRows returns how many rows of dots a plot of h text rows has: four for each
// text row in braille, one otherwise, and at most 64.
func DotRows(h int, g *theme.Glyphs) int {
	if g.Braille {
		return min(4*h, 64)
	}
	return min(h, 64)
}

// Scatter plots layers over each other in r. A cell that several layers share
// shows the dots of all of them, in the role and with the letter of the last.
func (c *Canvas) Scatter(r Rect, layers ...Layer) {
	if r.Empty() {
		return
	}
	across, down := 1, 1
	if c.Glyphs().Braille {
		across, down = 2, 4
	}
	rows := DotRows(r.H, c.Glyphs())
	for x := range r.W {
		for y := range r.H {
			var bits, look rune
			role := theme.Plain
			for _, l := range layers {
				var own rune
				for k := range across {
					if x*across+k >= len(l.Columns) {
						continue
					}
					for d := range down {
						if row := rows - 1 - (y*down + d); row >= 0 && l.Columns[x*across+k]>>row&1 != 0 {
							own |= brailleBit[k][d]
						}
					}
				}
				if own != 0 {
					bits, look, role = bits|own, l.Letter, l.Role
				}
			}
			if bits == 0 {
				continue
			}
			if c.Glyphs().Braille {
				look = 0x2800 + bits
			}
			c.Set(r.X+x, r.Y+y, look, role)
		}
	}
}
