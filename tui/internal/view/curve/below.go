package curve

import (
	"slices"

	"cupelscope/simulate"
	"cupelscope/tui/internal/draw"
	"cupelscope/tui/internal/experiment"
	"cupelscope/tui/internal/widget"
)

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
	all := slices.Concat(shares[:]...)
	for _, full := range [...]float64{.01, .02, .05, .1, .2, .5} {
		over := 0
		for _, v := range all {
			if v > full {
				over++
			}
		}
		if 5*over <= len(all) {
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
	key := columnsKey{p.viewport, width, byBelow, optimum}
	if t.belowKey != key || t.below == nil {
		t.below, t.belowKey = t.curve.belowBest(t.profile.Axis(), p.viewport.Scale(width), optimum), key
	}
	if slices.Max(t.below) < 0 {
		return nil, "best not known"
	}
	return t.below, ""
}
