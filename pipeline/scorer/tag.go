package scorer

import (
	"cmp"
	"context"
	"slices"

	"cupelscope/model"
)

// Tag rates an item by the weights of its tags: their sum (a tag that the item
// has twice counts twice) over the sum of all weights, at most 1. Tags are
// looked up case-sensitively; no tags or a total of zero give 0. Cupel
// specification, chapter TagScorer. O(n + tags).
type Tag struct {
	weights map[string]float64
	total   float64
}

var _ Scorer = Tag{}

// NewTag returns a Tag scorer. The total is added up in ascending byte order
// of the tags, so that the order in which they are given cannot show.
func NewTag(weights []model.TagWeight) Tag {
	sorted := slices.SortedStableFunc(slices.Values(weights), func(a, b model.TagWeight) int { return cmp.Compare(a.Tag, b.Tag) })
	t := Tag{weights: make(map[string]float64, len(sorted))}
	for _, w := range sorted {
		t.weights[w.Tag] = w.Weight
		t.total += w.Weight
	}
	return t
}

// Score implements Scorer.
func (t Tag) Score(ctx context.Context, l List, dst []float64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	polls := poller{ctx: ctx}
	for k, item := range l.Items {
		sum := 0.0
		for _, tag := range l.Set.Loaded(int(item)).Tags {
			sum += t.weights[tag]
			if err := polls.add(lookUp); err != nil {
				return err
			}
		}
		dst[k] = 0
		if t.total > 0 {
			dst[k] = min(sum/t.total, 1)
		}
	}
	return nil
}
