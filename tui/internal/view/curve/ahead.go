package curve

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// lead says at how many budgets each side gives more value, of those at which both have a result.
type lead struct {
	of      [2]*curve    // the curves that are compared
	end     model.Tokens // of the budgets: both change at no larger one
	budgets model.Tokens
	more    [2]model.Tokens // at how many of these budgets a side gives more than the other
}

// compare compares the values of two curves at all budgets up to an end, or up to the last at which
// either changes, where that is less: so the shares do not depend on how far the axis goes on. It
// costs a pass over their points.
func compare(curves [2]*curve, end model.Tokens) lead {
	last := func(c *curve) model.Tokens { return c.points[len(c.points)-1].Budget }
	end = min(end, max(last(curves[0]), last(curves[1])))
	l := lead{of: curves, end: end}
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

// aheadSpans returns which side gives more value here and by how much, and at how many budgets
// a side is ahead, in the longest form that fits.
func (p *View) aheadSpans(setup experiment.Setup, width int) []draw.Span {
	l, ahead, known := p.leading()
	if !known || l.budgets == 0 {
		return nil
	}
	if same := widget.SamePolicy(setup); same != "" {
		return []draw.Span{widget.Plain(same + ".")}
	}
	name := func(s experiment.Side) draw.Span { return draw.Span{Text: s.String(), Role: widget.SideRole(s)} }
	behind := ahead.Other()
	if l.more[ahead] == 0 {
		return []draw.Span{name(ahead), widget.Plain(" and "), name(behind), widget.Plain(" give the same value at every budget.")}
	}
	share := func(s experiment.Side) string { return plain.Percent(float64(l.more[s]) / float64(l.budgets)) }
	less := ", never behind"
	if l.more[behind] > 0 {
		less = ", behind at " + share(behind)
	}
	upTo := " up to " + l.end.String()
	over := []draw.Span{name(ahead), widget.Plain(" is ahead at " + share(ahead) + " of the budgets" + upTo + less + ".")}
	a, b := p.tracks[experiment.A].at(setup.Budget.MaxTokens), p.tracks[experiment.B].at(setup.Budget.MaxTokens)
	if !a.Runs || !b.Runs {
		return over
	}
	best, more := experiment.A, a.Value-b.Value
	if more < 0 {
		best, more = experiment.B, -more
	}
	by, rest := widget.SignedValue(more)[1:]+" more value than ", min(a.Value, b.Value)
	switch {
	case rest > 0 && more >= rest:
		by = fmt.Sprintf("%.1f times the value of ", (rest+more)/rest)
	case rest > 0:
		by = plain.Percent(more/rest) + " more value than "
	}
	here := []draw.Span{name(best), widget.Plain(" gives " + by), name(best.Other()), widget.Plain(" here")}
	if alike(a.Value, b.Value) {
		here = []draw.Span{name(experiment.A), widget.Plain(" and "), name(experiment.B), widget.Plain(" give the same value here")}
	}
	leads := widget.Plain("; " + ahead.String() + " is ahead at " + share(ahead) + " of the budgets" + upTo + ".")
	forms := [][]draw.Span{slices.Concat(here, []draw.Span{widget.Plain("; ")}, over), append(here[:len(here):len(here)], leads)}
	if gives, than := strings.CutSuffix(by, " than "); than && best == ahead && rest > 0 {
		forms = append(forms, []draw.Span{name(best), widget.Plain(" gives " + gives + " here"), leads})
	}
	return draw.FirstThatFits(width, append(forms, append(here, widget.Plain(".")))...)
}
