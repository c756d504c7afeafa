package slicer

import (
	"context"
	"iter"
)

// Rank takes items by score, the best first: each one that still fits. Items
// without tokens are in. It is not one of Cupel's slicers, but what a program
// does that fills a window in the order of a search, and so a baseline for them.
//
// It is Stream with the sorted candidates in one batch, and shares its profile:
// the odometer in sorted order. As the target grows a better item may push out
// several that are worth more together, so the value may fall.
type Rank struct{}

var _ Slicer = Rank{}

// InOrder reports whether a slicer fills in the order of the scores, whatever an
// item costs: Rank and Prefix.
func InOrder(s Slicer) bool {
	switch s.(type) {
	case Rank, Prefix:
		return true
	}
	return false
}

// Prepare is O(n).
func (Rank) Prepare(in *Input) Prepared {
	return &rank{stream{in: in, batch: max(1, in.Len()), at: positions(in.Len())}}
}

// rank is an Input in sorted order.
type rank struct{ stream }

var (
	_ Profiler = (*rank)(nil)
	_ Ordered  = (*rank)(nil)
)

// Steps implements Stepper: all candidates by score.
func (r *rank) Steps(_ context.Context, t Target) iter.Seq2[Step, error] {
	return stepsByScore(r.in, t, false)
}

// stepsByScore takes each candidate that fits, or with stops set each one up to
// the first that does not.
func stepsByScore(in *Input, t Target, stops bool) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		if t <= 0 || in.Len() == 0 || !yield(opening(ByScore, t, Filling{in.Len()}), nil) {
			return
		}
		stopped := false
		for p, tokens := range in.Tokens {
			s := fit(ByScore, int32(p), tokens, t)
			switch {
			case stopped && tokens > 0:
				s.Verdict, s.Why, s.After = Skipped, Stopped, t
			case s.Verdict == Skipped:
				stopped = stops
			}
			if t = s.After; !yield(s, nil) {
				return
			}
		}
	}
}
