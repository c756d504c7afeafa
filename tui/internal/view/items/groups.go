package items

import (
	"cmp"
	"fmt"
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// groupColumns are the widths of the columns of the groups: name, items in, tokens in, tokens of
// all, the bar of both, value; 0 for a column without room.
type groupColumns [6]int

// groupHeads are the headings of these columns; the bar has none.
var groupHeads = [6]string{"group", "items in", "tokens in", "of", "", "value"}

// columns divides width cells; the bar takes what the others leave, and where that is too little, names
// are cut first, then the value goes.
func (t *tree) columns(f *widget.Frame, width int) groupColumns {
	tokens := draw.Width(f.Sum(t.scale()))
	c := groupColumns{max(t.label, len(groupHeads[0])), max(len(groupHeads[1]), len(" of ")+2*len(plain.Thousands(t.most))) + 1,
		max(tokens, len(groupHeads[2])) + 1, tokens + 1, 0, max(draw.Width(f.About())+t.sum, len(groupHeads[5])) + 1}
	room := width - 3 - len(c)
	for _, w := range c {
		room -= w
	}
	const bar = 12
	name := [2]int{12, 20}[min(1, width/80)] // at least, beside the numbers
	if cut := min(bar-room, c[0]-name); cut > 0 {
		c[0], room = c[0]-cut, room+cut
	}
	if room < bar {
		c[5], room = 0, room+c[5]
	}
	c[4] = max(0, room)
	return c
}

// scale returns the tokens of the largest group.
func (t *tree) scale() model.Tokens {
	if len(t.groups) == 0 {
		return 1
	}
	return max(1, t.groups[0].whole)
}

// label returns the name of a group, safe to draw.
func (g *group) label() string { return plain.Line(cmp.Or(g.name, "no kind"), 60) }

func (t *tree) head(f *widget.Frame, r draw.Rect, c groupColumns) {
	cells := f.Cells(r.X+3, r.Y)
	for k, title := range groupHeads {
		if k == 4 {
			bar := widget.InOf(f.Glyphs(), 0, 0)
			out := bar[0].Glyph
			if f.Theme().Shades() {
				out = f.Glyphs().Swatch
			}
			f.Spans(cells.X+1, r.Y, c[k]-1, draw.Span{Text: string(cmp.Or(f.Glyphs().Swatch, bar[1].Glyph)), Role: bar[1].Role}, draw.Span{Text: " in  ", Role: theme.Dim},
				draw.Span{Text: string(out), Role: bar[0].Role}, draw.Span{Text: " out", Role: theme.Dim})
		}
		cells.Put(c[k], title, k > 0, theme.Dim)
	}
}

// headingRow draws the row of a group: how many of its items and tokens are in, of all, and their value.
func (p *View) headingRow(f *widget.Frame, r draw.Rect, g *group, c groupColumns, cursor, focused bool) {
	sign := f.Glyphs().Folded
	if p.tree.open[g.name] {
		sign = f.Glyphs().Open
	}
	f.Set(r.X+1, r.Y, sign, theme.Key)
	in, taken, value := plain.Thousands(g.in), f.Sum(g.taken), f.About()+widget.Value(g.value)
	switch {
	case f.NoResult:
		in, taken, value = "-", "-", "-"
	case g.in > 0 && g.scored == 0:
		value = "pin" // no score says what pinned items are worth
	}
	role := theme.Plain
	if g.in == 0 {
		role = theme.Dim
	}
	cells := f.Cells(r.X+3, r.Y)
	cells.Put(c[0], draw.Fit(g.label(), c[0], f.Glyphs()), false, theme.Strong)
	cells.Put(c[1], in+" of "+plain.Thousands(len(g.items)), true, role)
	cells.Put(c[2], taken, true, role)
	cells.Put(c[3], f.Sum(g.whole), true, theme.Dim)
	f.DrawStretches(draw.Rect{X: cells.X + 1, Y: r.Y, W: c[4] - 1, H: 1}, p.tree.scale(), widget.InOf(f.Glyphs(), g.taken, g.whole))
	cells.Put(c[4], "", false, theme.Plain)
	cells.Put(c[5], value, true, role)
	f.CursorRow(r, cursor, focused)
}

// rows returns how many rows the groups need, with their heads and the items that the newest change
// pulls into sight; 0 without groups: any number.
func (p *View) rows() int {
	if p.tree.by == ungrouped {
		return 0
	}
	n := len(p.tree.lines) + 1
	if p.tree.unfolded() {
		n++
	}
	if im, ok := lastImpact(p.app.Experiment(), p.app.Side()); ok && im.Moves() {
		n += 1 + min(maxAway, len(im.In)+len(im.Out))
	}
	return n
}

// noItem lists the largest items of the group under the cursor, as many as there is room for; of an
// open group, whose rows the table has, the items that are out.
func (p *View) noItem(f *widget.Frame, width, rows int) (string, [][]draw.Span) {
	g := p.tree.heading()
	if g == nil || f.Out == nil || f.Out.Report == nil {
		return "Item", draw.Paragraph(width, draw.Span{Text: "No item is selected.", Role: theme.Dim})
	}
	items, title, all := g.items, g.label()+"  "+plain.Count(len(g.items), "item"), "; enter lists all"
	if p.tree.open[g.name] && !f.NoResult {
		items = slices.DeleteFunc(slices.Clone(items), func(i int32) bool { return f.Out.Report.In(int(i)) })
		title, all = g.label()+"  "+plain.Thousands(len(items))+" out", ""
	}
	if listed := rows - 1; listed > 0 && listed < len(items) {
		title += ", the " + widget.Verb(listed, "", plain.Thousands(listed)+" ") + "largest" + all
	} else if len(items) > 1 {
		title += ", largest first"
	}
	const widest, tok, short, long = 140, 9, 14, 32 // cells; wider, and the numbers stand far from the text
	width = min(width, widest)
	why := short
	if width >= 100 {
		why = long
	}
	lines := [][]draw.Span{{{Text: fmt.Sprintf("  %-*s%*s  why", width-2-tok-2-why, "item", tok, "tok"), Role: theme.Dim}}}
	for _, item := range widget.Largest(f.Exp.Items(), items, rows-1) {
		i := int(item)
		mark, role, _ := widget.State(f.Glyphs(), f.Out, i)
		reason := widget.Why(f.Out, i, why)
		if f.NoResult {
			mark, reason = ' ', ""
		}
		lines = append(lines, []draw.Span{{Text: string(mark) + " ", Role: role},
			{Text: widget.ItemName(f.Glyphs(), f.Out.Report, i, width-2-tok-2-why), Role: widget.Shade(f, i)},
			{Text: fmt.Sprintf("%*s  ", tok, widget.ItemTokens(f.Exp.Items(), i)), Role: widget.Shade(f, i)}, {Text: reason, Role: widget.WhyRole(f.Out, i)}})
	}
	return title, lines
}
