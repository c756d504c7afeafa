package widget

import (
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
)

// Cell is a text at the right of a row, in Width cells. It is aligned to the right with a blank
// before it or, if Left, to the left with two.
type Cell struct {
	Width int
	Text  string
	Role  theme.Role
	Left  bool
}

// DrawCells draws cells so that the last ends where r does, and returns what is left of r.
func (f *Frame) DrawCells(r draw.Rect, cells ...Cell) draw.Rect {
	for _, c := range cells {
		r.W -= c.Width
	}
	x := r.X + r.W
	for _, c := range cells {
		if c.Left {
			f.Text(x+2, r.Y, c.Width-2, c.Text, c.Role)
		} else {
			f.Right(x, r.Y, c.Width, draw.Fit(c.Text, c.Width-1, f.Glyphs()), c.Role)
		}
		x += c.Width
	}
	return r
}

// Cells writes the cells of a row from X on, a blank between them.
type Cells struct {
	f    *Frame
	X, y int
}

// Cells begins a row at a cell of the screen.
func (f *Frame) Cells(x, y int) *Cells { return &Cells{f, x, y} }

// Put writes a cell, unless it has no width.
func (c *Cells) Put(width int, text string, right bool, role theme.Role) {
	switch {
	case width <= 0:
		return
	case right:
		c.f.Right(c.X, c.y, width, text, role)
	default:
		c.f.Text(c.X, c.y, width, text, role)
	}
	c.X += width + 1
}

// CellsWidth returns how many cells of the screen such cells take, with the blank after each.
func CellsWidth(widths ...int) (sum int) {
	for _, w := range widths {
		if w > 0 {
			sum += w + 1
		}
	}
	return sum
}

// DrawItem draws an item of the result in a row: whether it is in, its number, its kind and
// its first line, and cells at the right.
func (f *Frame) DrawItem(r draw.Rect, i int, cells ...Cell) {
	r = f.DrawCells(r, cells...)
	mark, role, _ := State(f.Glyphs(), f.Out, i)
	f.Text(r.X, r.Y, 1, string(mark), role)
	f.Text(r.X+2, r.Y, r.W-2, ItemName(f.Glyphs(), f.Out.Report, i, r.W-2), Shade(f, i))
}

// ItemName returns the number, the kind and the first line of an item in exactly width cells.
func ItemName(g *theme.Glyphs, rep *model.Report, i, width int) string {
	it := rep.Items.Loaded(i)
	text := draw.Fit("#"+strconv.Itoa(i)+" "+KindName(it.Kind)+" "+plain.Line(it.Headline(8*width+64), width), width, g)
	return text + strings.Repeat(" ", max(0, width-draw.Width(text)))
}

// Largest returns the n largest of items, or all if they are fewer, the largest first.
func Largest(set *model.Set, items []int32, n int) (top []int32) {
	for _, i := range items {
		top = Most(top, i, n, func(i int32) float64 { return float64(set.Tokens(int(i))) })
	}
	return top
}
