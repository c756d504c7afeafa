package draw

import (
	"slices"

	"cupelscope/model"
	"cupelscope/tui/internal/theme"
)

// Part is one part of a whole, such as the pinned tokens of a budget.
type Part struct {
	Label    string
	Tokens   model.Tokens // the size; a negative one counts as 0
	Text     string       // replaces the number where the number alone misleads
	More     string       // goes behind the number where there is room
	Glyph    rune
	Swatch   rune // stands for a solid part in a legend; 0 is Glyph
	Role     theme.Role
	KeptBack bool // no item may use the tokens
	Counted  bool // the size rests on the token counts of items
}

// LegendGlyph returns the glyph that stands for the part in a legend.
func (p Part) LegendGlyph() rune {
	if p.Swatch != 0 && p.Glyph == '█' {
		return p.Swatch
	}
	return p.Glyph
}

// Cells divides width cells among the parts in proportion to their tokens, by
// the largest remainder, and returns the cells of each part. A part with tokens
// gets at least one cell, taken from the widest part, as long as some part has
// two cells or more. If no part has tokens or width is not positive, every part
// gets 0 cells.
func Cells(parts []Part, width int) []int {
	cells := make([]int, len(parts))
	var total model.Tokens
	for _, p := range parts {
		total += max(0, p.Tokens)
	}
	if total == 0 || width <= 0 {
		return cells
	}
	left := width
	remainder := make([]float64, len(parts))
	for i, p := range parts {
		exact := float64(max(0, p.Tokens)) / float64(total) * float64(width)
		cells[i] = int(exact)
		remainder[i] = exact - float64(cells[i])
		left -= cells[i]
	}
	for ; left > 0; left-- {
		best := slices.Index(remainder, slices.Max(remainder))
		cells[best]++
		remainder[best] = -1
	}
	for i, p := range parts {
		if p.Tokens <= 0 || cells[i] > 0 {
			continue
		}
		widest := slices.Index(cells, slices.Max(cells))
		if cells[widest] < 2 {
			break
		}
		cells[widest]--
		cells[i]++
	}
	return cells
}

// Bar draws the parts side by side along the first row of r, each with its glyph
// and role, divided as Cells says.
func (c *Canvas) Bar(r Rect, parts []Part) {
	x := r.X
	for i, n := range Cells(parts, r.W) {
		for range n {
			c.Set(x, r.Y, parts[i].Glyph, parts[i].Role)
			x++
		}
	}
}
