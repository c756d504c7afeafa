package curve

import (
	"math"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
	"cupelscope/tui/internal/widget"
)

// lead says at how many budgets each side gives more value, of those at which both have a result.
type lead struct {
	of      [2]*curve // the curves that are compared
	budgets model.Tokens
	more    [2]model.Tokens // at how many of these budgets a side gives more than the other
	value   [2]float64      // the values of a side, added up over these budgets
}

// compare adds up the values of two curves over all budgets up to an end. It costs a pass over
// their points.
func compare(curves [2]*curve, end model.Tokens) lead {
	l := lead{of: curves}
	var k [2]int
	for from := max(curves[0].points[0].Budget, curves[1].points[0].Budget); from <= end; {
		until := end + 1
		for s, c := range curves {
			for k[s]+1 < len(c.points) && c.points[k[s]+1].Budget <= from {
				k[s]++
			}
			if k[s]+1 < len(c.points) {
				until = min(until, c.points[k[s]+1].Budget)
			}
		}
		a, b, n := curves[0].points[k[0]], curves[1].points[k[1]], until-from
		if a.Runs && b.Runs {
			l.budgets += n
			l.value[0], l.value[1] = l.value[0]+a.Value*float64(n), l.value[1]+b.Value*float64(n)
			switch more := a.Value - b.Value; {
			case alike(a.Value, b.Value):
			case more > 0:
				l.more[0] += n
			default:
				l.more[1] += n
			}
		}
		from = until
	}
	return l
}

// alike reports whether two sums differ by no more than the order in which they were added up.
func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// leading returns the comparison of both sides, and which side gives more at more budgets; false
// while a side is not known.
func (p *View) leading() (l lead, ahead experiment.Side, known bool) {
	a, b := &p.tracks[experiment.A], &p.tracks[experiment.B]
	if a.curve == nil || b.curve == nil {
		return l, 0, false
	}
	if curves := [2]*curve{a.curve, b.curve}; p.lead.of != curves {
		p.lead = compare(curves, min(a.profile.Axis().End(), b.profile.Axis().End()))
	}
	l = p.lead
	if l.more[experiment.B] > l.more[experiment.A] {
		return l, experiment.B, true
	}
	return l, experiment.A, true
}

// aheadSpans says which side gives more value, at what share of all budgets and by how much, in
// the longest form that fits.
func (p *View) aheadSpans(setup experiment.Setup, width int) []draw.Span {
	l, ahead, known := p.leading()
	if !known || l.budgets == 0 {
		return nil
	}
	if same := widget.SamePolicy(setup); same != "" {
		return []draw.Span{widget.Plain(same + ".")}
	}
	behind := ahead.Other()
	name := draw.Span{Text: ahead.String(), Role: widget.SideRole(ahead)}
	other := draw.Span{Text: behind.String(), Role: widget.SideRole(behind)}
	if l.more[ahead] == 0 {
		return []draw.Span{name, widget.Plain(" and "), other, widget.Plain(" give the same value at every budget.")}
	}
	share := plain.Percent(float64(l.more[ahead]) / float64(l.budgets))
	mean := ""
	if more := l.value[ahead]/l.value[behind] - 1; l.value[behind] > 0 && more > 0 {
		mean = plain.Percent(more) + " on average, "
	}
	here := ""
	if a, b := p.tracks[ahead].at(setup.Budget.MaxTokens), p.tracks[behind].at(setup.Budget.MaxTokens); a.Runs && b.Runs {
		here = hereText(a.Value, b.Value)
	}
	less := " and never less"
	if l.more[behind] > 0 {
		less = ", less at " + plain.Percent(float64(l.more[behind])/float64(l.budgets))
	}
	of, brief := " at "+share+" of all budgets", " at "+share+" of budgets"
	form := func(text string) []draw.Span {
		return []draw.Span{name, widget.Plain(" gives more value than "), other, widget.Plain(strings.TrimRight(text, ":, ") + ".")}
	}
	return draw.FirstThatFits(width, form(of+less+": "+mean+here), form(of+": "+mean+here), form(of+": "+here), form(brief+": "+here), form(brief))
}

// hereText says by how much the side that is ahead at most budgets gives more at the current one.
func hereText(a, b float64) string {
	switch {
	case alike(a, b):
		return "the same here"
	case a < b && a > 0:
		return theme.Minus + plain.Percent(b/a-1) + " here"
	case b > 0:
		return plain.Percent(a/b-1) + " here"
	}
	return widget.SignedValue(a-b) + " value here"
}

// aheadRows is 1 where there is room for the row that says which side gives more.
func (p *View) aheadRows() int {
	if p.inner().H < 14 || p.tracks[0].curve == nil || p.tracks[1].curve == nil {
		return 0
	}
	return 1
}

// drawAhead draws in each column which side gives more of what is drawn: its letter begins a run.
func (p *View) drawAhead(f *widget.Frame, r draw.Rect, lines []plotLine) {
	if len(lines) < 2 {
		return
	}
	g := f.Glyphs()
	f.Right(r.X-plotGutter, r.Y, plotGutter-1, "more", theme.Dim)
	f.Set(r.X-1, r.Y, g.Vertical, theme.Frame)
	n, last := len(lines[0].high), -1
	for x := range r.W {
		var sum [2]float64
		for k := x * n / r.W; k < (x+1)*n/r.W; k++ {
			for i, l := range lines {
				sum[i] += l.low[k] + l.high[k]
			}
		}
		most := 0
		if sum[1] > sum[0] {
			most = 1
		}
		switch {
		case alike(sum[0], sum[1]):
			most = -1
			f.Set(r.X+x, r.Y, g.Strip[0], theme.Dim)
		case most != last:
			f.Set(r.X+x, r.Y, lines[most].letter, lines[most].role)
		default:
			f.Set(r.X+x, r.Y, g.Strip[2], lines[most].role)
		}
		last = most
	}
}
