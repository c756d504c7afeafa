package policy

import (
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// cells holds the column widths of the matrix: the kind, each edited column, how many items
// are in and there are, the tokens, and their part of the room. A width of 0 hides the column.
type cells struct{ kind, cell, count, all, tokens, share int }

// layCells returns the column widths for a total width and numbers of items of so many cells,
// which make other columns give way. Where kinds have shares of the room, what they may have
// stands beside what they have, in place of how many items there are.
func layCells(width, number int, shares bool) cells {
	c := cells{kind: 13, cell: 8, count: 4}
	switch {
	case width >= 76:
		c = cells{kind: 14, cell: 9, count: 5, tokens: 9, share: 8}
	case width >= 60:
		c.share = 7
	}
	c.count = max(c.count, number+1)
	if over := c.first() + 4*c.cell + 2*c.count + c.tokens + c.share - 1 - width; over > 0 && c.tokens > 0 {
		c.tokens = 0
	} else if over > 0 {
		c.share = 0
	}
	c.all = c.count
	if shares && c.share > 0 {
		c.all, c.share = 0, c.share+c.count
	}
	return c
}

// first returns the offset at which the edited columns begin.
func (c cells) first() int { return 1 + c.kind }

// column returns which of n edited columns is at offset x, or -1 if none is.
func (c cells) column(x, n int) int {
	if k := (x - c.first()) / c.cell; x >= c.first() && k < n {
		return k
	}
	return -1
}

func (c cells) head(f *widget.Frame, r draw.Rect) {
	row := f.Cells(r.X+c.first(), r.Y)
	for _, title := range experiment.QuotaColumns() {
		row.Put(c.cell-1, title, true, theme.Dim)
	}
	row.Put(c.count-1, "in", true, theme.Dim)
	row.Put(c.all-1, "of", true, theme.Dim)
	row.Put(c.tokens-1, "tok in", true, theme.Dim)
	row.Put(c.share-1, c.shareTitle(), true, theme.Dim)
}

// shareTitle heads the last column, and means explains it and those before it.
func (c cells) shareTitle() string {
	if c.all == 0 {
		return "room/share"
	}
	return "room"
}

func (c cells) means() string {
	switch {
	case c.share == 0:
		return "in, of: its items"
	case c.all == 0:
		return "in: its items; room/share: what part they fill, and may"
	}
	return "in, of: its items; room: what part of it they fill"
}

// drawCells draws the row of a kind. A limit that is not set is a dot, one
// that cannot be set now is blank.
func (p *Editor) drawCells(f *widget.Frame, r draw.Rect, l line) {
	g, c := f.Glyphs(), p.cells
	kind := p.All[l.knobs[0]].Kind
	at, _ := p.lineOf(p.Cursor())
	on := at >= 0 && len(p.lines[at].knobs) > 0 && p.lines[at].knobs[0] == l.knobs[0]
	f.Text(r.X+1, r.Y, c.kind, widget.Fitting(c.kind, kind.Noun(), widget.KindName(kind)), theme.Plain)
	row := f.Cells(r.X+c.first(), r.Y)
	for _, i := range l.knobs {
		k := p.All[i]
		value, role := widget.CleanName(k.Value), theme.Plain
		switch {
		case k.Excluded != "":
			value = " "
		case value == experiment.Unset:
			value, role = string(g.Strip[0]), theme.Dim
		}
		if i == p.Cursor() {
			value, role = f.ValueOf(&k, value, c.cell-3)
			end := row.X + c.cell
			left := end - 2 - draw.Width(value)
			f.Text(left, r.Y, 1, g.KnobLeft, role)
			f.Text(end-1, r.Y, 1, g.KnobRight, role)
			p.ValueAt(left, end)
		}
		row.Put(c.cell-1, value, true, role)
	}
	n := p.counts.byKind[kind.Fold()]
	in, tokens, share := "-", "-", "-"
	if rep := p.counts.report; rep != nil {
		in, tokens = plain.Thousands(n.in), f.Sum(n.tokens)
		switch {
		case n.in > 0 && n.pinned == n.in:
			share = plain.Pinned
		case rep.Effective.Target > 0:
			share = plain.Percent(float64(n.selected) / float64(rep.Effective.Target))
		}
		if may, ok := p.counts.shares[kind.Fold()]; ok && c.all == 0 && share != plain.Pinned {
			share = strings.TrimSuffix(share, " %") + "/" + plain.Percent(may)
		}
	}
	row.Put(c.count-1, in, true, theme.Plain)
	row.Put(c.all-1, plain.Thousands(n.all), true, theme.Dim)
	row.Put(c.tokens-1, tokens, true, theme.Plain)
	row.Put(c.share-1, share, true, theme.Plain)
	f.CursorRow(r, on, true)
}

// kindCounts holds the numbers of each kind, counted once per result.
type kindCounts struct {
	items  *model.Set
	report *model.Report // nil: there is no result, and nothing is in
	byKind map[model.Kind]kindCount
	widest int                    // the cells of the largest number of items
	shares map[model.Kind]float64 // what each kind may have of the room; nil: there are no shares
}

// kindCount counts the items of a kind: how many are in, how many of these are pinned, and how
// many there are in all. tokens sums up the items that are in, selected those not pinned.
type kindCount struct {
	in, pinned, all  int
	tokens, selected model.Tokens
}

func (s *kindCounts) read(items *model.Set, o *experiment.Outcome) {
	var rep *model.Report
	if o != nil {
		rep, items = o.Report, o.Report.Items
	}
	if items == s.items && rep == s.report {
		return
	}
	*s = kindCounts{items: items, report: rep, byKind: map[model.Kind]kindCount{}, shares: sharesOf(o)}
	byID := make([]kindCount, len(items.Kinds()))
	for i := range items.Len() {
		at := &byID[items.KindID(i)]
		at.all++
		if rep != nil && rep.In(i) {
			at.in++
			at.tokens += items.Tokens(i)
			if items.Pinned(i) {
				at.pinned++
			} else {
				at.selected += items.Tokens(i)
			}
		}
	}
	for id, kind := range items.Kinds() {
		s.byKind[kind.Fold()] = byID[id]
		s.widest = max(s.widest, len(plain.Thousands(byID[id].all)))
	}
}

// sharesOf returns which part of the room each kind may have; nil: there are no shares.
func sharesOf(o *experiment.Outcome) map[model.Kind]float64 {
	if o == nil || len(o.Policy.Quotas) == 0 || o.Report.Effective.Target <= 0 {
		return nil
	}
	shares := map[model.Kind]float64{}
	for _, s := range o.Ranking.Shares(o.Report.Budget) {
		shares[s.Kind.Fold()] = float64(s.Target) / float64(o.Report.Effective.Target)
	}
	return shares
}
