package scorer

import (
	"context"
	"math"
)

// Reflexive rates an item by its own future relevance hint, clamped to 0..1; 0
// without a hint or with one that is not finite. Cupel specification, chapter
// ReflexiveScorer. O(n).
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
