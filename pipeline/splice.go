package pipeline

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scorer"
)

// Where a few items are pinned, excluded, released or restored, or have another token
// count or hint, the ranking before knows most of the new one. If the scorer rates each
// item alone, only those items are classified and scored. If all others keep their
// scores, whatever the scorer, they keep their order: the columns of the ranking before
// are copied with those items cut out and put in.

// splicedAtMost is how many items may differ.
const splicedAtMost = 8

// changedSince returns the items that differ from those of a ranking by the same stages
// up to Sort. It returns false if they are too many or the rankings have pairs that are
// one item, and for nil.
func (r *ranked) changedSince(like *Ranking) ([]int32, bool) {
	if like == nil || r.mates != nil || like.mates != nil {
		return nil, false
	}
	return r.set.Differing(like.set, splicedAtMost)
}

// reclassify is classify for a set of which only the changed items differ from like.
func (r *ranked) reclassify(like *ranked, changed []int32) {
	r.filtered, r.negative, r.pinned, r.scoreable = slices.Clone(like.filtered), slices.Clone(like.negative), slices.Clone(like.pinned), slices.Clone(like.scoreable)
	for _, item := range changed {
		for _, class := range [...]*[]int32{&r.filtered, &r.negative, &r.pinned, &r.scoreable} {
			if at, is := slices.BinarySearch(*class, item); is {
				*class = slices.Delete(*class, at, at+1)
			}
		}
		class := r.class(int(item))
		at, _ := slices.BinarySearch(*class, item)
		*class = slices.Insert(*class, at, item)
	}
	r.sumPinned()
}

// rescore is score after reclassify, for a scorer that rates each item alone.
func (r *Ranking) rescore(ctx context.Context, like *ranked, changed []int32) error {
	list := scorer.List{Set: r.set}
	var cuts []cut // of the columns of the parts
	r.scores = slices.Clone(like.scores)
	for _, item := range changed {
		at, was := like.scoreablePosition(int(item))
		if _, is := r.scoreablePosition(int(item)); is {
			list.Items = append(list.Items, item)
			cuts = append(cuts, cut{int32(at), item, true})
		}
		if was {
			cuts = append(cuts, cut{int32(at), item, false})
		}
		r.scores[item] = 0
		if _, is := slices.BinarySearch(r.pinned, item); is {
			r.scores[item] = pinnedScore
		}
	}
	scores := make([]float64, list.Len())
	columns, err := r.rate(ctx, list, scores)
	for k, item := range list.Items {
		r.scores[item] = scores[k]
	}
	for c, column := range columns {
		r.columns = append(r.columns, spliced(like.columns[c], cuts, func(item int32) float64 {
			k, _ := slices.BinarySearch(list.Items, item)
			return column[k]
		}))
	}
	return err
}

// cut is where a candidate is put in before, or taken out of, the columns of the
// ranking before.
type cut struct {
	at   int32
	item int32
	adds bool
}

// splice does what deduplicate and sort do, if all items but those changed have the
// scores that they have in like, and none of these has a duplicate.
func (r *ranked) splice(like *ranked, changed []int32) {
	cuts := r.cuts(like, changed)
	was, now := &like.input, &r.input
	now.Items = spliced(was.Items, cuts, func(item int32) int32 { return item })
	now.Scores = spliced(was.Scores, cuts, func(item int32) float64 { return r.scores[item] })
	now.Tokens = spliced(was.Tokens, cuts, func(item int32) model.Tokens { return r.set.Tokens(int(item)) })
	now.Kinds = spliced(was.Kinds, cuts, func(item int32) uint32 { return uint32(r.set.KindID(int(item))) })
	now.KindNames = was.KindNames
	r.survivors, r.duplicates, r.deciding = like.survivors, like.duplicates, now.Scores
	r.position = moved(like.position, cuts)
}

// scoredLike reports whether all items but those changed have the scores that they
// have in like.
func (r *ranked) scoredLike(like *ranked, changed []int32) bool {
	from := 0
	same := func(to int) bool {
		for i, score := range r.scores[from:to] {
			if math.Float64bits(score) != math.Float64bits(like.scores[from+i]) {
				return false
			}
		}
		return true
	}
	for _, item := range changed {
		if !same(int(item)) {
			return false
		}
		from = int(item) + 1
	}
	return same(len(r.scores))
}

// resembled reports whether another item may have the same content as one of these.
func (r *ranked) resembled(items []int32) bool {
	for _, item := range items {
		hash := r.set.Hash(int(item))
		for i := range r.set.Len() {
			if r.set.Hash(i) == hash && i != int(item) {
				return true
			}
		}
	}
	return false
}

// cuts returns what the changed items do to the columns of like, in order.
func (r *ranked) cuts(like *ranked, changed []int32) []cut {
	in := &like.input
	var cuts []cut
	for _, item := range changed {
		if at := like.position[item]; at >= 0 {
			cuts = append(cuts, cut{at, item, false})
		}
		if _, candidate := r.scoreablePosition(int(item)); candidate {
			key := order.Key(r.scores[item])
			at := sort.Search(in.Len(), func(k int) bool {
				other := order.Key(in.Scores[k])
				return other > key || other == key && in.Items[k] > item
			})
			cuts = append(cuts, cut{int32(at), item, true})
		}
	}
	slices.SortFunc(cuts, func(a, b cut) int {
		switch {
		case a.at != b.at:
			return cmp.Compare(a.at, b.at)
		case a.adds != b.adds: // what is put in comes before what is taken out
			return map[bool]int{true: -1, false: 1}[a.adds]
		}
		return cmp.Or(cmp.Compare(order.Key(r.scores[a.item]), order.Key(r.scores[b.item])), cmp.Compare(a.item, b.item))
	})
	return cuts
}

// spliced returns a copy of a column with the cuts made.
func spliced[T any](column []T, cuts []cut, of func(item int32) T) []T {
	next := make([]T, 0, len(column)+len(cuts))
	from := int32(0)
	for _, c := range cuts {
		next = append(next, column[from:c.at]...)
		if from = c.at + 1; c.adds {
			next, from = append(next, of(c.item)), c.at
		}
	}
	return append(next, column[from:]...)
}

// moved returns the positions by item after the cuts.
func moved(position []int32, cuts []cut) []int32 {
	next := slices.Clone(position)
	for _, c := range cuts {
		first, by := c.at, int32(1)
		if !c.adds {
			first, by = c.at+1, -1
		}
		for i, was := range position {
			next[i] += (first - 1 - was) >> 31 & by // where first <= was: a branch would be taken at random
		}
	}
	for _, c := range cuts {
		if !c.adds {
			next[c.item] = -1
		}
	}
	shift := int32(0)
	for _, c := range cuts {
		if c.adds {
			next[c.item] = c.at + shift
			shift++
		} else {
			shift--
		}
	}
	return next
}
