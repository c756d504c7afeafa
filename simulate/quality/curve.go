package quality

import (
	"context"
	"iter"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/simulate"
)

// Curve is the quality at every budget of an axis, exactly. It consists of
// step functions that are made of the ranges of budgets at which each needed
// item is in. A Curve is immutable and safe for concurrent use.
type Curve struct {
	judge   *Judge
	profile *simulate.Profile
	steps   []step // ascending from budget 0
}

// step holds the needed items that are in from a budget up to the next step.
type step struct {
	from    model.Tokens
	grades  int
	whole   int // grades of needed items that are whole
	needed  int // entries of Judge.needed
	tokens  model.Tokens
	answers int // items that hold one
	unknown int // items whose text is not known
}

// plus returns the step with a change added to it, or with sign -1 taken from it.
func (s step) plus(change step, sign int) step {
	return step{
		change.from, s.grades + sign*change.grades, s.whole + sign*change.whole, s.needed + sign*change.needed,
		s.tokens + model.Tokens(sign)*change.tokens, s.answers + sign*change.answers, s.unknown + sign*change.unknown,
	}
}

// NewCurve returns the quality of a profile's results; j must be a Judge of
// the profile's ranking. It computes the bands of the needed items and of
// the items that hold an answer. The only error is ctx's.
func NewCurve(ctx context.Context, p *simulate.Profile, j *Judge) (*Curve, error) {
	c := &Curve{judge: j, profile: p}
	var all []step
	set := p.Ranking().Items()
	add := func(item, size int, change step) {
		if ctx.Err() != nil {
			return
		}
		for _, band := range p.SizeBands(nil, item, size) {
			change.from = band.From
			all = append(all, change)
			if band.To < p.Axis().End() {
				back := change
				back.from = band.To + 1
				all = append(all, step{}.plus(back, -1))
			}
		}
	}
	grades, entries := map[int]int{}, map[int]int{}
	for _, n := range j.needed {
		grades[n.item] += n.grade
		entries[n.item]++
	}
	delete(entries, notFound)
	for item, n := range entries {
		add(item, 0, step{grades: grades[item], whole: grades[item], needed: n, tokens: set.Tokens(item)})
		for size := range set.PinnedSize(item) { // all but the note
			add(item, size+1, step{grades: grades[item], needed: n, tokens: set.SizeTokens(item, size+1)})
		}
	}
	for _, item := range j.hold { // a survivor may be named twice
		add(item, 0, step{answers: 1})
	}
	for item := range set.Len() {
		if j.answers == nil || ctx.Err() != nil {
			break
		}
		for k := range set.Sizes(item) {
			switch is := j.answers.inCut(item, k+1); {
			case !is.Set:
				add(item, k+1, step{unknown: 1})
			case is.Value:
				add(item, k+1, step{answers: 1})
			}
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	sort.Slice(all, func(a, b int) bool { return all[a].from < all[b].from })
	now := step{}
	c.steps = append(c.steps, now)
	for _, s := range all {
		now = now.plus(s, 1)
		if last := &c.steps[len(c.steps)-1]; last.from == s.from {
			*last = now
		} else {
			c.steps = append(c.steps, now)
		}
	}
	return c, nil
}

// At returns the quality at a budget; one outside the axis counts as its
// nearest end. It takes O(log n) for n changes.
func (c *Curve) At(b model.Tokens) Measure {
	b = min(max(b, 0), c.profile.Axis().End())
	p := c.profile.PointAt(b)
	m := c.judge.measure(c.stepAt(b), p.Tokens)
	m.Value = p.Value
	return m
}

// stepAt returns the step that a budget of the axis lies in.
func (c *Curve) stepAt(b model.Tokens) *step {
	return &c.steps[sort.Search(len(c.steps), func(k int) bool { return c.steps[k].from > b })-1]
}

// Recalls yields the budgets at which the recall changes, ascending from 0,
// each with the recall, 0 to 1, from there on. It yields nothing if nothing
// was needed.
func (c *Curve) Recalls() iter.Seq2[model.Tokens, float64] {
	return func(yield func(model.Tokens, float64) bool) {
		last := -1
		for i := range c.steps {
			s := &c.steps[i]
			if len(c.judge.needed) == 0 || s.grades == last {
				continue
			}
			last = s.grades
			if !yield(s.from, float64(s.grades)/float64(c.judge.grades)) {
				return
			}
		}
	}
}

// Reaches returns the smallest budget at which the recall is at least wanted, 0
// to 1. It returns false if there is none up to the ceiling, or if nothing
// was needed.
func (c *Curve) Reaches(wanted float64) (model.Tokens, bool) {
	for b, recall := range c.Recalls() {
		if recall >= wanted {
			return b, true
		}
	}
	return 0, false
}

// Less reports whether the recall at a point is lower than at another; false if nothing
// was needed. O(log n) for n changes.
func (c *Curve) Less(at, than simulate.Point) bool {
	return c.stepAt(at.Budget).grades < c.stepAt(than.Budget).grades
}

// Holds returns the smallest budget from which the recall is at least wanted, 0
// to 1, at every budget up to the ceiling. It returns false if the recall is
// lower at the end, or if nothing was needed.
func (c *Curve) Holds(wanted float64) (model.Tokens, bool) {
	from, holds := model.Tokens(0), false
	for b, recall := range c.Recalls() {
		switch {
		case recall < wanted:
			holds = false
		case !holds:
			from, holds = b, true
		}
	}
	return from, holds
}

// Blockers returns the needed items that are out at the ceiling, ascending: because of them no
// budget holds all that is needed. Others is the smallest budget from which all other needed items
// stay in, if there are any. What is needed and not in the set has no number. O(log n) an item.
func (c *Curve) Blockers() (items []int32, others model.Option[model.Tokens]) {
	for _, n := range c.judge.needed {
		if n.item == notFound {
			continue
		}
		if from, ok := c.profile.StaysFrom(n.item); ok {
			others = model.Some(max(others.Value, from))
		} else {
			items = append(items, int32(n.item))
		}
	}
	slices.Sort(items)
	return slices.Compact(items), others
}
