package scorer

import (
	"context"

	"cupelscope/pipeline/order"
)

// Scaled stretches the scores of another scorer to 0..1: the least of the list
// becomes 0, the most 1. Where all scores are equal, each
// item gets 0.5. Cupel specification, chapter ScaledScorer.
//
// Least and most are those of the one order of scores: a NaN is the least, and
// makes every score NaN unless all are.
//
// The inner scorer rates the list once: O(n) on top of it.
type Scaled struct{ Inner Scorer }

var _ Scorer = Scaled{}

// degenerate is the score of items that are all alike.
const degenerate = 0.5

// Score implements Scorer.
func (s Scaled) Score(ctx context.Context, l List, dst []float64) error {
	if err := s.Inner.Score(ctx, l, dst); err != nil {
		return err
	}
	if len(dst) == 0 {
		return nil
	}
	least, most := dst[0], dst[0]
	for _, x := range dst {
		if order.Before(x, most) {
			most = x
		}
		if order.Before(least, x) {
			least = x
		}
	}
	if order.Key(least) == order.Key(most) {
		for k := range dst {
			dst[k] = degenerate
		}
		return nil
	}
	for k, x := range dst {
		dst[k] = (x - least) / (most - least)
	}
	return nil
}
