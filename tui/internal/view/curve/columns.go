package curve

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/simulate/quality"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/widget"
)

// measure is what a plot shows over the budgets.
type measure int

const (
	byValue measure = iota
	byBelow         // how far the value is below the best possible
	byItems
	byFilled
	byRecall
	measures
)

func (m measure) String() string {
	return [...]string{"value", plain.BelowBest, "items", "filled", "recall"}[m]
}

// of returns a measure of point k at any budget before the next point, but not byBelow. t is
// the room at that budget.
func (c *curve) of(m measure, k int, t model.Tokens) float64 {
	a := &c.points[k]
	switch m {
	case byItems:
		return float64(a.Items)
	case byFilled:
		if t <= 0 {
			return 0
		}
		return float64(a.Sliced) / float64(t)
	case byRecall:
		return c.recalls[k]
	}
	return a.Value
}

// measured returns a measure at a budget, and false if there is no result.
func (t *track) measured(m measure, b model.Tokens) (v float64, runs bool) {
	c := t.curve
	k := sort.Search(len(c.points), func(k int) bool { return c.points[k].Budget > b }) - 1
	if k < 0 || !c.points[k].Runs {
		return 0, false
	}
	room, _ := t.profile.Axis().Target(b)
	return c.of(m, k, model.Tokens(room)), true
}

// text formats a value of the measure for a width in cells.
func (m measure) text(v float64, width int) string {
	switch m {
	case byItems:
		return model.Tokens(math.Round(v)).String()
	case byBelow, byFilled, byRecall:
		return plain.Percent(v)
	}
	return widget.Score(v, width)
}

// maxPoints bounds how many points a plot holds, at 56 bytes each.
const maxPoints = 1 << 22

// curve holds all points of a profile, and how often the number of items, the value and
// the recall fall from one point to the next.
type curve struct {
	points  []simulate.Point
	falls   [kinds]int
	all     simulate.Point // at the ceiling
	most    simulate.Point // the point with the most value; the ceiling's if none has more
	recall  *quality.Curve // nil if nothing is marked as needed
	recalls []float64      // by point; nil if recall is nil
	share   *reach         // of the share that was last asked for; nil: of none
	lower   []uint8        // by point: a bit for each kind that is less there than at the point before
}

// reach holds the budget from which on a share of the value at the end of the axis is kept.
type reach struct {
	share float64
	stays model.Tokens
	ok    bool // false: no budget gives any value
}

// enough returns the budget from which on every one has a share, 0 to 1, of the value at the largest. It is
// kept until another share is asked for.
func (t *track) enough(share float64) reach {
	c := t.curve
	if c.share != nil && c.share.share == share {
		return *c.share
	}
	r, k, least := reach{share: share, ok: c.all.Value > 0}, len(c.points), 0.0
	if share > 0 {
		least = share * c.all.Value
	}
	for ; r.ok && k > 0 && c.points[k-1].Runs && c.points[k-1].Value >= least; k-- {
		r.stays = c.points[k-1].Budget
	}
	c.share = &r
	return r
}

// curveOf returns all points of a profile, with their recall as judge sees it. A
// nil judge gives no recall. curveOf makes room for some more points than before, the number of
// points of the curve before: growing takes four times the memory.
func curveOf(ctx context.Context, p *simulate.Profile, judge *quality.Judge, before int) (*curve, error) {
	points := make([]simulate.Point, 0, max(1024, before+before/8))
	for a := range p.Points() {
		if len(points)&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(points) == maxPoints {
			return nil, fmt.Errorf("the result changes at more than %v budgets, too many to draw: a larger bucket or a smaller ceiling has fewer", plain.Thousands(maxPoints))
		}
		points = append(points, a)
	}
	c := &curve{points: points, all: p.PointAt(p.Axis().End())}
	if judge != nil {
		recall, err := quality.NewCurve(ctx, p, judge)
		if err != nil {
			return nil, err
		}
		c.addRecall(recall)
	}
	c.findFalls()
	return c, nil
}

// addRecall adds the recall of each point, unless nothing is needed.
func (c *curve) addRecall(q *quality.Curve) {
	next, stop := iter.Pull2(q.Recalls())
	defer stop()
	from, recall, more := next()
	if !more {
		return
	}
	c.recall, c.recalls = q, make([]float64, len(c.points))
	now := 0.0
	for k := range c.points {
		for more && from <= c.points[k].Budget {
			now = recall
			from, recall, more = next()
		}
		c.recalls[k] = now
	}
}

// columns is a curve summed up for each column of a scale.
type columns struct {
	drawn []float64 // the most at any budget of a column, of the recall the least; -1 if the pipeline runs at none of them
	// falls counts the falls of each kind within a column, each compared with the
	// budget just below.
	falls [kinds][]int32
}

// columns sums up the points for each column of a scale. It costs a
// binary search plus O(points in the columns). The curve must have the measure.
func (c *curve) columns(axis simulate.Axis, scale draw.Scale, m measure) columns {
	n := scale.Columns()
	out := columns{drawn: slices.Repeat([]float64{-1}, n)}
	for what := range out.falls {
		out.falls[what] = make([]int32, n)
	}
	for s := range c.stretches(axis, scale) {
		if c.points[s.k].Runs {
			rooms := [2]slicer.Target{}
			if m == byFilled {
				rooms[0], _ = axis.Target(s.from)
				rooms[1], _ = axis.Target(s.until)
			}
			for _, room := range rooms {
				if v := c.of(m, s.k, model.Tokens(room)); v == v {
					if at := &out.drawn[s.x]; m == byRecall && *at >= 0 {
						*at = min(*at, v)
					} else {
						*at = max(*at, v)
					}
				}
			}
		}
		for what := range kinds {
			if c.points[s.k].Budget == s.from && c.fallsAt(s.k, what) {
				out.falls[what][s.x]++
			}
		}
	}
	return out
}

// stretch is a part of column x over which the same is selected as at point k.
type stretch struct {
	x, k        int
	from, until model.Tokens
}

// stretches yields the stretches of all columns of a scale, up to the end of the axis.
func (c *curve) stretches(axis simulate.Axis, scale draw.Scale) iter.Seq[stretch] {
	return func(yield func(stretch) bool) {
		k := sort.Search(len(c.points), func(k int) bool { return c.points[k].Budget > scale.Edges[0] }) - 1
		for x := range scale.Columns() {
			for from, to := scale.Edges[x], min(scale.Edges[x+1]-1, axis.End()); from <= to; {
				for k+1 < len(c.points) && c.points[k+1].Budget <= from {
					k++
				}
				until := to
				if k+1 < len(c.points) {
					until = min(until, c.points[k+1].Budget-1)
				}
				if k >= 0 && !yield(stretch{x, k, from, until}) {
					return
				}
				from = until + 1
			}
		}
	}
}
