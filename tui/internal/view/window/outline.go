package window

import (
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// outlinedWidth is the least width, in cells, at which the items are listed beside the text.
const outlinedWidth = 110

// outline returns the rectangle of the list of the items, in the order in which the model reads
// them; it is empty where there is no room for the list.
func (p *View) outline() draw.Rect {
	in := p.inner()
	if in.W < outlinedWidth || p.len() == 0 {
		return draw.Rect{X: in.X, Y: in.Y}
	}
	return draw.Rect{X: in.X, Y: in.Y, W: min(52, in.W*3/10), H: in.H}
}

// textArea returns what the outline and the rule beside it leave.
func (p *View) textArea() draw.Rect {
	in, out := p.inner(), p.outline()
	if out.W > 0 {
		in.X, in.W = out.X+out.W+1, in.W-out.W-1
	}
	return in
}

// outlineTop returns the place at the top of the outline: the place at the top of the text has a
// third of it above.
func (p *View) outlineTop(rows int) int {
	return min(max(0, p.at.place-rows/3), max(0, p.len()-rows))
}

// drawOutline lists the places with their tokens. Places of a difference have its signs.
func (p *View) drawOutline(f *widget.Frame, r draw.Rect) {
	if r.Empty() {
		return
	}
	f.Fill(draw.Rect{X: r.X + r.W, Y: r.Y, W: 1, H: r.H}, f.Glyphs().Vertical, theme.Frame)
	top := p.outlineTop(r.H)
	for y := range min(r.H, p.len()-top) {
		row := r.Row(y)
		p.outlineRow(f, row, p.places[top+y])
		if top+y == p.at.place {
			f.Mark(row, theme.Selected)
		}
	}
}

func (p *View) outlineRow(f *widget.Frame, r draw.Rect, at place) {
	if at.mark == inBoth {
		f.Text(r.X+4, r.Y, r.W-4, plain.Count(at.count, "item")+" in both", theme.Dim)
		return
	}
	it := p.out.Items.Loaded(at.item)
	glyph, role, _ := widget.State(p.glyphs, p.out, at.item)
	shade := theme.Plain
	switch at.mark {
	case onlyHere:
		glyph, role = '+', theme.Gain
	case onlyThere:
		glyph, role, shade = []rune(theme.Minus)[0], theme.Loss, theme.Dim
	}
	f.Set(r.X+1, r.Y, glyph, role)
	digits := len(strconv.Itoa(p.out.Items.Len() - 1))
	f.Right(r.X+3, r.Y, digits, strconv.Itoa(at.item), theme.Dim)
	x := r.X + 4 + digits
	f.Text(x, r.Y, 4, plain.Line(widget.KindName(it.Kind), 4), shade)
	tokens := widget.ItemTokens(p.out.Items, at.item)
	if at.mark == unmarked {
		if cut := widget.SizeText(p.out.Report, at.item, model.Tokens.Short); cut != "" {
			tokens = cut
		}
	}
	w := max(6, draw.Width(tokens)) // of most, so that names end in one column
	f.Right(r.X, r.Y, r.W-1, tokens, theme.Dim)
	if name := r.X + r.W - w - 2 - x - 5; name > 0 {
		f.Text(x+5, r.Y, name, plain.Line(it.Headline(8*name+64), name), shade)
	}
}
