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
	if err := ctx.Err(); err != nil {
		return err
	}
	for k, item := range l.Items {
		h := l.Set.Hint(int(item))
		if math.IsNaN(h) || math.IsInf(h, 0) {
			h = 0
		}
		dst[k] = min(max(h, 0), 1)
	}
	return nil
}
