package scorer

import "context"

// overlaps returns, for every set of some weight, the weight of all sets that have a tag in
// common with it, itself included. The weight of a set is the number of items that have it.
//
// For each such set it costs the sum of the lengths of its tags' lists of sets. No method is
// known that is near-linear for all lists of sets: it would solve the orthogonal vectors
// problem, which is believed to take quadratic time.
func (g *tagSets) overlaps(ctx context.Context, weights []int) ([]int, error) {
	polls := poller{ctx: ctx}
	having := make([][]int32, g.known) // by tag: the sets that have it
	number, all := 0, 0
	for i, tags := range g.sets {
		if weights[i] == 0 {
			continue
		}
		for _, tag := range tags {
			having[tag] = append(having[tag], int32(i))
		}
		number, all = number+1, all+weights[i]
		if err := polls.add(8 * len(tags)); err != nil {
			return nil, err
		}
	}
	counts := make([]int, len(g.sets))
	marks := make([]int32, len(g.sets)) // by set: 1 + the last set that counted it
	for i, tags := range g.sets {
		if weights[i] == 0 {
			continue
		}
		steps := 0
		for _, tag := range tags {
			if len(having[tag]) == number {
				counts[i] = all
				break
			}
			steps += len(having[tag])
			for _, k := range having[tag] {
				if marks[k] != int32(i)+1 {
					marks[k] = int32(i) + 1
					counts[i] += weights[k]
				}
			}
		}
		if err := polls.add(steps + 1); err != nil {
			return nil, err
		}
	}
	return counts, nil
}
