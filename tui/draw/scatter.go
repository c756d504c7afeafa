package draw

import "cupelscope/tui/theme"

// Layer is dots of a plot: for each of its Dots columns the rows of dots that
// are set, the lowest bit at the bottom. Where layers share a cell it has the
// look of the last.
type Layer struct {
	Columns []uint64
	Role    theme.Role
	Letter  rune // stands for the dots where there is no braille
}

// DotRows is how many rows of dots a plot of h text rows has: four each in
// braille, one otherwise; at most 64.
func DotRows(h int, g *theme.Glyphs) int {
	if g.Spark {
		return min(4*h, 64)
	}
	return min(h, 64)
}

// Scatter plots layers over each other.
func (c *Canvas) Scatter(r Rect, layers ...Layer) {
	if r.Empty() {
		return
	}
	across, down := 1, 1
	if c.Glyphs().Spark {
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
			if c.Glyphs().Spark {
				look = 0x2800 + bits
			}
			c.Set(r.X+x, r.Y+y, look, role)
		}
	}
}
