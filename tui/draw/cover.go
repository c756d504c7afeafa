package draw

import (
	"sort"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/theme"
)

// NewEvenScale is NewScale with columns that hold as many budgets each, to
// within one.
func NewEvenScale(lo, hi model.Tokens, width int) Scale {
	lo = max(1, lo)
	n := max(1, hi-lo+1)
	width = max(1, int(min(model.Tokens(width), n)))
	edges := make([]model.Tokens, width+1)
	for k := range edges {
		edges[k] = lo + n*model.Tokens(k)/model.Tokens(width)
	}
	return Scale{edges}
}

// Cover counts at how many budgets of each column items are in: of several
// items, that share a row, together. A band costs two searches for a column,
// however many it spans.
type Cover struct {
	part  []model.Tokens // budgets in columns that a band begins or ends in
	whole []int32        // by column: how many bands begin to span it less how many end
	items int
}

// Reset makes room for the columns of a scale, with nothing counted.
func (c *Cover) Reset(s Scale) {
	n := s.Columns()
	if cap(c.part) < n {
		c.part, c.whole = make([]model.Tokens, n), make([]int32, n+1)
	}
	c.part, c.whole, c.items = c.part[:n], c.whole[:n+1], 0
	clear(c.part)
	clear(c.whole)
}

// Add counts an item that is in at these bands, ascending.
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

// Levels says what share of the budgets of each column, over all items that
// were counted, is in: as Scale.Levels does for one item.
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

// Halves fills a cell with two tones, one above the other; NoTone leaves a half
// as it is in an empty cell. Without colours it does nothing.
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
