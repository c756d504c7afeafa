package pipeline

import (
	"context"

	"cupelscope/pipeline/order"
)

// Pairs as one item (model.Policy.KeepPairs). This is ours, not Cupel's.
//
// The call of a tool and its result (model.Set.Partner) are one candidate where
// both take part: neither excluded nor with negative tokens. It costs the sum of
// the two and is worth the sum of their scores, which each has on its own. Under
// the slicers rank and prefix the larger score decides its place in the order. A
// pair is a duplicate only of a pair both of whose members are equal to its own,
// pinned if a member is, cut whole by Truncate, and it stands where its call does,
// the result behind it. All else stays single.
//
//	set          0 user   1 call   2 call   3 result of 1   4 result of 2
//	candidates   0 user   1 call + 3 result   2 call + 4 result
//
// A candidate is named by its first member in slicer.Input; second has the other.
// What a Report, a Profile or the scores tell, they tell of items.

// pair finds the pairs whose members both take part.
func (r *ranked) pair() {
	for i := range r.set.Len() {
		j, ok := r.set.Partner(i)
		if !ok || !r.set.TakesPart(i) || !r.set.TakesPart(j) {
			continue
		}
		if r.mates == nil {
			r.mates = make([]int32, r.set.Len())
			for k := range r.mates {
				r.mates[k] = -1
			}
		}
		r.mates[i] = int32(j)
	}
}

// mate is the item that is one candidate with an item; -1: none.
func (r *ranked) mate(item int32) int32 {
	if r.mates == nil {
		return -1
	}
	return r.mates[item]
}

// firsts lists the items that stand for themselves or for their pair. Without pairs
// these are all.
func (r *ranked) firsts(items []int32) []int32 {
	if r.mates == nil {
		return items
	}
	var all []int32
	for _, item := range items {
		if mate := r.mates[item]; mate < 0 || mate > item {
			all = append(all, item)
		}
	}
	return all
}

// members lists items with those that they are one candidate with, behind them.
func (r *ranked) members(items []int32) []int32 {
	if r.mates == nil {
		return items
	}
	all := make([]int32, 0, len(items))
	for _, item := range items {
		all = append(all, item)
		if mate := r.mates[item]; mate >= 0 {
			all = append(all, mate)
		}
	}
	return all
}

// worth is the score of a candidate: what its members are worth together.
func (r *ranked) worth(first int32) float64 {
	if mate := r.mate(first); mate >= 0 {
		return r.scores[first] + r.scores[mate]
	}
	return r.scores[first]
}

// decides is the score that a candidate is sorted by.
func (r *ranked) decides(first int32) float64 {
	if mate := r.mate(first); mate >= 0 && r.inOrder {
		if order.Before(r.scores[mate], r.scores[first]) {
			return r.scores[mate]
		}
		return r.scores[first]
	}
	return r.worth(first)
}

// deduplicatePairs is deduplicate where pairs are one item: of equal pairs, and of
// equal single items, the one with the highest score survives, of equal ones the
// first. It returns the first members of the survivors in input order.
func (r *ranked) deduplicatePairs(ctx context.Context) ([]int32, error) {
	contents := newFirsts(r.set, len(r.scoreable))
	type key [2]int32 // the first item with the content of each member; -1: it is single
	best := make(map[key]int32, len(r.scoreable))
	keys := make([]key, r.set.Len())
	all := r.firsts(r.scoreable)
	for k, item := range all {
		if k&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		same := key{contents.of(item), -1}
		if mate := r.mate(item); mate >= 0 {
			same[1] = contents.of(mate)
		}
		keys[item] = same
		if other, met := best[same]; !met || order.Before(r.decides(item), r.decides(other)) {
			best[same] = item
		}
	}
	survivors := make([]int32, 0, len(all))
	for _, item := range all {
		winner := best[keys[item]]
		if winner == item {
			survivors = append(survivors, item)
			continue
		}
		if r.survivors == nil {
			r.survivors = make([]int32, r.set.Len())
			for i := range r.survivors {
				r.survivors[i] = -1
			}
		}
		r.survivors[item] = winner
		r.duplicates = append(r.duplicates, item)
		if mate := r.mate(item); mate >= 0 {
			r.survivors[mate] = r.mates[winner]
			r.duplicates = append(r.duplicates, mate)
		}
	}
	return survivors, nil
}

// candidates is how many items the candidates are.
func (r *ranked) candidates() int { return len(r.input.Items) + r.input.Pairs }

// Members appends the items that the candidate at a position of Input stands for
// to dst: one, or the call and the result of a pair that is one item.
func (r *Ranking) Members(dst []int32, position int) []int32 {
	item := r.input.Items[position]
	dst = append(dst, item)
	if mate := r.mate(item); mate >= 0 {
		dst = append(dst, mate)
	}
	return dst
}
