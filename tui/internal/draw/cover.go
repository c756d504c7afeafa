package draw

import (
	"sort"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/theme"
)

// Cover sums, for several items that share a row, at how many budgets of each
// column of a scale they are in. Adding a band costs at most two binary searches
// for a column, however many columns the band spans. The zero value is ready
// for Reset. A Cover is not safe for concurrent use.
type Cover struct {
	part  []model.Tokens // by column: budgets of bands that begin or end in it
	whole []int32        // by column: bands that span it wholly, as a difference from the column before
	items int
}

// Reset prepares the cover for the columns of s and clears all counts. It
// reuses memory.
func (c *Cover) Reset(s Scale) {
	n := s.Columns()
	if cap(c.part) < n {
		c.part, c.whole = make([]model.Tokens, n), make([]int32, n+1)
	}
	c.part, c.whole, c.items = c.part[:n], c.whole[:n+1], 0
	clear(c.part)
	clear(c.whole)
}

// Add counts an item that is in at the budgets of bands, which must be in
// ascending order. s must be the scale of the last Reset.
func (c *Cover) Add(s Scale, bands []simulate.Band) {
	c.items++
	n := s.Columns()
	if n == 0 {
		return
	}
	lo, hi := s.Edges[0], s.Edges[n]-1
	begin := 0
	if len(bands) > 8 {
		begin = sort.Search(len(bands), func(k int) bool { return bands[k].To >= lo })
	}
	for _, b := range bands[begin:] {
		if b.To < lo {
			continue
		}
		if b.From > hi {
			return
		}
		from, to := max(b.From, lo), min(b.To, hi)
		first, last := s.Column(from), n-1
		if to < hi { // most bands reach the end
			last = s.Column(to)
		}
		if first == last {
			c.part[first] += to - from + 1
			continue
		}
		c.part[first] += s.Edges[first+1] - from
		c.part[last] += to - s.Edges[last] + 1
		c.whole[first+1]++
		c.whole[last]--
	}
}

// Levels returns a level from 0 to 4 for each column, as Scale.Levels does for
// one item, taken over all items that were added. It overwrites dst from its
// beginning and may reallocate it. s must be the scale of the last Reset. The
// cost is O(columns).
func (c *Cover) Levels(dst []uint8, s Scale) []uint8 {
	dst = dst[:0]
	spanning := int32(0)
	for k := range c.part {
		spanning += c.whole[k]
		size := s.Edges[k+1] - s.Edges[k]
		dst = append(dst, level(c.part[k]+model.Tokens(spanning)*size, model.Tokens(c.items)*size))
	}
	return dst
}

// Halves fills the cell (x, y) with two tones, one above the other; NoTone leaves
// its half in the terminal's default background. Halves does nothing outside the
// canvas, or if the theme does not draw maps in colour.
func (c *Canvas) Halves(x, y int, upper, lower theme.Tone) {
	if !c.theme.Shades() || !c.clip.Contains(x, y) {
		return
	}
	c.put(x, y, '▀', theme.Plain)
	cl := &c.cells[y*c.W+x]
	cl.role, cl.half = theme.Role(upper), uint8(lower)+1
	if upper == theme.NoTone {
		cl.r = ' '
		if lower != theme.NoTone { // the character has the lower tone
			cl.r, cl.role, cl.half = '▄', theme.Role(lower), uint8(theme.NoTone)+1
		}
	}
}
