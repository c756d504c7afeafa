// Package compare is the Compare view: policies A and B over the same items and
// budget.
package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
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
	OnlyDifferent bool // hide the items on which both sides agree

	widget.List
	rows   []compareRow
	result simulate.Comparison
	byKind [][2]int // how many items of each kind A and B include
	filter query.Query
	app    screen.App
	why    widget.Lead
	a, b   *model.Report // what rows was made from
	judge  *quality.Judge
	diff   bool
	by     string // the filter
	shown  [5]int // rows by group
	side   experiment.Side

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
	both
	neither
)

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

// Arrange brings the rows up to date with the reports of both sides.
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
	if p.a == a.Report && p.b == b.Report && p.judge == judge && p.diff == p.OnlyDifferent && p.by == by && p.side == side && p.rows != nil {
		return
	}
	selected, had := p.Selected()
	differed := had && p.rows[p.Cursor()].group <= sized
	p.a, p.b, p.judge, p.diff, p.by, p.side = a.Report, b.Report, judge, p.OnlyDifferent, by, side
	facts := widget.FactsOf(exp.Outcome(side))
	p.result = simulate.Compare(a.Report, b.Report)
	p.byKind = countKinds(a.Report, b.Report)
	p.rows, p.shown = slices.Grow(p.rows[:0], 4+a.Items.Len()), [5]int{}
	add := func(group int, items []int32) {
		p.rows = append(p.rows, compareRow{-1, group})
		for _, i := range items {
			if p.filter.IsZero() || p.filter.Match(&facts, int(i)) {
				p.rows = append(p.rows, compareRow{int(i), group})
				p.shown[group]++
			}
		}
	}
	add(onlyA, p.result.OnlyA)
	add(onlyB, p.result.OnlyB)
	if len(p.result.Sized) > 0 {
		add(sized, p.result.Sized)
	}
	if !p.OnlyDifferent {
		add(both, p.result.Both)
		var out []int32
		for i := range a.Items.Len() {
			if !a.Report.In(i) && !b.Report.In(i) {
				out = append(out, int32(i))
			}
		}
		add(neither, out)
	}
	heading := func(row int) bool { return p.rows[row].item < 0 }
	lost := p.Cursor() >= len(p.rows) || heading(p.Cursor())
	p.Skip = heading
	p.SetLen(len(p.rows))
	if had && p.Select(selected) && (!differed || p.rows[p.Cursor()].group <= sized) {
		return
	}
	if lost || differed {
		p.Top()
	}
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
	body := draw.Rect{X: in.X, Y: in.Y + used, W: in.W, H: in.H - used}
	if body.H < 2 {
		return
	}
	first, end := p.Show(body)
	for k, row := range p.rows[first:end] {
		if row.item < 0 {
			ruled := p.heading(f, body.Row(k), row.group)
			heads(f, body.Row(k), ruled, row.group, k == 0)
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
	state, err := f.Exp.State(other)
	switch {
	case f.NoResult:
		f.DrawNoResult(r, "there is nothing to compare")
	case state == experiment.Failed:
		for y, line := range plain.Wrap("No comparison: "+other.String()+" has no result. "+err.Error(), r.W-4, max(1, r.H-1)) {
			f.Text(r.X+2, r.Y+1+y, r.W-4, line, theme.Plain)
		}
	default:
		f.Text(r.X+2, r.Y+1, r.W-4, "No comparison yet: both sides need a result.", theme.Dim)
	}
}

// totals draws the small table of sums and returns its height.
func (p *View) totals(f *widget.Frame, r draw.Rect) int {
	g, setup := f.Glyphs(), f.Exp.Setup()
	w := 22 // width of the names
	switch {
	case r.W < 70:
		w = 16
	case r.W >= 120: // there is room beside the numbers and the distance from the best
		w = 40
	}
	x := r.X + 1 + w
	recallAt, filledAt, moreAt := 28, 28, 39
	var outs [2]*experiment.Outcome
	var states [2]experiment.State
	for s := range outs {
		outs[s], states[s] = f.Exp.Answer(experiment.Side(s))
	}
	labelled := outs[experiment.A].Quality.Recall.Set && outs[experiment.B].Quality.Recall.Set
	if labelled && r.W >= 70 { // recall stands beside the value; otherwise it replaces the filled share
		filledAt, moreAt = filledAt+9, moreAt+9
	}
	line := func(y int, names []string, role theme.Role, n int, tok model.Tokens, value, filled string, more ...string) {
		f.Text(r.X+1, r.Y+y, w, widget.FirstFitting(names, w, g), role)
		f.Right(x, r.Y+y, 7, plain.Thousands(n), theme.Plain)
		f.Right(x+7, r.Y+y, 11, f.Sum(tok), theme.Plain)
		f.Right(x+18, r.Y+y, 10, f.About()+value, theme.Plain)
		if filledAt > recallAt || !labelled {
			f.Right(x+filledAt, r.Y+y, 9, filled, theme.Plain)
		}
		if room := r.X + r.W - x - moreAt; room >= 12 && len(more) > 0 {
			f.Text(x+moreAt, r.Y+y, room, draw.FitWords(widget.Fitting(room, more...), room, g), theme.Dim)
		}
	}
	f.Right(x, r.Y, 7, "items", theme.Dim)
	f.Right(x+7, r.Y, 11, "tokens", theme.Dim)
	f.Right(x+18, r.Y, 10, "value", theme.Dim)
	f.Right(x+filledAt, r.Y, 9, "filled", theme.Dim)
	if labelled {
		f.Text(x+recallAt, r.Y, 9, "   recall", theme.Dim)
	}
	side := func(y int, s experiment.Side, rep *model.Report) {
		o, state := outs[s], states[s]
		var more []string
		switch {
		case state == experiment.Pending:
			more = []string{f.ComputingText(s)}
		case s == experiment.B && setup.Policy[experiment.A].Same(setup.Policy[experiment.B]):
			more = []string{"the same policy as A", "same as A"}
		default:
			more = f.BelowBestForms(o, rep.Value, slicer.Target(rep.Effective.Target))
		}
		filled := "no room"
		if rep.Effective.Target > 0 {
			filled = plain.Percent(rep.Filled())
		}
		policy := setup.Policy[s]
		if state != experiment.Current { // the numbers belong to an older policy
			policy = o.Policy
		}
		line(y, widget.PolicyNames(s, policy), widget.SideRole(s), len(rep.Included), rep.Kept, widget.ExactScore(rep.Value), filled, more...)
		if labelled {
			f.Right(x+recallAt, r.Y+y, 9, plain.Percent(o.Quality.Recall.Value), theme.Needed)
		}
		if state != experiment.Current {
			f.Mark(draw.Rect{X: r.X, Y: r.Y + y, W: r.W, H: 1}, theme.Old)
		}
	}
	side(1, experiment.A, p.a)
	if p.showsRecorded() {
		line(2, []string{"B as recorded", "recorded"}, theme.SideB, len(p.b.Included), p.b.Kept, widget.ExactScore(p.b.Value), "", "no budget recorded")
	} else {
		side(2, experiment.B, p.b)
	}
	if better, wins := p.why.Winner(); wins {
		f.Set(x+28, r.Y+1+int(better), g.Better, widget.SideRole(better))
	}
	if better, has := p.recalls(); has {
		f.Set(x+recallAt+9, r.Y+1+int(better), g.Better, widget.SideRole(better))
	}
	if r.H < 12 {
		return 3 + p.drawVerdict(f, draw.Rect{X: r.X, Y: r.Y + 3, W: r.W, H: min(2, r.H-5)})
	}
	f.Text(r.X+1, r.Y+3, r.W-2, draw.FitParts(p.kinds(), r.W-2, g), theme.Dim)
	return 4 + p.drawVerdict(f, draw.Rect{X: r.X, Y: r.Y + 4, W: r.W, H: 2})
}

// drawVerdict draws which side is worth more and why, and returns how many lines
// that takes.
func (p *View) drawVerdict(f *widget.Frame, r draw.Rect) int {
	long, short := p.verdict(f)
	if long == nil || r.H < 1 {
		return 0
	}
	lines := draw.Paragraph(r.W-2, long...)
	if len(lines) > r.H {
		lines = draw.Paragraph(r.W-2, short...)
	}
	return f.Lines(draw.Rect{X: r.X + 1, Y: r.Y, W: r.W - 2, H: r.H}, lines)
}

// countKinds counts the items of each kind that A and B include.
func countKinds(a, b *model.Report) [][2]int {
	counts := make([][2]int, len(a.Items.Kinds()))
	for _, i := range a.Included {
		counts[a.Items.KindID(int(i))][0]++
	}
	for _, i := range b.Included {
		counts[a.Items.KindID(int(i))][1]++
	}
	return counts
}

// kinds names each kind with how many of its items A and B include.
func (p *View) kinds() string {
	var b strings.Builder
	b.WriteString("A/B by kind:")
	for k, c := range p.byKind {
		fmt.Fprintf(&b, "  %s %d/%d", plain.Line(widget.KindName(p.a.Items.Kinds()[k]), 8), c[0], c[1])
	}
	return b.String()
}

// heading draws the line above a group: how many items it has, and what they sum up to. It
// returns where the rule begins that fills the line.
func (p *View) heading(f *widget.Frame, r draw.Rect, group int) (ruled int) {
	g, res := f.Glyphs(), p.result
	sums := func(items []int32, tok model.Tokens, value string) string {
		return plain.Count(len(items), "item") + ", " + f.Sum(tok) + " tok, value " + f.About() + value
	}
	text, role := "", theme.Dim
	switch group {
	case onlyA:
		text, role = "only A: "+sums(res.OnlyA, res.OnlyATokens, widget.ExactScore(res.OnlyAValue)), theme.SideA
	case onlyB:
		text, role = "only B: "+sums(res.OnlyB, res.OnlyBTokens, widget.ExactScore(res.OnlyBValue)), theme.SideB
	case sized:
		text = "in both, cut in one or other: " + plain.Count(len(res.Sized), "item") + ", " + f.Sum(res.SizedTokensA) + " tok, value " + widget.ExactScore(res.SizedValueA) +
			" by A, " + f.Sum(res.SizedTokensB) + " tok, value " + widget.ExactScore(res.SizedValueB) + " by B"
		role = theme.Strong
	case both:
		value := widget.ExactScore(res.BothValueA)
		if byB := widget.ExactScore(res.BothValueB); byB != value {
			value += " by A, " + byB + " by B"
		}
		text, role = "in both: "+sums(res.Both, res.BothTokens, value), theme.Strong
	default:
		text = "in neither: " + plain.Count(f.Exp.Items().Len()-len(res.OnlyA)-len(res.OnlyB)-len(res.Sized)-len(res.Both), "item")
	}
	if !p.filter.IsZero() {
		text += "; " + plain.Thousands(p.shown[group]) + " shown"
	}
	f.Fill(draw.Rect{X: r.X + 1, Y: r.Y, W: 4, H: 1}, g.Horizontal, theme.Frame)
	x := r.X + 6
	x += f.Text(x, r.Y, r.X+r.W-x, draw.FitWords(text, r.X+r.W-x, g)+" ", role)
	f.Fill(draw.Rect{X: x, Y: r.Y, W: r.X + r.W - x, H: 1}, g.Horizontal, theme.Frame)
	_, a := f.Exp.Answer(experiment.A)
	_, b := f.Exp.Answer(experiment.B)
	if a != experiment.Current || b != experiment.Current {
		f.Mark(r, theme.Old)
	}
	return x
}

// twoReasons is the least width of a row that says why for both sides.
const twoReasons = 78

// reasonWidth returns the width of the reason of a side in a row of width cells.
func reasonWidth(width int) int {
	if width > 100 {
		return 22
	}
	return 12
}

// heads names the columns of the rows in the heading of a group: beside its text, whose rule
// begins at ruled, as far as that leaves room. Only the first heading names what all have.
func heads(f *widget.Frame, r draw.Rect, ruled, group int, first bool) {
	if first {
		f.Spans(r.X, r.Y, 5, draw.Span{Text: " "}, draw.Span{Text: "A ", Role: theme.SideA}, draw.Span{Text: "B ", Role: theme.SideB})
	}
	reason := reasonWidth(r.W)
	if side := experiment.A; r.W < twoReasons {
		if group == onlyA {
			side = experiment.B
		}
		if at := r.X + r.W - reason - 1; at >= ruled && group != neither {
			f.Text(at, r.Y, reason, " why "+side.String()+" ", widget.SideRole(side))
		}
		return
	}
	score := r.X + r.W - 2*(reason+2) - 6
	if !first || score+6 < ruled {
		return
	}
	if score-8 >= ruled {
		f.Right(score-8, r.Y, 14, " tok score", theme.Dim)
	}
	f.Text(score+7, r.Y, reason, " why A ", theme.SideA)
	f.Text(score+9+reason, r.Y, reason, " why B ", theme.SideB)
}

func (p *View) row(f *widget.Frame, r draw.Rect, row compareRow, cursor, focused bool) {
	g, items := f.Glyphs(), f.Exp.Items()
	oa, ob := result(f.Exp, experiment.A), p.sideB(f.Exp)
	i := row.item
	ga, ra, _ := widget.State(g, oa, i)
	gb, rb, _ := widget.State(g, ob, i)
	if cursor {
		f.Cursor(r.X, r.Y, focused)
	}
	f.Set(r.X+1, r.Y, ga, ra)
	f.Set(r.X+3, r.Y, gb, rb)
	f.MarkItem(r.X+2, r.Y, i)
	role := theme.Plain
	if row.group == neither {
		role = theme.Dim
	}
	digits := max(2, len(strconv.Itoa(max(0, items.Len()-1))))
	x := r.X + 5
	f.Right(x, r.Y, digits, strconv.Itoa(i), theme.Dim)
	x += digits + 1
	f.Text(x, r.Y, 4, plain.Line(widget.KindName(items.Loaded(i).Kind), 4), role)
	x += 5
	reason := reasonWidth(r.W)
	right := 8 + 6 + 2*(reason+2)
	if r.W < twoReasons {
		right = 8 + reason + 2
	}
	text := max(4, r.X+r.W-x-right)
	f.Text(x, r.Y, text, plain.Line(items.Loaded(i).Headline(8*text+64), text), role)
	x += text
	f.Right(x, r.Y, 8, widget.ItemTokens(items, i), role)
	x += 8
	why := func(o *experiment.Outcome) string {
		if row.group == sized && o.Report.Size(i) == 0 {
			return "whole"
		}
		return widget.Why(o, i, reason)
	}
	if r.W < twoReasons {
		o, s := oa, ra
		if row.group == onlyA {
			o, s = ob, rb // show why the other side does not have it
		}
		f.Text(x+2, r.Y, reason, why(o), s)
	} else {
		f.Right(x, r.Y, 6, widget.ScoreOf(p.a, i, 5), role)
		x += 6
		f.Text(x+2, r.Y, reason, why(oa), ra)
		f.Text(x+4+reason, r.Y, reason, why(ob), rb)
	}
	if cursor && focused {
		f.Mark(r, theme.Selected)
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
