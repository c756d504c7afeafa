package scorer

import (
	"math/bits"
	"slices"
)

// tagIndex maps a tag to the sets that have it. It is not safe for concurrent
// use.
type tagIndex struct {
	lists   [][]int32 // by tag: set numbers, ascending
	weights []int
	marks   []int32 // by set: the last call that counted it
	calls   int32

	dense  map[int32][]uint64 // by tag with a long list: bits by set
	planes [][]uint64         // by k: the sets whose weight has bit k set
	union  []uint64
}

func newTagIndex(known int) *tagIndex { return &tagIndex{lists: make([][]int32, known)} }

func (x *tagIndex) add(tags []int32, weight int) {
	for _, tag := range tags {
		x.lists[tag] = append(x.lists[tag], int32(len(x.weights)))
	}
	x.weights = append(x.weights, weight)
}

// finish fills the fields that depend on all sets; call it after the last add.
// A list is long if it has more than a 64th of the sets. So all bits together
// take at most eight bytes for each tag of each set.
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

// overlap returns the weight of all sets that have any of the tags. It adds its
// cost to steps.
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

// byWords is overlap by words of bits. It starts with the most frequent tags,
// which have the highest numbers, and stops as soon as every set has one of the
// tags seen so far.
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
		without := uint64(0) // not 0 if some set has none of the tags so far
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
