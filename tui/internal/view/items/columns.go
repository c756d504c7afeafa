package items

import (
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// This file has the columns of the table, and what stands over them.

// column is a column of the table.
type column struct {
	title string
	left  int // where it begins
	width int
	right bool
	ruled bool // a line separates its heading from the heading before
	sort  widget.Sort
	strip bool                                      // the column shows budgets along the view's scale
	cell  func(f *widget.Frame, r draw.Rect, i int) // nil: the column before draws there too
	head  int                                       // where its heading was drawn
}

// nameAxis says above the strips, in the free part of the frame, that their axis is the budget and, where
// there is the room, what their marks mean.
func (p *View) nameAxis(f *widget.Frame, free draw.Rect, columns []column) {
	g := f.Glyphs()
	name := []draw.Span{{Text: " over budgets: ", Role: theme.Dim}, {Text: string(g.Strip[4]), Role: theme.StripIn}, {Text: " in  ", Role: theme.Dim},
		{Text: string(g.Strip[1]), Role: theme.StripSome}, {Text: " in at some ", Role: theme.Dim}}
	name = draw.FirstThatFits(free.W-3, append(name[:5:5], draw.Span{Text: " " + string(g.Dup) + " " + export.CodeWord(model.Deduplicated) + " ", Role: theme.Dim}), name, []draw.Span{{Text: " over budgets ", Role: theme.Dim}})
	strips, width := columns[len(columns)-1], draw.SpansWidth(name)
	if at := min(strips.left, free.X+free.W-width-2); strips.strip && at > free.X {
		f.Spans(at, free.Y, width, name...)
	}
}

// columns divides the width: the columns that every table needs come first, then the item's text
// and the strip share the rest. A reason takes what it needs of the room of the text, so that an
// item without one has all of it. The numbers are shown where there is room, or in place of the strip.
func (p *View) columns(f *widget.Frame, r draw.Rect, boxed bool) []column {
	width := r.W
	items := f.Exp.Items()
	digits := max(2, len(strconv.Itoa(max(0, items.Len()-1))))
	strips := (boxed || width >= widget.CompactTable) && (!p.Numbers || f.W >= manyColumns)
	numbers := p.Numbers || f.W >= manyColumns
	budget := min(11, max(7, draw.Width(f.BudgetText(f.Exp.Setup().End()))))
	if f.W >= manyColumns { // each heading stands above its column
		budget = max(budget, len(plain.StaysFrom))
	}
	tok := max(5, p.tokenWidth(items))
	if width >= roomyTable {
		tok += p.cut
	}
	list := []column{
		{title: "#", width: digits, right: true, sort: widget.ByInput, cell: p.cellIndex},
		{title: "kind", width: 4, sort: widget.ByKind, cell: p.cellKind},
		{title: "tok", width: tok, right: true, sort: widget.ByTokens, cell: p.cellTokens},
	}
	if width >= 100 && severalSources(items) {
		list = append(list, column{title: "file", width: 14, sort: -1, cell: p.cellFile})
	}
	text := len(list)
	list = append(list, column{title: "item", sort: -1, cell: p.cellText},
		column{title: "why", width: shortWhy, right: true, sort: widget.ByState})
	if numbers {
		list = append(list,
			column{title: "score", width: 5, right: true, ruled: true, sort: widget.ByScore, cell: p.cellScore},
			column{title: "/1k", width: 5, right: true, ruled: true, sort: widget.ByDensity, cell: p.cellDensity},
			column{title: "first in", width: budget, right: true, ruled: true, sort: widget.ByFirst, cell: cellBudget((*simulate.Profile).FirstIn)})
	}
	list = append(list, column{title: plain.StaysFrom, width: budget, right: true, ruled: true, sort: widget.ByStays, cell: cellBudget((*simulate.Profile).StaysFrom)})
	if strips {
		list = append(list, column{sort: -1, ruled: true, strip: !p.turns.on && p.over == nil, cell: p.cellStrip})
	}
	rest := width - 4 // the state column, and a cell between the last one and the frame or the edge
	for i := range list {
		rest -= list[i].width + min(i, 1)
	}
	p.whyWidth = shortWhy
	if f.NoResult || p.Numbers && rest < minText { // the detail pane says the reason too
		list = slices.Delete(list, text+1, text+2)
		rest, p.whyWidth = rest+shortWhy+1, 0
	} else if wider := min(longWhy-shortWhy, rest-48); wider > 0 {
		list[text+1].width, p.whyWidth, rest = shortWhy+wider, shortWhy+wider, rest-wider
	}
	if strips {
		strip := &list[len(list)-1]
		strip.width = max(10, rest*9/20, min(18, rest-19)) // with room for the budget on its axis
		rest -= strip.width
		if p.over == nil {
			p.scale = widget.StripScale(f.Out, strip.width)
		} else {
			p.scale = p.over.Scale(strip.width)
		}
	}
	if strips && p.over != nil && !p.turns.on { // beside strips over a knob they would look like its values
		list = slices.DeleteFunc(list, func(c column) bool {
			budgets := c.sort == widget.ByFirst || c.sort == widget.ByStays
			if budgets {
				rest += c.width + 1
			}
			return budgets
		})
	}
	list[text].width = max(0, rest)
	x := r.X + 3
	for k := range list {
		list[k].left = x
		x += list[k].width + 1
	}
	return list
}

// manyColumns is the least width of a screen whose table has all columns. The
// reason takes shortWhy cells, for "out at −23,456", and longWhy where
// there is room.
const (
	manyColumns = 140
	roomyTable  = 85 // of a table that shows the size taken beside the whole
	minText     = 10 // of an item, beside all numbers
	shortWhy    = 14
	longWhy     = 20
)

// tokenWidth returns the width, in cells, of the longest token count. It is found
// once per set.
func (p *View) tokenWidth(items *model.Set) int {
	if p.measured != items {
		p.measured, p.maxTokenWidth = items, 0
		var low, high model.Tokens
		for _, t := range items.TokenColumn() {
			low, high = min(low, t), max(high, t)
		}
		p.maxTokenWidth = min(12, max(len(low.String()), len(high.String())))
		p.cut, high = 0, 0
		for i := 0; items.HasSizes() && i < items.Len(); i++ {
			if sizes := items.Sizes(i); len(sizes) > 0 {
				high = max(high, sizes[0].Tokens)
			}
		}
		if high > 0 {
			p.cut = min(12, len(high.String())+1)
		}
		if items.Estimates() > 0 {
			p.maxTokenWidth++
		}
	}
	return p.maxTokenWidth
}

// head draws the headings, ruled ones with a line before them, and beside the heading of the items
// what is beyond them. A heading that is wider than its column begins in the column before, whose
// heading gives way.
func (p *View) head(f *widget.Frame, r draw.Rect, columns []column, beyond [2]string) {
	free := r.X + r.W
	for k := len(columns) - 1; k >= 0; k-- {
		c := &columns[k]
		role := theme.Dim
		if c.sort >= 0 && c.sort == p.SortedBy() {
			role = theme.Focus
		}
		at := draw.Rect{X: c.left, Y: r.Y, W: c.width, H: 1}
		switch {
		case c.title == "" && c.width > 0 && p.turns.on:
			p.turns.head(f, p.app.Turns(), at)
		case c.title == "" && c.width > 0:
			f.ScaleRuler(at, p.scale, p.over)
		case c.right:
			at.X = min(at.X+at.W, free) - len(c.title)
		case c.title == "item" && beyond[0] != "":
			x := at.X + len(c.title) + 2
			room := free - x
			if columns[k+1].title == "why" { // which would read as a word more
				room -= 2
			}
			f.Text(x, at.Y, room, widget.Fitting(room, beyond[0], beyond[1], ""), theme.Dim)
		}
		f.Text(at.X, at.Y, free-at.X, widget.Fitting(free-at.X, c.title, ""), role)
		c.head, free = at.X, at.X-1
		if c.ruled {
			rule := min(c.left-1, at.X-2)
			f.Set(rule, at.Y, f.Glyphs().Vertical, theme.Frame)
			free = rule - 1
		}
	}
}
