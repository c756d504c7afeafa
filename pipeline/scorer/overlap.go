package scorer

import (
	"context"
	"math/bits"
)

// tagSets are distinct sets of tags, each with a weight: how many items have it.
type tagSets struct {
	tags    [][]int32 // by set: tag numbers, ascending, at least one
	weights []int
	known   int // tag numbers are below it
}

// overlaps is, for every set, the weight of all sets that have a tag in common
// with it, itself included.
//
// A set of up to four tags, as nearly all are, is counted by inclusion and
// exclusion, over how many items have each subset of its tags at least:
//
//	with a or b  =  with a  +  with b  -  with a and b
//
// That takes 15 look-ups a set at most. Sets with more tags have too many
// subsets. They are counted, by all others too, through lists of the sets with
// each tag, or where those are long, through a bit for every set with the tag,
// 64 a step.
//
// Cost: O(sets) without sets of more than four tags; with L of those, for each
// set the lists of its tags among the L or (tags * L)/64 steps, whichever is
// less, and for each of the L the same among all sets.
func (s *tagSets) overlaps(ctx context.Context) ([]int, error) {
	with := make(map[[maxSubset]int32]int)
	var large, all *tagIndex
	for i, tags := range s.tags {
		if len(tags) > maxSubset {
			if large == nil {
				large = newTagIndex(s.known)
			}
			large.add(tags, s.weights[i])
			continue
		}
		for mask := 1; mask < 1<<len(tags); mask++ {
			with[subset(tags, mask)] += s.weights[i]
		}
	}
	if large != nil {
		large.finish()
		all = newTagIndex(s.known)
		for i, tags := range s.tags {
			all.add(tags, s.weights[i])
		}
		all.finish()
	}
	counts := make([]int, len(s.tags))
	steps := 0
	for i, tags := range s.tags {
		if len(tags) > maxSubset {
			counts[i] = all.overlap(tags, &steps)
		} else {
			for mask := 1; mask < 1<<len(tags); mask++ {
				if n := with[subset(tags, mask)]; bits.OnesCount(uint(mask))%2 == 1 {
					counts[i] += n
				} else {
					counts[i] -= n
				}
			}
			if large != nil {
				counts[i] += large.overlap(tags, &steps)
			}
			steps += 1 << len(tags)
		}
		if steps >= 1<<20 {
			steps = 0
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
	return counts, nil
}

// maxSubset is how many tags a set may have whose subsets are counted.
const maxSubset = 4

// subset is the tags in a mask, and -1 for none.
func subset(tags []int32, mask int) [maxSubset]int32 {
	key := [maxSubset]int32{-1, -1, -1, -1}
	n := 0
	for k, tag := range tags {
		if mask>>k&1 != 0 {
			key[n] = tag
			n++
		}
	}
	return key
}

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
	if byWords := len(x.union) * (1 + len(tags) + len(x.planes)); listed > byWords {
		*steps += byWords
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

func (x *tagIndex) byWords(tags []int32) int {
	clear(x.union)
	for _, tag := range tags {
		set, ok := x.dense[tag]
		if !ok {
			for _, i := range x.lists[tag] {
				x.union[i>>6] |= 1 << (i & 63)
			}
			continue
		}
		for w, word := range set {
			x.union[w] |= word
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
