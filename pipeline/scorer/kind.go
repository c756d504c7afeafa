package scorer

import (
	"context"

	"cupelscope/model"
)

// Kind rates an item by its kind alone; a kind that is not listed gets 0.
// Cupel specification, chapter KindScorer. O(n).
type Kind struct{ weights map[model.Kind]float64 } // by folded kind

var _ Scorer = Kind{}

// NewKind returns a Kind scorer with the given weights; nil stands for
// Cupel's defaults. Kinds that are equal after ASCII case folding may not be
// given twice (model.Policy.Validate sees to it; here the last one counts).
func NewKind(weights []model.KindWeight) Kind {
	if weights == nil {
		weights = model.DefaultKindWeights()
	}
	k := Kind{make(map[model.Kind]float64, len(weights))}
	for _, w := range weights {
		k.weights[w.Kind.Fold()] = w.Weight
	}
	return k
}

// Score implements Scorer.
func (k Kind) Score(ctx context.Context, l List, dst []float64) error {
	byID := make([]float64, len(l.Set.Kinds()))
	for id, kind := range l.Set.Kinds() {
		byID[id] = k.weights[kind.Fold()]
	}
	return l.each(ctx, 1, dst, func(item int) float64 { return byID[l.Set.KindID(item)] })
}
