package widget

import (
	"math"
	"strconv"

	"cupelscope/model"
	"cupelscope/model/plain"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate"
	"cupelscope/tui/internal/experiment"
)

// BelowBestForms returns as text how far a value at a target is below the best possible, the
// longest form first; "" if there is nothing to compare with. The best possible ignores quotas.
func (f *Frame) BelowBestForms(o *experiment.Outcome, value float64, t slicer.Target) []string {
	off, kind := f.OffBest(o, value, t)
	below := off + " " + plain.BelowBest
	switch {
	case off == "":
		return []string{""}
	case off == "not known":
		return []string{"best not known"}
	case off == "0 %":
		return []string{"best possible"}
	case o.Policy.KeepPairs: // another best than where calls are selected alone
		return []string{below + " with pairs", off + " below with pairs", below}
	case kind == upperBound && f.Computing.Best >= 0 && !f.Best.of(o).abandoned:
		return []string{off + ", " + f.Spin() + "computing " + strconv.Itoa(f.Computing.Best) + " %", below}
	case len(o.Policy.Quotas) > 0:
		return []string{below + " without quotas", below + " (no quotas)", below}
	}
	return []string{below}
}

// OffBest returns how far a value at a target is below what the best possible is known to
// be: "0.7 %", "≤2.0 %" from a bound, "0 %" for the best possible itself, "not known", or ""
// if there is nothing to compare with.
func (f *Frame) OffBest(o *experiment.Outcome, value float64, t slicer.Target) (string, bestKind) {
	at, kind := f.Best.Of(o)
	if kind == unbounded {
		return "", kind
	}
	off := model.Some(0.0)
	if kind == BestPossible {
		off = f.Best.of(o).optimum.BelowBest(value, t)
	}
	switch {
	case !off.Set:
		return "not known", kind
	case !(at(t) > 0):
		return "", kind
	case kind == upperBound: // rounded up: it is not off by more
		most := 1000 * max(0, 1-value/at(t))
		if math.Round(most) == 0 { // it stays so once the best is known
			return plain.Percent(most / 1000), kind
		}
		return "≤" + strconv.FormatFloat(math.Ceil(most)/10, 'f', 1, 64) + " %", kind
	case off.Value == 0:
		return "0 %", kind
	}
	return plain.Percent(off.Value), kind
}

// Optimum returns the best possible value for the candidates of an outcome, or nil and why
// it is not known; nil and "" where nothing is compared with it.
func (f *Frame) Optimum(o *experiment.Outcome) (optimum *simulate.Optimum, why string) {
	if f.Best == nil || o == nil || o.Profile == nil || hasCounts(o) {
		return nil, ""
	}
	switch known := f.Best.of(o); {
	case known.optimum != nil:
		return known.optimum, ""
	case known.abandoned:
		return nil, "only a bound is known"
	}
	return nil, "computing" + f.Glyphs().Ellipsis
}
