package pipeline

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/model/relay"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scorer"
)

// maxPatched is how many items may be moved one by one; each takes a pass over all columns.
const maxPatched = 4

// patch ranks by moving the few items that are pinned or excluded otherwise than in like, where
// no other score depends on them. It returns false, and changes nothing, if like cannot be
// used, and if like is nil. It times Classify and Score separately, as a new ranking does.
func (r *Ranking) patch(ctx context.Context, like *Ranking, watch *stopwatch) (bool, error) {
	if like == nil || r.pipeline.parts.KeepPairs || !r.pipeline.RanksLike(like.pipeline) {
		return false, nil
	}
	changed, ok := r.set.Reclassified(like.set)
	switch {
	case ok && len(changed) == 0:
		r.resize(like)
		return true, nil
	case !ok, len(changed) > maxPatched, !scorer.RatesAlone(r.pipeline.parts.Scorer, r.set), r.pipeline.parts.Deduplicate && slices.ContainsFunc(changed, r.set.Repeated):
		return false, nil
	}
	r.filtered, r.negative, r.pinned = slices.Clone(like.filtered), slices.Clone(like.negative), slices.Clone(like.pinned)
	r.duplicates, r.survivors = like.duplicates, like.survivors
	r.takeOut(like, changed)
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
	r.deciding = r.input.Scores
	r.cut()
	r.stages[1] = watch.event(model.Score, len(r.scoreable), len(r.scoreable))
	r.stages[2] = watch.event(model.Deduplicate, len(r.scoreable), len(r.scoreable)-len(r.duplicates))
	return true, nil
}

// resize makes the ranking one like another of the same items, which may be cut in other ways:
// the order is by whole items.
func (r *Ranking) resize(like *Ranking) {
	set := r.set
	*r.ranked = *like.ranked
	r.set = set
	r.sumPinned()
	r.cut()
}

// takeOut makes the ranking a copy of like without some items, which ascend. All processors
// share the copies of the columns, which take longest.
func (r *Ranking) takeOut(like *Ranking, items []int) {
	var scored, places []int // indexes in scoreable and in the input
	for _, item := range items {
		for _, list := range [...]*[]int32{&r.filtered, &r.negative, &r.pinned} {
			if k, is := slices.BinarySearch(*list, int32(item)); is {
				*list = slices.Delete(*list, k, k+1)
			}
		}
		if k, is := like.scoreablePosition(item); is {
			scored, places = append(scored, k), append(places, int(like.position[item]))
		}
	}
	slices.Sort(places)
	r.columns, r.input = slices.Clone(like.columns), like.input
	in, was := &r.input, &like.input
	copies := []func(){
		func() { r.scoreable = without(like.scoreable, scored) },
		func() { r.scores = slices.Clone(like.scores) },
		func() { in.Items = without(was.Items, places) },
		func() { in.Tokens = without(was.Tokens, places) },
		func() { in.Scores = without(was.Scores, places) },
		func() { in.Kinds = without(was.Kinds, places) },
		func() {
			r.position = slices.Clone(like.position)
			for _, at := range slices.Backward(places) {
				r.shift(at, -1)
			}
		},
	}
	for c, column := range like.columns {
		copies = append(copies, func() { r.columns[c] = without(column, scored) })
	}
	relay.Spread(len(copies), func(int) int { return 8 * r.set.Len() }, func(from, to int) {
		for _, copied := range copies[from:to] {
			copied()
		}
	})
	for _, item := range items {
		r.scores[item], r.position[item] = 0, -1
	}
}

// without returns a copy of a list without the elements at some indexes, which ascend.
func without[T any](list []T, indexes []int) []T {
	list = slices.Clone(list)
	for _, k := range slices.Backward(indexes) {
		list = slices.Delete(list, k, k+1)
	}
	return list
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
