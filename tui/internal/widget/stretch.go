package widget

import (
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

// InOf returns a bar of all tokens of a kind or group: solid those that are in, hollow the others.
func InOf(g *theme.Glyphs, in, all model.Tokens) []Stretch {
	out := '░'
	if !g.Spark {
		out = g.BarFree
	}
	return []Stretch{{in, all, out, theme.StripOut}, {0, in, g.BarSelected, theme.BarSelected}}
}

// minBar is the least width at which a bar is drawn.
const minBar = 6

// DrawStretches draws a bar that stands for scale tokens if it fills r.
func (f *Frame) DrawStretches(r draw.Rect, scale model.Tokens, bar []Stretch) {
	if r.W < minBar {
		return
	}
	at := func(t model.Tokens) int {
		share := float64(min(max(0, t), scale)) / float64(scale)
		return int(share*float64(r.W) + 0.5)
	}
	for _, b := range bar {
		if b.To <= b.From || b.To <= 0 {
			continue
		}
		from := min(at(b.From), r.W-1)
		f.Fill(draw.Rect{X: r.X + from, Y: r.Y, W: max(1, at(b.To)-from), H: 1}, b.Glyph, b.Role)
	}
}
