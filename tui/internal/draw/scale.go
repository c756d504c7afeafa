package draw

import (
	"math"
	"sort"

	"cupelscope/model"
	"cupelscope/simulate"
	"cupelscope/tui/internal/theme"
)

// Scale divides a range of budgets, in tokens, into columns. Column k holds the
// budgets from Edges[k] to Edges[k+1]-1. The zero value has no columns.
type Scale struct {
	Edges []model.Tokens // strictly ascending, one more than there are columns
	Cut   bool           // the last column has all budgets beyond the axis of the others
}

// NewScale returns a scale over the budgets lo to hi, both included, with columns
// of equal width on a logarithmic axis. Columns at its start that would be narrower than a budget
// hold one budget each. The scale has width columns, or one for each budget if there are fewer
// budgets, and at least one. A lo below 1 counts as 1, a hi below lo as lo.
func NewScale(lo, hi model.Tokens, width int) Scale {
	lo = max(1, lo)
	hi = max(lo, hi)
	width = max(1, int(min(model.Tokens(width), hi-lo+1)))
	edges := make([]model.Tokens, width+1)
	edges[0] = lo
	growth := func(k int) float64 { return math.Log(float64(hi+1)/float64(edges[k])) / float64(width-k) } // of the columns from k on
	single := 0
	for single < width && float64(edges[single])*math.Expm1(growth(single)) < 1 {
		single++
		edges[single] = edges[single-1] + 1
	}
	if single < width {
		for from, grows, k := float64(edges[single]), growth(single), single+1; k < width; k++ {
			edges[k] = model.Tokens(math.Round(from * math.Exp(grows*float64(k-single))))
		}
	}
	edges[width] = hi + 1
	for k := 1; k <= width; k++ { // every column holds a budget
		edges[k] = max(edges[k], edges[k-1]+1)
	}
	for k := width; k > 0 && edges[k] > hi+1-model.Tokens(width-k); k-- {
		edges[k] = hi + 1 - model.Tokens(width-k)
	}
	return Scale{Edges: edges}
}

// NewEvenScale returns a scale like NewScale, but on a linear axis: the columns
// hold equally many budgets, to within one.
func NewEvenScale(lo, hi model.Tokens, width int) Scale {
	lo = max(1, lo)
	n := max(1, hi-lo+1)
	width = max(1, int(min(model.Tokens(width), n)))
	edges := make([]model.Tokens, width+1)
	for k := range edges {
		edges[k] = lo + n*model.Tokens(k)/model.Tokens(width)
	}
	return Scale{Edges: edges}
}

func (s Scale) Columns() int { return max(0, len(s.Edges)-1) }

// Column returns the column that holds budget b, found by binary search. Budgets
// outside the range belong to the first or the last column. A scale without
// columns returns -1.
func (s Scale) Column(b model.Tokens) int {
	k := sort.Search(len(s.Edges), func(k int) bool { return s.Edges[k] > b }) - 1
	return min(max(0, k), s.Columns()-1)
}

// The levels of a strip that stand for sizes, above the levels that Scale.Levels returns.
const (
	LevelNote    uint8 = 5 + iota // a note is in place of the item at some budgets
	LevelCut                      // in at every budget, cut at some
	LevelCutLess                  // the same, in the larger of its cuts
)

// Levels returns, for each column, how many of its budgets lie in bands: 0 for
// none, 4 for all, and 1 to 3 for the thirds in between. A single budget is
// enough for level 1. The bands must be in ascending order, as
// simulate.Profile.Bands returns them. Levels overwrites dst from its beginning
// and may reallocate it.
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

// level grades the share that covered is of all: 0 for none, 4 for all, 1 to 3
// for the thirds in between.
func level(covered, all model.Tokens) uint8 {
	switch covered {
	case 0:
		return 0
	case all:
		return 4
	}
	return uint8(min(3, 1+int(3*(float64(covered)/float64(all)))))
}

// Strip draws the levels of one item along the first row of r. Each level must be from 0 to 4,
// as Scale.Levels returns them, or one that stands for sizes. Column here, where the current
// budget is, is marked and shows in: whether the item is in at exactly that budget.
func (c *Canvas) Strip(r Rect, levels []uint8, here int, in bool) {
	for k := range min(r.W, len(levels)) {
		glyph, role := StripCell(c.Glyphs(), levels[k], k == here, in)
		c.Set(r.X+k, r.Y, glyph, role)
	}
}

// StripSpans returns what Strip draws of an item that is in.
func StripSpans(g *theme.Glyphs, levels []uint8, here int) (all []Span) {
	for k, level := range levels {
		glyph, role := StripCell(g, level, k == here, true)
		all = append(all, Span{string(glyph), role})
	}
	return all
}

// StripCell returns the glyph and the role of a cell of a strip; here and in are as for Strip.
func StripCell(g *theme.Glyphs, level uint8, here, in bool) (rune, theme.Role) {
	glyph, role := g.Strip[min(level, 4)], theme.StripIn
	if level >= LevelNote {
		glyph = g.Sizes[level-LevelNote]
	}
	switch {
	case here && in:
		glyph, role = g.StripHereIn, theme.StripHere
	case here:
		glyph, role = g.StripHere, theme.StripHere
	case level == 0:
		role = theme.StripOut
	case level <= 3:
		role = theme.StripSome
	case level == LevelNote:
		role = theme.Dim
	}
	return glyph, role
}

// RulerName is what a ruler writes from a column on, in place of the labels between its ends: the first form,
// in ASCII, for which there is room.
type RulerName struct {
	Column int
	Forms  []string
	Alone  bool // no labels stand between the ends
}

// Text returns what formats budgets of the scale: in short, unless that writes several alike.
func (s Scale) Text() func(model.Tokens) string {
	if n := s.Columns(); n > 0 && s.Edges[n]-s.Edges[0] < s.Edges[n]/4 {
		return model.Tokens.String
	}
	return model.Tokens.Short
}

// Ruler writes budgets above or below a strip: the least and the largest at its ends, some between
// them, and at column here a mark with the budget now beside it, if there is room:
// "8k....16k....|32,000....128k". now is what may stand there, the longest form first, text
// formats the budgets of the labels, both in ASCII. No label is written in the first left cells
// and the last right cells of r, nor one that the mark or its budget would cover. A here outside
// the columns shows no mark. It reports whether it wrote the name.
func (c *Canvas) Ruler(r Rect, s Scale, here int, now []string, role theme.Role, text func(model.Tokens) string, left, right int, name RulerName) (named bool) {
	width := min(r.W, s.Columns())
	if width <= 0 {
		return false
	}
	c.Fill(Rect{r.X, r.Y, width, 1}, c.Glyphs().Strip[0], theme.StripOut)
	marked := here >= 0 && here < width
	first, last := text(s.Edges[0]), text(s.Edges[s.Columns()]-1)
	lo, hi := left, min(width, r.W-right) // between the labels at the ends
	at, value := here, ""                 // what the mark and its budget cover
	covers := func(x, n int) bool { return marked && x <= here && here < x+n }
	if marked {
		from, to := lo, hi
		if !covers(lo, len(first)) {
			from += len(first) + 1
		}
		if !covers(hi-len(last), len(last)) {
			to -= len(last) + 1
		}
		inner := Rect{X: from, W: to - from, H: 1}
		for _, form := range now {
			if x := here + 1; inner.Contains(x, 0) && inner.Contains(here+len(form), 0) {
				value = form
			} else if x = here - len(form); inner.Contains(x, 0) && inner.Contains(here-1, 0) {
				at, value = x, form
			}
			if value != "" {
				break
			}
		}
	}
	taken := func(x, n int) bool { return marked && x <= at+len(value)+1 && at-1 < x+n }
	label := func(x int, text string) {
		if !covers(x, len(text)) && x >= lo && x+len(text) <= hi {
			c.Text(r.X+x, r.Y, len(text), text, role)
		}
	}
	label(hi-len(last), last)
	if lo+len(first) < hi-len(last) {
		label(lo, first)
	}
	nameEnd := 0
	for _, form := range name.Forms {
		if x, n := name.Column, len(form); !named && x > lo+len(first) && x+n < hi-len(last) && !taken(x, n) {
			named, nameEnd = true, x+n
			c.Text(r.X+x, r.Y, n, form, theme.Plain)
		}
	}
	for x := lo + tickEvery; !name.Alone && x < hi-len(last)-tickEvery/2; x += tickEvery {
		if t := text(s.Edges[x]); !taken(x, len(t)) && (x > nameEnd || x+len(t) < name.Column) && t != first && t != last {
			label(x, t)
			first = t // the next one says something else
		}
	}
	if marked {
		if at == here {
			at++
		}
		c.Text(r.X+at, r.Y, len(value), value, theme.StripHere)
		c.Set(r.X+here, r.Y, c.Glyphs().StripHere, theme.StripHere)
	}
	return named
}

// tickEvery is the distance, in columns, between the labels that a ruler has
// between its ends.
const tickEvery = 20
