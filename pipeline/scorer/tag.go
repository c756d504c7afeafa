package scorer

import (
	"context"
	"slices"
	"sort"

	"cupelscope/model"
)

// Tag rates an item by the sum of the weights of its tags, divided by the sum of
// all weights and at most 1. A tag that the item has twice counts twice. Tags
// are case-sensitive. An item without tags gets 0, and so does every item if the
// sum of all weights is not above 0. O(n + tags). See the Cupel specification,
// chapter TagScorer.
type Tag struct {
	weights map[string]float64
	total   float64
}

var _ Scorer = Tag{}

// NewTag returns a Tag scorer with the given weights. It adds up their sum in
// byte order of the tags, so that the scores do not depend on the order of
// weights with different tags. weights may be empty.
func NewTag(weights []model.TagWeight) Tag {
	sorted := slices.Clone(weights)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Tag < sorted[j].Tag })
	t := Tag{weights: make(map[string]float64, len(sorted))}
	for _, w := range sorted {
		t.weights[w.Tag] = w.Weight
		t.total += w.Weight
	}
	return t
}

// Score implements Scorer.
func (t Tag) Score(ctx context.Context, l List, dst []float64) error {
	return l.each(ctx, lookUp, dst, func(item int) float64 {
		sum := 0.0
		for _, tag := range l.Set.Loaded(item).Tags {
			sum += t.weights[tag]
		}
		if t.total > 0 {
			return min(sum/t.total, 1)
		}
		return 0
	})
}

func (Tag) ratesAlone(*model.Set) bool { return true }
