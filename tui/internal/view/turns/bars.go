package turns

import (
	"math"

	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// scale turns tokens into the height of a bar.
type scale struct {
	top, limit float64 // tokens at the upper edge of the chart, and at its line
	rows       int
	steps      int // a row has so many
}

// scaleTo returns the scale of so many rows that shows most tokens and the limit, with the limit at
// the upper edge of a row, and a row above that for its line, if there are four rows; without the
// limit where that is far above all that is sent.
func scaleTo(most, limit float64, rows, steps int) scale {
	top := max(most, limit)
	free := 0
	if rows > 3 {
		free = 1
	}
	if below := min(math.Floor(limit/top*float64(rows)), float64(rows-free)); below > 0 {
		top = limit * float64(rows) / below
	}
	if limit > 3*most && most > 0 {
		top = most
	}
	return scale{max(top, 1), limit, rows, steps}
}

// limitRow returns the row whose upper edge is the limit, counted from 1 at the bottom. It is above the
// chart if the limit is above top.
func (s scale) limitRow() int { return int(math.Ceil(s.limit/s.top*float64(s.rows) - 1e-9)) }

// height returns the height of a bar, in steps. Only a bar that reaches the limit fills the row
// of its line, and only a bar without tokens has no height.
func (s scale) height(tokens float64) int {
	if tokens <= 0 {
		return 0
	}
	steps, full := int(tokens/s.top*float64(s.rows*s.steps)+.5), s.limitRow()*s.steps
	if tokens >= s.limit {
		return min(max(steps, full), s.rows*s.steps)
	}
	return max(1, min(steps, full-1, s.rows*s.steps))
}

// split divides the height of a bar, in steps: up to read it is read from the cache, up to
// cached written to it. A part that is not empty has a step as long as there are steps enough;
// the part that costs more gets its step first.
func (c column) split(height int) (read, cached int) {
	total := c.tokens()
	part := func(tokens float64) int { return int(tokens/total*float64(height) + .5) }
	read, cached = part(c.read), part(c.read+c.written)
	left := height // for what is read: each part above it has a step
	if c.uncached > 0 {
		left--
		cached = min(cached, left)
	}
	if c.written > 0 {
		left--
	}
	if c.read > 0 {
		read = max(1, read)
	}
	read = max(0, min(read, left))
	if c.written > 0 {
		cached = max(cached, read+1)
	}
	return read, cached
}

// draw draws the bar of the column.
func (c column) draw(f *widget.Frame, r draw.Rect, s scale) {
	height := s.height(c.tokens())
	read, cached := c.split(height)
	if g := f.Glyphs(); g.Cached != g.BarSelected && read > 0 { // no cell shows both parts
		read = max(s.steps, (read+s.steps/2)/s.steps*s.steps)
		if c.written+c.uncached > 0 {
			read = min(read, (height-1)/s.steps*s.steps)
		}
		cached = max(cached, read)
	}
	for y := 0; y*s.steps < height; y++ {
		low := y * s.steps
		glyph, role := c.cell(f.Glyphs(), min(height-low, s.steps), read-low, cached-low, s.steps)
		for x := range r.W {
			f.Set(r.X+x, r.Y+r.H-1-y, glyph, role)
		}
	}
	if c.fails {
		f.Set(r.X, r.Y+r.H-1, f.Glyphs().Fall, theme.Error)
	}
}

// filled returns the glyphs of a row of a bar, in equal steps up to the full row.
func filled(g *theme.Glyphs) []rune {
	if steps := []rune(g.Filled); len(steps) > 1 {
		return steps
	}
	return []rune("_=" + g.Filled)
}

// cell returns the glyph and the role of a row of a bar, of which so many steps are filled: the
// steps up to read were read from the cache, the steps up to cached written to it. A row
// that is not full has one tone, for the part that costs more; what is written shows in a row.
func (c column) cell(g *theme.Glyphs, height, read, cached, steps int) (rune, theme.Role) {
	glyph, role := g.BarSelected, theme.CacheWritten
	switch {
	case !c.billed:
		role = theme.Dim
	case read >= height:
		glyph, role = g.Cached, theme.CacheRead
	case cached < height && (read < 0 || cached <= read): // else what is written would be in no row
		glyph, role = g.Uncached, theme.Uncached
	case read > 0 && height == steps:
		return filled(g)[read-1], theme.CacheSplit
	}
	if height < steps {
		glyph = filled(g)[height-1]
	}
	return glyph, role
}
