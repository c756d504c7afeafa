package pipeline

import (
	"context"
	"fmt"
	"reflect"

	"cupelscope/model"
)

// RankLike returns the same ranking as Rank, but shares the data of like where
// it can. That saves time and memory if two pipelines rank one set alike, as
// the two sides of a comparison often do.
//
// RankLike shares the results of all stages up to Sort if like is a ranking of
// the same *model.Set, with an equal scorer, the same Deduplicate and the same
// KeepPairs. It then also shares the prepared slicer, with the tables that it
// keeps, if the slicers are equal, and the prepared placer if the placers are
// equal. The shared stages have the durations of like.
//
// If like is a ranking, alike in the same way, of a set in which a few items are pinned or
// excluded otherwise, and scorers rate each item alone, only these items are scored and
// moved: a pass over the columns of the ranking instead of a sort.
//
// If like is a ranking of the same set by a composite, the scores of the parts that both
// have, whatever their weights, are shared. Otherwise RankLike does what Rank does.
//
// Two parts are equal if reflect.DeepEqual says so: they have the same type and
// equal parameters. A part that holds a function that is not nil equals no
// other part. Errors are as for Rank. Sharing costs O(parameters) and no pass
// over the items.
func (p *Pipeline) RankLike(ctx context.Context, like *Ranking, s *model.Set) (*Ranking, error) {
	if like == nil || like.set != s || !p.RanksLike(like.pipeline) {
		return p.rank(ctx, s, like)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	if err := p.sizesFit(s); err != nil {
		return nil, err
	}
	r := &Ranking{like.ranked, p, new(slicing), new(placing)}
	if reflect.DeepEqual(p.parts.Slicer, like.pipeline.parts.Slicer) {
		r.slicing = like.slicing
	}
	if reflect.DeepEqual(p.parts.Placer, like.pipeline.parts.Placer) {
		r.placing = like.placing
	}
	return r, nil
}

// RanksLike reports whether p and other give the same results up to Sort for
// every set.
func (p *Pipeline) RanksLike(other *Pipeline) bool {
	if p.parts.KeepPairs && p.parts.Slicer.Traits().ByScore != other.parts.Slicer.Traits().ByScore {
		return false
	}
	return p.parts.KeepPairs == other.parts.KeepPairs && p.parts.Deduplicate == other.parts.Deduplicate && reflect.DeepEqual(p.parts.Scorer, other.parts.Scorer)
}
