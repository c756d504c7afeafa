package curve

import (
	"context"
	"fmt"
	"math"
	"sort"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/tui/draw"
	"cupelscope/tui/widget"
)

// measure is what a plot shows over the budgets.
type measure int

const (
	byValue measure = iota
	byItems
	byFilled
	measures
)

func (m measure) String() string { return [...]string{"value", "items", "filled"}[m] }

// of is the measure of a result, at any budget up to the next point.
func (m measure) of(a simulate.Point, t model.Tokens) float64 {
	switch m {
	case byItems:
		return float64(a.Items)
	case byFilled:
		if t <= 0 {
			return 0
		}
		return float64(a.Sliced) / float64(t)
	}
	return a.Value
}

// text writes a measure.
func (m measure) text(v float64, width int) string {
	switch m {
	case byItems:
		return model.Tokens(math.Round(v)).String()
	case byFilled:
		return widget.Percent(v)
	}
	return widget.Score(v, width)
}

// mostPoints bounds how many changes are held for a plot, at 56 bytes each.
const mostPoints = 1 << 22

// curve is all points of a profile, and how often the count of items and the
// value fall from one to the next.
type curve struct {
	points      []simulate.Point
	fewer, less int
	all         simulate.Point // at the axis end
	enough      struct {       // for enoughShare of its value
		first, stays model.Tokens
		ok           bool
	}
}

// enoughShare is the share of the value of the axis end that is worth a line.
const enoughShare = 0.95

// curveOf lists all points of a profile.
func curveOf(ctx context.Context, p *simulate.Profile) (*curve, error) {
	points := make([]simulate.Point, 0, 1024)
	for a := range p.Points() {
		if len(points)&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(points) == mostPoints {
			return nil, fmt.Errorf("the result changes at more than %v budgets, too many to draw: a larger bucket or a smaller axis end has fewer", plain.Thousands(mostPoints))
		}
		points = append(points, a)
	}
	c := &curve{points: points, all: p.PointAt(p.Axis().End())}
	c.enough.first, c.enough.stays, c.enough.ok = p.Enough(enoughShare, c.all.Budget)
	for k := 1; k < len(points); k++ {
		if points[k].Fewer(points[k-1]) {
			c.fewer++
		}
		if points[k].Less(points[k-1]) {
			c.less++
		}
	}
	return c, nil
}

// columns is a curve brought into the columns of a scale.
type columns struct {
	// low and high are the least and the most at any budget of a column; -1
	// where the pipeline runs at none.
	low, high []float64
	// fewer and less say how often the count of items and the value fall
	// within a column, from the budget just below each of its budgets.
	fewer, less []int32
}

// columnsOf brings points into columns: O(points in them) and a search.
func columnsOf(points []simulate.Point, axis simulate.Axis, scale draw.Scale, m measure) columns {
	n := scale.Columns()
	c := columns{make([]float64, n), make([]float64, n), make([]int32, n), make([]int32, n)}
	// k is the point of the budget in hand.
	k := sort.Search(len(points), func(k int) bool { return points[k].Budget > scale.Edges[0] }) - 1
	for x := range n {
		from, to := scale.Edges[x], min(scale.Edges[x+1]-1, axis.End())
		low, high := math.Inf(1), math.Inf(-1)
		for {
			until := to
			if k+1 < len(points) {
				until = min(until, points[k+1].Budget-1)
			}
			if a := points[k]; a.Runs {
				ends := [...]model.Tokens{from, until}
				for _, b := range ends[:] {
					t, _ := axis.Target(b)
					if v := m.of(a, model.Tokens(t)); v == v {
						low, high = min(low, v), max(high, v)
					}
				}
			}
			if k > 0 && points[k].Budget == from {
				if points[k].Fewer(points[k-1]) {
					c.fewer[x]++
				}
				if points[k].Less(points[k-1]) {
					c.less[x]++
				}
			}
			if from = until + 1; from > to {
				break
			}
			k++
		}
		if k+1 < len(points) && points[k+1].Budget == to+1 {
			k++
		}
		if c.low[x], c.high[x] = low, high; low > high {
			c.low[x], c.high[x] = -1, -1
		}
	}
	return c
}
