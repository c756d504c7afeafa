package curve

import (
	"slices"

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
	out := slices.Repeat([]float64{-1}, scale.Columns())
	for s := range c.stretches(axis, scale) {
		if !c.points[s.k].Runs {
			continue
		}
		// The value stays up to there and the best possible never falls, so it is the furthest.
		if target, runs := axis.Target(s.until); runs {
			if off := optimum.BelowBest(c.points[s.k].Value, target); off.Set {
				out[s.x] = max(out[s.x], off.Value)
			}
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
				all++
				if v > full {
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
	key := belowKey{columnsKey{p.viewport.Lo, p.viewport.Hi, width, p.viewport.Even, byValue}, optimum}
	if t.belowKey != key || t.below == nil {
		t.below, t.belowKey = t.curve.belowBest(t.profile.Axis(), p.viewport.Scale(width), optimum), key
	}
	for _, v := range t.below {
		if v >= 0 {
			return t.below, ""
		}
	}
	return nil, "best not known"
}
