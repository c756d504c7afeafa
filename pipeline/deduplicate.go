package pipeline

import (
	"math/bits"

	"cupelscope/model"
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
func (r *ranked) deduplicate() []int32 {
	firsts := newFirsts(r)
	var best []int32 // by item, for the first one of each content: the survivor so far
	for _, item := range r.scoreable {
		first := firsts.of(item)
		if first == item {
			continue
		}
		if best == nil {
			best = make([]int32, r.set.Len())
			r.survivors = make([]int32, r.set.Len())
			for i := range best {
				best[i], r.survivors[i] = int32(i), -1
			}
		}
		r.survivors[item] = first // for now
		if order.Before(r.scores[item], r.scores[best[first]]) {
			best[first] = item
		}
	}
	if best == nil {
		return r.scoreable
	}
	survivors := make([]int32, 0, len(r.scoreable))
	for _, item := range r.scoreable {
		winner := best[item]
		if first := r.survivors[item]; first >= 0 {
			winner = best[first]
		}
		if winner == item {
			r.survivors[item] = -1
			survivors = append(survivors, item)
			continue
		}
		r.survivors[item] = winner
		r.duplicates = append(r.duplicates, item)
	}
	return survivors
}

// firsts is an open table from a content to the first item that has it.
type firsts struct {
	set *model.Set
	// slots hold the upper half of the hash and the item plus one: a slot of
	// another content is told apart without a look at its item.
	slots []uint64
}

func newFirsts(r *ranked) firsts {
	return firsts{r.set, make([]uint64, 1<<bits.Len(uint(2*len(r.scoreable))))} // less than half full
}

// of returns the first item that was asked for with the content of item: item
// itself if it is the first.
func (f firsts) of(item int32) int32 {
	const lower = 1<<32 - 1
	hash := f.set.Hash(int(item))
	mask := uint64(len(f.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := f.slots[at]
		if slot == 0 {
			f.slots[at] = hash&^lower | uint64(item+1)
			return item
		}
		if (slot^hash)&^lower != 0 {
			continue
		}
		if other := int32(slot&lower) - 1; f.set.Loaded(int(other)).Content == f.set.Loaded(int(item)).Content {
			return other
		}
	}
}
