package slicer

import (
	"context"
	"iter"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// Rank goes through the candidates by score, the best first, and takes each one
// that still fits. It takes all candidates without tokens. It is not one of
// Cupel's slicers, but a baseline for them: a program that fills a window with
// search results in order works like this.
//
// As the target grows, a better item may push out several that are worth more
// together, so the sum of scores may fall.
type Rank struct{}

var _ Slicer = Rank{}

// Traits implements Slicer.
func (Rank) Traits() Traits { return Traits{ByScore: true, Sizes: true, Key: scoreKey} }

// scoreKey is the Traits.Key of slicers that go by score.
func scoreKey(score float64, _ model.Tokens) uint64 { return order.Key(score) }

// Prepare implements Slicer in O(n).
func (Rank) Prepare(in *Input) Prepared {
	if in.Cuts != nil {
		return inSizesByScore(in, false)
	}
	return &rank{stream{in: in, batch: max(1, in.Len()), at: positions(in.Len())}}
}

// rank is an Input in sorted order.
type rank struct{ stream }

// Steps implements Prepared: all candidates by score.
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
