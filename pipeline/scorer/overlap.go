package scorer

import (
	"context"
	"math"
	"slices"
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
// To look at every pair of sets is quadratic. Sets of few tags are counted by
// their subsets instead (subsets.go), which takes about as many steps as there
// are sets with several tags in common. Where subsets of up to manyTags tags
// are too many, those of up to fewTags are counted, 15 for each set at most.
// Larger sets are counted, by all others too, through an index (tagindex.go).
//
// Cost: O(tags of all sets) steps as long as few sets have several tags in
// common or more than fewTags tags, and in no case more than the index takes for
// all of them: for each set the lists of its tags, or sets/64 steps for each of
// its tags, whichever is less.
func (s *tagSets) overlaps(ctx context.Context) ([]int, error) {
	s.rareFirst()
	polls := poller{ctx: ctx}
	counts, most, err := s.bySubsets(&polls)
	small := func(tags []int32) bool { return len(tags) <= most }
	if err != nil || !slices.ContainsFunc(s.tags, func(tags []int32) bool { return !small(tags) }) {
		return counts, err
	}
	whole, err := s.index(&polls, func([]int32) bool { return true })
	if err != nil {
		return nil, err
	}
	large, err := s.index(&polls, func(tags []int32) bool { return !small(tags) })
	if err != nil {
		return nil, err
	}
	for i, tags := range s.tags {
		in, weight, steps := whole, 0, 0
		if small(tags) {
			in, weight = large, counts[i]
		}
		counts[i] = weight + in.overlap(tags, &steps)
		if err := polls.add(steps); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// manyTags and fewTags are how many tags a set may have whose subsets are counted,
// and how many where that takes more than stepsPerTag steps for each tag.
const manyTags, fewTags, stepsPerTag = 16, 4, 32

// bySubsets is, for every set of at most most tags, the weight of all such sets
// that have a tag in common with it.
func (s *tagSets) bySubsets(polls *poller) (counts []int, most int, err error) {
	count := subsetCount{tagSets: s, polls: polls, most: manyTags}
	for _, tags := range s.tags {
		count.limit += stepsPerTag * int64(len(tags))
	}
	if done, err := count.run(); done || err != nil {
		return count.counts, manyTags, err
	}
	count.most, count.limit = fewTags, math.MaxInt64 // at most 15 subsets a set
	_, err = count.run()
	return count.counts, fewTags, err
}

// rareFirst numbers the tags anew, from the one in the fewest sets: what tags
// have in common with those after them is then least.
func (s *tagSets) rareFirst() {
	in := make([]int32, s.known)
	for _, tags := range s.tags {
		for _, tag := range tags {
			in[tag]++
		}
	}
	byNumber := make([]int32, s.known)
	for tag := range byNumber {
		byNumber[tag] = int32(tag)
	}
	slices.SortStableFunc(byNumber, func(a, b int32) int { return int(in[a]) - int(in[b]) })
	number := in
	for k, tag := range byNumber {
		number[tag] = int32(k)
	}
	for _, tags := range s.tags {
		for k, tag := range tags {
			tags[k] = number[tag]
		}
		slices.Sort(tags)
	}
}

// index is the index of all sets, with those that are indexed among them.
func (s *tagSets) index(polls *poller, indexed func(tags []int32) bool) (*tagIndex, error) {
	x := newTagIndex(s.known)
	for i, tags := range s.tags {
		if !indexed(tags) {
			continue
		}
		x.add(tags, s.weights[i])
		if err := polls.add(8 * len(tags)); err != nil {
			return nil, err
		}
	}
	x.finish()
	return x, nil
}
