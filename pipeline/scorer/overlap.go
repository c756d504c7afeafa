package scorer

import "context"

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
// For each set it costs the sum of the lengths of its tags' lists of sets. No method is
// known that is near-linear for all lists of sets: it would solve the orthogonal vectors
// problem, which is believed to take quadratic time.
func (s *tagSets) overlaps(ctx context.Context) ([]int, error) {
	polls := poller{ctx: ctx}
	having := make([][]int32, s.known) // by tag: the sets that have it
	all := 0
	for i, tags := range s.tags {
		for _, tag := range tags {
			having[tag] = append(having[tag], int32(i))
		}
		all += s.weights[i]
		if err := polls.add(8 * len(tags)); err != nil {
			return nil, err
		}
	}
	counts := make([]int, len(s.tags))
	marks := make([]int32, len(s.tags)) // by set: 1 + the last set that counted it
	for i, tags := range s.tags {
		steps := 0
		for _, tag := range tags {
			if len(having[tag]) == len(s.tags) {
				counts[i] = all
				break
			}
			steps += len(having[tag])
			for _, k := range having[tag] {
				if marks[k] != int32(i)+1 {
					marks[k] = int32(i) + 1
					counts[i] += s.weights[k]
				}
			}
		}
		if err := polls.add(steps + 1); err != nil {
			return nil, err
		}
	}
	return counts, nil
}
