package window

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// outlinedWidth is the least width, in cells, at which the items are listed beside the text, and
// placedWidth the least width at which each has its place there.
const outlinedWidth, placedWidth = 76, 110

// readWidth is the width, in cells, of a text beyond which the list gets what there is more.
const readWidth = 114

// outline returns the rectangle of the list of the items, in the order in which the model reads
// them, below its heading; it is empty where there is no room for the list.
func (p *View) outline() draw.Rect {
	in := p.inner()
	if in.W < outlinedWidth || p.len() == 0 {
		return draw.Rect{X: in.X, Y: in.Y}
	}
	width := max(min(68, in.W*44/100), min(84, in.W-readWidth))
	if in.W < placedWidth {
		width = 34
	}
	return draw.Rect{X: in.X, Y: in.Y + 1, W: width, H: in.H - 1}
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
	before, _ := p.gapsTo(p.at.place)
	return max(0, min(p.at.place+before-rows*2/3, p.len()+len(p.gaps)-rows))
}

// outlined returns the place that a row of the outline is of, and what is left out before it if
// the row says that; else nil.
func (p *View) outlined(row int) (place int, left *gap) {
	k := sort.Search(len(p.gaps), func(k int) bool { return p.gaps[k].place+k >= row })
	if k < len(p.gaps) && p.gaps[k].place+k == row {
		left = &p.gaps[k]
	}
	return row - k, left
}

// outlineColumns are the widths of the columns of the outline; 0 hides one. A bar shows the weight of
// an item, against the largest.
type outlineColumns struct{ place, index, kind, name, tok, before, bar int }

// width returns how many cells the columns take, with the mark and a blank after each.
func (c outlineColumns) width() int {
	return 1 + widget.CellsWidth(1, c.place, c.index, c.kind, c.name, c.tok, c.before, c.bar)
}

// outlineColumns returns the columns of an outline, of which names take what the others leave.
func (p *View) outlineColumns(width int) outlineColumns {
	c := outlineColumns{index: len(strconv.Itoa(p.out.Items.Len() - 1)), kind: 4, tok: 6}
	if p.inner().W >= placedWidth || p.byScore() { // below, names need the room more
		c.bar = max(4, (width-16)/4)
	}
	if p.inner().W >= placedWidth && p.diff.with == nothing { // else places are not those in the window
		c.place = max(2, len(plain.Thousands(p.len())))
		if width >= 60 {
			c.before = max(6, draw.Width(p.before[p.len()].String()))
		}
	}
	c.name = max(0, width-c.width()-1)
	return c
}

// drawOutline lists the places with their tokens and, where there is room, the tokens before
// them. Places of a difference have its signs.
func (p *View) drawOutline(f *widget.Frame, r draw.Rect) {
	if r.Empty() {
		return
	}
	f.Fill(draw.Rect{X: r.X + r.W, Y: r.Y - 1, W: 1, H: r.H + 1}, f.Glyphs().Vertical, theme.Frame)
	c, weight := p.outlineColumns(r.W), ""
	if p.byScore() {
		weight = "score"
	}
	c.line(f, draw.Rect{X: r.X, Y: r.Y - 1, W: r.W, H: 1}, ' ', theme.Plain, theme.Dim, "at", "#", "kind", "item", f.About()+"tok", weight, theme.Dim, "before")
	top := p.outlineTop(r.H)
	for y := range min(r.H, p.len()+len(p.gaps)-top) {
		row := r.Row(y)
		place, left := p.outlined(top + y)
		if left != nil {
			c.line(f, row, p.glyphs.Out, theme.Out, theme.Dim, "", strconv.Itoa(left.first), "", left.text(), widget.Tokens(left.tokens), "", theme.Dim, "")
			continue
		}
		p.outlineRow(f, row, place, c)
		if place == p.at.place {
			f.Cursor(row.X, row.Y, false) // the focus is on the text
			if c.bar > 0 {                // which the ground of the row would make longer
				row.W -= c.bar + 2
			}
			f.Mark(row, theme.Selected)
		}
	}
}

// byScore reports whether the items stand by their scores, so that these are their weights.
func (p *View) byScore() bool { return p.diff.with == nothing && p.out.Policy.Placer == model.UShaped }

// weight returns how many tokens an item takes in the window, or took in the window that it is
// compared with, or the score by which it is placed.
func (p *View) weight(k int) float64 {
	switch at := p.places[k]; {
	case at.mark == inBoth:
		return 0
	case p.byScore() && p.out.Report.Codes[at.item] == model.Pinned:
		return 1
	case p.byScore():
		return p.out.Report.Scores[at.item]
	case at.mark == unmarked:
		return float64(p.before[k+1] - p.before[k])
	default:
		return float64(p.out.Items.Tokens(at.item))
	}
}

func (p *View) outlineRow(f *widget.Frame, r draw.Rect, k int, c outlineColumns) {
	at := p.places[k]
	if at.mark == inBoth {
		text := plain.Count(at.count, "item") + " in both"
		x := max(1, 3+c.index-strings.Index(text, " ")) // the number ends where those of items do
		f.Text(r.X+x, r.Y, r.W-x, text, theme.Dim)
		return
	}
	it := p.out.Items.Loaded(at.item)
	glyph, role, _ := widget.State(p.glyphs, p.out, at.item)
	shade, before := theme.Plain, ""
	tokens := widget.ItemTokens(p.out.Items, at.item)
	switch at.mark {
	case onlyThere:
		shade = theme.Dim
		fallthrough
	case onlyHere:
		glyph, role = p.sign(at.mark)
	default:
		before = p.before[k].String()
		if cut := widget.SizeText(p.out.Report, at.item, model.Tokens.Short); cut != "" {
			tokens = cut
		}
	}
	if more := draw.Width(tokens) - c.tok; more > 0 {
		c.tok, c.name = c.tok+more, c.name-more
	}
	c.line(f, r, glyph, role, shade, plain.Thousands(k+1), strconv.Itoa(at.item), plain.Line(widget.KindName(it.Kind), 4), plain.Line(it.Headline(8*max(0, c.name)+64), max(1, c.name)), tokens, barOf(f.Glyphs(), p.weight(k), p.most, c.bar), role.Area(), before)
}

// barOf returns a bar of at most so many cells for a weight: to an eighth of a cell, so that different
// weights differ.
func barOf(g *theme.Glyphs, weight, most float64, cells int) string {
	if !(weight > 0) || math.IsInf(most, 0) || cells == 0 {
		return ""
	}
	steps := []rune("▏▎▍▌▋▊▉█")
	if !g.Spark {
		steps = []rune{g.Strip[4]}
	}
	n := max(1, int(weight/most*float64(cells*len(steps))+.5))
	bar := strings.Repeat(string(steps[len(steps)-1]), n/len(steps))
	if rest := n % len(steps); rest > 0 {
		bar += string(steps[rest-1])
	}
	return bar
}

// line writes a row of the outline.
func (c outlineColumns) line(f *widget.Frame, r draw.Rect, mark rune, role, shade theme.Role, place, index, kind, name, tok, bar string, tone theme.Role, before string) {
	row := f.Cells(r.X+1, r.Y)
	row.Put(c.place, place, true, theme.Dim)
	row.Put(1, string(mark), false, role)
	row.Put(c.index, index, true, theme.Dim)
	row.Put(c.kind, kind, false, theme.Dim)
	row.Put(c.name, name, false, shade)
	row.Put(c.tok, tok, true, shade)
	row.Put(c.before, before, true, theme.Dim)
	row.Put(c.bar, bar, false, tone)
}
