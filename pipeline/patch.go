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
	"cupelscope/pipeline/slicer"
)

// maxPatched is how many items may be moved; each takes a pass over the positions.
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
	entering := r.regroup(changed)
	r.sumPinned()
	r.stages[0] = watch.event(model.Classify, r.set.Len(), r.set.Len()-len(r.filtered)-len(r.negative))
	scores := make([]float64, len(entering))
	columns, err := r.rate(ctx, scorer.List{Set: r.set, Items: entering}, scores, nil)
	if err != nil {
		return false, fmt.Errorf("score: %w", err)
	}
	r.move(like, changed, entering, scores, columns)
	r.deciding = r.input.Scores
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
}

// regroup moves items that are pinned or excluded otherwise, which ascend, to the lists of their
// classes, and returns those that are scored now, which are in no list yet.
func (r *Ranking) regroup(items []int) (scored []int32) {
	for _, item := range items {
		for _, list := range [...]*[]int32{&r.filtered, &r.negative, &r.pinned} {
			if k, is := slices.BinarySearch(*list, int32(item)); is {
				*list = slices.Delete(*list, k, k+1)
			}
		}
	}
	for _, item := range items {
		if class := r.class(item); class == &r.scoreable {
			scored = append(scored, int32(item))
		} else {
			k, _ := slices.BinarySearch(*class, int32(item))
			*class = slices.Insert(*class, k, int32(item))
		}
	}
	return scored
}

// move makes the columns of the ranking copies of like's without the items that changed, and with
// those that are scored now. All processors share the copies, which take longest. What the parts of
// a composite gave is shared with like.
func (r *Ranking) move(like *Ranking, changed []int, entering []int32, scores []float64, columns [][]float64) {
	in, was := &r.input, &like.input
	var scored, ranked splice // by position among the scoreable items, and in the input
	for _, item := range changed {
		if k, is := like.scoreablePosition(item); is {
			scored.out, ranked.out = append(scored.out, k), append(ranked.out, int(like.position[item]))
		}
	}
	slices.Sort(ranked.out)
	for _, item := range entering {
		k, _ := like.scoreablePosition(int(item))
		scored.in = append(scored.in, k)
	}
	n := len(entering)
	enter := slicer.Input{Items: make([]int32, n), Tokens: make([]model.Tokens, n), Scores: make([]float64, n), Kinds: make([]uint32, n)}
	for k, p := range order.Descending(scores) {
		item, key := entering[p], order.Key(scores[p])
		enter.Items[k], enter.Scores[k] = item, scores[p]
		enter.Tokens[k], enter.Kinds[k] = r.set.Tokens(int(item)), uint32(r.set.KindID(int(item)))
		ranked.in = append(ranked.in, sort.Search(was.Len(), func(at int) bool {
			other := order.Key(was.Scores[at])
			return other > key || other == key && was.Items[at] > item
		}))
	}
	r.parts, r.input = like.parts.with(entering, columns), like.input
	copies := []func(){
		func() { r.scoreable = spliced(like.scoreable, scored, entering) },
		func() { r.scores = slices.Clone(like.scores) },
		func() { in.Items = spliced(was.Items, ranked, enter.Items) },
		func() { in.Tokens = spliced(was.Tokens, ranked, enter.Tokens) },
		func() { in.Scores = spliced(was.Scores, ranked, enter.Scores) },
		func() { in.Kinds = spliced(was.Kinds, ranked, enter.Kinds) },
		func() { r.position = ranked.positions(like.position) },
	}
	relay.Spread(len(copies), func(int) int { return 8 * r.set.Len() }, func(from, to int) {
		for _, copied := range copies[from:to] {
			copied()
		}
	})
	for _, item := range changed {
		r.scores[item], r.position[item] = 0, -1
		if r.class(item) == &r.pinned {
			r.scores[item] = pinnedScore
		}
	}
	for k, item := range enter.Items {
		at := ranked.in[k] + k
		for _, out := range ranked.out {
			if out < ranked.in[k] {
				at--
			}
		}
		r.scores[item], r.position[item] = enter.Scores[k], int32(at)
	}
}

// splice says which elements of a list go out, by index, and before which ones others come in. Both
// ascend.
type splice struct{ out, in []int }

// spliced returns a copy of a list without what goes out, and with what comes in.
func spliced[T any](list []T, s splice, in []T) []T {
	all, from := make([]T, 0, len(list)+len(in)-len(s.out)), 0
	for len(s.in)+len(s.out) > 0 {
		if len(s.out) == 0 || len(s.in) > 0 && s.in[0] <= s.out[0] {
			all = append(append(all, list[from:s.in[0]]...), in[0])
			from, s.in, in = s.in[0], s.in[1:], in[1:]
		} else {
			all = append(all, list[from:s.out[0]]...)
			from, s.out = s.out[0]+1, s.out[1:]
		}
	}
	return append(all, list[from:]...)
}

// positions returns where elements of a list are then, by where they were; -1 stays.
func (s splice) positions(were []int32) []int32 {
	are := slices.Clone(were)
	for i, was := range were {
		for _, at := range s.in { // no branches: every other one would be guessed wrongly
			are[i] += int32(uint32(int32(at)-1-was) >> 31)
		}
		for _, at := range s.out {
			are[i] -= int32(uint32(int32(at)-was) >> 31)
		}
	}
	return are
}
