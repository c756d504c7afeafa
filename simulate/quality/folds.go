package quality

import (
	"math/rand/v2"
	"slices"
)

// Folds deals cases into k folds, by group: all cases of a group are in one
// fold. The groups are shuffled by seed, and each goes to the fold with the
// fewest cases so far. The result is by case, 0 to k-1; k counts as at least 1
// and at most the number of groups.
func Folds(groups []string, k int, seed uint64) []int {
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
