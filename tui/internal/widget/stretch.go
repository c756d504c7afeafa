package widget

import (
	"slices"

	"cupelscope/model"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
)

// Stretch is a part of a bar. Tokens From to To have a cell at least, unless there are none.
type Stretch struct {
	From, To model.Tokens
	Glyph    rune
	Role     theme.Role
}

// InOf returns a bar of all tokens of a kind or group: tokens that are in are solid, the others
// hollow, and less hollow where colours tell them too.
func InOf(g *theme.Glyphs, in, all model.Tokens) []Stretch {
	out := g.Sizes[0]
	switch {
	case !g.Spark:
		out = g.BarFree
	case g.BarHeld == g.BarSelected:
		out = g.Sizes[2]
	}
	return []Stretch{{in, all, out, theme.StripOut}, {0, in, g.BarSelected, theme.BarSelected}}
}

// minBar is the least width at which a bar is drawn.
const minBar = 6

// DrawStretches draws a bar that stands for scale tokens if it fills r. What is solid from the left on, with
// nothing behind it, ends in an eighth of a cell, and has one at least.
func (f *Frame) DrawStretches(r draw.Rect, scale model.Tokens, bar []Stretch) {
	at := func(t model.Tokens) int {
		share := float64(min(max(0, t), scale)) / float64(scale)
		return int(share*float64(r.W) + 0.5)
	}
	for _, b := range bar {
		switch {
		case b.To <= b.From || b.To <= 0 || r.W < minBar:
		case b.From <= 0 && b.Glyph == '█' && !slices.ContainsFunc(bar, func(o Stretch) bool { return o.To > b.To }):
			n := max(1, int(float64(min(b.To, scale))/float64(scale)*float64(8*r.W)+0.5))
			f.Fill(draw.Rect{X: r.X, Y: r.Y, W: n / 8, H: 1}, b.Glyph, b.Role)
			if n%8 > 0 {
				f.Set(r.X+n/8, r.Y, []rune("▏▎▍▌▋▊▉")[n%8-1], b.Role)
			}
		default:
			from := min(at(b.From), r.W-1)
			f.Fill(draw.Rect{X: r.X + from, Y: r.Y, W: max(1, at(b.To)-from), H: 1}, b.Glyph, b.Role)
		}
	}
}

// DrawJoined draws a bar of a waterfall, all of whose bars are given: each begins in the cell in which
// another ends, and has a cell at least as long as there are enough for all.
func (f *Frame) DrawJoined(r draw.Rect, scale model.Tokens, all, bar []Stretch) {
	if r.W < minBar {
		return
	}
	within := func(t model.Tokens) model.Tokens { return min(max(0, t), scale) }
	ends := []model.Tokens{0, scale}
	for _, b := range all {
		ends = append(ends, within(b.From), within(b.To))
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	parts := make([]draw.Part, len(ends)-1)
	for k := range parts {
		parts[k].Tokens = ends[k+1] - ends[k]
	}
	cells := draw.Cells(parts, r.W)
	at := func(t model.Tokens) (x int) {
		for k := 0; ends[k] < within(t); k++ {
			x += cells[k]
		}
		return x
	}
	for _, b := range bar {
		f.Fill(draw.Rect{X: r.X + at(b.From), Y: r.Y, W: at(b.To) - at(b.From), H: 1}, b.Glyph, b.Role)
	}
}

// Deducted returns how the tokens that a budget loses are drawn: tokens of pinned items, tokens
// that are kept from the budget alone, such as for the output, and tokens that are held.
func Deducted(g *theme.Glyphs, d model.Deduction) Stretch {
	switch {
	case d.Field == "" && d.Kind == "":
		return Stretch{Glyph: g.BarPinned, Role: theme.BarPinned}
	case d.OnlyMax:
		return Stretch{Glyph: g.BarOutput, Role: theme.BarOutput}
	}
	return Stretch{Glyph: g.BarHeld, Role: theme.BarHeld}
}
