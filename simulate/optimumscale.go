package simulate

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// scale maps scores to whole units and back. A unit is a power of two, so only
// rounding down loses anything, and sums of units are exact.
type scale struct {
	upTo     slicer.Target
	exponent int           // a score of 1 is 2^exponent units
	free     int64         // units of the items without tokens
	counted  int64         // number of items that are worth anything
	least    slicer.Target // the smallest size of such an item
	infinite slicer.Target // the smallest size of an item whose score is infinite
}

// valueBits is the number of bits of the value of everything that fits. It is small
// enough for units to be exact as float64 too.
const valueBits = 50

func newScale(in *slicer.Input, upTo slicer.Target) scale {
	s := scale{upTo: upTo, least: math.MaxInt64, infinite: math.MaxInt64}
	most := newBound(in, upTo).At(upTo)
	_, exponent := math.Frexp(most)
	if math.IsInf(most, 1) { // a sum of finite ones
		exponent = 1024 + bits.Len(model.MaxItems)
	}
	s.exponent = valueBits - exponent
	for i, score := range in.Scores {
		switch {
		case math.IsInf(score, 1):
			s.infinite = min(s.infinite, max(1, slicer.Target(in.Tokens[i])))
		case score > 0:
			s.counted++
			s.least = min(s.least, slicer.Target(in.Tokens[i]))
			if in.Tokens[i] == 0 {
				s.free += s.units(score)
			}
		}
	}
	for k := range in.Cuts {
		switch c := &in.Cuts[k]; {
		case math.IsInf(c.Score, 1):
			s.infinite = min(s.infinite, slicer.Target(c.Tokens))
		case c.Score > 0:
			s.least = min(s.least, slicer.Target(c.Tokens))
			if !(in.Scores[c.Of] > 0) {
				s.counted++
			}
		}
	}
	return s
}

// units returns a finite score above 0 in whole units, rounded down.
func (s *scale) units(score float64) int64 { return int64(math.Floor(math.Ldexp(score, s.exponent))) }

// value returns the score that a number of units stands for.
func (s *scale) value(units int64) float64 { return math.Ldexp(float64(units), -s.exponent) }

// sizedValue is a candidate with tokens, and its value in units.
type sizedValue struct {
	tokens model.Tokens
	units  int64
}

// sized returns the candidates with tokens that cannot be cut, can be in and are worth at
// least one unit, best first. The error is ctx's.
func (s *scale) sized(ctx context.Context, in *slicer.Input) ([]sizedValue, error) {
	all := make([]sizedValue, 0, s.counted)
	for i := range in.Items {
		if !isCut(in, i) {
			all = s.choices(all, in, i)
		}
	}
	byUnits := func(a, b sizedValue) int { return cmp.Compare(b.units, a.units) }
	if !slices.IsSortedFunc(all, byUnits) { // a pair may stand where its better member does
		slices.SortFunc(all, byUnits)
	}
	m := slicer.NewMeter(ctx, 0)
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].units == all[from].units {
			to++
		}
		slices.SortFunc(all[from:to], func(a, b sizedValue) int { return cmp.Compare(a.tokens, b.tokens) })
		if err := m.Add(sortCells * (to - from)); err != nil {
			return nil, err
		}
		from = to
	}
	return all, nil
}

// sortCells is what sorting one candidate counts to a slicer.Meter, in cells: it takes about as long.
const sortCells = 16
