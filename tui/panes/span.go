package panes

import (
	"math"

	"cupelscope/model"
	"cupelscope/tui/draw"
	"cupelscope/tui/experiment"
	"cupelscope/tui/theme"
)

// span is the budgets that a map shows, a part of those that there are.
type span struct {
	least, end model.Tokens // all there are
	lo, hi     model.Tokens // those that are shown
	even       bool         // columns hold as many budgets each; else they grow with the budget
}

// fit shows all budgets.
func (s *span) fit() { s.lo, s.hi = s.least, s.end }

// whole reports whether all budgets are shown.
func (s *span) whole() bool { return s.lo == s.least && s.hi == s.end }

// exact reports whether each of so many columns is one budget.
func (s *span) exact(width int) bool { return s.hi-s.lo < model.Tokens(width) }

// reach takes the budgets from least to end; what was shown of the budgets
// before is still shown where there is such, and all if all was.
func (s *span) reach(least, end model.Tokens) {
	least, end = max(1, least), max(1, least, end)
	if s.least == least && s.end == end {
		return
	}
	whole := s.whole()
	s.least, s.end = least, end
	if s.lo, s.hi = max(s.lo, least), min(s.hi, end); whole || s.lo > s.hi {
		s.fit()
	}
}

// scale divides what is shown into columns.
func (s *span) scale(width int) draw.Scale {
	if s.even {
		return draw.NewEvenScale(s.lo, s.hi, width)
	}
	return draw.NewScale(s.lo, s.hi, width)
}

// at is where a budget lies on the axis, budget its reverse.
func (s *span) at(b model.Tokens) float64 {
	if s.even {
		return float64(b)
	}
	return math.Log(float64(b))
}

func (s *span) budget(at float64) model.Tokens {
	if !s.even {
		at = math.Exp(at)
	}
	return model.Tokens(math.Round(min(max(at, 1), float64(model.MaxTokens)+1)))
}

// zoom shows half as many budgets, or twice as many, so that one keeps its
// place; never fewer than the columns. False: there is nothing to change.
func (s *span) zoom(in bool, around model.Tokens, width int) bool {
	lo, hi := s.lo, s.hi
	size := s.at(hi+1) - s.at(lo)
	if around < lo || around > hi {
		around = s.budget(s.at(lo) + size/2)
	}
	share := (s.at(around) - s.at(lo)) / size
	if in {
		if s.exact(width) {
			return false
		}
		size /= 2
	} else {
		if s.whole() {
			return false
		}
		if size *= 2; size >= 0.99*(s.at(s.end+1)-s.at(s.least)) {
			s.fit()
			return true
		}
	}
	s.show(s.at(around)-share*size, size)
	switch n := s.hi - s.lo + 1; {
	case n < model.Tokens(width):
		s.place(around-model.Tokens(share*float64(width)), model.Tokens(width))
	case in && n >= hi-lo+1:
		s.place(lo, max(model.Tokens(width), (hi-lo+1)/2))
	case !in && n <= hi-lo+1:
		s.place(lo-(hi-lo+1)/2, 2*(hi-lo+1))
	}
	return s.lo != lo || s.hi != hi
}

// show shows what begins at a place of the axis and is so long there, as far
// as there are such budgets.
func (s *span) show(from, size float64) {
	from = min(from, s.at(s.end+1)-size)
	from = max(from, s.at(s.least))
	s.lo = min(max(s.least, s.budget(from)), s.end)
	s.hi = max(s.lo, min(s.end, s.budget(from+size)-1))
}

// place shows n budgets from one on, as far as there are such.
func (s *span) place(from, n model.Tokens) {
	s.lo = max(s.least, min(from, s.end-n+1))
	s.hi = min(s.end, s.lo+n-1)
}

// pan shows budgets a quarter further up or down. False: there are none.
func (s *span) pan(dir, width int) bool {
	lo, hi := s.lo, s.hi
	if n := hi - lo + 1; s.even || s.exact(width) {
		s.place(lo+model.Tokens(dir)*max(1, n/4), n)
	} else {
		size := s.at(hi+1) - s.at(lo)
		s.show(s.at(lo)+float64(dir)*size/4, size)
		if s.exact(width) {
			s.place(s.lo, model.Tokens(width))
		}
		if s.lo == lo && s.hi == hi || (s.lo < lo) != (dir < 0) {
			s.place(lo+model.Tokens(dir), n)
		}
	}
	return s.lo != lo || s.hi != hi
}

// reveal moves what is shown so that it holds a budget, in its middle if it
// did not before. Nothing moves for a budget beyond all.
func (s *span) reveal(b model.Tokens, width int) {
	if b = min(max(b, s.least), s.end); b >= s.lo && b <= s.hi {
		return
	}
	if n := s.hi - s.lo + 1; s.even || s.exact(width) {
		s.place(b-n/2, n)
		return
	}
	size := s.at(s.hi+1) - s.at(s.lo)
	s.show(s.at(b)-size/2, size)
	if n := max(s.hi-s.lo+1, model.Tokens(width)); b < s.lo || b > s.hi || s.exact(width) { // rounding
		s.place(b-n/2, n)
	}
}

// step is the budget a number of columns beside b; beyond what is shown,
// columns are as wide as the last.
func (s *span) step(b model.Tokens, by, width int) model.Tokens {
	sc := s.scale(width)
	n := sc.Columns()
	if b < s.lo || b > s.hi {
		b = min(max(b, s.lo), s.hi)
	}
	k := sc.Column(b) + by
	switch {
	case k < 0:
		b = s.lo + model.Tokens(k)*(sc.Edges[1]-sc.Edges[0])
	case k >= n:
		b = s.hi + model.Tokens(k-n)*(sc.Edges[n]-sc.Edges[n-1]) + 1
	default:
		b = sc.Edges[k]
	}
	return min(max(b, 1), s.end)
}

// ruler writes the budgets of a scale, and maxTokens at the end beyond which
// it lies if it is not shown.
func (s *span) ruler(f *Frame, r draw.Rect, scale draw.Scale, here int) {
	text := model.Tokens.Short
	if s.hi-s.lo < s.hi/16 { // short numbers would be alike
		text = model.Tokens.String
	}
	g := f.Glyphs()
	left, right := "", ""
	switch b := f.Exp.Setup().Budget.MaxTokens; {
	case b < s.lo:
		left = g.KnobLeft + " " + b.String() + " "
	case b > s.hi:
		right = " " + b.String() + " " + g.KnobRight
	}
	f.RulerOf(r, scale, here, theme.Dim, text, draw.Width(left), draw.Width(right))
	f.Text(r.X, r.Y, r.W, left, theme.StripHere)
	f.Right(r.X, r.Y, r.W, right, theme.StripHere)
}

// stripRange is the range of budgets that strips show: from where something
// can be selected to the axis end.
func stripRange(o *experiment.Outcome) (lo, hi model.Tokens) {
	axis := o.Profile.Axis()
	hi = axis.End()
	lo = hi / 512
	if b, ok := axis.Least(1); ok {
		lo = max(lo, b)
	}
	return max(1, lo), max(1, hi)
}
