package pipeline

import (
	"context"
	"math/bits"

	"cupelscope/model"
	"cupelscope/pipeline/order"
	"cupelscope/pipeline/scratch"
)

// deduplicate drops a scoreable item if another one has the same content, byte
// for byte, and a higher score, or the same score and an earlier position. It
// returns the survivors in input order; the error is ctx's. See the Cupel
// specification, chapter Stage 3: Deduplicate.
//
// The contents were hashed when the set was loaded. Only the items whose hash
// may occur twice, the suspects, go into a hash table, and two contents are
// compared only if the upper halves of their hashes are equal. O(n).
func (r *ranked) deduplicate(ctx context.Context) ([]int32, error) {
	suspects := r.suspects()
	firsts := newFirsts(r.set, len(suspects))
	var best []int32 // by item, for the first item of each content: the survivor so far
	for k, item := range suspects {
		if k&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		first := firsts.of(item)
		if first == item {
			continue
		}
		if r.survivors == nil {
			r.survivors = make([]int32, r.set.Len())
			for i := range r.survivors {
				r.survivors[i] = -1
			}
			lent := survivorsSoFar.Lend(r.set.Len())
			defer lent.Return()
			best = lent.Of
			for _, i := range suspects {
				best[i] = i
			}
		}
		r.survivors[item] = first // for now
		if order.Before(r.scores[item], r.scores[best[first]]) {
			best[first] = item
		}
	}
	if r.survivors == nil {
		return r.scoreable, nil
	}
	for _, item := range suspects {
		winner := best[item]
		if first := r.survivors[item]; first >= 0 {
			winner = best[first]
		}
		if winner == item {
			r.survivors[item] = -1
			continue
		}
		r.survivors[item] = winner
		r.duplicates = append(r.duplicates, item)
	}
	survivors := make([]int32, 0, len(r.scoreable)-len(r.duplicates))
	for _, item := range r.scoreable {
		if r.survivors[item] < 0 {
			survivors = append(survivors, item)
		}
	}
	return survivors, nil
}

// survivorsSoFar and the bits of suspects are lent to deduplicate.
var (
	survivorsSoFar scratch.Pool[int32]
	suspectBits    scratch.Pool[uint64]
)

// suspects returns, in input order, the scoreable items that may have a
// duplicate: all that have one, and one in sixteen of the others. It marks each
// hash in a bit field of 16 bits or more per item, and in a second one when the
// hash occurs again. That takes an eighth of the memory of a table of all items.
func (r *ranked) suspects() []int32 {
	words := 1 << bits.Len(uint(len(r.scoreable))/4)
	lent := suspectBits.LendClear(2 * words)
	defer lent.Return()
	met, again := lent.Of[:words], lent.Of[words:]
	mask := uint64(64*words - 1)
	for _, item := range r.scoreable {
		at := r.set.Hash(int(item)) & mask
		bit := uint64(1) << (at & 63)
		word := &met[at>>6]
		again[at>>6] |= *word & bit
		*word |= bit
	}
	var suspects []int32
	for _, item := range r.scoreable {
		at := r.set.Hash(int(item)) & mask
		if again[at>>6]>>(at&63)&1 != 0 {
			suspects = append(suspects, item)
		}
	}
	return suspects
}

// firsts is a hash table with open addressing from a content to the first item
// that has it.
type firsts struct {
	set *model.Set
	// slots hold the upper half of the hash and the item plus one: a slot of
	// another content is recognised without looking at its item.
	slots []uint64
}

// newFirsts makes a table for n items, less than half full.
func newFirsts(set *model.Set, n int) firsts {
	return firsts{set, make([]uint64, 1<<bits.Len(uint(2*n)))}
}

// of returns the first item with the same content as item among those that of
// was called with, and adds item to the table if there was none.
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
