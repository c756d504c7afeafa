package replay

import (
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// itemColumns holds the widths of the columns that all rows of items begin with. A width
// of 0 hides a column.
type itemColumns struct{ index, kind, text, tok int }

// itemColumns returns the columns of a number wide enough for every item, and of tokens.
func (p *View) itemColumns(tok int) itemColumns {
	return itemColumns{index: max(2, len(strconv.Itoa(max(0, p.of.Items.Len()-1)))), tok: tok}
}

// head begins the heading of the rows: the number has the role index.
func (c itemColumns) head(f *widget.Frame, r draw.Rect, index theme.Role) *widget.Cells {
	row := f.Cells(r.X+3, r.Y)
	row.Put(c.index, "#", true, index)
	row.Put(c.kind, "kind", false, theme.Dim)
	row.Put(c.text, "item", false, theme.Dim)
	row.Put(c.tok, f.About()+"tok", true, theme.Dim)
	return row
}

// item begins the row of the item of a step.
func (p *View) item(f *widget.Frame, r draw.Rect, s *pipeline.Step, c itemColumns, tok model.Tokens, role theme.Role) *widget.Cells {
	row, it := f.Cells(r.X+3, r.Y), p.of.Items.Loaded(int(s.Item))
	row.Put(c.index, strconv.Itoa(int(s.Item)), true, theme.Dim)
	row.Put(c.kind, widget.KindName(it.Kind), false, role)
	row.Put(c.text, plain.Line(p.with(s)+it.Headline(8*c.text+64), c.text), false, role)
	row.Put(c.tok, widget.Fitting(c.tok, tok.String(), tok.Short()), true, role)
	return row
}

// stepColumns holds the widths of the columns of steps.
type stepColumns struct {
	itemColumns
	score, density, left, why int
}

// minStepName is the width of the text from which on the reason becomes wider.
const minStepName = 40

// columns divides the width: numbers first, then the reason, then the text.
func (p *View) columns(f *widget.Frame, width int) stepColumns {
	policy := p.of.Policy
	number := len(p.of.Report.Budget.MaxTokens().String())
	left := number
	knapsack := policy.Slicer.InBuckets()
	if knapsack && len(policy.CountQuotas) == 0 { // all is counted in buckets
		left = len((p.of.Report.Effective.Target / policy.Bucket()).String())
	}
	c := stepColumns{itemColumns: p.itemColumns(max(6, min(number, 9))), left: max(6, left), why: 12}
	if width >= widget.CompactTable-2 {
		c.kind, c.score, c.density = 4, 5, 5
		if knapsack {
			c.density = 0
		}
	}
	if width >= 88 {
		c.left, c.why = max(12, 2*left+2+draw.Width(f.Glyphs().Arrow)), 16
		if knapsack {
			c.left = max(c.left, 14)
		}
	}
	rest := width - 3 - widget.CellsWidth(c.index, c.kind, c.tok, c.score, c.density, c.left, c.why)
	if wider := min(16, rest-minStepName); wider > 0 { // room for "dropped, needs 2,480, 512 left"
		c.why += wider
		rest -= wider
	}
	c.text = max(0, rest)
	return c
}

func (p *View) head(f *widget.Frame, r draw.Rect, c stepColumns) {
	role := func(decisive bool) theme.Role {
		if decisive {
			return theme.Focus
		}
		return theme.Dim
	}
	order := p.of.Policy.Slicer.Order()
	row := c.itemColumns.head(f, r, role(order == model.OrderByArrival))
	left := f.About() + "left"
	if p.of.Policy.Slicer.InBuckets() && c.left >= 12 {
		left = "buckets left"
	}
	row.Put(c.score, "score", true, role(order == model.OrderByTotal || order == model.OrderByScore))
	row.Put(c.density, f.About()+"/1k", true, role(order == model.OrderByDensity))
	row.Put(c.left, left, true, theme.Dim)
	row.Put(c.why, "why", false, theme.Dim)
}

func (p *View) row(f *widget.Frame, r draw.Rect, k int, c stepColumns) {
	g, s := f.Glyphs(), &p.steps[k]
	if s.Opens != nil {
		x := r.X + 1
		x += f.Text(x, r.Y, r.W, string(g.Horizontal)+" ", theme.Frame)
		role := theme.Strong
		if s.Depth > 0 {
			role = theme.Plain
		}
		x += f.Text(x, r.Y, r.X+r.W-x, widget.FirstFitting(p.heading(k), r.X+r.W-x-1, g)+" ", role)
		f.Fill(draw.Rect{X: x, Y: r.Y, W: r.X + r.W - x, H: 1}, g.Horizontal, theme.Frame)
		return
	}
	glyph, verdict := stepGlyph(g, s)
	why := p.because(s)
	if mark, words := p.sized(g, s); words != nil {
		glyph, why = mark, words
	}
	role, done := theme.Plain, k <= p.Cursor()
	if done {
		f.Set(r.X+1, r.Y, glyph, verdict)
	}
	if done && !s.Verdict.In() {
		role = theme.Dim
	}
	tok := p.takes(s)
	row := p.item(f, r, s, c.itemColumns, tok, role)
	row.Put(c.score, widget.Score(p.worth(s), c.score), true, role)
	density := "-"
	if tok > 0 && s.At >= 0 {
		density = p.density(s, c.density)
	}
	row.Put(c.density, density, true, role)
	if !done { // what it leads to is not known yet
		return
	}
	left := tokens(s.After)
	if c.left >= 12 && s.After != s.Left {
		left = tokens(s.Left) + " " + g.Arrow + " " + left
	}
	row.Put(c.left, widget.Fitting(c.left, left, model.Tokens(s.After).Short()), true, role)
	row.Put(c.why, widget.FirstFitting(why, c.why, g), false, verdict)
}

// takes returns the tokens of the item of a step, in the size that the step decides on.
func (p *View) takes(s *pipeline.Step) model.Tokens {
	if in := p.of.Ranking.Input(); in.Cuts != nil && s.At >= 0 { // Cost is the cost of the smallest size
		return in.TokensAt(int(s.At))
	}
	return p.of.Report.Cost(int(s.Item))
}

// density writes the score per 1,000 tokens of the item of a step, which has tokens.
func (p *View) density(s *pipeline.Step, width int) string {
	return widget.Score(1000*p.worth(s)/float64(p.takes(s)), width)
}
