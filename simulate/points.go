package simulate

import (
	"iter"
	"math"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// Point sums up the result at one budget.
type Point struct {
	Budget model.Tokens
	Target slicer.Target // the effective target: the room for items that compete
	Items  int           // the number of items in the result, with the pinned ones
	Tokens model.Tokens  // the tokens of the result, with the pinned items, as Report.Kept
	Sliced model.Tokens  // the part of Tokens that is not pinned
	// Value is the sum of the scores of the items that are not pinned, as
	// Report.Value. It is added up in another order, so the last digits may
	// differ.
	Value float64
	Runs  bool // whether the pipeline runs here; if not, nothing is in
}

// Room returns Target as a number of tokens.
func (a Point) Room() model.Tokens { return model.Tokens(a.Target) }

// Filled returns the used share of the room: 0 if there is no room, otherwise
// 0 to 1. It exceeds 1 only where the items that count quotas commit need more
// than the room.
func (a Point) Filled() float64 {
	if a.Target <= 0 {
		return 0
	}
	return float64(a.Sliced) / float64(a.Target)
}

// Fewer reports whether fewer items are in at a than at b.
func (a Point) Fewer(b Point) bool { return a.Items < b.Items }

// Less reports whether the value at a is below the value at b by more than
// rounding can explain: by more than a billionth of the larger magnitude.
func (a Point) Less(b Point) bool {
	if math.IsInf(a.Value, 0) || math.IsInf(b.Value, 0) {
		return a.Value < b.Value
	}
	return b.Value-a.Value > 1e-9*max(math.Abs(a.Value), math.Abs(b.Value))
}

// PointAt returns the point at budget b; a b outside the axis counts as its
// nearest end. With K changes it takes O(log K), once any point has been asked
// for.
func (p *Profile) PointAt(b model.Tokens) Point {
	b = min(max(b, 0), p.axis.End())
	s := p.stretchOf(b)
	if s.profile == nil {
		return p.still(b)
	}
	c := s.profile.Series()
	targets, t := c.Targets, s.target(b)
	return p.point(b, &c, sort.Search(len(targets), func(k int) bool { return targets[k] > t })-1)
}

// Points returns the results over all budgets of the axis, ascending: a point for
// budget 0, and one for every budget whose result differs from the result just
// below. Between two points only Target changes. A budget at which the pipeline
// starts or stops running has a point even if nothing is in.
//
// With K changes, all points take O(K). They need no memory besides the
// slicer's series, which is computed when a point is first asked for.
// Selections are compared only where the axis jumps over targets.
func (p *Profile) Points() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		end := p.axis.End()
		for from := model.Tokens(0); from <= end; {
			s := p.stretchOf(from)
			if !p.walk(s, from, min(s.to, end), yield) {
				return
			}
			from = s.to + 1
		}
	}
}

// stretch is a range of budgets that one profile answers for.
type stretch struct {
	from, to  model.Tokens   // both included
	profile   slicer.Profile // nil: the pipeline does not run
	target    func(model.Tokens) slicer.Target
	minBudget func(slicer.Target) model.Tokens // the smallest budget, on the axis or beyond, whose target is at least that
}

// stretchOf returns the stretch that budget b lies in. There are at most four: up
// to where the pipeline runs, up to an excess, the excess, and beyond.
func (p *Profile) stretchOf(b model.Tokens) stretch {
	e := &p.excess
	switch {
	case b < p.axis.start:
		return stretch{to: p.axis.start - 1} // from 0
	case !e.has(b):
		s := stretch{from: p.axis.start, to: p.axis.End(), profile: p.inner, minBudget: p.axis.least}
		s.target = func(b model.Tokens) slicer.Target { t, _ := p.axis.Target(b); return t }
		switch {
		case e.any() && b < e.from:
			s.to = e.from - 1
		case e.any():
			s.from = e.to + 1
		}
		return s
	case e.fitted == nil:
		return stretch{from: e.from, to: e.to}
	}
	return stretch{
		from: e.from, to: e.to, profile: e.fitted,
		target:    func(b model.Tokens) slicer.Target { return slicer.Target(b - e.base) },
		minBudget: func(t slicer.Target) model.Tokens { return e.base + model.Tokens(t) },
	}
}

// walk yields the points of a stretch from its smallest budget to its largest on
// the axis; false: yield stopped it.
func (p *Profile) walk(s stretch, from, to model.Tokens, yield func(Point) bool) bool {
	if s.profile == nil {
		return yield(p.still(from))
	}
	c := s.profile.Series()
	targets := c.Targets
	// k is the first change beyond the current budget.
	k := sort.Search(len(targets), func(k int) bool { return targets[k] > s.target(from) })
	if p.differs(from) && !yield(p.point(from, &c, k-1)) {
		return false
	}
	for k < len(targets) {
		b := s.minBudget(targets[k])
		if b > to {
			break
		}
		first := k
		for t := s.target(b); k < len(targets) && targets[k] <= t; {
			k++
		}
		// Of several changes between two budgets one may undo the other.
		if k > first+1 && !p.differs(b) {
			continue
		}
		if !yield(p.point(b, &c, k-1)) {
			return false
		}
	}
	return true
}

// differs reports whether the result at b differs from the one just below.
func (p *Profile) differs(b model.Tokens) bool {
	if b == 0 {
		return true
	}
	_, below := p.Selection(b-1, nil)
	if _, runs := p.Selection(b, nil); runs != below {
		return true
	}
	return p.change(b-1, b).any()
}

// still returns the point of a budget at which the pipeline does not run.
func (p *Profile) still(b model.Tokens) Point {
	t, _ := p.axis.Target(b)
	return Point{Budget: b, Target: t}
}

// point returns the point of a budget whose result is column k of a profile's series.
func (p *Profile) point(b model.Tokens, c *slicer.Series, k int) Point {
	t, _ := p.axis.Target(b)
	return Point{
		Budget: b, Target: t, Runs: true,
		Items: len(p.ranking.Pinned()) + int(c.Counts[k]), Tokens: p.ranking.PinnedTokens() + c.Used[k],
		Sliced: c.Used[k], Value: c.Scores[k],
	}
}
