package pipeline

import (
	"slices"

	"cupelscope/pipeline/order"
)

// Pairs as one item (model.Policy.KeepPairs). This is not part of Cupel.
//
// A tool call and its result (model.Set.Partner) are one candidate if both take
// part, that is, if neither is excluded or has negative tokens. All other items
// stay single. For a pair that is one candidate:
//
//   - Its tokens are the sum of the tokens of its members.
//   - Its members are scored separately; its score is the sum of the two. Under
//     the slicers rank and prefix it is sorted by the larger of the two.
//   - It is a duplicate only of a pair whose call and result both have the same
//     content as its own.
//   - It is pinned if either member is.
//   - Truncate drops both members or neither.
//   - It is placed where its call is placed, with the result right after it.
//
//	set          0 user   1 call   2 call   3 result of 1   4 result of 2
//	candidates   0 user   1 call + 3 result   2 call + 4 result
//
// slicer.Input lists a pair by its first member; mate returns the other one.
// Reports and Ranking.Scores are by item, so they list both members.

// pair finds the pairs whose members both take part.
func (r *ranked) pair() {
	for i := range r.set.Len() {
		j, ok := r.set.Partner(i)
		if !ok || !r.set.TakesPart(i) || !r.set.TakesPart(j) {
			continue
		}
		if r.mates == nil {
			r.mates = slices.Repeat([]int32{-1}, r.set.Len())
		}
		r.mates[i] = int32(j)
	}
}

// mate returns the other member of the pair that item is one candidate with, or
// -1 if the item is single.
func (r *ranked) mate(item int32) int32 {
	if r.mates == nil {
		return -1
	}
	return r.mates[item]
}

// firsts returns the single items and the first member of each pair in items.
// Without pairs it returns items itself.
func (r *ranked) firsts(items []int32) []int32 {
	if r.mates == nil {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), func(item int32) bool { return 0 <= r.mates[item] && r.mates[item] < item })
}

// members returns items with each first member of a pair followed by the second
// one. Without pairs it returns items itself.
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

// worth returns the score of a candidate: of a pair, the sum of both scores.
func (r *ranked) worth(first int32) float64 {
	if mate := r.mate(first); mate >= 0 {
		return r.scores[first] + r.scores[mate]
	}
	return r.scores[first]
}

// decides returns the score that a candidate is sorted by.
func (r *ranked) decides(first int32) float64 {
	if mate := r.mate(first); mate >= 0 && r.inOrder {
		if order.Before(r.scores[mate], r.scores[first]) {
			return r.scores[mate]
		}
		return r.scores[first]
	}
	return r.worth(first)
}

// candidates returns the number of items among the candidates; a pair that is
// one candidate counts as two.
func (r *ranked) candidates() int { return len(r.input.Items) + r.input.Pairs }

// Members appends to dst the items of the candidate at a position in Input and
// returns the extended slice: one item, or the call and the result of a pair
// that is one item. dst may be nil. Members panics if position is out of range.
func (r *Ranking) Members(dst []int32, position int) []int32 {
	item := r.input.Items[position]
	dst = append(dst, item)
	if mate := r.mate(item); mate >= 0 {
		dst = append(dst, mate)
	}
	return dst
}
