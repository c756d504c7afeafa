package draw

import (
	"math"
	"sort"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/theme"
)

// Scale divides a range of budgets into columns, evenly on a logarithmic axis.
// Column k holds the budgets from Edges[k] to Edges[k+1]-1.
type Scale struct {
	Edges []model.Tokens // one more than there are columns; strictly ascending
}

// NewScale makes a scale of at most width columns over lo..hi, both included.
// Where there are fewer budgets than columns it has fewer columns.
func NewScale(lo, hi model.Tokens, width int) Scale {
	lo = max(1, lo)
	hi = max(lo, hi)
	width = max(1, int(min(model.Tokens(width), hi-lo+1)))
	edges := make([]model.Tokens, width+1)
	ratio := math.Log(float64(hi+1) / float64(lo))
	for k := range edges {
		edges[k] = model.Tokens(math.Round(float64(lo) * math.Exp(ratio*float64(k)/float64(width))))
	}
	edges[0], edges[width] = lo, hi+1
	for k := 1; k <= width; k++ { // every column holds a budget
		edges[k] = max(edges[k], edges[k-1]+1)
	}
	for k := width; k > 0 && edges[k] > hi+1-model.Tokens(width-k); k-- {
		edges[k] = hi + 1 - model.Tokens(width-k)
	}
	return Scale{edges}
}

// Columns is the number of columns.
func (s Scale) Columns() int { return max(0, len(s.Edges)-1) }

// Column is the column that holds budget b; budgets outside go to the nearest.
func (s Scale) Column(b model.Tokens) int {
	k := sort.Search(len(s.Edges), func(k int) bool { return s.Edges[k] > b }) - 1
	return min(max(0, k), s.Columns()-1)
}

// Levels says for each column how many of its budgets are in the bands: 0
// none, 4 all, 1 to 3 thirds in between. A single budget is never lost: it
// makes level 1. The bands are ascending, as from simulate.Profile.Bands.
func (s Scale) Levels(dst []uint8, bands []simulate.Band) []uint8 {
	dst = dst[:0]
	b := 0
	for k := range s.Columns() {
		from, to := s.Edges[k], s.Edges[k+1]-1
		for b < len(bands) && bands[b].To < from {
			b++
		}
		var covered model.Tokens
		for j := b; j < len(bands) && bands[j].From <= to; j++ {
			covered += min(to, bands[j].To) - max(from, bands[j].From) + 1
		}
		dst = append(dst, level(covered, to-from+1))
	}
	return dst
}

// level is the share that covered is of all: 0 none, 4 all, else thirds from 1.
func level(covered, all model.Tokens) uint8 {
	switch covered {
	case 0:
		return 0
	case all:
		return 4
	}
	return uint8(min(3, 1+int(3*(float64(covered)/float64(all)))))
}

// Strip draws one item's levels along row r. The current budget's column is
// marked, and shows whether the item is in at that budget, not around it.
func (c *Canvas) Strip(r Rect, levels []uint8, here int, in bool) {
	g := c.Glyphs()
	for k := range min(r.W, len(levels)) {
		role, glyph := theme.StripIn, g.Strip[levels[k]]
		if levels[k] == 0 {
			role = theme.StripOut
		}
		if k == here {
			role, glyph = theme.StripHere, g.StripHere
			if in {
				glyph = g.StripHereIn
			}
		}
		c.Set(r.X+k, r.Y, glyph, role)
	}
}

// Ruler writes budgets above a strip of the scale, as many as fit, and marks the
// column here: "8k....32k..|..128k". No label covers the mark.
func (c *Canvas) Ruler(r Rect, s Scale, here int, role theme.Role) {
	c.RulerOf(r, s, here, role, model.Tokens.Short, 0, 0)
}

// RulerOf is Ruler with budgets written by text, in ASCII, and none in so many
// cells on the left and on the right.
func (c *Canvas) RulerOf(r Rect, s Scale, here int, role theme.Role, text func(model.Tokens) string, left, right int) {
	width := min(r.W, s.Columns())
	if width <= 0 {
		return
	}
	for k := range width {
		c.Set(r.X+k, r.Y, c.Glyphs().Strip[0], theme.StripOut)
	}
	free := min(width, r.W-right)
	label := func(x int, text string) bool {
		if x < left || x+len(text) > free || x <= here && here < x+len(text) {
			return false
		}
		c.Text(r.X+x, r.Y, len(text), text, role)
		return true
	}
	last := text(s.Edges[s.Columns()] - 1)
	if label(width-len(last), last) {
		free -= len(last) + 1
	}
	for x := left; x < free; {
		at := text(s.Edges[x])
		if label(x, at) {
			x += max(len(at)+3, 8)
		} else {
			x++
		}
	}
	if here >= 0 && here < width {
		c.Set(r.X+here, r.Y, c.Glyphs().StripHere, theme.StripHere)
	}
}
