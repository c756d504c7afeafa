package quality

import (
	"math/rand/v2"
	"slices"
)

// deal distributes cases over k folds so that all cases of a group are in the
// same fold. groups holds the group of each case, and the result the fold of
// each, 0 to k-1. The groups are shuffled by seed, and each goes to the fold
// with the fewest cases so far. A k below 1 counts as 1, and one above the
// number of groups as that number.
func deal(groups []string, k int, seed uint64) []int {
	size := map[string]int{}
	var names []string // in order of first appearance
	for _, g := range groups {
		if size[g]++; size[g] == 1 {
			names = append(names, g)
		}
	}
	k = max(1, min(k, len(names)))
	rng := rand.New(rand.NewPCG(seed, uint64(k)))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	cases, foldOf := make([]int, k), map[string]int{}
	for _, g := range names {
		f := slices.Index(cases, slices.Min(cases))
		foldOf[g] = f
		cases[f] += size[g]
	}
	all := make([]int, len(groups))
	for i, g := range groups {
		all[i] = foldOf[g]
	}
	return all
}
