package curve

import (
	"sort"

	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

// belowKey holds what the columns of below depend on besides the points.
type belowKey struct {
	columnsKey
	optimum *simulate.Optimum
}

// belowBest returns how far the value is below the best possible in each column of a scale,
// as a share: the most at any of its budgets, or -1 where that is not known. It costs as much as
// columns does.
func (c *curve) belowBest(axis simulate.Axis, scale draw.Scale, optimum *simulate.Optimum) []float64 {
	out := make([]float64, scale.Columns())
	k := sort.Search(len(c.points), func(k int) bool { return c.points[k].Budget > scale.Edges[0] }) - 1
	for x := range out {
		out[x] = -1
		for from, to := scale.Edges[x], min(scale.Edges[x+1]-1, axis.End()); from <= to; {
			for k+1 < len(c.points) && c.points[k+1].Budget <= from {
				k++
			}
			until := to
			if k+1 < len(c.points) {
				until = min(until, c.points[k+1].Budget-1)
			}
			// The value stays up to there and the best possible never falls, so it is the furthest.
			if k >= 0 && c.points[k].Runs {
				if target, runs := axis.Target(until); runs {
					if off := optimum.BelowBest(c.points[k].Value, target); off.Set {
						out[x] = max(out[x], off.Value)
					}
				}
			}
			from = until + 1
		}
	}
	return out
}

// fullRows returns the share below the best possible value at the top of the plot: the
// least round share that at most a fifth of the columns exceed.
func fullRows(shares [2][]float64) float64 {
	for _, full := range [...]float64{.01, .02, .05, .1, .2, .5} {
		over, all := 0, 0
		for _, columns := range shares {
			for _, v := range columns {
				if all++; v > full {
					over++
				}
			}
		}
		if 5*over <= all {
			return full
		}
	}
	return 1
}

// below returns how far a side is below the best possible value in each column, or why that
// is not known.
func (p *View) below(f *widget.Frame, s experiment.Side, width int) (shares []float64, why string) {
	t := &p.tracks[s]
	optimum, why := f.Optimum(p.outs[s])
	switch {
	case t.curve == nil:
		return nil, t.waiting(f)
	case optimum == nil && why == "":
		return nil, "not compared: counts are required"
	case optimum == nil:
		return nil, why
	}
	key := belowKey{columnsKey{p.span.Lo, p.span.Hi, width, p.span.Even, byValue}, optimum}
	if t.belowKey != key || t.below == nil {
		t.below, t.belowKey = t.curve.belowBest(t.profile.Axis(), p.span.Scale(width), optimum), key
	}
	for _, v := range t.below {
		if v >= 0 {
			return t.below, ""
		}
	}
	return nil, "best not known"
}
