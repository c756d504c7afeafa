package pipeline

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scorer"
)

// maxPatched is how many items may be moved one by one; each takes a pass over all columns.
const maxPatched = 4

// patch ranks by moving the few items that are pinned or excluded otherwise than in like,
// where no other score depends on them. It returns false, and changes nothing, if like is of
// no use. Like may be nil. It times Classify and Score apart, as ranking anew does.
func (r *Ranking) patch(ctx context.Context, like *Ranking, watch *stopwatch) (bool, error) {
	if like == nil || r.pipeline.parts.KeepPairs || !r.pipeline.RanksLike(like.pipeline) || !scorer.RatesAlone(r.pipeline.parts.Scorer, r.set) {
		return false, nil
	}
	changed, ok := r.set.Reclassified(like.set)
	if !ok || len(changed) > maxPatched || r.pipeline.parts.Deduplicate && slices.ContainsFunc(changed, r.set.Repeated) {
		return false, nil
	}
	r.filtered, r.negative, r.pinned = slices.Clone(like.filtered), slices.Clone(like.negative), slices.Clone(like.pinned)
	r.scoreable, r.scores = slices.Clone(like.scoreable), slices.Clone(like.scores)
	r.duplicates, r.survivors = like.duplicates, like.survivors
	for _, column := range like.columns {
		r.columns = append(r.columns, slices.Clone(column))
	}
	r.input = like.input
	in := &r.input
	in.Items, in.Tokens = slices.Clone(in.Items), slices.Clone(in.Tokens)
	in.Scores, in.Kinds = slices.Clone(in.Scores), slices.Clone(in.Kinds)
	r.position = slices.Clone(like.position)
	for _, i := range changed {
		r.takeOut(int32(i))
	}
	var scored []int32
	for _, i := range changed {
		if r.putIn(int32(i)) {
			scored = append(scored, int32(i))
		}
	}
	r.sumPinned()
	r.stages[0] = watch.event(model.Classify, r.set.Len(), len(r.pinned)+len(r.scoreable))
	for _, i := range scored { // ascending, so that columns are as long as what is scored before i
		if err := r.insert(ctx, i); err != nil {
			return false, fmt.Errorf("score: %w", err)
		}
	}
	r.deciding = in.Scores
	r.stages[1] = watch.event(model.Score, len(r.scoreable), len(r.scoreable))
	r.stages[2] = watch.event(model.Deduplicate, len(r.scoreable), len(r.scoreable)-len(r.duplicates))
	return true, nil
}

// takeOut removes an item from the list of its class, and what is known of it.
func (r *Ranking) takeOut(item int32) {
	for _, list := range [...]*[]int32{&r.filtered, &r.negative, &r.pinned} {
		if k, is := slices.BinarySearch(*list, item); is {
			*list = slices.Delete(*list, k, k+1)
		}
	}
	r.scores[item] = 0
	k, scored := slices.BinarySearch(r.scoreable, item)
	if !scored {
		return
	}
	r.scoreable = slices.Delete(r.scoreable, k, k+1)
	for c := range r.columns {
		r.columns[c] = slices.Delete(r.columns[c], k, k+1)
	}
	in, at := &r.input, int(r.position[item])
	in.Items, in.Tokens = slices.Delete(in.Items, at, at+1), slices.Delete(in.Tokens, at, at+1)
	in.Scores, in.Kinds = slices.Delete(in.Scores, at, at+1), slices.Delete(in.Kinds, at, at+1)
	r.shift(at, -1)
	r.position[item] = -1
}

// putIn adds an item that was taken out to the list of its class. It reports whether the item
// is scored.
func (r *Ranking) putIn(item int32) bool {
	class := r.class(int(item))
	k, _ := slices.BinarySearch(*class, item)
	*class = slices.Insert(*class, k, item)
	if class == &r.pinned {
		r.scores[item] = pinnedScore
	}
	return class == &r.scoreable
}

// insert scores an item that was put in, and gives it its place among the candidates.
func (r *Ranking) insert(ctx context.Context, item int32) error {
	k, _ := slices.BinarySearch(r.scoreable, item)
	score := r.scores[item : item+1]
	columns, err := r.rate(ctx, scorer.List{Set: r.set, Items: []int32{item}}, score, nil)
	if err != nil {
		return err
	}
	for c := range columns {
		r.columns[c] = slices.Insert(r.columns[c], k, columns[c][0])
	}
	in, key := &r.input, order.Key(score[0])
	at := sort.Search(in.Len(), func(at int) bool {
		other := order.Key(in.Scores[at])
		return other > key || other == key && in.Items[at] > item
	})
	in.Items, in.Tokens = slices.Insert(in.Items, at, item), slices.Insert(in.Tokens, at, r.set.Tokens(int(item)))
	in.Scores, in.Kinds = slices.Insert(in.Scores, at, score[0]), slices.Insert(in.Kinds, at, uint32(r.set.KindID(int(item))))
	r.shift(at, 1)
	r.position[item] = int32(at)
	return nil
}

// shift moves the positions from at on.
func (r *Ranking) shift(at int, by int32) {
	for i, position := range r.position {
		moved := position + by
		if position < int32(at) { // no branch: every other one would be guessed wrongly
			moved = position
		}
		r.position[i] = moved
	}
}
