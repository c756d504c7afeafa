package scorer

import (
	"context"
	"math"
	"slices"
)

// tagSets is a list of distinct sets of tags. The weight of a set is the number
// of items that have it.
type tagSets struct {
	tags    [][]int32 // by set: tag numbers, ascending, at least one
	weights []int
	known   int // all tag numbers are below it
}

// overlaps returns, for every set, the weight of all sets that have a tag in
// common with it, itself included.
//
// Comparing every pair of sets would take quadratic time. Overlaps among small
// sets are counted by subsets of tags instead (subsets.go); that is fast if few
// sets have several tags in common. Small sets have up to manyTags tags, or up to
// fewTags if the former takes too many steps; a set of fewTags tags has 15
// subsets. Overlaps with a larger set are counted with an index (tagindex.go).
//
// Cost: O(tags of all sets) if few sets have several tags in common or more
// than fewTags tags. It never exceeds what the index takes for all sets by more
// than a constant factor: for each set the sum of the lengths of its tags'
// lists, or sets/64 steps for each of its tags, whichever is less. No method is
// known that is near-linear for all lists of sets: it would solve the orthogonal
// vectors problem, which is believed to take quadratic time.
func (s *tagSets) overlaps(ctx context.Context) ([]int, error) {
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

// manyTags is the largest number of tags of a set whose subsets are counted. It
// is fewTags instead if that takes more than stepsPerTag steps for each tag.
const manyTags, fewTags, stepsPerTag = 16, 4, 32

// bySubsets returns, for every set of at most most tags, the weight of all such
// sets that have a tag in common with it. most is manyTags or fewTags.
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

// rareFirst renumbers the tags in ascending order of the number of sets that
// have them. That keeps the tree of subsets small: few sets have a rare tag, and
// only the tags after it are added to it.
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

// index returns an index of the sets for which indexed returns true.
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
