package pipeline

import (
	"context"
	"fmt"
	"reflect"

	"cupelscope/model"
	"cupelscope/pipeline/slicer"
)

// RankLike is Rank for a policy that may rank as another one did, as the two
// sides of a comparison often do. If like is a ranking of the very same set
// with an equal scorer and the same deduplication, the result shares with it
// everything up to Sort, and what its reports have in common; also the prepared
// slicer (with the tables that it keeps) if the slicers are equal, and the
// prepared placer if the placers are. Otherwise, and for a nil like, it is
// Rank. Either way the result is the same but for the durations of the stages,
// which are those of like if it was shared.
//
// Parts are equal when they are of one type and hold equal parameters; a part
// of the caller's own that holds a function is equal to none. Errors are those
// of Rank. Sharing costs O(parameters), no pass over the items.
func (p *Pipeline) RankLike(ctx context.Context, like *Ranking, s *model.Set) (*Ranking, error) {
	if like == nil || like.set != s || !p.ranksLike(like.pipeline) {
		return p.Rank(ctx, s)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("score: %w", err)
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

// ranksLike reports whether p and other rank every set alike.
func (p *Pipeline) ranksLike(other *Pipeline) bool {
	if p.parts.KeepPairs && slicer.InOrder(p.parts.Slicer) != slicer.InOrder(other.parts.Slicer) {
		return false
	}
	return p.parts.KeepPairs == other.parts.KeepPairs && p.parts.Deduplicate == other.parts.Deduplicate && reflect.DeepEqual(p.parts.Scorer, other.parts.Scorer)
}
