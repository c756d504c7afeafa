package slicer

import (
	"context"
	"iter"
)

// Steps implements Stepper: all candidates by density.
func (g *greedy) Steps(_ context.Context, t Target) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		if t <= 0 || g.in.Len() == 0 {
			return
		}
		if !yield(opening(ByDensity, t, Filling{g.in.Len()}), nil) {
			return
		}
		for _, p := range g.byDensity() {
			s := fit(ByDensity, p, g.in.Tokens[p], t)
			if t = s.After; !yield(s, nil) {
				return
			}
		}
	}
}
