package scorer

import (
	"math/bits"
	"slices"
)

// tagIndex leads from a tag to the sets that have it.
type tagIndex struct {
	lists   [][]int32 // by tag: set numbers, ascending
	weights []int
	marks   []int32 // by set: the last call that counted it
	calls   int32

	dense  map[int32][]uint64 // by tag with a long list: bits by set
	planes [][]uint64         // by k: the sets whose weight has 2^k in it
	union  []uint64
}

func newTagIndex(known int) *tagIndex { return &tagIndex{lists: make([][]int32, known)} }

func (x *tagIndex) add(tags []int32, weight int) {
	for _, tag := range tags {
		x.lists[tag] = append(x.lists[tag], int32(len(x.weights)))
	}
	x.weights = append(x.weights, weight)
}

// finish makes what follows from all sets. Lists are long from a 64th of the
// sets on, so that all bits take no more memory than eight bytes a tag of a set.
func (x *tagIndex) finish() {
	n := len(x.weights)
	words := (n + 63) / 64
	x.marks, x.union = make([]int32, n), make([]uint64, words)
	x.dense = make(map[int32][]uint64)
	for tag, list := range x.lists {
		if len(list) > words {
			set := make([]uint64, words)
			for _, i := range list {
				set[i>>6] |= 1 << (i & 63)
			}
			x.dense[int32(tag)] = set
		}
	}
	for i, weight := range x.weights {
		for ; weight > 0; weight &= weight - 1 {
			k := bits.TrailingZeros(uint(weight))
			for len(x.planes) <= k {
				x.planes = append(x.planes, make([]uint64, words))
			}
			x.planes[k][i>>6] |= 1 << (i & 63)
		}
	}
}

// overlap is the weight of all sets that have any of the tags. It adds to
// steps what it cost.
func (x *tagIndex) overlap(tags []int32, steps *int) int {
	listed := 0
	for _, tag := range tags {
		listed += len(x.lists[tag])
	}
	words := len(x.union) * (1 + len(tags) + len(x.planes))
	if listed > words {
		*steps += words
		return x.byWords(tags)
	}
	*steps += listed
	x.calls++
	weight := 0
	for _, tag := range tags {
		for _, i := range x.lists[tag] {
			if x.marks[i] != x.calls {
				x.marks[i] = x.calls
				weight += x.weights[i]
			}
		}
	}
	return weight
}

// byWords ends as soon as every set has one of the tags so far, the most
// frequent first: they have the highest numbers.
func (x *tagIndex) byWords(tags []int32) int {
	clear(x.union)
	if n := len(x.weights); n&63 != 0 {
		x.union[n>>6] = ^uint64(0) << (n & 63) // beyond the last set
	}
	for _, tag := range slices.Backward(tags) {
		set, ok := x.dense[tag]
		if !ok {
			for _, i := range x.lists[tag] {
				x.union[i>>6] |= 1 << (i & 63)
			}
			continue
		}
		without := uint64(0) // any bits of sets that have none
		for w, word := range set {
			word |= x.union[w]
			x.union[w] = word
			without |= ^word
		}
		if without == 0 {
			break
		}
	}
	weight := 0
	for k, plane := range x.planes {
		n := 0
		for w, word := range plane {
			n += bits.OnesCount64(word & x.union[w])
		}
		weight += n << k
	}
	return weight
}
