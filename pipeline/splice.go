package pipeline

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"cupelscope/model"
	"cupelscope/pipeline/order"
)

// Pinning, excluding or releasing a few items leaves all others in their order,
// unless that changes scores, as it does where a scorer rates an item against all
// others. The columns of the ranking before are then copied with those items cut
// out or put in, which costs a fifth of deduplicating and sorting anew.

// splicedAtMost is how many items may be cut out or put in.
const splicedAtMost = 8

// cut is where a candidate is put in before, or taken out of, the columns of the
// ranking before.
type cut struct {
	at   int32
	item int32
	adds bool
}

// splice does what deduplicate and sort do, from a ranking of a set of which few
// items were pinned or excluded otherwise. It returns false, and does nothing, if
// the scores of other items have changed, or if one of the few has a duplicate.
func (r *ranked) splice(like *ranked, deduplicates bool) bool {
	changed, few := r.set.Differing(like.set, splicedAtMost)
	if !few || r.mates != nil || like.mates != nil || !r.scoredLike(like, changed) || deduplicates && r.resembled(changed) {
		return false
	}
	cuts := r.cuts(like, changed)
	was, now := &like.input, &r.input
	now.Items = spliced(was.Items, cuts, func(item int32) int32 { return item })
	now.Scores = spliced(was.Scores, cuts, func(item int32) float64 { return r.scores[item] })
	now.Tokens = spliced(was.Tokens, cuts, func(item int32) model.Tokens { return r.set.Tokens(int(item)) })
	now.Kinds = spliced(was.Kinds, cuts, func(item int32) uint32 { return uint32(r.set.KindID(int(item))) })
	now.KindNames = was.KindNames
	r.survivors, r.duplicates, r.deciding = like.survivors, like.duplicates, now.Scores
	r.position = moved(like.position, cuts)
	return true
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
	for i, was := range position {
		if was < 0 {
			continue
		}
		for _, c := range cuts {
			switch {
			case c.adds && c.at <= was:
				next[i]++
			case !c.adds && c.at < was:
				next[i]--
			}
		}
	}
	shift := int32(0)
	for _, c := range cuts {
		if c.adds {
			next[c.item] = c.at + shift
			shift++
		} else {
			next[c.item] = -1
			shift--
		}
	}
	return next
}
