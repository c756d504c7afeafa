package pipeline

import (
	"context"
	"slices"

	"cupelscope/pipeline/scorer"
)

// pinnedScore is the score of pinned items in Scores, in Place and in reports.
const pinnedScore = 1.0

// score runs the scorer over all scoreable items. See the Cupel specification,
// chapter Stage 2: Score. It reuses what the parts of a composite gave in like, which
// may be nil.
func (r *Ranking) score(ctx context.Context, like *Ranking) error {
	r.scores = make([]float64, r.set.Len())
	for _, item := range r.pinned {
		r.scores[item] = pinnedScore
	}
	list := scorer.List{Set: r.set, Items: r.scoreable}
	// When every item is scoreable the list is the set, and its column the result.
	column := r.scores
	if list.Len() < r.set.Len() {
		column = make([]float64, list.Len())
	}
	var err error
	if r.columns, err = r.rate(ctx, list, column, like); err != nil {
		return err
	}
	if list.Len() < r.set.Len() {
		for k, item := range r.scoreable {
			r.scores[item] = column[k]
		}
	}
	return nil
}

// rate scores a list into dst. Of a composite it returns the scores of its parts, some of
// which like may have.
func (r *Ranking) rate(ctx context.Context, list scorer.List, dst []float64, like *Ranking) ([][]float64, error) {
	composite, ok := r.pipeline.parts.Scorer.(*scorer.Composite)
	if !ok {
		return nil, r.pipeline.parts.Scorer.Score(ctx, list, dst)
	}
	if like == nil || like.set != r.set || !slices.Equal(like.scoreable, r.scoreable) {
		return composite.Columns(ctx, list, dst, nil, nil)
	}
	known, _ := like.pipeline.parts.Scorer.(*scorer.Composite)
	return composite.Columns(ctx, list, dst, known, like.columns)
}
