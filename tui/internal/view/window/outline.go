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
// them, below its heading; it is empty where there is no room for the list.
func (p *View) outline() draw.Rect {
	in := p.inner()
	if in.W < outlinedWidth || p.len() == 0 {
		return draw.Rect{X: in.X, Y: in.Y}
	}
	return draw.Rect{X: in.X, Y: in.Y + 1, W: min(60, in.W*35/100), H: in.H - 1}
}

// textArea returns what the outline and the rule beside it leave.
func (p *View) textArea() draw.Rect {
	in, out := p.inner(), p.outline()
	if out.W > 0 {
		in.X, in.W = out.X+out.W+1, in.W-out.W-1
	}
	return in
}

// outlineTop returns the place at the top of the outline: the first one as long as the place at
// the top of the text is within two thirds of the rows.
func (p *View) outlineTop(rows int) int {
	return max(0, min(p.at.place-rows*2/3, p.len()-rows))
}

// outlineColumns are the widths of the columns of the outline; 0 hides one.
type outlineColumns struct{ place, index, name, tok, before int }

func (p *View) outlineColumns(width int) outlineColumns {
	c := outlineColumns{index: len(strconv.Itoa(p.out.Items.Len() - 1)), tok: 6}
	if p.diff.with == nothing { // else places are not those in the window
		c.place = max(2, len(plain.Thousands(p.len())))
		if width >= 50 {
			c.before = max(6, draw.Width(p.before[p.len()].String()))
		}
	}
	c.name = width - 11 - c.index - c.tok
	for _, w := range [...]int{c.place, c.before} {
		if w > 0 {
			c.name -= w + 1
		}
	}
	return c
}

// drawOutline lists the places with their tokens and, where there is room, the tokens before
// them. Places of a difference have its signs.
func (p *View) drawOutline(f *widget.Frame, r draw.Rect) {
	if r.Empty() {
		return
	}
	f.Fill(draw.Rect{X: r.X + r.W, Y: r.Y - 1, W: 1, H: r.H + 1}, f.Glyphs().Vertical, theme.Frame)
	c := p.outlineColumns(r.W)
	c.line(f, draw.Rect{X: r.X, Y: r.Y - 1, W: r.W, H: 1}, ' ', theme.Plain, theme.Dim, "at", "#", "kind", "item", f.About()+"tok", "before")
	top := p.outlineTop(r.H)
	for y := range min(r.H, p.len()-top) {
		row := r.Row(y)
		p.outlineRow(f, row, top+y, c)
		if top+y == p.at.place {
			f.Mark(row, theme.Selected)
		}
	}
}

func (p *View) outlineRow(f *widget.Frame, r draw.Rect, k int, c outlineColumns) {
	at := p.places[k]
	if at.mark == inBoth {
		f.Text(r.X+4, r.Y, r.W-4, plain.Count(at.count, "item")+" in both", theme.Dim)
		return
	}
	it := p.out.Items.Loaded(at.item)
	glyph, role, _ := widget.State(p.glyphs, p.out, at.item)
	shade, before := theme.Plain, ""
	tokens := widget.ItemTokens(p.out.Items, at.item)
	switch at.mark {
	case onlyHere:
		glyph, role = '+', theme.Gain
	case onlyThere:
		glyph, role, shade = []rune(theme.Minus)[0], theme.Loss, theme.Dim
	case unmarked:
		before = p.before[k].String()
		if cut := widget.SizeText(p.out.Report, at.item, model.Tokens.Short); cut != "" {
			tokens = cut
		}
	}
	if more := draw.Width(tokens) - c.tok; more > 0 {
		c.tok, c.name = c.tok+more, c.name-more
	}
	c.line(f, r, glyph, role, shade, plain.Thousands(k+1), strconv.Itoa(at.item), plain.Line(widget.KindName(it.Kind), 4), plain.Line(it.Headline(8*max(0, c.name)+64), max(1, c.name)), tokens, before)
}

// line writes a row of the outline.
func (c outlineColumns) line(f *widget.Frame, r draw.Rect, mark rune, role, shade theme.Role, place, index, kind, name, tok, before string) {
	x := r.X + 1
	put := func(width int, text string, right bool, role theme.Role) {
		switch {
		case width <= 0:
			return
		case right:
			f.Right(x, r.Y, width, text, role)
		default:
			f.Text(x, r.Y, width, text, role)
		}
		x += width + 1
	}
	put(c.place, place, true, theme.Dim)
	f.Set(x, r.Y, mark, role)
	x += 2
	put(c.index, index, true, theme.Dim)
	put(4, kind, false, shade)
	put(c.name, name, false, shade)
	put(c.tok, tok, true, theme.Dim)
	put(c.before, before, true, theme.Dim)
}
