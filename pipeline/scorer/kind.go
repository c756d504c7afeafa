package scorer

import (
	"context"

	"cupelscope/model"
)

// Kind rates an item by the weight of its kind; a kind without a weight gets 0.
// Kinds compare with ASCII case folding, and scores are not clamped. The zero
// Kind gives every item 0. O(n). See the Cupel specification, chapter
// KindScorer.
type Kind struct{ weights map[model.Kind]float64 } // by folded kind

var _ Scorer = Kind{}

// NewKind returns a Kind scorer with the given weights; nil means
// model.DefaultKindWeights. If two kinds are equal after ASCII case folding,
// the last weight counts; model.Policy.Validate rejects such a list.
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

func (Kind) ratesAlone(*model.Set) bool { return true }
