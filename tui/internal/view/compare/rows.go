package compare

import (
	"slices"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// The rows, group by group, each with a heading that sums it up.

// heading draws the line above a group: how many items it has, and what they sum up to. It
// returns where the rule begins that fills the line.
func (p *View) heading(f *widget.Frame, r draw.Rect, group int) (ruled int) {
	g, res := f.Glyphs(), p.result
	sums := func(items []int32, tok model.Tokens, value string) string {
		if len(items) == 0 {
			return "nothing"
		}
		return plain.Count(len(items), "item") + ", " + f.Sum(tok) + " tok, value " + f.About() + value
	}
	a, b := widget.Apart(p.a, p.b, &p.result)
	name, text, role := draw.Span{}, "", theme.Strong
	switch group {
	case onlyA:
		name, text = draw.Span{Text: "only A", Role: theme.SideA}, ": "+sums(res.OnlyA, res.OnlyATokens, widget.Value(a[0]))
	case onlyB:
		name, text = draw.Span{Text: "only B", Role: theme.SideB}, ": "+sums(res.OnlyB, res.OnlyBTokens, widget.Value(b[0]))
	case sized:
		text = "in both, sizes differ: " + plain.Count(len(res.Sized), "item") + "; A " + f.Sum(res.SizedTokensA) + " tok, B " + f.Sum(res.SizedTokensB) +
			"; value A " + f.About() + widget.Value(a[1]) + ", B " + f.About() + widget.Value(b[1])
	case kept:
		text = [...]string{"in both", "in neither"}[p.group(p.kept)-both] + " now"
	case both:
		value := widget.Value(res.BothValueA)
		if byB := widget.Value(res.BothValueB); byB != value {
			value += " by A, " + f.About() + byB + " by B"
		}
		text = "in both: " + sums(res.Both, res.BothTokens, value)
	default:
		text, role = "in neither: "+plain.Count(f.Exp.Items().Len()-len(res.OnlyA)-len(res.OnlyB)-len(res.Sized)-len(res.Both), "item"), theme.Dim
	}
	if !p.filter.IsZero() {
		text += "; " + plain.Thousands(p.shown[group]) + " shown"
	}
	f.Fill(draw.Rect{X: r.X + 1, Y: r.Y, W: 4, H: 1}, g.Horizontal, theme.Frame)
	x := r.X + 6
	x += f.Spans(x, r.Y, r.X+r.W-x, name)
	x += f.Text(x, r.Y, r.X+r.W-x, draw.FitClause(text, r.X+r.W-x-2, g)+" ", role)
	f.Fill(draw.Rect{X: x, Y: r.Y, W: r.X + r.W - x, H: 1}, g.Horizontal, theme.Frame)
	_, stateA := f.Exp.Answer(experiment.A)
	_, stateB := f.Exp.Answer(experiment.B)
	if stateA != experiment.Current || stateB != experiment.Current {
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

// heads names the columns of the rows in a line, as far as its text, behind which a rule begins at ruled,
// leaves room. Only the first line names what all have.
func heads(f *widget.Frame, r draw.Rect, ruled, group int, first bool) {
	if first {
		f.Spans(r.X, r.Y, 5, draw.Span{Text: " "}, draw.Span{Text: "A ", Role: theme.SideA}, draw.Span{Text: "B ", Role: theme.SideB})
	}
	reason := reasonWidth(r.W)
	side := experiment.A
	if r.W < twoReasons {
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
	f.Right(ruled, r.Y, score+7-ruled, widget.Fitting(score+7-ruled, " tok score ", " score "), theme.Dim)
	f.Text(score+7, r.Y, reason, " why A ", theme.SideA)
	f.Text(score+9+reason, r.Y, reason, " why B ", theme.SideB)
}

// digits is the width of the number of an item.
func digits(f *widget.Frame) int { return max(2, len(strconv.Itoa(max(0, f.Exp.Items().Len()-1)))) }

func (p *View) row(f *widget.Frame, r draw.Rect, row compareRow, cursor, focused bool) {
	g, items := f.Glyphs(), f.Exp.Items()
	oa, ob := result(f.Exp, experiment.A), p.sideB(f.Exp)
	i := row.item
	ga, ra, _ := widget.State(g, oa, i)
	gb, rb, _ := widget.State(g, ob, i)
	f.Set(r.X+1, r.Y, ga, ra)
	f.Set(r.X+3, r.Y, gb, rb)
	f.MarkItem(r.X+2, r.Y, i)
	role := theme.Plain
	if row.group == neither {
		role = theme.Dim
	}
	x, digits := r.X+5, digits(f)
	f.Right(x, r.Y, digits, strconv.Itoa(i), theme.Dim)
	x += digits + 1
	f.Text(x, r.Y, 4, plain.Line(widget.KindName(items.Loaded(i).Kind), 4), theme.Dim)
	x += 5
	reason := reasonWidth(r.W)
	right := 8 + 6 + 2*(reason+2)
	if r.W < twoReasons {
		right = 8 + reason + 2
	}
	text := max(4, r.X+r.W-x-right)
	f.Text(x, r.Y, text, plain.Line(items.Loaded(i).Headline(8*text+64), text), role)
	x += text
	tokens, score := widget.ItemTokens(items, i), widget.ScoreOf(p.a, i, 5)
	rep := oa.Report
	if row.group == onlyB {
		rep = ob.Report
	}
	if row.group != sized && rep.Shrunk(i) { // no other cut is there, and the heading sums up what is in
		tokens, score = string(g.Cut)+f.Sum(rep.Taken(i)), widget.Score(rep.Worth(i), 5)
	}
	f.Right(x, r.Y, 8, tokens, theme.Dim)
	x += 8
	why := func(x int, side experiment.Side) {
		o := [...]*experiment.Outcome{oa, ob}[side]
		text, role := widget.Why(o, i, reason), widget.WhyRole(o, i)
		switch moved, mark := f.MovedText(i); {
		case mark != theme.Plain && side == f.Side:
			if role = mark; text == "" || o.Report.In(i) || o.Report.Codes[i] == model.Filtered { // why an item is out says more than that it went out
				text = moved
			}
		case row.group == sized && o.Report.Size(i) == 0:
			text = "whole"
		case text == "" && o.Report.In(i):
			text = whyIn(o.Policy)
		}
		f.Text(x, r.Y, reason, text, role)
	}
	if r.W < twoReasons {
		side := experiment.A
		if row.group == onlyA {
			side = experiment.B // show why the other side does not have it
		}
		why(x+2, side)
	} else {
		f.Right(x, r.Y, 6, score, theme.Dim)
		x += 6
		why(x+2, experiment.A)
		why(x+4+reason, experiment.B)
	}
	f.CursorRow(r, cursor, focused)
}

// whyIn returns why a slicer selects an item of which nothing else is to be said. Count quotas
// commit what they require whether it fits or not, and what is recorded has no policy.
func whyIn(p model.Policy) string {
	switch {
	case p.Slicer == "" || len(p.CountQuotas) > 0:
		return ""
	case p.Slicer.InBuckets():
		return "in set"
	}
	return "fits"
}

// itemsBefore returns how many of the rows before one are of items, and not the headings of groups.
func (p *View) itemsBefore(row int) int {
	headings, _ := slices.BinarySearch(p.headings, row)
	return row - headings
}
