// Package compare is the Compare view: policies A and B over the same items and
// budget.
package compare

import (
	"slices"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/query"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/screen"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// View is the view of policies A and B over the same items and budget.
type View struct {
	onlyDifferent bool // hide the items on which both sides agree

	widget.List
	rows     []compareRow
	headings []int // their rows
	result   simulate.Comparison
	byKind   [][2]int        // how many items of each kind A and B include
	split    [2][]model.Pair // the pairs that A and B split
	filter   query.Query
	app      screen.App
	why      widget.Lead
	a, b     *model.Report // what rows was made from
	judge    *quality.Judge
	diff     bool
	by       string // the filter
	shown    [6]int // rows by group
	side     experiment.Side
	kept     int // the item under the cursor where the newest change ended its difference, else -1

	recorded recording
}

// compareRow is an item, or the heading of a group.
type compareRow struct {
	item  int // -1: a heading
	group int
}

const (
	onlyA = iota
	onlyB
	sized // in both, in different sizes
	kept
	both
	neither
)

// nothingToCompare is what Compare says while there is no result.
const nothingToCompare = "there is nothing to compare"

// Selected returns the item under the cursor. It returns false if the cursor is
// on a heading or there are no rows.
func (p *View) Selected() (int, bool) {
	if row := p.Cursor(); row < len(p.rows) && p.rows[row].item >= 0 {
		return p.rows[row].item, true
	}
	return 0, false
}

// Select puts the cursor on an item and reports whether the item is shown. The
// cost is O(rows).
func (p *View) Select(item int) bool {
	row := slices.IndexFunc(p.rows, func(r compareRow) bool { return r.item == item })
	if row >= 0 {
		p.To(row)
	}
	return row >= 0
}

// Enter puts the cursor on the item if only one side includes it, and otherwise
// at the top of the rows, where the sides differ.
func (p *View) Enter(item int) {
	if !p.Select(item) || p.rows[p.Cursor()].group > sized {
		p.Top()
	}
}

// Filter shows only the items that the query matches on the side that is edited.
func (p *View) Filter(q query.Query) { p.filter = q }

// Arrange brings the rows up to date with the reports of both sides. The cursor stays on its item, and this
// below the differences where a change makes it none, until a change finds the cursor elsewhere.
func (p *View) Arrange(exp *experiment.Experiment, side experiment.Side) {
	a, b := result(exp, experiment.A), p.sideB(exp)
	p.ask(exp)
	if a == nil || b == nil {
		p.rows = nil
		p.SetLen(0)
		return
	}
	by := p.filter.String()
	judge := exp.Outcome(side).Judge
	if p.a == a.Report && p.b == b.Report && p.judge == judge && p.diff == p.onlyDifferent && p.by == by && p.side == side && p.rows != nil {
		return
	}
	selected, had := p.Selected()
	changed := had && p.diff == p.onlyDifferent && p.by == by && p.side == side
	p.a, p.b, p.judge, p.diff, p.by, p.side = a.Report, b.Report, judge, p.onlyDifferent, by, side
	facts := widget.FactsOf(exp.Outcome(side))
	p.result = simulate.Compare(a.Report, b.Report)
	p.byKind, p.split = countKinds(a.Report, b.Report), [2][]model.Pair{a.Split, b.Split}
	p.kept = -1
	if changed && p.rows[p.Cursor()].group <= kept && p.group(selected) > kept {
		p.kept = selected
	}
	p.rows, p.headings, p.shown = slices.Grow(p.rows[:0], 5+a.Items.Len()), nil, [6]int{}
	row := func(group, item int) {
		if (item != p.kept || group == kept) && (p.filter.IsZero() || p.filter.Match(&facts, item)) {
			p.rows = append(p.rows, compareRow{item, group})
			p.shown[group]++
		}
	}
	add := func(group int, items []int32) {
		p.headings = append(p.headings, len(p.rows))
		p.rows = append(p.rows, compareRow{-1, group})
		for _, i := range items {
			row(group, int(i))
		}
	}
	add(onlyA, p.result.OnlyA)
	add(onlyB, p.result.OnlyB)
	if len(p.result.Sized) > 0 {
		add(sized, p.result.Sized)
	}
	if p.kept >= 0 {
		add(kept, []int32{int32(p.kept)})
	}
	if !p.onlyDifferent {
		add(both, p.result.Both)
		add(neither, nil)
		for i := range a.Items.Len() {
			if !a.Report.In(i) && !b.Report.In(i) {
				row(neither, i)
			}
		}
	}
	p.Skip = func(row int) bool { return p.rows[row].item < 0 }
	p.SetLen(len(p.rows))
	if !had || !p.Select(selected) {
		p.Top()
	}
}

// group returns the group of an item, and of one that is not there neither.
func (p *View) group(item int) int {
	within := func(rep *model.Report) bool { return item < rep.Items.Len() && rep.In(item) }
	switch inA, inB := within(p.a), within(p.b); {
	case slices.Contains(p.result.Sized, int32(item)):
		return sized
	case inA && inB:
		return both
	case inA:
		return onlyA
	case inB:
		return onlyB
	}
	return neither
}

// Draw draws the totals of both sides above and the aligned rows below them.
func (p *View) Draw(f *widget.Frame, r draw.Rect, boxed, focused bool) {
	in := r
	if boxed {
		title := "Compare  A vs B at " + f.Exp.Setup().Budget.MaxTokens.String()
		if p.showsRecorded() {
			title = "Compare  A at " + f.Exp.Setup().Budget.MaxTokens.String() + " vs B as recorded"
		}
		if f.Old && !f.NoResult && f.Out != nil {
			title += "  (" + f.OldText() + ")"
		}
		in = f.Box(r, title, focused)
	}
	if len(p.rows) == 0 || p.a == nil {
		p.none(f, in)
		return
	}
	used := p.totals(f, in)
	if boxed { // else a heading names the columns, for the rows are few
		heads(f, in.Row(used), in.X, onlyA, true)
		f.Text(in.X+4+digits(f), in.Y+used, in.W, "# kind item", theme.Dim)
		used++
	}
	body := draw.Rect{X: in.X, Y: in.Y + used, W: in.W, H: in.H - used}
	if body.H < 2 {
		return
	}
	first, end := p.Show(body)
	if boxed {
		f.RowsShown(r, p.itemsBefore(first), p.itemsBefore(end), p.itemsBefore(len(p.rows)))
	}
	for k, row := range p.rows[first:end] {
		if row.item < 0 {
			ruled := p.heading(f, body.Row(k), row.group)
			if !boxed {
				heads(f, body.Row(k), ruled, row.group, k == 0)
			}
			continue
		}
		p.row(f, body.Row(k), row, first+k == p.Cursor(), focused)
	}
	if f.Old {
		f.Mark(in, theme.Old)
	}
}

// none draws why there is no comparison.
func (p *View) none(f *widget.Frame, r draw.Rect) {
	other := f.Side.Other()
	switch err := f.Exp.Err(other); {
	case f.NoResult:
		f.DrawNoResult(r, nothingToCompare)
	case err != nil:
		f.Lines(draw.Rect{X: r.X + 2, Y: r.Y + 1, W: r.W - 4, H: r.H - 1}, draw.Paragraph(r.W-4, widget.Plain("No comparison: "+other.String()+" has no result. "+plain.Line(err.Error(), 400))))
	default:
		f.Text(r.X+2, r.Y+1, r.W-4, "No comparison yet: both sides need a result.", theme.Dim)
	}
}

// Hit returns the item that was last drawn at the cell (x, y), or the zero Hit if
// there is none.
func (p *View) Hit(x, y int) widget.Hit {
	var h widget.Hit
	if row, ok := p.RowAt(x, y); ok && p.rows[row].item >= 0 {
		h.Item = model.Some(p.rows[row].item)
	}
	return h
}
