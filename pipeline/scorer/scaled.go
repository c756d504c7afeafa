package scorer

import (
	"context"

	"cupelscope/pipeline/order"
)

// Scaled stretches the scores of another scorer to 0 to 1: the lowest score in
// the list becomes 0 and the highest 1. If all scores are equal, each item gets
// 0.5. If some scores are NaN, all become NaN; if all are NaN, each item gets
// 0.5. The inner scorer, which must not be nil, rates the list once; Scaled
// takes O(n) on top of that. See the Cupel specification, chapter ScaledScorer.
type Scaled struct{ Inner Scorer }

var _ Scorer = Scaled{}

// degenerate is the score of every item if all inner scores are equal.
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
