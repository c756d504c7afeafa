package simulate

import (
	"iter"
	"math"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// Point is what the result at a budget amounts to.
type Point struct {
	Budget model.Tokens
	Target slicer.Target // effective target: the room for items that compete
	Items  int           // in the result, pinned ones too
	Tokens model.Tokens  // of the result, pinned items too: Report.Kept
	Sliced model.Tokens  // of Tokens, what is not pinned
	// Value is the sum of the scores of what is not pinned, as Report.Value,
	// but added up in another order: it may differ in the last places.
	Value float64
	Runs  bool // the pipeline runs here; where it does not, nothing is in
}

// Room is Target in tokens.
func (a Point) Room() model.Tokens { return model.Tokens(a.Target) }

// Filled is the share of the room that is used, 0 where there is none. What
// count quotas commit, at whatever cost, can make it more than 1.
func (a Point) Filled() float64 {
	if a.Target <= 0 {
		return 0
	}
	return float64(a.Sliced) / float64(a.Target)
}

// Fewer reports whether fewer items are in at a than at b.
func (a Point) Fewer(b Point) bool { return a.Items < b.Items }

// Less reports whether there is less value at a than at b, by more than
// rounding can make it: a thousand-millionth of it.
func (a Point) Less(b Point) bool {
	if math.IsInf(a.Value, 0) || math.IsInf(b.Value, 0) {
		return a.Value < b.Value
	}
	return b.Value-a.Value > 1e-9*max(math.Abs(a.Value), math.Abs(b.Value))
}

// PointAt is the result at budget b, which counts as the nearest one of the
// axis: O(log K) for K changes, once any point has been asked for.
func (p *Profile) PointAt(b model.Tokens) Point {
	b = min(max(b, 0), p.axis.End())
	s := p.stretchOf(b)
	if s.profile == nil {
		return p.still(b)
	}
	targets := s.profile.Curve().Targets
	t := s.target(b)
	return p.point(b, s.profile, sort.Search(len(targets), func(k int) bool { return targets[k] > t })-1)
}

// Points is the curve of the results over all budgets of the axis: a point for
// budget 0, and one for every budget whose result differs from that of the
// budget below, ascending. Between two of them nothing changes but Target. One
// at which the pipeline runs, while it does not just below or the reverse,
// counts as different whatever is in.
//
// The points cost O(K) for K changes and no memory beside the slicer's curve,
// which is made when any point is first asked for. Only where the axis jumps
// over targets is a point found out by comparing selections.
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
	to      model.Tokens
	profile slicer.Profile // nil: the pipeline does not run
	target  func(model.Tokens) slicer.Target
	least   func(slicer.Target) model.Tokens // the least budget, of all, whose target is that or more
}

// stretchOf is the stretch that budget b lies in. There are at most four: up
// to where the pipeline runs, up to an excess, the excess, and beyond.
func (p *Profile) stretchOf(b model.Tokens) stretch {
	e := &p.excess
	switch {
	case b < p.axis.start:
		return stretch{to: p.axis.start - 1}
	case !e.has(b):
		s := stretch{to: p.axis.End(), profile: p.inner, least: p.axis.least}
		s.target = func(b model.Tokens) slicer.Target { t, _ := p.axis.Target(b); return t }
		if e.any() && b < e.from {
			s.to = e.from - 1
		}
		return s
	case e.fitted == nil:
		return stretch{to: e.to}
	}
	return stretch{
		to: e.to, profile: e.fitted,
		target: func(b model.Tokens) slicer.Target { return slicer.Target(b - e.base) },
		least:  func(t slicer.Target) model.Tokens { return e.base + model.Tokens(t) },
	}
}

// walk yields the points of a stretch from its least budget to its largest on
// the axis; false: yield stopped it.
func (p *Profile) walk(s stretch, from, to model.Tokens, yield func(Point) bool) bool {
	if s.profile == nil {
		return yield(p.still(from))
	}
	targets := s.profile.Curve().Targets
	// k is the first change beyond the current budget.
	k := sort.Search(len(targets), func(k int) bool { return targets[k] > s.target(from) })
	if p.differs(from) && !yield(p.point(from, s.profile, k-1)) {
		return false
	}
	for k < len(targets) {
		b := s.least(targets[k])
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
		if !yield(p.point(b, s.profile, k-1)) {
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
	c := p.change(b-1, b)
	return len(c.In)+len(c.Out) > 0
}

// still is the point of a budget at which the pipeline does not run.
func (p *Profile) still(b model.Tokens) Point {
	t, _ := p.axis.Target(b)
	return Point{Budget: b, Target: t}
}

// point is that of a budget whose result is column k of a profile's curve.
func (p *Profile) point(b model.Tokens, profile slicer.Profile, k int) Point {
	a := p.still(b)
	c := profile.Curve()
	a.Runs = true
	a.Sliced, a.Value = c.Used[k], c.Scores[k]
	a.Items, a.Tokens = len(p.ranking.Pinned())+int(c.Counts[k]), p.ranking.PinnedTokens()+a.Sliced
	return a
}

// Enough says which budget gives a share of the value that another one, upTo,
// gives: at first the value is at least that for the first time, and from
// stays on it is so at every budget up to upTo. The two are the same where
// value never falls, as under greedy with scores of 0 and more. upTo counts as
// the nearest budget of the axis.
//
// False: the value at upTo is not above 0, or the share is not 0 to 1. It costs
// a pass over the points up to upTo.
func (p *Profile) Enough(share float64, upTo model.Tokens) (first, stays model.Tokens, ok bool) {
	all := p.PointAt(upTo)
	if !(all.Value > 0) || !(share >= 0 && share <= 1) {
		return 0, 0, false
	}
	least := 0.0
	if share > 0 {
		least = share * all.Value
	}
	first, stays = -1, -1
	for a := range p.Points() {
		switch {
		case a.Budget > all.Budget:
			return first, stays, true
		case !a.Runs || !(a.Value >= least):
			stays = -1
		case stays < 0:
			stays = a.Budget
			if first < 0 {
				first = stays
			}
		}
	}
	return first, stays, true
}
