package widget

import (
	"math"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/theme"
)

// Viewport is the range of budgets that a map shows. All its bounds are inclusive.
type Viewport struct {
	Start, End model.Tokens // the range of all budgets
	Lo, Hi     model.Tokens // the part of it that is shown
	Even       bool         // all columns cover equally many budgets; else more at larger budgets
}

// ShowAll shows all budgets.
func (s *Viewport) ShowAll() { s.Lo, s.Hi = s.Start, s.End }

// ShowsAll reports whether all budgets are shown.
func (s *Viewport) ShowsAll() bool { return s.Lo == s.Start && s.Hi == s.End }

// Exact reports whether width columns are enough to give each shown budget its own.
func (s *Viewport) Exact(width int) bool { return s.Hi-s.Lo < model.Tokens(width) }

// SetLimits sets the range of all budgets. The part that is shown stays as far as it is
// within the new range; if all budgets were shown, all of the new ones are.
func (s *Viewport) SetLimits(least, end model.Tokens) {
	least, end = max(1, least), max(1, least, end)
	if s.Start == least && s.End == end {
		return
	}
	whole := s.ShowsAll()
	s.Start, s.End = least, end
	if s.Lo, s.Hi = max(s.Lo, least), min(s.Hi, end); whole || s.Lo > s.Hi {
		s.ShowAll()
	}
}

// Scale divides the shown budgets into at most width columns.
func (s *Viewport) Scale(width int) draw.Scale {
	if s.Even {
		return draw.NewEvenScale(s.Lo, s.Hi, width)
	}
	return draw.NewScale(s.Lo, s.Hi, width)
}

// at returns the place of a budget on the axis.
func (s *Viewport) at(b model.Tokens) float64 {
	if s.Even {
		return float64(b)
	}
	return math.Log(float64(b))
}

// budget returns the budget at a place of the axis, the reverse of at.
func (s *Viewport) budget(at float64) model.Tokens {
	if !s.Even {
		at = math.Exp(at)
	}
	return model.Tokens(math.Round(min(max(at, 1), float64(model.MaxTokens)+1)))
}

// Zoom shows half of the axis that is shown now, or twice as much, so that the budget
// around keeps its place on the screen. It never shows fewer budgets than the width has
// columns. It returns false if nothing changes.
func (s *Viewport) Zoom(in bool, around model.Tokens, width int) bool {
	lo, hi := s.Lo, s.Hi
	size := s.at(hi+1) - s.at(lo)
	if around < lo || around > hi {
		around = s.budget(s.at(lo) + size/2)
	}
	share := (s.at(around) - s.at(lo)) / size
	if in {
		if s.Exact(width) {
			return false
		}
		size /= 2
	} else {
		if s.ShowsAll() {
			return false
		}
		if size *= 2; size >= 0.99*(s.at(s.End+1)-s.at(s.Start)) {
			s.ShowAll()
			return true
		}
	}
	s.show(s.at(around)-share*size, size)
	switch n := s.Hi - s.Lo + 1; {
	case n < model.Tokens(width):
		s.place(around-model.Tokens(share*float64(width)), model.Tokens(width))
	case in && n >= hi-lo+1:
		s.place(lo, max(model.Tokens(width), (hi-lo+1)/2))
	case !in && n <= hi-lo+1:
		s.place(lo-(hi-lo+1)/2, 2*(hi-lo+1))
	}
	return s.Lo != lo || s.Hi != hi
}

// show shows the part of the axis that begins at from and has that size, within the range
// of all budgets.
func (s *Viewport) show(from, size float64) {
	from = min(from, s.at(s.End+1)-size)
	from = max(from, s.at(s.Start))
	s.Lo = min(max(s.Start, s.budget(from)), s.End)
	s.Hi = max(s.Lo, min(s.End, s.budget(from+size)-1))
}

// place shows n budgets beginning with from, within the range of all budgets.
func (s *Viewport) place(from, n model.Tokens) {
	s.Lo = max(s.Start, min(from, s.End-n+1))
	s.Hi = min(s.End, s.Lo+n-1)
}

// Pan moves the shown part up (dir 1) or down (-1) by a quarter of its size. It returns
// false if it is at the end already.
func (s *Viewport) Pan(dir, width int) bool {
	lo, hi := s.Lo, s.Hi
	n := hi - lo + 1
	if s.Even || s.Exact(width) {
		s.place(lo+model.Tokens(dir)*max(1, n/4), n)
	} else {
		size := s.at(hi+1) - s.at(lo)
		s.show(s.at(lo)+float64(dir)*size/4, size)
		if s.Exact(width) {
			s.place(s.Lo, model.Tokens(width))
		}
		if s.Lo == lo && s.Hi == hi || (s.Lo < lo) != (dir < 0) {
			s.place(lo+model.Tokens(dir), n)
		}
	}
	return s.Lo != lo || s.Hi != hi
}

// Reveal moves the shown part so that it includes b, in the middle if it did not include it
// before. A b out of the range of all budgets counts as the nearest one within.
func (s *Viewport) Reveal(b model.Tokens, width int) {
	if b = min(max(b, s.Start), s.End); b >= s.Lo && b <= s.Hi {
		return
	}
	n := s.Hi - s.Lo + 1
	if s.Even || s.Exact(width) {
		s.place(b-n/2, n)
		return
	}
	size := s.at(s.Hi+1) - s.at(s.Lo)
	s.show(s.at(b)-size/2, size)
	n = max(s.Hi-s.Lo+1, model.Tokens(width))
	if b < s.Lo || b > s.Hi || s.Exact(width) { // rounding
		s.place(b-n/2, n)
	}
}

// Step returns the budget that is by columns to the right of b, or to the left if by is
// negative. Beyond the shown part, columns are as wide as the outermost one.
func (s *Viewport) Step(b model.Tokens, by, width int) model.Tokens {
	sc := s.Scale(width)
	n := sc.Columns()
	if b < s.Lo || b > s.Hi {
		b = min(max(b, s.Lo), s.Hi)
	}
	k := sc.Column(b) + by
	switch {
	case k < 0:
		b = s.Lo + model.Tokens(k)*(sc.Edges[1]-sc.Edges[0])
	case k >= n:
		b = s.Hi + model.Tokens(k-n)*(sc.Edges[n]-sc.Edges[n-1]) + 1
	default:
		b = sc.Edges[k]
	}
	return min(max(b, 1), s.End)
}

// Here returns the column of the current budget on a scale, or of the current value of the knob over; -1 if
// that is not shown.
func (f *Frame) Here(s draw.Scale, over *Over) int {
	if now := f.now(over); s.Edges[0] <= now && now < s.Edges[s.Columns()] {
		return s.Column(now)
	}
	return -1
}

func (f *Frame) now(over *Over) model.Tokens {
	if over != nil {
		return over.Here()
	}
	return f.Exp.Setup().Budget.MaxTokens
}

// ScaleRuler draws the budgets of a scale, or the values of the knob over. If the current one is
// not shown, it is written at the end beyond which it lies. The last column of a cut scale is
// beyond the end.
func (f *Frame) ScaleRuler(r draw.Rect, s draw.Scale, over *Over) {
	g, left, right, role := f.Glyphs(), "", "", theme.Dim
	if s.Cut {
		s.Edges, right = s.Edges[:s.Columns()], g.KnobRight
	}
	now, text, n := f.now(over), s.Text(), s.Columns()
	forms := []string{now.String(), now.Short()}
	if now >= 10_000 && now < 99_500 { // else a thousand is too much to round to, or Short rounds so
		forms = append(forms, ((now+500)/1000).String()+"k")
	}
	if over != nil {
		text, forms = over.Text, []string{NumberText(over.Number, over.Now)}
	}
	outside := Fitting(r.W-4-len(text(s.Edges[0])+text(s.Edges[n]-1)), forms...) // beside the labels of both ends
	switch {
	case now < s.Edges[0]:
		left = g.KnobLeft + " " + outside + " "
	case now >= s.Edges[n]:
		right, role = " "+outside+" "+g.KnobRight, theme.StripHere
	}
	f.Ruler(r, s, f.Here(s, over), forms, theme.Dim, text, draw.Width(left), draw.Width(right), draw.RulerName{})
	f.Text(r.X, r.Y, r.W, left, theme.StripHere)
	f.Text(r.X+max(0, min(n, r.W-draw.Width(right))), r.Y, r.W, right, role)
}

// StripRange returns the range of budgets that strips show: from the least with room for the
// smallest item, or the current one if that is less and has any room, but no less than 1/512 of
// the last at which anything changes, to the ceiling.
func StripRange(o *experiment.Outcome) (lo, hi model.Tokens) {
	axis := o.Profile.Axis()
	hi = axis.End()
	if b, ok := axis.Least(slicer.Target(o.Smallest)); ok {
		lo = min(b, hi)
	}
	if b, ok := axis.Least(1); ok {
		lo = max(b, min(lo, o.Setup.Budget.MaxTokens))
	}
	return max(1, lo, min(hi, o.Settled)/512), max(1, hi)
}

// StripScale returns the scale of strips over so many columns, cut where nothing changes in most of
// the range.
func StripScale(o *experiment.Outcome, columns int) draw.Scale {
	lo, hi := StripRange(o)
	last := o.Settled + o.Settled/settledShare
	if last > lo && last < hi/settledShare && columns > 1 {
		return draw.Scale{Edges: append(draw.NewScale(lo, last, columns-1).Edges, hi+1), Cut: true}
	}
	return draw.NewScale(lo, hi, columns)
}

// settledShare is the part of the range in which something must happen for all of it to be shown alike.
const settledShare = 8
