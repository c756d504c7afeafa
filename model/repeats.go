package model

import (
	"math/bits"
	"slices"
	"sync"
)

// repeats holds the items whose content another item has too, ascending, and for each of them
// the first item with that content.
type repeats struct {
	once          sync.Once
	items, firsts []int32
}

// Repeats returns the items whose content another item has too, byte for byte, ascending, and
// for each of them the first item that has it, itself or an earlier one. In a set of the first
// items of a larger one, the other item may be beyond them. The caller must not change the
// slices. The first call for a set and all sets made from it costs O(n), any other O(log n).
func (s *Set) Repeats() (items, firsts []int32) {
	r := &s.derived.repeats
	r.once.Do(func() { r.items, r.firsts = s.derived.findRepeats() })
	n, _ := slices.BinarySearch(r.items, int32(s.Len()))
	return r.items[:n], r.firsts[:n]
}

// Repeated reports whether another item may have the same content as item i; see Repeats.
func (s *Set) Repeated(i int) bool {
	items, _ := s.Repeats()
	_, repeated := slices.BinarySearch(items, int32(i))
	return repeated
}

// findRepeats puts into a table only the items whose hash may occur twice.
func (d *derived) findRepeats() (items, firsts []int32) {
	suspects := d.suspects()
	by := make(map[uint64]int32, len(suspects)) // their hash, or a later number where contents of one hash differ
	first := func(item int32) int32 {
		for hash := d.hashes[item]; ; hash++ {
			other, met := by[hash]
			if !met {
				by[hash] = item
				return item
			}
			if d.items[other].Content == d.items[item].Content {
				return other
			}
		}
	}
	of, repeated := make([]int32, len(suspects)), make([]bool, len(d.items))
	for k, item := range suspects {
		if of[k] = first(item); of[k] != item {
			repeated[of[k]], repeated[item] = true, true
		}
	}
	for k, item := range suspects {
		if repeated[item] {
			items, firsts = append(items, item), append(firsts, of[k])
		}
	}
	return items, firsts
}

// suspects returns, ascending, the items whose content may occur twice: all whose content does,
// and at most about one in sixteen of the others. It marks each hash in a bit field of 16 bits
// or more per item, and in a second one when the hash occurs again. That takes an eighth of the
// memory of a table of all items.
func (d *derived) suspects() (all []int32) {
	words := 1 << bits.Len(uint(len(d.hashes))/4)
	met, again := make([]uint64, words), make([]uint64, words)
	mask := uint64(64*words - 1)
	for _, hash := range d.hashes {
		at := hash & mask
		bit := uint64(1) << (at & 63)
		word := &met[at>>6]
		again[at>>6] |= *word & bit
		*word |= bit
	}
	for i, hash := range d.hashes {
		at := hash & mask
		if again[at>>6]>>(at&63)&1 != 0 {
			all = append(all, int32(i))
		}
	}
	return all
}
