package scorer

import (
	"context"
	"math"

	"cupelscope/model"
)

// Reflexive rates an item by its own future relevance hint, clamped to 0 to 1.
// An item without a hint, or with one that is not finite, gets 0. O(n). See the
// Cupel specification, chapter ReflexiveScorer.
type Reflexive struct{}

var _ Scorer = Reflexive{}

// Score implements Scorer.
func (Reflexive) Score(ctx context.Context, l List, dst []float64) error {
	return l.each(ctx, 1, dst, func(item int) float64 {
		h := l.Set.Hint(item)
		if math.IsNaN(h) || math.IsInf(h, 0) {
			h = 0
		}
		return min(max(h, 0), 1)
	})
}

func (Reflexive) ratesAlone(*model.Set) bool { return true }
