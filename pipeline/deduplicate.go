package pipeline

import (
	"math/bits"

	"cupelscope/pipeline/order"
)

// deduplicate drops every scoreable item whose content, byte for byte, another
// one has with a higher score, or with the same score and an earlier place.
// It returns the survivors in input order. Cupel specification, chapter Stage
// 3: Deduplicate.
//
// The contents were hashed as the set was loaded: here they only go into an
// open table by hash, and two contents are compared only when their hashes
// are equal. O(n).
func (r *Ranking) deduplicate() []int32 {
	s := r.set
	n := len(r.scoreable)
	if n == 0 {
		return r.scoreable
	}
	size := 1 << bits.Len(uint(2*n-1)) // at most half full
	table := make([]int32, size)       // 1 + the first item with that content; 0: empty
	mask := uint64(size - 1)
	var best []int32 // by item, for the first of each content: the survivor so far
	first := func(item int32) int32 {
		hash := s.Hash(int(item))
		for slot := hash & mask; ; slot = (slot + 1) & mask {
			at := table[slot] - 1
			if at < 0 {
				table[slot] = item + 1
				return item
			}
			if s.Hash(int(at)) == hash && s.Loaded(int(at)).Content == s.Loaded(int(item)).Content {
				return at
			}
		}
	}
	var firsts map[int32]int32 // by duplicate: the first item with its content
	for _, item := range r.scoreable {
		at := first(item)
		if at == item {
			continue
		}
		if best == nil {
			best = make([]int32, s.Len())
			for i := range best {
				best[i] = int32(i)
			}
			firsts = make(map[int32]int32)
		}
		firsts[item] = at
		if order.Before(r.scores[item], r.scores[best[at]]) {
			best[at] = item
		}
	}
	if best == nil {
		return r.scoreable
	}
	r.survivors = make([]int32, s.Len())
	for i := range r.survivors {
		r.survivors[i] = -1
	}
	survivors := make([]int32, 0, n)
	for _, item := range r.scoreable {
		winner := best[item]
		if at, ok := firsts[item]; ok {
			winner = best[at]
		}
		if winner == item {
			survivors = append(survivors, item)
			continue
		}
		r.survivors[item] = winner
		r.duplicates = append(r.duplicates, item)
	}
	return survivors
}
