package pipeline

import (
	"context"
	"slices"
	"sync"

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
	columns, err := r.rate(ctx, list, column, like)
	if err != nil {
		return err
	}
	if columns != nil {
		r.parts = &partScores{items: r.scoreable, columns: columns}
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
	return composite.Columns(ctx, list, dst, known, like.partColumns())
}

// partScores has what each part of a composite gave the scoreable items, and perhaps others: rankings
// that differ in few items share the columns.
type partScores struct {
	items   []int32     // ascending
	columns [][]float64 // by part, by position in items

	once  sync.Once
	exact [][]float64 // by part, by position in scoreable
}

// partColumns returns what each part of the composite gave, by position in scoreable; nil without a composite.
func (r *ranked) partColumns() [][]float64 {
	p := r.parts
	switch {
	case p == nil:
		return nil
	case len(p.items) == len(r.scoreable):
		return p.columns
	}
	p.once.Do(func() {
		var others splice
		for k, item := range p.items {
			if at := k - len(others.out); at == len(r.scoreable) || r.scoreable[at] != item {
				others.out = append(others.out, k)
			}
		}
		for _, column := range p.columns {
			p.exact = append(p.exact, spliced(column, others, nil))
		}
	})
	return p.exact
}

// with returns the scores of the parts for a ranking in which some items are scored too. Few of
// them have no scores here: those that were pinned or excluded in the source.
func (p *partScores) with(items []int32, columns [][]float64) *partScores {
	if p == nil {
		return nil
	}
	all := &partScores{items: p.items, columns: slices.Clone(p.columns)}
	for k := range items {
		at, known := slices.BinarySearch(all.items, items[k])
		if known {
			continue
		}
		one := splice{in: []int{at}}
		all.items = spliced(all.items, one, items[k:k+1])
		for c, column := range all.columns {
			all.columns[c] = spliced(column, one, columns[c][k:k+1])
		}
	}
	return all
}
